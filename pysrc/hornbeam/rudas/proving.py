"""Labels, derived twice: by SWI-Prolog from the text that a dataset ships (rules.pl, background.pl), and by clingo."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, reduce
from operator import or_
from typing import Any

from hornbeam import resources
from hornbeam.data.sample import Sample
from hornbeam.errors import DatasetError
from hornbeam.logic import Prolog, String
from hornbeam.logic.asp import Facts, Program
from hornbeam.rudas.closure import Fact
from hornbeam.rudas.record import FactNames, fact_row, fact_text
from hornbeam.rudas.rules import RuleSet, clause

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
    """The dataset's Prolog in its own module; rules and samples come with each shard."""
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


_JUDGED = frozenset({"consequence", "removed", "noise"})


def program(rules: RuleSet) -> Program:
    """The rules for clingo, in their own names."""
    return Program([clause(rule, rules) for rule in rules.rules])


def facts_of(rows: Iterable[FactNames]) -> Facts:
    """Facts for clingo from lists of names."""
    groups: dict[str, list[FactNames]] = {}
    for row in rows:
        groups.setdefault(row[0], []).append(row[1:])
    return reduce(or_, (Facts.rows(predicate, groups[predicate]) for predicate in sorted(groups)), Facts())


def as_facts(facts: Iterable[Fact], rules: RuleSet) -> Facts:
    """Facts over numbers for clingo, in the names of a rule set."""
    name = rules.constant
    return facts_of((rules.predicate(fact[0]), *[name(value) for value in fact[1:]]) for fact in facts)


def confirm(name: str, rules: RuleSet, support: Collection[Fact], labels: Mapping[Fact, str]) -> int:
    """How many labels clingo confirms: of every fact that is said to follow, and of every one that is said not to.

    DatasetError unless the least model of the support is exactly the facts that are not noise.
    """
    model = program(rules).model(as_facts(support, rules))
    ours = as_facts((fact for fact, label in labels.items() if label != "noise"), rules).model()
    if model != ours:
        raise DatasetError(
            f"{name}: clingo derives {len(model)} facts where {len(ours)} were made: "
            f"{len(model - ours)} more, {len(ours - model)} fewer"
        )
    return sum(label in _JUDGED for label in labels.values())
