"""Verdicts on theories of KANDY tasks: proven, or refuted with a picture that Prolog confirms."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import hornbeam
from hornbeam import processes
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.kandy.judging import KandyCourt, court
from hornbeam.kandy.learning import definitions, learning_problem
from hornbeam.kandy.normal_form import NoNormalForm, Normaliser, resolved
from hornbeam.logic import swipl
from hornbeam.logic.terms import Clause, Compound, Term, Var, variables
from hornbeam.tasks.courtroom import Courtroom
from hornbeam.theory import Theory
from hornbeam.theory.files import save_theory
from hornbeam.theory.verdict import AGREES, EQUAL, INCOMPARABLE, REFUTED, Verdict

SAMPLES = {"samples": "40"}


@pytest.fixture(scope="module")
def easy(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return hornbeam.generate("kandy", "easy", out=tmp_path_factory.mktemp("easy") / "d", seed=1, overrides=SAMPLES)


@pytest.fixture(scope="module")
def hard(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return hornbeam.generate("kandy", "hard", out=tmp_path_factory.mktemp("hard") / "d", seed=1, overrides=SAMPLES)


def judge_of(dataset: Dataset, start: str, **options: str) -> KandyCourt:
    found = court(dataset, next(task for task in dataset.tasks if task.startswith(start)), options)
    assert isinstance(found, KandyCourt)
    return found


def verdict(dataset: Dataset, start: str, text: str, fresh: int = 200) -> Verdict:
    return judge_of(dataset, start).verdict(Theory.parse(text), fresh=fresh)


# Proofs ---------------------------------------------------------------------------------------------------------------


def reordered(truth: Theory, rng: random.Random) -> Theory:
    """The truth with its clauses in another order, and other names of variables."""
    clauses = list(truth.clauses)
    rng.shuffle(clauses)
    return Theory.of(map(renamed, clauses))


def renamed(clause: Clause) -> Clause:
    names: dict[str, Term] = {name: Var(f"Other{number}") for number, name in enumerate(variables(clause))}
    return Clause(resolved(clause.head, names), tuple(resolved(literal, names) for literal in clause.body))


@pytest.mark.parametrize(("preset", "task"), [("easy", "t13"), ("hard", "t16"), ("hard", "t17")])
def test_the_truth_is_proven_equal_to_itself_renamed_and_reordered(
    request: pytest.FixtureRequest, preset: str, task: str
) -> None:
    judge = judge_of(request.getfixturevalue(preset), task)
    assert judge.verdict(reordered(judge.truth, random.Random(3))) == Verdict.equal("clause by clause")


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["easy", "hard"])
def test_every_truth_is_proven_equal_to_itself_renamed_and_reordered(
    request: pytest.FixtureRequest, preset: str
) -> None:
    dataset: Dataset = request.getfixturevalue(preset)
    for task in dataset.tasks:
        judge = judge_of(dataset, task)
        assert judge.verdict(reordered(judge.truth, random.Random(task))) == Verdict.equal("clause by clause"), task


@pytest.mark.parametrize(
    ("task", "rule", "encoding"),
    [
        ("t03", "valid(A) :- exists_color_red(A).", "folded"),
        ("t03", "valid(V0) :- exists_color_red(V0).", "folded"),  # Popper's names
        ("t15", "valid(A) :- contains(A,B), operator_stack(B), shape_triangle_square(B), same_size(B).", "folded"),
        ("t13", "valid(S) :- sample_is(S,A), recursive_contains(A,C), extract_shape(C,square), "
                "recursive_contains(A,B), extract_shape(B,triangle), same_color(_,[B,C]).", "pointer"),
    ],
)  # fmt: skip
def test_rules_of_an_encoding_are_proven_equal_without_their_definitions(
    easy: Dataset, task: str, rule: str, encoding: str
) -> None:
    judge = judge_of(easy, task, encoding=encoding)
    assert judge.verdict(Theory.parse(rule)) == Verdict.equal("clause by clause")


def test_a_few_pictures_say_what_all_say_of_the_predicates_of_an_encoding(easy: Dataset) -> None:
    """Judging reads pictures until it knows the predicates of a theory; what it reads first holds for all."""
    task = next(task for task in easy.tasks if task.startswith("t03"))
    whole = learning_problem(easy, "examples", task, {"encoding": "folded"}).definitions
    parts = list(definitions(easy, task, {"encoding": "folded"}))
    assert len(parts) > 1
    together = {name: clauses for part in parts for name, clauses in part.items()}
    assert together.items() >= whole.items()
    assert all(part[name] == together[name] for part in parts for name in part)


@pytest.mark.slow
def test_ten_thousand_fresh_pictures_of_hard_are_judged_in_little_memory(hard: Dataset, tmp_path: Path) -> None:
    """In the folded encoding, whose tables of a few hundred such pictures once took gigabytes and ended in a crash."""
    theory = tmp_path / "learned.pl"
    theory.write_text("valid(A) :- contains(A,B), same_size(B), contains(A,C), same_shape(C).\n")
    for start in ("t09", "t12", "t17"):
        task = next(task for task in hard.tasks if task.startswith(start))
        command = [sys.executable, "-m", "hornbeam", "judge", str(hard.path), str(theory), "--as", "theory"]
        ended = processes.run(
            [*command, "--task", task, "--encoding", "folded", "--fresh", "10000"],
            processes.Bounds(cpu=120, wall=600, memory=1 << 30),
            folder=tmp_path,
        )
        assert (ended.reason, ended.code) == ("ended", 0), (task, ended)


def test_what_a_task_of_few_pictures_draws_is_asked_in_full(easy: Dataset) -> None:
    rule = (
        "valid(N) :- contains(N,G), extract_op_and_chld(G,stack,L), length(L,2), nth0(0,L,X), nth0(1,L,Y), "
        "extract_shape(X,triangle), extract_shape(Y,square), same_size(_,L)."
    )
    found = verdict(easy, "t15", rule)
    assert found.kind == EQUAL and found.method == "over all 3,600 pictures of the task, up to 2 objects"


def test_a_redundant_rule_is_contained_in_the_truth(easy: Dataset) -> None:
    rule = (
        "valid(N) :- contains(N,X), extract_color(X,red), extract_size(X,_).\n"
        "valid(N) :- contains(N,X), extract_color(X,red)."
    )
    found = verdict(easy, "t03", rule)
    assert found == Verdict.equal("by containment")


def test_a_negation_that_is_reached_too_early_proves_nothing() -> None:
    """What it says depends on the order: before `contains` it is about all children, behind it about one."""
    early = Theory.parse("valid(N) :- \\+ extract_color(X,red), contains(N,X).")
    late = Theory.parse("valid(N) :- contains(N,X), \\+ extract_color(X,red).")
    normaliser = Normaliser((), ())
    assert normaliser.normal(late)
    with pytest.raises(NoNormalForm):
        normaliser.normal(early)


# Refutations ----------------------------------------------------------------------------------------------------------


def assert_refuted(judge: KandyCourt, theory: Theory, found: Verdict) -> None:
    """Refuted, by a picture for which plain Prolog derives two answers."""
    assert found.kind == REFUTED and found.counterexample is not None, (theory.texts, str(found))
    example = found.counterexample
    assert {example.true, example.learned} == {"0", "1"}
    name = example.prolog.removeprefix("sample(").split(",")[0]
    goal = f"( true_answer({name},{example.true}), mine_answer({name},{example.learned}) -> write(confirmed) ; true )"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "learned.pl"
        save_theory(judge.defined(theory), file, {})
        with file.open("a", encoding="utf-8") as out:
            out.write(f":- initialization(assertz(user:({example.prolog.strip()[:-1]}))).\n")
        done = subprocess.run(
            [swipl.find().executable, "-f", "none", "-q", "-g", goal, "-t", "halt", "load.pl", str(file)],
            cwd=judge.dataset.path, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
    assert done.stdout.endswith("confirmed"), (done.stdout[-300:], done.stderr)
    assert "data:image/png;base64," in example.html


def test_an_impostor_that_is_right_on_the_samples_is_refuted_with_a_small_picture(easy: Dataset) -> None:
    judge = judge_of(easy, "t10")
    impostor = Theory.parse("valid(X) :- exists_size_large(X), last_color_red(X).")
    found = judge.verdict(impostor)
    assert_refuted(judge, impostor, found)
    assert found.counterexample is not None and found.counterexample.text.count("_") <= 6
    assert found.blame is not None and "exists_size_large(X)" in found.blame


def test_theories_that_differ_only_beyond_the_task_are_told_apart(easy: Dataset) -> None:
    judge = judge_of(easy, "t03")
    theory = Theory.parse("valid(X) :- recursive_contains(X,Y), extract_color(Y,red).")
    assert_refuted(judge, theory, judge.verdict(theory))


def test_a_theory_without_rules_misses_a_positive(easy: Dataset) -> None:
    found = judge_of(easy, "t03").verdict(Theory(()))
    assert found.kind == REFUTED and found.counterexample is not None
    assert (found.counterexample.true, found.counterexample.learned) == ("1", "0")


def test_what_nobody_defines_is_an_error(easy: Dataset) -> None:
    with pytest.raises(UsageError, match="exists_colour_red/1"):
        verdict(easy, "t03", "valid(X) :- exists_colour_red(X).")


def test_a_task_without_a_rule_is_not_comparable(tmp_path: Path) -> None:
    (tmp_path / "one.yml").write_text(
        "set: {gamma: 1.0, beta: 1.0, samples: 8, train_split: 0.5, val_split: 0.25, noisy_color: true, "
        "noisy_size: true}\n"
        "tasks:\n  - name: no rule\n    positive_set: [{in: [{shape: ~, color: red, size: ~}]}]\n"
        "    negative_set: [{in: [{shape: ~, color: not_red, size: ~}]}]\n"
    )
    dataset = hornbeam.generate("kandy", tmp_path / "one.yml", out=tmp_path / "made", seed=1)
    found = court(dataset, None).verdict(Theory.parse("valid(X) :- contains(X,Y), extract_color(Y,red)."))
    assert found.kind == INCOMPARABLE and "no true rule" in found.method


# Damages --------------------------------------------------------------------------------------------------------------

_CONSTANTS: dict[Term, Term] = {
    "red": "blue", "blue": "green", "green": "yellow", "yellow": "red", "cyan": "red", "magenta": "cyan",
    "triangle": "square", "square": "circle", "circle": "triangle", 2: 3, 3: 2,
    "traffic_light": "car", "car": "house", "house": "tower", "tower": "wagon", "wagon": "car",
}  # fmt: skip
_PREDICATES = {
    "same_color": "same_shape", "same_shape": "same_size", "odd": "even", "even": "odd", "last": "first",
    "house": "tower", "car": "wagon", "tower": "house", "wagon": "tower", "traffic_light": "car",
    "contains": "recursive_contains", "recursive_contains": "contains", "pseudo_palindrome2": "pseudo_palindrome",
}  # fmt: skip


def replaced(term: Term) -> Iterator[Term]:
    """The literal with one constant or predicate exchanged."""
    if not isinstance(term, Compound):
        return
    for at, part in enumerate(term.args):
        others = [_CONSTANTS[part]] if isinstance(part, str | int) and part in _CONSTANTS else replaced(part)
        for other in others:
            yield Compound(term.functor, (*term.args[:at], other, *term.args[at + 1 :]))
    if term.functor in _PREDICATES:
        yield Compound(_PREDICATES[term.functor], term.args)


def damages(truth: Theory) -> Iterator[Theory]:
    """The truth with one literal dropped or exchanged, or one clause less."""
    for number, clause in enumerate(truth.clauses):
        before, after = truth.clauses[:number], truth.clauses[number + 1 :]
        rest = Theory.of([*before, *after])
        if rest.defines == truth.defines:
            yield rest
        for at, literal in enumerate(clause.body):
            bodies = [(*clause.body[:at], other, *clause.body[at + 1 :]) for other in replaced(literal)]
            if at == len(clause.body) - 1 > 0:  # what is dropped earlier may leave variables unbound
                bodies.append(clause.body[:at])
            for body in bodies:
                yield Theory.of([*before, Clause(clause.head, body), *after])


def chosen_damages(dataset: Dataset, count: int, seed: int) -> list[tuple[str, Theory]]:
    every = [(task, damaged) for task in dataset.tasks for damaged in damages(judge_of(dataset, task).truth)]
    return random.Random(seed).sample(every, count)


def test_a_damaged_truth_is_refuted(easy: Dataset, hard: Dataset) -> None:
    for dataset in (easy, hard):
        for task, damaged in chosen_damages(dataset, 1, 7):
            judge = judge_of(dataset, task)
            assert_refuted(judge, damaged, judge.verdict(damaged, fresh=200))


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["easy", "hard"])
def test_damaged_truths_are_refuted(request: pytest.FixtureRequest, preset: str) -> None:
    dataset: Dataset = request.getfixturevalue(preset)
    for task, damaged in chosen_damages(dataset, 20, 5):
        judge = judge_of(dataset, task)
        assert_refuted(judge, damaged, judge.verdict(damaged))


# A learned theory in plain swipl --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "encoding", ["folded", *(pytest.param(name, marks=pytest.mark.slow) for name in ("relational", "pointer"))]
)
def test_a_learned_file_answers_in_plain_swipl_as_in_the_courtroom(
    easy: Dataset, tmp_path: Path, encoding: str
) -> None:
    task = next(name for name in easy.tasks if name.startswith("t03"))
    learned = hornbeam.learn(easy, "mdie", task=task, timeout=20, options={"encoding": encoding})
    judge = judge_of(easy, task, encoding=encoding)
    theory = judge.defined(learned)
    assert judge.verdict(learned).kind in (EQUAL, AGREES)
    save_theory(theory, tmp_path / "learned.pl", {"learner": "mdie"})
    goal = "forall(judged(Id, _), ( mine_answer(Id, Answer), format('~n~w ~w', [Id, Answer]) ))"
    done = subprocess.run(
        [swipl.find().executable, "-f", "none", "-q", "--on-error=status", "--on-warning=status", "-g", goal,
         "-t", "halt", str(easy.path / "load.pl"), str(tmp_path / "learned.pl")],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    plain = dict(line.split(" ") for line in done.stdout.splitlines() if line.startswith("t") and line.count(" ") == 1)
    names = [sample.id for sample in easy.samples]
    with Courtroom(easy) as room:
        room.hear(theory)
        assert [plain[name] for name in names] == room.mine(names)
