"""Every label derived by SWI-Prolog, through the text of the files that a dataset ships: rules.pl and background.pl."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from hornbeam import resources
from hornbeam.data.sample import Sample
from hornbeam.errors import DatasetError
from hornbeam.logic import Prolog, String
from hornbeam.rudas.record import fact_row, fact_text

THEORY = """\
% The true rules of every task: rule(Task, Number, (Head :- Body)). A rule graph is component(Task, Number, Category,
% Depth, Target); predicates with a property are property(Task, Property, Predicate).

:- dynamic rule/3, component/5, property/3.
:- discontiguous rule/3, component/5, property/3.
"""

_MODULE = "hornbeam_rudas_proof"


def background_text() -> str:
    """background.pl of a dataset: what can be asked, and what follows."""
    return resources.prolog("rudas", "dataset.pl").read_text(encoding="utf-8")


@cache
def _loaded() -> Prolog:
    """The dataset's Prolog in a module of its own; rules and samples come with each shard."""
    prolog = Prolog()
    prolog.load_text(f":- dynamic sample/5, derived/4.\n{THEORY}{background_text()}", _MODULE, name="background.pl")
    prolog.load(resources.prolog("rudas", "proving.pl"), module="hornbeam_rudas")
    return prolog


def prove(task: str, rules: str, samples: Sequence[Sample]) -> int:
    """How many labels SWI-Prolog derived from `rules`, the text of rules.pl, and the support among the samples.

    These are the labels that state an answer: a consequence must follow, noise must not. DatasetError names the first
    sample for which it is otherwise.
    """
    answer: Any = _loaded().once(
        "prove_samples(_Module, _Task, _Rules, _Codes, Judged, Wrong)",
        given={"_Module": _MODULE, "_Task": task, "_Rules": String(rules), "_Codes": _coded(samples)},
        module="rudas_proving",
    )
    for number, expected, derived in answer["Wrong"]:
        sample = samples[number]
        raise DatasetError(
            f"sample {sample.id}, {fact_text(sample)}, is labelled {sample.label} and must be {expected}, but "
            f"SWI-Prolog finds it {derived} from rules.pl and background.pl: this is a fault of the generator"
        )
    return int(answer["Judged"])


def _coded(samples: Sequence[Sample]) -> list[Any]:
    """The facts as one flat list, which crosses fastest: see prolog/rudas/proving.pl."""
    codes: list[Any] = []
    for sample in samples:
        predicate, *arguments = fact_row(sample)
        codes += (sample.split, sample.label, predicate, len(arguments), *arguments)
    return codes
