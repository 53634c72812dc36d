#!/bin/sh
# A release: version, changelog, wheel, tag.
#
#   scripts/release.sh VERSION PYTHON
#
# Refuses a tree with changes and a version that CHANGELOG.md does not describe. Nothing is pushed or uploaded: it ends
# with the commands for that.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/lib.sh"
cd "$root"

version=${1:-}
python=${2:-.venv/bin/python}

printf '%s' "$version" | grep -Eq '^[0-9]+\.[0-9]+\.[0-9]+$' || fail "give a version such as 0.2.0: make release VERSION=0.2.0"
[ -z "$(git status --porcelain)" ] || fail "commit or stash your changes first"
grep -Eq "^## \\[?$version\\b" CHANGELOG.md || fail "CHANGELOG.md has no section '## [$version]'"
git rev-parse -q --verify "refs/tags/v$version" >/dev/null && fail "the tag v$version exists already"

sed -i "s/^__version__ = .*/__version__ = \"$version\"/" pysrc/hornbeam/version.py
sed -i "s/^version: .*/version: $version/" CITATION.cff
rm -rf dist
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist . ||
    { git checkout -q pysrc/hornbeam/version.py CITATION.cff; fail "the wheel could not be built; nothing was changed"; }
git commit -q --all --message "BUILD: release $version"
git tag --annotate "v$version" --message "Hornbeam $version"
say "made $(ls dist/*.whl) and the tag v$version; publish with: git push --follow-tags"
