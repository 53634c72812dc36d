#!/bin/sh
# Prints the path of a SWI-Prolog that Janus can use, after making a private one where there is none.
#
#   scripts/install-swipl.sh PREFIX
#
# A swipl on PATH of at least 9.1.12 is taken as it is. Otherwise Debian 13's packages are unpacked
# into PREFIX: nothing outside PREFIX changes and no root is needed, because apt gets sources,
# lists and a cache of its own. PREFIX is made beside its place and renamed, so it is whole or absent.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

prefix=$1
oldest=90112
suite=trixie
packages="swi-prolog-core swi-prolog-core-packages swi-prolog-nox"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

usable() {
    version=$("$1" --dump-runtime-variables 2>/dev/null | sed -n 's/^PLVERSION="\(.*\)";$/\1/p')
    [ "${version:-0}" -ge "$oldest" ]
}

take_existing() {
    if usable "$prefix/bin/swipl"; then
        echo "$prefix/bin/swipl"; exit 0
    fi
    found=$(command -v swipl || true)
    if [ -n "$found" ] && usable "$found"; then
        echo "$found"; exit 0
    fi
}

need_debian() {
    case $(uname -s) in
        Darwin) fail "SWI-Prolog 9.1.12 or later is needed. Run: brew install swi-prolog" ;;
    esac
    command -v apt-get >/dev/null 2>&1 && command -v dpkg >/dev/null 2>&1 ||
        fail "SWI-Prolog 9.1.12 or later is needed. Install it from https://www.swi-prolog.org/Download.html, then run this again."
    [ -r "$keyring" ] || system_packages "the Debian archive keyring is missing" debian-archive-keyring
}

# The machine's own mirror serves the newer suite too.
mirror() {
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | sort -u | head -n 1
}

release_codename() {
    . /etc/os-release
    echo "${VERSION_CODENAME:-$suite}"
}

# private_apt COMMAND... runs apt-get on the state in $work alone.
private_apt() {
    apt-get -qq \
        -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State="$work/state" -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" \
        -o Dir::State::Status=/var/lib/dpkg/status -o APT::Sandbox::User=root \
        -o Acquire::Retries=3 -o APT::Update::Error-Mode=any "$@" >&2
}

fetch_packages() {
    uri=$(mirror)
    if [ -z "$uri" ]; then
        [ "$(id -u)" = 0 ] && apt-get update -qq >/dev/null 2>&1 || true
        uri=$(mirror)
    fi
    [ -n "$uri" ] || fail "apt has no Debian source configured. Install SWI-Prolog 9.1.12 or later by hand, then run this again."
    codename=$(release_codename)
    mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/state" "$work/debs"
    for name in $(printf '%s\n' "$suite" "$codename" | sort -u); do
        echo "deb [signed-by=$keyring] $uri $name main"
    done > "$work/sources.list"
    private_apt update || fail "Debian's package lists could not be fetched; is there a network connection? Nothing was changed."
    # The program (not the library) is linked with tcmalloc; take the one made for this release's libc.
    if [ "$codename" = "$suite" ]; then malloc=libtcmalloc-minimal4t64; else malloc=libtcmalloc-minimal4/$codename; fi
    ( cd "$work/debs" && private_apt download $packages "$malloc" ) ||
        fail "SWI-Prolog's packages could not be downloaded. Nothing was changed."
}

unpack() {
    for deb in "$work"/debs/*.deb; do
        dpkg -x "$deb" "$work/prefix"
    done
    libraries=$(cd "$work/prefix" && ls -d usr/lib/*/libswipl.so.* | head -n 1 | xargs dirname)
    mkdir -p "$work/prefix/bin"
    cat > "$work/prefix/bin/swipl" <<LAUNCHER
#!/bin/sh
# SWI-Prolog from a private prefix: its library is not in the system's folders.
prefix=\$(dirname "\$(dirname "\$(readlink -f "\$0")")")
LD_LIBRARY_PATH=\$prefix/$libraries\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
exec "\$prefix/usr/bin/swipl" "\$@"
LAUNCHER
    chmod +x "$work/prefix/bin/swipl"
    # What the package's postinst would have done; the first start complains of the missing index.
    "$work/prefix/bin/swipl" -g "make_library_index(swi(library))" -t halt >"$work/index.log" 2>&1 ||
        { cat "$work/index.log" >&2; fail "the unpacked SWI-Prolog does not start"; }
    usable "$work/prefix/bin/swipl" || fail "the unpacked SWI-Prolog does not answer"
}

take_existing
need_debian
say "installing SWI-Prolog into $prefix"
work=$prefix.partial
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
fetch_packages
unpack
rm -rf "$prefix"
mv "$work/prefix" "$prefix"
echo "$prefix/bin/swipl"
