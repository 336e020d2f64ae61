# The checks of scripts/lint and scripts/test, one function each. Sourced after setup.sh; run from the
# project's folder. Settings: .clang-format, .clang-tidy, eslint.config.mjs, tsconfig.base.json.

lint_checks="clang_format clang_tidy prettier eslint typescript lockfile"

setup_checks() {
  setup_native
  setup_node
  need clang-format clang-format clang-tidy clang-tidy
}

cpp_files() { find core wasm/bindings tests scripts -name '*.cc' -o -name '*.h' | sort; }

clang_format() { cpp_files | xargs clang-format --dry-run --Werror; }

# The linter is slow, so a file is looked at again only when it, a header or a setting changed.
clang_tidy() {
  local context file stamp
  cmake --preset native >/dev/null
  mkdir -p build/tidy
  context=$({ clang-tidy --version; cat .clang-tidy cmake/*.cmake CMakeLists.txt; find core wasm/bindings -name '*.h' | sort | xargs cat; } | cksum)
  find core -name '*.cc' | sort | while read -r file; do
    stamp=build/tidy/$({ echo "$context"; cat "$file"; } | cksum | tr ' ' -)
    [ -e "$stamp" ] || printf '%s\0%s\0' "$file" "$stamp"
  done | xargs -0 --no-run-if-empty --max-args=2 --max-procs=2 \
    sh -c 'clang-tidy --quiet -p build/native "$1" && touch "$2"' sh
}

prettier() { npx prettier --check .; }

eslint() { npx eslint .; }

typescript() {
  local project
  for project in wasm web tests; do npx tsc --noEmit --project $project; done
}

# Packages are named, not located: an install works with whatever registry npm is set to.
lockfile() { ! grep '"resolved": "http' package-lock.json; }
