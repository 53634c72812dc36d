"""load.pl, theory.pl, background.pl and facts.pl: the dataset in plain `swipl`, without Hornbeam.

The same text, put together as load.pl does it, also proves the labels in this process. The samples are not part of it:
a family asserts those of a shard, asks for their answers in one call, and retracts them again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from hornbeam import resources
from hornbeam.data.files import inside
from hornbeam.errors import HornbeamError
from hornbeam.family import Family, PrologSide
from hornbeam.logic import Prolog
from hornbeam.logic.terms import quote

_LOAD = """\
% {title}.
% Open it with:  swipl {name}
%
% The samples are facts (facts.pl), the true theory is theory.pl, the background knowledge is background.pl.
% prolog/session.pl has the words that are the same in every dataset: explain, mine, wrong, score, compare.

:- style_check(-discontiguous).
:- use_module(library(lists)).
:- dynamic {predicates}.
:- discontiguous {predicates}.
{loads}:- include(facts).
:- use_module('prolog/session').

%!  help_dataset is det.
%
%   Shows what can be asked.

help_dataset :-
    format('~n~w~n~n', [{banner}]),
    forall(dataset_query(Goal, Meaning), format('  ?- ~w.~t~58|% ~w~n', [Goal, Meaning])),
    format('  ?- ~w.~t~58|% ~w~n~n', [help_dataset, 'this list']).

{queries}
:- initialization(help_dataset).
"""

SESSION = "prolog/session.pl"

# What the banner of every dataset shows behind the family's own goals.
_COMMON_QUERIES = (
    ("explain(Id)", "why a sample has its label"),
    ("mine('learned.pl')", "load a learned theory, or type rules after [user]"),
    ("score", "how many samples your theory gets right; wrong: which not"),
    ("compare", "where it differs from the true theory"),
    ("explain(mine, Id)", "why your theory answers as it does"),
)


def write(folder: Path, family: Family, side: PrologSide, summary: str) -> None:
    """Write all Prolog files but facts.pl, which is streamed."""
    session = resources.prolog("session.pl").read_text(encoding="utf-8")
    files = {"theory.pl": side.theory, "background.pl": side.background, SESSION: session, **side.modules}
    for name, text in files.items():
        path = inside(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "load.pl").write_text(_load(family, side, summary), encoding="utf-8")


def _load(family: Family, side: PrologSide, summary: str) -> str:
    queries = [
        f"dataset_query({quote(goal)},\n              {quote(meaning)}).\n"
        for goal, meaning in (*side.queries, *_COMMON_QUERIES)
    ]
    return _LOAD.format(
        title=f"{family.title}: {summary}",
        name="load.pl",
        predicates=", ".join(map(_indicator, family.fact_predicates())),
        loads="".join(_load_line(name, text) for name, text in _loaded(side))
        + "".join(f":- include({name}).\n" for name in side.included),
        banner=quote(f"{family.title}: {summary}. Ask, for example:"),
        queries="".join(queries),
    )


def _loaded(side: PrologSide) -> Iterator[tuple[str, str]]:
    yield "background", side.background
    yield "theory", side.theory


def _load_line(name: str, text: str) -> str:
    # Text without a module header becomes part of load.pl, so that it sees the samples.
    is_module = re.search(r"^:- module\(", text, flags=re.MULTILINE)
    return f":- use_module({name}).\n" if is_module else f":- include({name}).\n"


def _indicator(predicate: str) -> str:
    name, _, arity = predicate.rpartition("/")
    return f"{quote(name)}/{arity}"


def facts_header(predicates: Sequence[str]) -> str:
    """The first lines of facts.pl."""
    return f"% The samples as facts: {', '.join(predicates)}. Loaded by load.pl.\n\n"


# In this process, to prove labels -------------------------------------------------------------------------------------

_HEADER = re.compile(r"^:- module\(\w+,\s*\[.*?\]\)\.\n", flags=re.MULTILINE | re.DOTALL)
_LOADED = re.compile(r"^:- (?:include|use_module)\((\w+)\)\.$", flags=re.MULTILINE)


class Unproven(HornbeamError):
    """The label of a sample is not what the theory of its dataset derives."""

    def __init__(self, sample: str, label: str, derived: str | Sequence[str]) -> None:
        words = [derived] if isinstance(derived, str) else derived
        answers = " and ".join(f"'{word}'" for word in words) or "nothing"
        super().__init__(
            f"the label of sample '{sample}' is '{label}', but SWI-Prolog derives {answers}; no dataset was written"
        )


def in_process(side: PrologSide, predicates: Sequence[str]) -> str:
    """The module in which this Prolog of a dataset stands; equal text is loaded once per process."""
    declared = "".join(f":- dynamic {predicate}.\n" for predicate in predicates)
    return _loaded_module(declared + _joined(side.background, side) + _joined(side.theory, side))


def derived(family: str, goal: str, given: Mapping[str, Any]) -> list[str | list[str]]:
    """The answers that `goal`, of the module in prolog/FAMILY/proving.pl, binds to Answers: one call for all samples.

    An answer is the one word that follows, or a list of all that do where there are several or none.
    """
    answer = _engine(family).once(goal, given=given, module=f"{family}_proving")
    assert answer is not None
    answers: Any = answer["Answers"]
    return list(answers)


@cache
def _engine(family: str) -> Prolog:
    prolog = Prolog()
    prolog.load(resources.prolog(family, "proving.pl"))
    return prolog


@cache
def _loaded_module(text: str) -> str:
    module = f"hornbeam_proving_{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    return Prolog().load_text(text, module)


def _joined(text: str, side: PrologSide) -> str:
    """A file without its module header, and with the files that it loads by name put into it."""

    def file(match: re.Match[str]) -> str:
        name = f"{match[1]}.pl"
        return _joined(side.modules[name], side) if name in side.modules else match[0]

    return _LOADED.sub(file, _HEADER.sub("", text))
