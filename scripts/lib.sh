# Shared by the set-up scripts: messages, and packages from the system's own package manager.

say()  { printf 'setup: %s\n' "$*" >&2; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }

# system_packages WHY PACKAGE... installs Debian packages where we may, else says how.
system_packages() {
    why=$1; shift
    if ! command -v apt-get >/dev/null 2>&1; then
        fail "$why. Install the equivalent of: $*"
    fi
    if [ "$(id -u)" != 0 ]; then
        fail "$why. Run: sudo apt-get install -y $*"
    fi
    say "$why: installing $*"
    apt-get update -qq >/dev/null 2>&1 || say "the package lists could not be refreshed; trying with the old ones"
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null ||
        fail "could not install $*; is there a network connection?"
}
