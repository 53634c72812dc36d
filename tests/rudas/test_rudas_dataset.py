"""Whole datasets: the same bytes in any circumstances, every label checked, asked in Prolog, explained and shown."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hornbeam
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError
from hornbeam.logic import swipl
from hornbeam.rudas.audit import audit
from hornbeam.rudas.check import check_task
from hornbeam.rudas.pieces import hangs_together, pieces
from hornbeam.rudas.record import TaskTheory, fact_row, fact_text, facts, theories, true_rules
from hornbeam.theory import Theory


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return hornbeam.generate("rudas", "demo", out=tmp_path_factory.mktemp("rudas") / "demo", seed=7)


@pytest.fixture(scope="module")
def blocks(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """One dataset made in several blocks, with all extensions."""
    out = tmp_path_factory.mktemp("rudas") / "blocks"
    overrides = {"count": "1", "facts": "900", "block": "300"}
    return hornbeam.generate("rudas", "extensions", out=out, seed=2, overrides=overrides)


def test_clingo_confirms_every_label(demo: Dataset, blocks: Dataset) -> None:
    for dataset in (demo, blocks):
        result = hornbeam.check(dataset)
        assert result.ok
        assert result.samples == len(dataset.samples)
        assert result.reasoner == "clingo"


def test_audit_finds_nothing_wrong(demo: Dataset, blocks: Dataset) -> None:
    for dataset in (demo, blocks):
        found = audit(dataset)
        details: Any = found.details
        assert found.derivable == found.unique == 1.0
        assert found.duplicates == 0
        assert found.leaks == {"train/valid": 0}
        assert details["categories"]["refuted"] == 0
        assert details["categories"]["proven"] > 0
        assert details["learnability"]["rules"] == sum(len(t.clauses) for t in theories(dataset).values())


def _digests(dataset: Dataset) -> dict[str, str]:
    return {name: entry.sha256 for name, entry in dataset.manifest.files.items()}


def test_the_same_bytes_for_any_number_of_workers_and_hash_seed(blocks: Dataset, tmp_path: Path) -> None:
    script = (
        "import sys, hornbeam\n"
        "if __name__ == '__main__':\n"
        "    hornbeam.generate('rudas', 'extensions', out=sys.argv[1], seed=2, workers=2,\n"
        "                      overrides={'count': '1', 'facts': '900', 'block': '300'})\n"
    )
    (tmp_path / "make.py").write_text(script)
    environment = {**os.environ, "PYTHONHASHSEED": "77"}
    subprocess.run([sys.executable, tmp_path / "make.py", tmp_path / "again"], check=True, env=environment)
    assert _digests(hornbeam.load(tmp_path / "again")) == _digests(blocks)


def test_another_seed_gives_another_dataset(demo: Dataset, tmp_path: Path) -> None:
    other = hornbeam.generate("rudas", "demo", out=tmp_path / "other", seed=8)
    assert other.file("rules.pl").read_text() != demo.file("rules.pl").read_text()


def test_files_of_blocks_are_streamed_whole(blocks: Dataset) -> None:
    for task in blocks.tasks:
        given = [f"{fact_text(sample)}." for sample in blocks.task(task).split("train")]
        assert blocks.file(f"{task}/train.txt").read_text().split("\n") == given
        assert len(given) == len(set(given))
        assert 890 <= len(given) <= 1000
        assert f"train: size, {len(given)} ," in blocks.file(f"{task}/log.txt").read_text()
    assert any("-b2-" in sample.id for sample in blocks.train)


# A check that finds what is wrong -------------------------------------------------------------------------------------


def _outcome(dataset: Dataset, samples: list[Sample], task: str = "CHAIN-XS-3-0") -> tuple[list[str], list[str]]:
    outcome = check_task(theories(dataset)[task], samples)
    return outcome.wrong, outcome.unknown


def _first(samples: list[Sample], label: str, split: str = "train") -> int:
    return next(at for at, sample in enumerate(samples) if sample.label == label and sample.split == split)


def test_a_consequence_that_is_called_noise_is_refuted(demo: Dataset) -> None:
    samples = list(demo.task("CHAIN-XS-3-0"))
    at = _first(samples, "consequence")
    samples[at] = replace(samples[at], label="noise", proof=None)
    wrong, unknown = _outcome(demo, samples)
    assert samples[at].id in wrong
    assert unknown == [f"train: {fact_text(samples[at])}"]


def test_noise_that_is_called_a_consequence_is_refuted(demo: Dataset) -> None:
    samples = list(demo.task("CHAIN-XS-3-0"))
    at = _first(samples, "noise")
    samples[at] = replace(samples[at], label="consequence", proof=None)
    assert _outcome(demo, samples) == ([samples[at].id], [])


def test_a_consequence_that_is_not_there_is_missed(demo: Dataset) -> None:
    samples = list(demo.task("CHAIN-XS-3-0"))
    removed = samples.pop(_first(samples, "removed", "valid"))
    assert f"train: {fact_text(removed)}" in _outcome(demo, samples)[1]


def test_a_fact_of_the_fresh_world_is_checked_too(demo: Dataset) -> None:
    samples = list(demo.task("CHAIN-XS-3-0"))
    lost = samples.pop(_first(samples, "consequence", "test"))
    assert f"eval: {fact_text(lost)}" in _outcome(demo, samples)[1]


@pytest.mark.parametrize("change", [{"depth": 9}, {"rule": 99}, {"premises": []}, {"premises": ["nobody"]}])
def test_a_wrong_proof_is_refuted(demo: Dataset, change: dict[str, Any]) -> None:
    samples = list(demo.task("CHAIN-XS-3-0"))
    deepest = max((s for s in samples if s.label == "consequence"), key=lambda s: s.proof["depth"])
    at = samples.index(deepest)
    samples[at] = replace(deepest, proof={**deepest.proof, **change})
    assert samples[at].id in _outcome(demo, samples)[0]


def test_a_repeated_fact_and_a_misprinted_one_are_refuted(demo: Dataset) -> None:
    samples = list(demo.task("CHAIN-XS-3-0"))
    twin = replace(samples[0], id="twin")
    assert "twin" in _outcome(demo, [*samples, twin])[0]
    samples[3] = replace(samples[3], symbolic={"prolog": "p99(c1)"})
    assert _outcome(demo, samples)[0] == [samples[3].id]


def test_a_functional_predicate_with_two_values_is_refuted(blocks: Dataset) -> None:
    theory = theories(blocks)["FUNCTIONAL"]
    ((_, predicate),) = theory.properties
    samples = list(blocks.task("FUNCTIONAL"))
    fact = next(s for s in samples if s.split == "train" and s.label == "support" and fact_row(s)[0] == predicate)
    name, *args, _ = fact_row(fact)
    other: Any = {"predicate": name, "arguments": [*args, "c899"]}
    text: Any = {"prolog": f"{name}({','.join([*args, 'c899'])})"}
    samples.append(replace(fact, id="other", input=other, symbolic=text))
    assert {"other", fact.id} <= set(_outcome(blocks, samples, "FUNCTIONAL")[0])


def test_a_proof_from_noise_is_refuted(demo: Dataset) -> None:
    samples = list(demo.task("CHAIN-XS-3-0"))
    at = next(n for n, sample in enumerate(samples) if sample.label == "consequence" and sample.proof["depth"] == 1)
    premise = samples[at].proof["premises"][0]
    given = next(n for n, sample in enumerate(samples) if sample.id == premise)
    samples[given] = replace(samples[given], label="noise", proof={"target": False})
    assert samples[at].id in _outcome(demo, samples)[0]


def _in_pieces(dataset: Dataset, task: str, enough: int) -> tuple[list[list[Sample]], TaskTheory]:
    theory = theories(dataset)[task]
    training = dataset.task(task).split("train", "valid")
    return [list(piece) for piece in pieces(training, theory, enough=enough)], theory


def test_a_task_is_checked_in_pieces(blocks: Dataset) -> None:
    """Each block of a task by itself: the pieces are all there is, and every one is confirmed."""
    for task in blocks.tasks:
        parts, theory = _in_pieces(blocks, task, 300)
        whole = blocks.task(task).split("train", "valid")
        assert sorted(sample.id for part in parts for sample in part) == sorted(sample.id for sample in whole)
        assert len(parts) > 1
        for part in parts:
            outcome = check_task(theory, part)
            assert (outcome.samples, outcome.wrong, outcome.unknown) == (len(part), [], [])


def test_pieces_find_what_the_whole_finds(blocks: Dataset) -> None:
    """A task with wrong labels: the same samples are refuted, whether in pieces or as a whole."""
    for task in blocks.tasks:
        parts, theory = _in_pieces(blocks, task, 300)
        rng = random.Random(task)
        other = dict.fromkeys(("support", "consequence", "removed", "missing"), "noise") | {"noise": "consequence"}
        damaged = [
            [replace(one, label=other[one.label]) if rng.random() < 0.02 else one for one in part] for part in parts
        ]
        outcomes = [check_task(theory, part) for part in damaged]
        whole = check_task(theory, [sample for part in damaged for sample in part])
        assert whole.wrong
        assert sorted(whole.wrong) == sorted(name for outcome in outcomes for name in outcome.wrong)
        assert sorted(whole.unknown) == sorted(name for outcome in outcomes for name in outcome.unknown)


def test_rules_that_join_strangers_are_checked_as_a_whole() -> None:
    cases = {
        "p(X, Z) :- q(X, Y), q(Y, Z).": True,
        "p(X) :- q(X, a), r(a).": True,
        "p(X, Y) :- q(X), r(Y).": False,
        "p(X) :- q(X), r.": False,
        "p :- q(X).": False,
        "p(X, a) :- q(X).": False,
        "p(X) :- q(X), \\+ r(X).": True,
        "p(X) :- q(X), \\+ r(X, b).": False,
    }
    for text, expected in cases.items():
        assert hangs_together(Theory.parse(text).clauses[0]) is expected, text


def test_views_give_the_facts_of_each_file(demo: Dataset) -> None:
    for task in demo.tasks:
        rules = [f"{rule.head} :- {','.join(map(str, rule.body))}." for rule in true_rules(demo, task)]
        written = demo.file(f"{task}/rules.txt").read_text().split("\n")
        assert [rule.replace("_X", "X") for rule in rules] == written
        for file in ("train", "train-cw", "train-cw-n", "test", "eval-support", "eval-conseqs"):
            lines = demo.file(f"{task}/{file}.txt").read_text().split("\n")
            assert [f"{fact}." for fact in facts(demo, task, file)] == lines
    with pytest.raises(UsageError, match="did you mean 'train-support'"):
        facts(demo, demo.tasks[0], "train-suport")


# Prolog -----------------------------------------------------------------------------------------------------------


def test_every_query_of_the_banner_has_an_answer_in_the_sandbox(demo: Dataset) -> None:
    with demo.prolog() as prolog:
        for goal, _ in demo.family.prolog_side(demo.config).queries:
            assert prolog.once(goal) is not None, goal


def test_plain_swipl_loads_it_without_a_warning(demo: Dataset, blocks: Dataset) -> None:
    goal = "forall(derived(Id, _, _, _), once(why(Id, because(_, _, _))))"
    for dataset in (demo, blocks):
        command = [swipl.find().executable, "--on-error=status", "--on-warning=status", "-g", goal, "-t", "halt"]
        done = subprocess.run([*command, dataset.path / "load.pl"], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert "Ask, for example" in done.stdout


def test_prolog_derives_the_same_facts_as_clingo(demo: Dataset, blocks: Dataset) -> None:
    """A third opinion: the rules by tabling, in the dataset's own Prolog."""
    for dataset, task in ((demo, "MIXED"), (demo, "DRDG-XS-3-0"), (blocks, "ALL")):
        with dataset.prolog() as prolog:
            goal = "findall(A, follows(Task, train, A), _All), sort(_All, Facts)"
            answer = prolog.once(goal, given={"Task": task})
        assert answer is not None
        held = {fact_text(s) for s in dataset.task(task) if s.split != "test" and s.label != "noise"}
        found: Any = answer["Facts"]
        assert {str(fact) for fact in found} == held


def test_explain_names_rules_and_premises(demo: Dataset) -> None:
    deepest = max((s for s in demo.samples if s.label == "removed"), key=lambda s: s.proof["depth"])
    text = demo.family.explain(demo, deepest)
    proof: Any = deepest.proof
    assert text.startswith(f"{fact_text(deepest)}: removed (follows from the support, withheld")
    assert text.count("by rule") >= proof["depth"]
    for premise in proof["premises"]:
        assert fact_text(demo.sample(premise)) in text
    noise = next(sample for sample in demo.train if sample.label == "noise")
    assert demo.family.explain(demo, noise) == f"{fact_text(noise)}: noise (given, but false)"


def test_show_draws_every_rule(demo: Dataset, blocks: Dataset) -> None:
    for dataset in (demo, blocks):
        pages = {section.title: section.html for section in dataset.family.show(dataset)}
        for task, theory in theories(dataset).items():
            assert pages[task].count("<rect") == len(theory.clauses)
            assert "<svg" in pages[task]
            assert not re.search(r"(src|href)=", pages[task]), "no outside references"
            for sample_label in ("support", "consequence", "noise"):
                assert sample_label in pages[task]
