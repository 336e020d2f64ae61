# The checks of scripts/lint and scripts/test, one function each. Sourced after setup.sh; run from the
# project's folder. Settings: .clang-format, .clang-tidy, eslint.config.mjs, tsconfig.base.json.
# The clang tools are those beside Emscripten, so that one version decides on every machine.

lint_checks="clang_format clang_tidy prettier eslint typescript lockfile"

cpp_files() { find core wasm/bindings tests scripts -name '*.cc' -o -name '*.h' | sort; }

clang_format() { cpp_files | xargs scripts/lib/with_emscripten clang-format --dry-run --Werror; }

# Looks at what the simd128 module is made of. That takes minutes, so a file is looked at again only
# when it, a header or a setting changed: build/tidy has a stamp for each text found good.
clang_tidy() {
  local context
  context=$(find .clang-tidy cmake CMakeLists.txt core wasm/bindings -type f ! -name '*.cc' -print0 |
    sort -z | xargs -0 cat | cksum)
  mkdir -p build/tidy
  scripts/lib/with_emscripten bash -euo pipefail -c '
    cmake --preset wasm-simd128 >/dev/null
    flags=$(printf -- "--extra-arg=%s " $(em++ --cflags | grep -oE -e "--sysroot=[^ ]+") --target=wasm32-unknown-emscripten)
    for file in $(grep -oE "\"file\": \"$PWD/(core|wasm/bindings)/[^\"]+" build/wasm-simd128/compile_commands.json | cut -d\" -f4); do
      stamp=build/tidy/$({ echo "$1"; cat "$file"; } | cksum | tr " " -)
      [ -e "$stamp" ] || echo "$file" "$stamp"
    done | xargs --no-run-if-empty --max-args=2 --max-procs=2 \
      sh -c "clang-tidy --quiet -p build/wasm-simd128 $flags \"\$0\" && touch \"\$1\""
  ' bash "$context"
}

prettier() { npx prettier --check --log-level warn .; }

eslint() { npx eslint .; }

# Page and tests know the package by the types that its build writes.
typescript() {
  build_package
  npx tsc --noEmit --project web
  npx tsc --noEmit --project tests
}

# Packages are named, not located: an install works with whatever registry npm is set to.
lockfile() { ! grep '"resolved": "http' package-lock.json; }
