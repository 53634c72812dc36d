"""How our Prolog files name each other, and that each is a module or says why not; see prolog/paths.pl."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from hornbeam import resources
from hornbeam.family import BUILT_IN, get
from hornbeam.logic import Prolog
from tests.documents import ROOT

FILES = sorted(path for folder in ("kb", "prolog", "tests") for path in (ROOT / folder).rglob("*.pl"))
PRESETS = {"kandy": ("easy", "hard"), "clutrr": ("tiny",), "graphlog": ("tiny",), "rudas": ("demo",), "star": ("rcc8",)}

# Text of datasets that is not a file of ours: texts.pl prints the module of a rule that a preset states.
PRINTED = "portray_clause((:- use_module('../natural/full', except(Own))))"
# In the first comment of a file without a module header.
REASON = re.compile(r"\b[Ii]ncluded?s?\b|\.pl of\s+(?:%\s+)?every dataset|^\s*Not a module: ", re.MULTILINE)


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def shipped() -> frozenset[str]:
    """The files whose text is copied into datasets, under their own name or as a part of another file."""
    texts = [resources.prolog("session.pl").read_text(encoding="utf-8")]
    for family, presets in PRESETS.items():
        for preset in presets:
            side = get(family).prolog_side(get(family).configure(preset))
            texts += [side.theory, side.background, *side.modules.values()]
    copies = {name(path): path.read_text(encoding="utf-8").strip() for path in FILES}
    return frozenset(file for file, text in copies.items() if any(text in whole for whole in texts))


def without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/|^\s*%.*?$", "", text, flags=re.DOTALL | re.MULTILINE)


def first_comment(text: str) -> str:
    """The comment at the top of a file; empty if it begins with a clause."""
    comment = re.match(r"\s*(/\*.*?\*/|(?:%[^\n]*\n|\n)+)", text, flags=re.DOTALL)
    return comment[1] if comment else ""


def relative_paths(text: str) -> list[str]:
    return re.findall(r".*\.\./.*", without_comments(text).replace(PRINTED, ""))


def has_header_or_reason(text: str) -> bool:
    return bool(re.search(r"^:- module\(", text, re.MULTILINE) or REASON.search(first_comment(text)))


@pytest.mark.parametrize("path", FILES, ids=name)
def test_a_file_that_stays_here_names_others_by_the_alias(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if name(path) in shipped():
        assert "hornbeam(" not in without_comments(text), "a dataset has no alias `hornbeam`"
    else:
        assert not relative_paths(text)
        assert "file_search_path" not in without_comments(text) or name(path) == "prolog/paths.pl"


@pytest.mark.parametrize("path", FILES, ids=name)
def test_a_file_is_a_module_or_says_why_not(path: Path) -> None:
    assert has_header_or_reason(path.read_text(encoding="utf-8"))


def test_every_family_is_asked_what_it_ships() -> None:
    assert set(PRESETS) == set(BUILT_IN)


def test_the_checks_can_fail() -> None:
    assert relative_paths("% a\n:- use_module('../kandy_kb', []).\n") == [":- use_module('../kandy_kb', [])."]
    assert not relative_paths("/* see ../x */\n:- use_module(hornbeam(prolog/kandy_kb)).\n")
    assert not has_header_or_reason("% Facts about colours.\ncolour(red).\n% load.pl includes this file.\n")
    assert not has_header_or_reason("colour(red).\n")
    assert has_header_or_reason("% Facts about colours; load.pl includes this file.\ncolour(red).\n")


def test_what_ships_is_what_paths_pl_lists() -> None:
    """The files with relative paths that ship, by the doc comment of paths.pl."""
    relative = {file for file in shipped() if relative_paths((ROOT / file).read_text(encoding="utf-8"))}
    files = {file if file.startswith("prolog/") else str(Path(file).parent) for file in relative}
    (listed,) = re.findall(r"with relative paths: (.*?)\.\n", resources.prolog("paths.pl").read_text(encoding="utf-8"))
    assert files == set(re.findall(r"(?:prolog|kb)/[\w/]+(?:\.pl)?", listed))


def test_every_engine_has_the_alias() -> None:
    """In this process and contained, `hornbeam` is the folder that Python reads from."""
    goal = "user:file_search_path(hornbeam, Root)"
    assert [answer["Root"] for answer in Prolog().all(goal)] == [str(resources.root())]
    with Prolog.contained() as contained:
        # It loads others by the alias; text from outside may not.
        assert contained.load(resources.prolog("kandy", "service.pl"), "asking") == "kandy_service"
