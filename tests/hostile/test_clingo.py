"""Hostile texts for clingo: nothing is run, nothing is read, and names of a dataset stay names."""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbeam.errors import AspError, HornbeamError
from hornbeam.logic.asp import Facts, Program, Solver, engine
from tests.hostile.canaries import Canaries

# What runs or reads something while clingo parses or grounds.
REFUSED = {
    "python": '#script (python)\nimport os\nos.system("touch @MARK@")\ndef f(): return 1\n#end.\np(@f()).',
    "python_main": '#script(python)\ndef main(prg):\n  open("@MARK@", "w")\n  prg.ground([("base", [])])\n#end.',
    "lua": '#script (lua)\nos.execute("touch @MARK@")\n#end.',
    "spaced": '#script\n(python)\nopen("@MARK@", "w")\n#end.',
    "include": '#include "@SECRET@".',
    "include_angle": "#include <incmode>.",
    "include_passwd": '#include "/etc/passwd".',
    "include_after_comment": '% a "comment\n#include "@SECRET@".',
    "include_after_block": '%* one *% #include "@SECRET@".',
    "include_after_nested": '%* one %* two *% #include "@SECRET@". *%\np.',
    "include_after_string": 'p("\\"#include").\n#include "@SECRET@".',
    "include_after_open_string": 'p("abc\n#include "@SECRET@".\n").',
    "include_twice": 'p.\n\n#include"@SECRET@".',
}
CALLS = {
    "call": "p(@getpid()).",
    "call_init": "p(@__init__(1)).",
    "call_class": "p(@__class__()).",
    "call_setattr": 'p(@__setattr__("value", 1)).',
    "call_reduce": "p(@ __reduce__ ()).",
}


@pytest.mark.parametrize("name", [*REFUSED, *CALLS])
@pytest.mark.parametrize("way", ["program", "solver", "later", "file"])
def test_texts(name: str, way: str, birds: Canaries, tmp_path: Path) -> None:
    text = _filled((REFUSED | CALLS)[name], name, birds)
    file = tmp_path / "program.lp"
    file.write_text(text)
    ways = {
        "program": lambda: Program.parse(text).model(),
        "solver": lambda: list(Solver(text).answers()),
        "later": lambda: Solver("q.").add(text),
        "file": lambda: list(Solver(files=[file]).answers()),
    }
    with pytest.raises(AspError) as refused:
        ways[way]()
    assert birds.touched(str(refused.value)) == []


@pytest.mark.parametrize("name", REFUSED)
def test_the_engine(name: str, birds: Canaries) -> None:
    with pytest.raises(AspError, match="not allowed"):
        engine.grounded(_filled(REFUSED[name], name, birds))
    assert birds.touched() == []


@pytest.mark.parametrize("name", [*REFUSED, *CALLS])
def test_names_stay_names(name: str, birds: Canaries) -> None:
    """The same text as a constant or a predicate's name is data."""
    text = _filled((REFUSED | CALLS)[name], name, birds)
    facts = Facts.rows("p", [(text,)]) | Facts.rows(text, [("a",)])
    assert next(iter(facts.model().rows("p"))) == (text,)
    assert next(iter(facts.model().rows(text))) == ("a",)
    assert engine.grounded(facts.source) is not None
    assert birds.touched() == []


def test_a_grounding_bomb_ends_at_its_limit() -> None:
    """What a solver cannot finish in its time is an error, not a wait."""
    clauses = "\n".join(f"1 {{ at({n},1..20) }} 1." for n in range(21)) + "\n:- at(N,P), at(M,P), N < M."
    with pytest.raises(HornbeamError):
        Solver(clauses).first(time_limit=0.3)


def _filled(text: str, name: str, birds: Canaries) -> str:
    for placeholder, value in birds.places(name).items():
        text = text.replace(f"@{placeholder}@", value)
    return text
