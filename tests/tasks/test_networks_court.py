"""Theories of networks in court: equal ones are proven equal, damaged ones are refuted, as plain swipl confirms."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.data.prolog_files import facts_header
from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError
from hornbeam.logic import swipl
from hornbeam.logic.terms import Clause, Compound, to_text
from hornbeam.networks.reasoning import answers
from hornbeam.networks.table import Table
from hornbeam.tasks.court import NotComparable
from hornbeam.tasks.courtroom import NOTHING, Courtroom
from hornbeam.tasks.networks_court import NetworkCourt
from hornbeam.theory import Theory
from hornbeam.theory.files import save_theory
from hornbeam.theory.verdict import AGREES, EQUAL, REFUTED

PRESETS = {"clutrr": "tiny", "graphlog": "tiny", "star": "rcc8-small"}
FAMILIES = [*PRESETS]
DAMAGES = {"clutrr": 34, "graphlog": 26, "star": 40}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("networks")


@cache
def made(folder: Path, family: str) -> Dataset:
    return hornbeam.generate(family, PRESETS[family], out=folder / family, seed=5)


@cache
def court_of(folder: Path, family: str) -> NetworkCourt:
    dataset = made(folder, family)
    court = dataset.family.court(dataset, dataset.family.learning_tasks(dataset)[0])
    assert isinstance(court, NetworkCourt)
    return court


@cache
def learned(folder: Path, family: str, learner: str) -> Theory:
    dataset = made(folder, family)
    task = dataset.family.learning_tasks(dataset)[0]
    return hornbeam.learn(dataset, learner, task=task, timeout=20)


def damaged(court: NetworkCourt, rng: Random) -> Theory:
    """The truth with one composition changed or dropped."""
    clauses = list(court.truth.clauses)
    place = rng.choice([n for n, clause in enumerate(clauses) if to_text(clause).startswith("compose(")])
    head: Any = clauses[place].head
    if rng.random() < 0.5:
        del clauses[place]
    else:
        others = [name for name in court.table.relations if name != head.args[2]]
        clauses[place] = Clause(Compound("compose", (*head.args[:2], rng.choice(others))))
    return Theory.of(clauses)


def in_swipl(dataset: Dataset, facts: str, theory: Theory, folder: Path) -> dict[str, tuple[str, str]]:
    """What plain swipl says of the samples of these facts: the true theory's answer, and the other's."""
    files = folder / "dataset"
    shutil.copytree(dataset.path, files, ignore=shutil.ignore_patterns("*.jsonl", "facts.pl"))
    (files / "facts.pl").write_text(facts_header(dataset.family.fact_predicates()) + facts, encoding="utf-8")
    save_theory(theory, folder / "learned.pl", {"learner": "a test"})
    said = "( {}(Id, {}) -> true ; {} = nothing )"
    goal = (
        f"nl, forall(judged(Id, _), ( {said.format('true_answer', 'T', 'T')}, {said.format('mine_answer', 'M', 'M')}, "
        "format('answers\\t~w\\t~q\\t~q~n', [Id, T, M]) ))"
    )
    done = subprocess.run(
        [str(swipl.find().executable), "-g", goal, "-t", "halt", str(files / "load.pl"), str(folder / "learned.pl")],
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0 and not done.stderr.strip(), done.stderr
    rows = [line.split("\t") for line in done.stdout.splitlines() if line.startswith("answers\t")]
    return {name: (true, mine) for _, name, true, mine in rows}


class TestEqual:
    @pytest.mark.parametrize("family", FAMILIES)
    def test_the_truth_is_proven_equal_to_itself_in_any_order(self, family: str, folder: Path) -> None:
        court = court_of(folder, family)
        clauses = list(court.truth.clauses)
        Random(1).shuffle(clauses)
        for theory in (court.truth, Theory.of(clauses)):
            verdict = court.verdict(theory)
            assert str(verdict) == "proven equal (over the whole table)" and verdict.kind == EQUAL

    def test_the_table_that_algebra_learns_of_rcc8_is_proven_equal(self, folder: Path) -> None:
        assert court_of(folder, "star").verdict(learned(folder, "star", "algebra")).kind == EQUAL

    def test_cells_that_no_family_has_do_not_matter(self, folder: Path) -> None:
        # Nobody's mother has a wife here; a theory that says what she would be is not wrong about any story.
        court = court_of(folder, "clutrr")
        extra = Theory.of([*court.truth.clauses, Clause(Compound("compose", ("mother", "wife", "mother")))])
        assert court.verdict(extra).kind == EQUAL

    @pytest.mark.parametrize("family", ["clutrr", "graphlog"])
    def test_the_truth_as_rules_is_proven_equal_clause_by_clause(self, family: str, folder: Path) -> None:
        dataset = made(folder, family)
        task = dataset.family.learning_tasks(dataset)[0]
        truth = dataset.family.learning_problem(dataset, "examples", task).truth
        assert truth is not None
        assert (
            str(court_of(folder, family).verdict(Theory.of(reversed(truth.clauses))))
            == "proven equal (clause by clause)"
        )


class TestRefuted:
    @pytest.mark.parametrize("family", FAMILIES)
    def test_each_damaged_table_is_refuted_by_a_sample_that_prolog_confirms(self, family: str, folder: Path) -> None:
        court, rng = court_of(folder, family), Random(7)
        theories = [damaged(court, rng) for _ in range(DAMAGES[family])]
        suspects: dict[int, list[Sample]] = {}
        for number, theory in enumerate(theories):
            assert court.prove(theory) is None
            built = [sample for sample in court.suspects(theory) if sample.id.startswith("built")]
            suspects[number] = [replace(sample, id=f"d{number}_{sample.id}") for sample in built]
        everything = [sample for samples in suspects.values() for sample in samples]
        names = [sample.id for sample in everything]
        with Courtroom(court.dataset, everything) as room:
            true = dict(zip(names, room.truth(names), strict=True))
            for number, theory in enumerate(theories):
                room.hear(theory)
                asked = [sample.id for sample in suspects[number]]
                differing = [name for name, said in zip(asked, room.mine(asked), strict=True) if said != true[name]]
                assert any(true[name] != NOTHING for name in differing), str(theory)
        assert all(true[sample.id] == to_text(str(sample.label)) for sample in everything)

    @pytest.mark.parametrize(
        "family", ["clutrr", *(pytest.param(one, marks=pytest.mark.slow) for one in ("graphlog", "star"))]
    )
    def test_a_verdict_shows_the_sample_the_cell_to_blame_and_the_same_in_plain_swipl(
        self, family: str, folder: Path, tmp_path: Path
    ) -> None:
        court = court_of(folder, family)
        theory = damaged(court, Random(3))
        verdict = court.verdict(theory, fresh=100)
        witness = verdict.counterexample
        assert verdict.kind == REFUTED and witness is not None
        assert witness.kind == ("story" if family == "clutrr" else "graph") and witness.html.startswith("<")
        changed = {to_text(clause) for clause in set(court.truth.clauses) ^ set(theory.clauses)}
        assert verdict.blame is not None and any(fact in verdict.blame for fact in changed)
        [(true, mine)] = in_swipl(court.dataset, witness.prolog, theory, tmp_path).values()
        assert (true, mine) == (witness.true, witness.learned) and true != mine

    def test_what_the_text_says_is_the_network(self, folder: Path) -> None:
        court = court_of(folder, "graphlog")
        first: Any = next(clause.head for clause in court.truth.clauses if to_text(clause).startswith("compose("))
        a, b, whole = first.args
        dropped = Theory.of([clause for clause in court.truth.clauses if clause.head != first])
        verdict = court.verdict(dropped, fresh=100)
        assert verdict.counterexample is not None
        assert verdict.counterexample.text == f"0 -{a}-> 1 -{b}-> 2: 0 to 2?"
        assert verdict.counterexample.true == to_text(whole)

    def test_a_relation_that_the_theory_does_not_know_refutes_it(self, folder: Path) -> None:
        court = court_of(folder, "clutrr")
        without = [clause for clause in court.truth.clauses if "aunt" not in to_text(clause)]
        verdict = court.verdict(Theory.of(without), fresh=100)
        assert verdict.kind == REFUTED and "aunt" in str(verdict)

    def test_a_wrong_converse_refutes_a_table(self, folder: Path) -> None:
        court = court_of(folder, "star")
        wrong = str(court.truth).replace("converse('TPP','TPPI').", "converse('TPP','TPP').")
        verdict = court.verdict(Theory.parse(wrong), fresh=100)
        assert verdict.kind == REFUTED and verdict.blame is not None and "converse('TPP','TPPI')" in verdict.blame

    def test_inverses_that_were_not_learned_refute_a_table_of_graphlog(self, folder: Path) -> None:
        court = court_of(folder, "graphlog")
        forwards = [clause for clause in court.truth.clauses if not to_text(clause).startswith("converse(")]
        verdict = court.verdict(Theory.of(forwards), fresh=100)
        assert verdict.kind == REFUTED and verdict.blame is not None and "converse(" in verdict.blame

    @pytest.mark.parametrize("family", FAMILIES)
    def test_an_empty_theory_is_refuted(self, family: str, folder: Path) -> None:
        assert court_of(folder, family).verdict(Theory.parse(""), fresh=20).kind == REFUTED


class TestFresh:
    @pytest.mark.parametrize("family", FAMILIES)
    def test_fresh_samples_are_new_and_the_truth_answers_them(self, family: str, folder: Path) -> None:
        court = court_of(folder, family)
        samples = court.fresh(60, 99)
        known = {str(sample.input) for sample in court.dataset.samples}
        assert len({sample.id for sample in samples}) == 60
        assert not any(str(sample.input) in known for sample in samples)
        names = [sample.id for sample in samples]
        with Courtroom(court.dataset, samples) as room:
            assert room.truth(names) == [to_text(str(sample.label)) for sample in samples]
            room.hear(court.truth)
            assert room.mine(names) == room.truth(names)

    def test_rules_that_say_all_that_is_asked_agree_with_the_truth_but_are_not_proven(self, folder: Path) -> None:
        court = court_of(folder, "graphlog")
        truth, _ = court.aligned(Theory.parse("is_a(X,Y) :- b(X,Y)."))
        first = truth.clauses[0]
        verbose = Theory.of([*truth.clauses, replace(first, body=(*first.body, *first.body))])
        verdict = court.verdict(verbose, fresh=50)
        assert verdict.kind == AGREES and verdict.fresh >= 50


class TestPython:
    @pytest.mark.parametrize("family", FAMILIES)
    def test_the_evaluation_and_prolog_answer_every_sample_alike(self, family: str, folder: Path) -> None:
        court = court_of(folder, family)
        task = court.task
        samples = [sample for sample in court.dataset.samples if task in (None, sample.task)]
        theories = [court.truth, *(damaged(court, Random(seed)) for seed in range(3))]
        with Courtroom(court.dataset) as room:
            for theory in theories:
                room.hear(theory)
                said = room.mine([sample.id for sample in samples])
                assert said == [court._text(one) for one in answers(theory, [court.network(s) for s in samples])]

    @pytest.mark.parametrize("family", FAMILIES)
    def test_random_networks_are_answered_alike(self, family: str, folder: Path) -> None:
        court, rng = court_of(folder, family), Random(11)
        samples = [scrambled(court, sample, rng, number) for number, sample in enumerate(court.dataset.samples[:150])]
        tables = [court.truth, damaged(court, rng), _reversed(court.table).theory()]
        with Courtroom(court.dataset, samples) as room:
            for theory in tables:
                room.hear(theory)
                said = room.mine([sample.id for sample in samples])
                assert said == [court._text(one) for one in answers(theory, [court.network(s) for s in samples])]


def _reversed(table: Table) -> Table:
    """The same cells with the relations in the opposite order: other ties are broken otherwise."""
    names = tuple(reversed(table.relations))
    facts = [clause for clause in table.theory().clauses if not to_text(clause).startswith("relation(")]
    return Table.of(Theory.of([*(Clause(Compound("relation", (name,))) for name in names), *facts]))


def scrambled(court: NetworkCourt, sample: Sample, rng: Random, number: int) -> Sample:
    """A sample whose edges have any relations: most contradict each other, or nothing follows."""
    given: Any = dict(sample.input)  # type: ignore[arg-type, call-overload]
    names = court.table.relations
    given["edges"] = [[u, rng.choice(names), v] for u, _, v in given["edges"]]
    return replace(sample, id=f"scrambled_{number}", input=given)


class TestRules:
    @pytest.mark.parametrize(
        ("family", "learner"),
        [
            ("clutrr", "mdie"),
            *(pytest.param(*pair, marks=pytest.mark.slow) for pair in
              (("clutrr", "lff"), ("graphlog", "foil"), ("graphlog", "mdie"), ("graphlog", "lff"),
               ("star", "foil"), ("star", "mdie"), ("star", "lff"))),
        ],
    )  # fmt: skip
    def test_learned_rules_answer_in_plain_swipl_as_in_the_courtroom(
        self, family: str, learner: str, folder: Path, tmp_path: Path
    ) -> None:
        court = court_of(folder, family)
        theory = court.defined(learned(folder, family, learner))
        samples = [*court.dataset.samples[:120]]
        names = [sample.id for sample in samples]
        with Courtroom(court.dataset, samples) as room:
            room.hear(theory)
            said = room.mine(names)
        assert any(answer != NOTHING for answer in said)
        facts = "".join(map(court.dataset.family.facts, samples))
        plain = in_swipl(court.dataset, facts, theory, tmp_path)
        assert [plain[name][1] for name in names] == [answer.replace(" + ", "+") for answer in said]

    def test_a_rule_is_to_blame(self, folder: Path) -> None:
        court = court_of(folder, "star")
        verdict = court.verdict(
            Theory.parse("is_DC(X,Y) :- 'DC'(X,Z), 'TPPI'(Z,Y).\nis_PO(X,Y) :- 'EC'(X,_)."), fresh=100
        )
        assert verdict.kind == REFUTED and verdict.blame is not None

    def test_what_two_rules_say_is_no_answer(self, folder: Path) -> None:
        court = court_of(folder, "clutrr")
        text = "is_father(X,Y) :- mother(X,Z), husband(Z,Y).\nis_uncle(X,Y) :- mother(X,Z), husband(Z,Y)."
        verdict = court.verdict(Theory.parse(text), fresh=100)
        assert verdict.kind == REFUTED
        [sample] = [
            s
            for s in court._samples("x", court._decided(court.general(Random(0))))
            if _words(s) == ["mother", "husband"]
        ]
        assert [d.learned for d in court.differences(court.defined(Theory.parse(text)), [sample])] == ["father + uncle"]

    def test_rules_of_a_calculus_have_no_truth_to_align_but_a_verdict(self, folder: Path) -> None:
        court = court_of(folder, "star")
        with pytest.raises(NotComparable, match="cannot be expressed as Horn rules"):
            court.aligned(Theory.parse("is_DC(X,Y) :- 'DC'(X,Y)."))
        assert court.verdict(Theory.parse("is_DC(X,Y) :- 'DC'(X,Z), 'TPPI'(Z,Y)."), fresh=20).kind == REFUTED

    def test_an_undefined_predicate_is_named(self, folder: Path) -> None:
        with pytest.raises(UsageError, match="nephews/2"):
            court_of(folder, "clutrr").verdict(Theory.parse("is_father(X,Y) :- nephews(X,Y)."))


def _words(sample: Sample) -> list[str]:
    given: Any = sample.input
    return [word for _, word, _ in given["edges"]]


class TestWorlds:
    def test_several_worlds_have_no_truth_in_common(self, folder: Path) -> None:
        dataset = made(folder, "graphlog")
        with pytest.raises(UsageError, match=r"ds\.family\.court\(ds, 'rule_0'\)\.truth"):
            dataset.family.court(dataset, None)

    def test_an_imported_suite_has_no_generator(self, folder: Path) -> None:
        court = court_of(folder, "graphlog")
        imported = type(court)(court.dataset, court.task)
        object.__setattr__(imported, "dataset", _Imported(court.dataset))
        with pytest.raises(NotComparable, match="imported"):
            imported.fresh(5, 1)


class _Imported:
    """A dataset whose configuration says that it was imported."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        self.config = dataset.config.model_copy(update={"profile": "imported"})

    def __getattr__(self, name: str) -> Any:
        return getattr(self._dataset, name)


def test_learned_files_explain_themselves(folder: Path, tmp_path: Path) -> None:
    """In plain swipl explain(mine, Id) shows compositions of a table, and a wrong id is one plain line."""
    dataset = made(folder, "clutrr")
    save_theory(court_of(folder, "clutrr").truth, tmp_path / "table.pl", {"learner": "a test"})
    first = next(sample for sample in dataset.test if sample.task == "1.2")
    lines = list(_session(dataset, tmp_path / "table.pl", f"explain(mine, '{first.id}')", "explain(mine, nobody)"))
    assert any(line.startswith("So ") and "by compose(" in line for line in lines)
    assert any(line.startswith("There is no sample nobody.") for line in lines)


def _session(dataset: Dataset, theory: Path, *goals: str) -> Iterator[str]:
    done = subprocess.run(
        [str(swipl.find().executable), str(dataset.path / "load.pl"), str(theory)],
        input="".join(f"{goal}.\n" for goal in goals), capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    yield from done.stdout.splitlines()
