# Shared by every command: where the project is, how to say and stop, apt installs, locks.
# Sourced by bash scripts, never run. Next to read: setup.sh, which brings the tools.

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
toolchain=$root/.toolchain
# Unset in every build: inside the Debian root the file it names does not exist.
unset NODE_EXTRA_CA_CERTS

say() { printf '\n== %s\n' "$*" >&2; }

die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# version_at_least HAVE WANT: true when HAVE >= WANT, compared as dotted numbers.
version_at_least() { printf '%s\n%s\n' "$2" "$1" | sort -VC; }

# apt_install PACKAGE...: install Debian packages, or say which tools a person must bring.
apt_install() {
  have apt-get || die "please install the equivalents of these Debian packages: $*"
  [ "$(id -u)" = 0 ] || die "run as root, or install these Debian packages first: $*"
  say "installing $*"
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq update
  apt-get -qq -o DPkg::Lock::Timeout=600 install -y --no-install-recommends "$@" >/dev/null
}

# with_lock NAME COMMAND...: one at a time, also between two shells of two people.
with_lock() {
  mkdir -p "$toolchain"
  (
    flock 9
    shift
    "$@"
  ) 9>"$toolchain/$1.lock"
}
