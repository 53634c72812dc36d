#!/bin/sh
# From a bare machine to a working checkout: SWI-Prolog, a virtual environment, Hornbeam in it.
#
#   scripts/setup.sh PYTHON
#
# Everything lives in .swipl/ and .venv/ of the checkout. .venv/bin/swipl is the SWI-Prolog that
# Janus was built for: Hornbeam looks there first, and `. .venv/bin/activate` puts it on PATH.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/lib.sh"
cd "$root"

python=${1:-python3}
venv=$root/.venv

check_python() {
    command -v "$python" >/dev/null 2>&1 || system_packages "Python is missing" python3
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        fail "Python 3.11 or later is needed; $("$python" --version) was found. Choose another with: make PYTHON=python3.11 setup"
    "$python" -c 'import ensurepip, venv' >/dev/null 2>&1 || system_packages "Python's venv module is missing" python3-venv
}

# Janus comes as source and is compiled here.
check_compiler() {
    command -v cc >/dev/null 2>&1 || system_packages "a C compiler is missing" gcc libc6-dev
    "$python" -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))' ||
        system_packages "Python's headers are missing" python3-dev
    printf '#include <stdlib.h>\n' | cc -E - >/dev/null 2>&1 ||
        system_packages "the C library's headers are missing" libc6-dev
}

make_environment() {
    [ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
    say "installing Hornbeam and its libraries into .venv (some minutes the first time)"
    install_packages --editable '.[neural,scale,parquet,docs,dev]'
}

install_packages() {
    "$venv/bin/python" -m pip install -qq --disable-pip-version-check --constraint constraints.txt "$@" ||
        fail "the Python packages could not be installed; is there a network connection?"
}

check_python
check_compiler
make_environment
"$venv/bin/hornbeam" setup --prefix "$root/.swipl" --constraints constraints.txt >&2 || fail "SWI-Prolog is not ready; see above"
"$venv/bin/hornbeam" doctor --brief || fail "the installation is not complete; see above"
touch "$venv/.ready"
