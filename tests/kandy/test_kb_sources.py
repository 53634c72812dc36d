"""Each Prolog file reads as the house wants: one module, every export with its modes and a documented determinism."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hornbeam import resources

ROOT = resources.root()
FILES = sorted([*(ROOT / "kb" / "kandy").rglob("*.pl"), *(ROOT / "prolog" / "kandy").glob("*.pl")])
INCLUDED = {"structure.pl", "objects.pl"}  # in natural.pl and pointer.pl
OFFERS = {"natural", "pointer"}  # folders of modules that pass on what others define


def text_with_includes(path: Path) -> str:
    text = path.read_text()
    for name in re.findall(r"^:- include\((\w+)\)\.", text, re.MULTILINE):
        text += (path.parent / f"{name}.pl").read_text()
    return text


@pytest.mark.parametrize("path", [p for p in FILES if p.name not in INCLUDED], ids=lambda p: str(p.relative_to(ROOT)))
def test_exports_are_documented(path: Path) -> None:
    text = text_with_includes(path)
    header = re.search(r":- module\((\w+),\s*\[(.*?)\]\)\.", text, re.DOTALL)
    assert header is not None and header[1].startswith("kandy_")
    assert "/** <module>" in text or path.parent.name == "tasks"
    if path.parent.name in OFFERS:
        return
    # A module that passes on what another one defines need not document it again.
    imported = set(re.findall(r"(\w+/\d+)", "".join(re.findall(r":- use_module\([^)]*?\[(.*?)\]", text, re.DOTALL))))
    documented = {
        (name, 1 + _commas(arguments) if arguments else 0)
        for name, arguments, _ in re.findall(
            r"^%!  (\w+)(?:\((.*)\))?(?://)? is (det|semidet|nondet|multi)\.", text, re.MULTILINE
        )
    }
    for name, arity in re.findall(r"(\w+)(?:/|//)(\d+)", re.sub(r"%.*", "", header[2])):
        if f"{name}/{arity}" not in imported:
            assert (name, int(arity)) in documented, f"{name}/{arity}"


def _commas(arguments: str) -> int:
    """Commas between arguments, not inside them."""
    while re.search(r"\([^()]*\)|\[[^\[\]]*\]", arguments):
        arguments = re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "", arguments)
    return arguments.count(",")


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_lines_fit(path: Path) -> None:
    long = [number for number, line in enumerate(path.read_text().splitlines(), 1) if len(line) > 120]
    assert not long


def test_knowledge_has_no_control() -> None:
    """kb/ holds facts and rules: no directive but those that say what a module is made of."""
    for path in sorted((ROOT / "kb" / "kandy").rglob("*.pl")):
        found = set(re.findall(r"^:- (\w+)", path.read_text(), re.MULTILINE))
        assert found <= {"module", "use_module", "include", "dynamic"}, path
