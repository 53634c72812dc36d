"""The Prolog of a dataset in this process, so that labels are proven by the text that the dataset ships.

The files are put together as load.pl does it, but into a module of their own. The samples are not among them: a family
tells those of a shard, asks for their answers in one call, and forgets them again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from hornbeam import resources
from hornbeam.errors import HornbeamError
from hornbeam.family import PrologSide
from hornbeam.logic import Prolog

_HEADER = re.compile(r"^:- module\(\w+,\s*\[.*?\]\)\.\n", flags=re.MULTILINE | re.DOTALL)
_LOADED = re.compile(r"^:- (?:include|use_module)\((\w+)\)\.$", flags=re.MULTILINE)


class Unproven(HornbeamError):
    """The label of a sample is not what the theory of its dataset derives."""

    def __init__(self, sample: str, label: str, derived: str | Sequence[str]) -> None:
        words = [derived] if isinstance(derived, str) else derived
        found = " and ".join(f"'{word}'" for word in words) or "nothing"
        super().__init__(
            f"the label of sample '{sample}' is '{label}', but SWI-Prolog derives {found}; no dataset was written"
        )


def in_process(side: PrologSide, predicates: Sequence[str]) -> str:
    """The module in which this Prolog of a dataset stands; equal text is loaded once per process."""
    declared = "".join(f":- dynamic {predicate}.\n" for predicate in predicates)
    return _load(declared + _joined(side.background, side) + _joined(side.theory, side))


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
def _load(text: str) -> str:
    module = f"hornbeam_proving_{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    return Prolog().load_text(text, module)


def _joined(text: str, side: PrologSide) -> str:
    """A file without its module header, and with the files that it loads by name put into it."""

    def file(match: re.Match[str]) -> str:
        name = f"{match[1]}.pl"
        return _joined(side.modules[name], side) if name in side.modules else match[0]

    return _LOADED.sub(file, _HEADER.sub("", text))
