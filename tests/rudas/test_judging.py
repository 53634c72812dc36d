"""Learned RuDaS rules against the true ones: proven, refuted by a database, and the same in plain `swipl`."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.logic import swipl
from hornbeam.logic.terms import Clause, Compound, Term, Var
from hornbeam.rudas import judging
from hornbeam.rudas.fresh_worlds import fresh_worlds
from hornbeam.rudas.record import fact_row, facts
from hornbeam.tasks.courtroom import Courtroom
from hornbeam.theory import Theory, herbrand_model
from hornbeam.theory.files import save_theory
from hornbeam.theory.theory import Indicator, atom_of, indicator, is_negative
from hornbeam.theory.verdict import AGREES, EQUAL, REFUTED, Verdict

PRESETS = ("demo", "recursive", "extensions")
DAMAGES = 20  # of each preset


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Dataset]:
    folder = tmp_path_factory.mktemp("judging")
    return {preset: hornbeam.generate("rudas", preset, out=folder / preset, seed=3, workers=1) for preset in PRESETS}


@pytest.mark.parametrize("preset", PRESETS)
def test_the_truth_renamed_and_reordered_is_proven_equal(preset: str, made: dict[str, Dataset]) -> None:
    dataset = made[preset]
    for task in dataset.tasks:
        rules = [renamed(clause) for clause in reversed(dataset.truth_of(task).clauses)]
        verdict = dataset.family.court(dataset, task).verdict(Theory.of(rules))
        assert str(verdict) == "proven equal (clause by clause)", task


def test_rules_that_say_the_same_in_other_words_are_proven_equal_by_containment(made: dict[str, Dataset]) -> None:
    dataset = made["demo"]
    task = dataset.tasks[0]
    rules = dataset.truth_of(task).clauses
    called = next(clause for clause in rules if any(indicator(part) == indicator(other.head) for other in rules
                                                    for part in clause.body))  # fmt: skip
    unfolded = resolved(called, rules)
    theory = Theory.of([*rules, unfolded])
    assert dataset.family.court(dataset, task).verdict(theory).kind == EQUAL
    # A helper that a learner invents is looked through.
    head, *body = called.head, *called.body
    names = sorted({arg for part in called.body for arg in part.args if isinstance(arg, Var)}, key=str)  # type: ignore[union-attr]
    helper = Compound("invented", tuple(names))
    others = [clause for clause in rules if clause is not called]
    theory = Theory.of([*others, Clause(head, (helper,)), Clause(helper, tuple(body))])
    assert str(dataset.family.court(dataset, task).verdict(theory)) == "proven equal (by containment)"


@pytest.mark.parametrize("preset", ["demo", *(pytest.param(preset, marks=pytest.mark.slow) for preset in PRESETS[1:])])
def test_a_damaged_literal_is_refuted_and_prolog_confirms_it(
    preset: str, made: dict[str, Dataset], tmp_path: Path
) -> None:
    dataset = made[preset]
    rng = random.Random(17)
    damages = refuted = 0
    while damages < DAMAGES:
        task = dataset.tasks[damages % len(dataset.tasks)]
        court = dataset.family.court(dataset, task)
        theory = damaged(court.truth, rng)
        verdict = court.verdict(theory)
        if verdict.kind == EQUAL:
            # Damaged without a change in meaning: both theories derive the same from worlds of the generator.
            assert same_on_fresh_worlds(dataset, task, court.truth, theory)
            continue
        damages += 1
        assert verdict.kind == REFUTED and verdict.counterexample is not None and verdict.blame
        assert len(verdict.counterexample.prolog.splitlines()) <= 8
        refuted += 1
        if refuted % 10 == 1:
            assert in_plain_swipl(dataset, court.defined(theory), verdict, tmp_path) == [
                verdict.counterexample.true, verdict.counterexample.learned,
            ]  # fmt: skip


def test_where_nothing_is_decided_fresh_worlds_are_asked(made: dict[str, Dataset]) -> None:
    dataset = made["demo"]
    task = dataset.tasks[0]
    court = judging.court(dataset, task)
    pair = court._comparison(court.truth)
    verdict = court._by_worlds(court.defined(court.truth), pair, 500, seed=1)
    assert verdict.kind == AGREES and verdict.fresh >= 500
    fewer = court.truth.without(0)
    verdict = court._by_worlds(court.defined(fewer), court._comparison(fewer), 500, seed=1)
    assert verdict.kind == REFUTED and verdict.blame == f"nothing does the work of {court.truth.texts[0]}"
    assert verdict.counterexample is not None and len(verdict.counterexample.prolog.splitlines()) <= 8


def test_a_theory_without_rules_is_refuted(made: dict[str, Dataset]) -> None:
    dataset = made["demo"]
    assert dataset.family.court(dataset, dataset.tasks[0]).verdict(Theory(())).kind == REFUTED


def test_a_predicate_that_nobody_defines_is_an_error(made: dict[str, Dataset]) -> None:
    dataset = made["demo"]
    with pytest.raises(UsageError, match=r"calls p99/2, which neither it nor the dataset defines"):
        dataset.family.court(dataset, dataset.tasks[0]).verdict(Theory.parse("p1(X,Y) :- p99(X,Y)."))


def test_rules_of_one_predicate_are_compared_with_its_own(made: dict[str, Dataset]) -> None:
    dataset = made["demo"]
    task = dataset.tasks[1]
    rules = dataset.truth_of(task).clauses
    target = rules[0].head.functor  # type: ignore[union-attr]
    court = dataset.family.court(dataset, task, {"target": target})
    own = Theory.of([rule for rule in rules if indicator(rule.head)[0] == target])
    assert court.verdict(own).kind == EQUAL
    shorter = Theory.of([Clause(own.clauses[0].head, own.clauses[0].body[:1])])
    assert court.verdict(shorter).kind == REFUTED


@pytest.mark.parametrize("learner", ["amie", *(pytest.param(one, marks=pytest.mark.slow) for one in ("mdie", "foil"))])
def test_a_learned_file_answers_alike_in_plain_swipl_in_the_courtroom_and_in_python(
    learner: str, made: dict[str, Dataset], tmp_path: Path
) -> None:
    dataset = made["demo"]
    task = dataset.tasks[1]
    view = "examples" if learner == "mdie" else "facts"
    problem = dataset.family.learning_problem(dataset, view, task)
    learned = hornbeam.learn(dataset, learner, task=task, timeout=10)
    used = sorted(learned.predicates - learned.defines)
    theory = learned.with_definitions([clause for one in used for clause in problem.definitions.get(one, ())])
    save_theory(theory, tmp_path / "learned.pl", {"learner": learner})
    read = Theory.load(tmp_path / "learned.pl")
    court = judging.court(dataset, task)
    with Courtroom(dataset) as room:
        names = [name for name in room.expected() if dataset.sample(name).task == task]
        room.hear(court.defined(read))
        inside = dict(zip(names, room.mine(names), strict=True))
    assert plain_answers(dataset, tmp_path / "learned.pl", task) == inside
    assert python_answers(dataset, task, theory, names, view) == inside
    assert court.verdict(read).kind in (EQUAL, REFUTED, AGREES)


# Theories -------------------------------------------------------------------------------------------------------------


def renamed(clause: Clause) -> Clause:
    return Clause(_renamed(clause.head), tuple(map(_renamed, reversed(clause.body))))


def _renamed(term: Term) -> Term:
    if isinstance(term, Var):
        return Var(f"Other{term.name}")
    return Compound(term.functor, tuple(map(_renamed, term.args))) if isinstance(term, Compound) else term


def resolved(clause: Clause, rules: Sequence[Clause]) -> Clause:
    """A clause with a further copy of its body under other names: longer, and the same in meaning."""
    more = [_renamed(part) for part in clause.body]
    return Clause(clause.head, (*clause.body, *more))


def damaged(theory: Theory, rng: random.Random) -> Theory:
    """One literal of one rule dropped, with its arguments swapped, or of another predicate."""
    clauses = list(theory.clauses)
    number = rng.randrange(len(clauses))
    clause = clauses[number]
    at = rng.randrange(len(clause.body))
    known = sorted(theory.predicates)
    clauses[number] = Clause(clause.head, tuple(_damaged(clause.body, at, known, rng)))
    return Theory.of(clauses)


def _damaged(body: Sequence[Term], at: int, known: Sequence[Indicator], rng: random.Random) -> Iterator[Term]:
    kind = rng.choice(("drop", "swap", "replace")) if len(body) > 1 else rng.choice(("swap", "replace"))
    for number, literal in enumerate(body):
        atom = atom_of(literal)
        assert isinstance(atom, Compound)
        if number == at and kind == "drop":
            continue
        if number == at and kind == "swap":
            atom = Compound(atom.functor, atom.args[::-1])
        elif number == at:
            names = [name for name, arity in known if arity == len(atom.args) and name != atom.functor]
            atom = Compound(rng.choice(names or [atom.functor]), atom.args)
        yield Compound("\\+", (atom,)) if is_negative(literal) else atom


def same_on_fresh_worlds(dataset: Dataset, task: str, one: Theory, other: Theory) -> bool:
    worlds = fresh_worlds(dataset, task, seed=5)
    return all(
        set(herbrand_model(one, world.facts)) == set(herbrand_model(other, world.facts))
        for world, _ in zip(worlds, range(2), strict=False)
    )


# Prolog ---------------------------------------------------------------------------------------------------------------


def prolog(goal: str, *files: Path) -> list[str]:
    done = subprocess.run(
        [str(swipl.find().executable), "-g", f"format('~nanswers~n'), {goal}", "-t", "halt", *map(str, files)],
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout.split("\nanswers\n")[1].splitlines()


def in_plain_swipl(dataset: Dataset, theory: Theory, verdict: Verdict, folder: Path) -> list[str]:
    """Both answers for the counterexample, in a copy of the dataset's files with it in place of the samples."""
    assert verdict.counterexample is not None
    for name in dataset.manifest.files:
        if name.endswith(".pl"):
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(dataset.file(name).read_bytes())
    (folder / "facts.pl").write_text(verdict.counterexample.prolog, encoding="utf-8")
    save_theory(theory, folder / "learned.pl", {})
    goal = "judged(Id, _), true_answer(Id, True), mine_answer(Id, Mine), format('~w~n~w~n', [True, Mine])"
    return prolog(goal, folder / "load.pl", folder / "learned.pl")


def plain_answers(dataset: Dataset, file: Path, task: str) -> dict[str, str]:
    goal = f"forall((judged(Id, _), sample(Id, '{task}', _, _, _), mine(Id, A)), format('~w ~w~n', [Id, A]))"
    return dict(tuple(line.split()) for line in prolog(goal, dataset.path / "load.pl", file))  # type: ignore[misc]


def python_answers(dataset: Dataset, task: str, theory: Theory, names: Sequence[str], view: str) -> dict[str, str]:
    """The same by clingo, from the original's files."""
    worlds: dict[str, set[Term]] = {}
    for world in ("train", "eval"):
        given: list[Term] = [*facts(dataset, task, f"{world}-support")]
        if view == "examples":
            targets = theory.defines
            given += [fact for fact in facts(dataset, task, f"{world}-conseqs") if indicator(fact) not in targets]
        worlds[world] = set(herbrand_model(theory, given))
    answers = {}
    for name in names:
        sample = dataset.sample(name)
        row = fact_row(sample)
        atom = Compound(row[0], row[1:])
        derived = atom in worlds["eval" if sample.split == "test" else "train"]
        answers[name] = "derived" if derived else "underived"
    return answers
