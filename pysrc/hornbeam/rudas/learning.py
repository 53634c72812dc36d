"""RuDaS tasks for learners of theories.

A learner is given what the paper gives: the training facts, open and noisy. Which of them are noise, which predicates
are derived, and what was withheld it is not told.

View `facts`: all training facts, no head told apart. A theory is applied to the support of the fresh world and should
derive the consequences there (`test`, if there is such a world); `valid` applies it to the training facts themselves.

View `examples`: one predicate at a time, for learners that want true and false examples. Its training facts are the
true examples, the facts of all other predicates the background. There are no false facts in RuDaS, so false examples
are drawn by the closed world: atoms of the target that are no training fact. Half of them differ from a true example in
one argument, half are drawn from all constants. Some may be true in the world that the facts were taken from: a
learner has to tolerate that like noise. Held-out examples are drawn from the fresh world, whose false atoms are known.

Options of `examples`: ``target`` (a predicate; the root of the first rule graph where none is named), ``negatives``
(false examples for each true one, 2), ``recursion`` (true or false: may the target be called; false).

>>> import hornbeam
>>> dataset = hornbeam.load(folder)  # doctest: +SKIP
>>> problem = learning_problem(dataset, "examples", "RDG-S-3-0", {"target": "p3"})  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from hornbeam.errors import UsageError, unknown_name
from hornbeam.logic import Clause, Compound, to_text
from hornbeam.logic.terms import Term
from hornbeam.rudas.judging import SUPPORT, TRUE, definitions
from hornbeam.rudas.record import facts, true_rules
from hornbeam.seeds import fast_rng
from hornbeam.tasks.bias import ANY_TYPE, Bias, Mode, Place
from hornbeam.tasks.problem import EXAMPLES, FACTS, ExampleTask, FactTask, Held, Problem
from hornbeam.theory import Theory
from hornbeam.theory.theory import Indicator, indicator

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

VIEWS = (FACTS, EXAMPLES)
_DRAWS = 50  # of one false example before it is given up
_MOST_VARIABLES = 6


def learning_problem(
    dataset: Dataset, view: str, task: str | None = None, options: Mapping[str, str] | None = None
) -> Problem:
    """A task of a RuDaS dataset as a learner takes it."""
    if view not in VIEWS:
        raise unknown_name("view", view, VIEWS)
    name = dataset.one_task(task)
    given = dict(options or {})
    if view == FACTS:
        if given:
            raise UsageError(f"the view facts of rudas has no options, found {', '.join(sorted(given))}")
        return _facts_problem(dataset, name)
    return _examples_problem(dataset, name, _options(given))


# Facts ------------------------------------------------------------------------------------------------------------


def _facts_problem(dataset: Dataset, name: str) -> Problem:
    training = tuple(facts(dataset, name, "train"))
    modes = tuple(_mode(predicate, "?") for predicate in _predicates(training))
    bias = Bias(modes, modes, max_body=_max_atoms(dataset, name), max_vars=_MOST_VARIABLES, recursion=True)
    held = {"valid": Held(support=training, expected=tuple(facts(dataset, name, "test")))}
    support, derived = facts(dataset, name, "eval-support"), facts(dataset, name, "eval-conseqs")
    if support or derived:
        held["test"] = Held(support=tuple(support), expected=tuple(derived))
    known = definitions(_predicates(training), SUPPORT)
    return Problem(FactTask(name, training, bias), held, Theory.of(true_rules(dataset, name)), known)


def _predicates(atoms: Sequence[Term]) -> list[Indicator]:
    return sorted({indicator(atom) for atom in atoms})


def _mode(predicate: Indicator, fill: str) -> Mode:
    return Mode(predicate[0], (Place(fill, ANY_TYPE),) * predicate[1])  # type: ignore[arg-type]


def _max_atoms(dataset: Dataset, name: str) -> int:
    """The longest bodies that the dataset was asked to have: the paper lets its systems search up to that length."""
    specs = dataset.config.specs_by_name()
    return specs[name].settings.max_atoms if name in specs else 2


# Examples ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Options:
    target: str | None = None
    negatives: int = 2
    recursion: bool = False


def _options(given: Mapping[str, str]) -> _Options:
    known = ("target", "negatives", "recursion")
    for key in given:
        if key not in known:
            raise unknown_name("option", key, known)
    number = given.get("negatives", "2")
    if not number.isdecimal() or not 1 <= int(number) <= 1000:
        raise UsageError(f"option negatives: expected a whole number from 1 to 1000, found {number}")
    recursion = given.get("recursion", "false")
    if recursion not in ("true", "false"):
        raise UsageError(f"option recursion: expected true or false, found {recursion}")
    return _Options(given.get("target"), int(number), recursion == "true")


def _examples_problem(dataset: Dataset, name: str, options: _Options) -> Problem:
    training = facts(dataset, name, "train")
    rules = true_rules(dataset, name)
    target = _target(training, rules, options.target)
    others = [predicate for predicate in _predicates(training) if predicate != target]
    called = [*others, target] if options.recursion else others
    bias = Bias(
        (_mode(target, "+"),),
        tuple(_mode(predicate, "?") for predicate in called),
        max_body=_max_atoms(dataset, name),
        max_vars=_MOST_VARIABLES,
        recursion=options.recursion,
    )
    rng = fast_rng(dataset.manifest.seed or 0, "rudas", name, "false examples", *target)
    train = _split(training, target, training, options.negatives, rng)
    world = facts(dataset, name, "eval-cw")
    held = {"test": _split(world, target, world, options.negatives, rng)} if world else {}
    task = ExampleTask(
        f"{name}:{target[0]}", train.positive, train.negative, train.background, bias, facts=True, encoding="facts"
    )
    own = Theory.of([rule for rule in rules if indicator(rule.head) == target])
    return Problem(task, held, own, definitions(others, TRUE))


def _target(training: Sequence[Compound], rules: Sequence[Clause], wanted: str | None) -> Indicator:
    """The predicate to learn, by its name; without one the root of the first rule graph."""
    if wanted is None:
        return indicator(rules[0].head)
    known = {name: (name, arity) for name, arity in _predicates(training)}
    if wanted not in known:
        raise unknown_name("target", wanted, sorted(known))
    return known[wanted]


def _split(
    world: Sequence[Compound], target: Indicator, known: Collection[Compound], negatives: int, rng: Random
) -> Held:
    """The target's facts as true examples, the others as background, and false examples that are not `known`."""
    positive = [fact for fact in world if indicator(fact) == target]
    others = [fact for fact in world if indicator(fact) != target]
    constants = sorted({arg for fact in world for arg in fact.args}, key=str)
    false = _false_examples(positive, target, set(known), constants, negatives, rng)
    background = "".join(f"{to_text(fact)}.\n" for fact in sorted(others, key=to_text))
    return Held(positive=tuple(positive), negative=tuple(false), background=background)


def _false_examples(
    positive: Sequence[Compound],
    target: Indicator,
    known: Collection[Compound],
    constants: Sequence[Term],
    count: int,
    rng: Random,
) -> list[Compound]:
    """Near misses of each true example and atoms of the target at random, in turn; each once."""
    false: dict[Compound, None] = {}
    for fact in positive:
        for number in range(count):
            for _ in range(_DRAWS):
                args = list(fact.args) if number % 2 == 0 else [rng.choice(constants) for _ in fact.args]
                args[rng.randrange(target[1])] = rng.choice(constants)
                atom = Compound(target[0], tuple(args))
                if atom not in known and atom not in false:
                    false[atom] = None
                    break
    return list(false)
