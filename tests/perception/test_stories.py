"""From stories to rules: readers, the command, explanations, bad input. Facts of test stories are never seen."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hornbeam as hb
from hornbeam.cli import run
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.networks.table import Table
from hornbeam.neural.reader.lexicon import Lexicon
from hornbeam.perception.perceiver import STORIES, Preparation, Reader, Story
from hornbeam.perception.readings import Perception
from hornbeam.perception.stories.explaining import explain_from_story
from hornbeam.perception.stories.passages import passages_of
from hornbeam.perception.stories.scores import fact_scores
from hornbeam.perception.stories.settling import Statement, settled

FEW = {"networks": 2, "steps": 60}


@pytest.fixture(scope="module")
def stories(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    rows = {"train": '{"1.2": 220, "1.3": 110}', "test": '{"1.2": 22, "1.4": 22}'}
    return hb.generate(
        "clutrr", "tiny", out=tmp_path_factory.mktemp("s") / "d", seed=5, overrides={**rows, "valid": "{}"}
    )


@pytest.fixture(scope="module")
def trained(stories: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Perception:
    """A reader that learned from the facts of all training stories, for a short time."""
    return Perception.of(STORIES, "neural", {**FEW, "annotated": "all"}, tmp_path_factory.mktemp("readings"))


def reader_of(perception: Perception, dataset: Dataset) -> Reader:
    return perception.perceiver.prepare(Preparation(dataset, perception.folder, perception.settings))


def answered(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    assert run([*map(str, arguments), "--json"]) == 0
    printed: dict[str, Any] = json.loads(capsys.readouterr().out)
    return printed


# The command ----------------------------------------------------------------------------------------------------------


def test_the_command_learns_rules_from_the_text_and_answers_test_stories(
    stories: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("--readings", tmp_path / "readings", "--out", tmp_path / "learned.pl")
    options = ("--from", "stories", "--learner", "algebra", "--timeout", 20, "--no-verdict")
    learned = answered(capsys, "learn", stories.path, *options, *where)
    assert learned["perception"]["unread"] == 0 and learned["perception"]["stories"] == 374
    assert learned["train"]["accuracy"] == 1.0
    assert learned["test"]["by_group"]["k=2, noise=none"]["accuracy"] > 0.8
    assert "compose(" in (tmp_path / "learned.pl").read_text(encoding="utf-8")


def test_the_same_theory_comes_from_symbols_and_from_what_the_grammar_reads(stories: Dataset, tmp_path: Path) -> None:
    told = hb.learn(stories, "algebra", source="stories", readings=tmp_path)
    assert str(told) == str(hb.learn(stories, "algebra"))


def test_what_was_read_is_compared_with_what_was_told(
    stories: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = answered(capsys, "perceive", stories.path, "--split", "test", "--readings", tmp_path)
    assert (figures["perceiver"], figures["unread"], figures["stories"]) == ("grammar", 0, 44)
    assert figures["precision"] == figures["recall"] == figures["stories_right"] == 1.0


# Readers --------------------------------------------------------------------------------------------------------------


def test_passages_keep_sentences_together_that_refer_back() -> None:
    story = "[Ann] was late. Her son [Bob] had missed the bus. Rain fell. [Carl] is [Bob]'s uncle."
    assert [one.persons for one in passages_of(story)] == [("Ann", "Bob"), ("Carl", "Bob")]
    with pytest.raises(UsageError, match="no person is marked"):
        passages_of("Ann was late.")


def test_the_way_to_the_question_settles_what_a_sentence_leaves_open() -> None:
    doubtful = Statement("son", {(1, 0): 0.7, (0, 1): 0.3})
    sure = Statement("wife", {(1, 2): 1.0})
    assert settled([doubtful, sure], (0, 2))[0].couples == ((0, 1), (1, 2))
    # Without a way each fact stands by itself.
    assert settled([doubtful], (0, 5))[0].couples == ((1, 0),)


def test_a_statement_that_is_not_needed_costs_what_the_reader_says() -> None:
    short = Statement("son", {(0, 2): 0.6, (0, 1): 0.4})
    other = Statement("wife", {(1, 2): 0.9, (2, 1): 0.1})
    assert settled([short, other], (0, 2))[0].couples[0] == (0, 2)
    assert settled([short, other], (0, 2), unused=2.0)[0].couples == ((0, 1), (1, 2))


def test_words_for_relations_are_learned_from_passages_with_facts() -> None:
    told = [(["mum", "rang", "the"], ["mother"]), (["the", "mum"], ["mother"]), (["the", "son"], ["son"])] * 4
    assert Lexicon.learned(("mother", "son"), told).words["mum"] == ("mother", 1.0)


def test_a_trained_reader_reads_training_stories_and_keeps_its_weights(stories: Dataset, trained: Perception) -> None:
    samples = list(stories.train)[:200]
    readings = trained.readings(stories, samples)
    score = fact_scores(samples, readings)
    assert score.unread == 0 and score.precision > 0.85 and score.recall > 0.85
    for reading in readings.values():
        assert sum(one.probability for one in reading.alternatives) <= 1 + 1e-6
    # Training again gives the same readings.
    again = Perception.of(STORIES, "neural", {**FEW, "annotated": "all"}, trained.folder)
    assert again.readings(stories, samples) == readings
    assert list(trained.folder.glob("stories-neural-*/facts/network-0/weights.pt"))


@pytest.mark.slow
def test_a_reader_learns_from_answers_alone(stories: Dataset, tmp_path: Path) -> None:
    perception = Perception.of(STORIES, "neural", {"annotated": 0, "networks": 2, "steps": 150}, tmp_path)
    samples = list(stories.train)
    score = fact_scores(samples, perception.readings(stories, samples))
    assert score.precision > 0.9 and score.recall > 0.9


BAD = {
    "Ann asked her father Bob.": "no person is marked",
    "[Ann] asked her blorp [Bob] for help with a broken bicycle.": "relation that is known: .Ann. asked her blorp",
    "[Ann] fragte ihren lieben alten Vater [Bob] gestern abend um viel guten Rat.": "another language",
    "[Ann] asked her father [Zoe] for help with a broken bicycle.": "Zoe is not among the persons",
}


@pytest.mark.parametrize("text", BAD)
def test_what_cannot_be_read_has_a_reason(text: str, stories: Dataset, trained: Perception) -> None:
    [reading] = reader_of(trained, stories).perceive([Story("s", text, ("Ann", "Bob"), (0, 1))])
    assert re.search(BAD[text], reading.unread), reading.unread


def test_the_grammar_names_the_sentence_that_it_cannot_read(stories: Dataset, tmp_path: Path) -> None:
    text = "[Ann] looks just like her father [Bob]. [Bob] flew to the moon with his wife [Eve]. [Eve] sang."
    reader = reader_of(Perception.of(STORIES, "grammar", {}, tmp_path), stories)
    [reading] = reader.perceive([Story("s", text, ("Ann", "Bob", "Eve"), (0, 2))])
    assert reading.unread == "no phrasing is known for: [Bob] flew to the moon with his wife [Eve]."


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--perceiver", "inverse"], "unknown reader of stories 'inverse'"),
        (["--perceiver", "neural", "--perceiver-set", "annotated=some"], "annotated"),
    ],
)
def test_wrong_names_and_settings_are_usage_errors(
    arguments: Sequence[str], message: str, stories: Dataset, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["learn", str(stories.path), "--learner", "algebra", "--from", "stories", *arguments]
    assert run(command) == 2
    assert message in capsys.readouterr().err


def test_a_family_without_stories_is_a_usage_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    regions = hb.generate("star", "rcc8-small", out=tmp_path / "d", seed=1)
    assert run(["learn", str(regions.path), "--learner", "algebra", "--from", "stories"]) == 2
    assert "no stor" in capsys.readouterr().err


# Explanations ---------------------------------------------------------------------------------------------------------


def test_explain_shows_sentences_with_their_facts_and_the_proof(
    stories: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sample = stories.test[30]
    page = tmp_path / "story.html"
    command = [
        "explain",
        str(stories.path),
        sample.id,
        "--from",
        "stories",
        "--readings",
        str(tmp_path),
        "--out",
        str(page),
    ]
    assert run(command) == 0
    text = capsys.readouterr().out
    assert f"is the {sample.label} of" in text and "This is right." in text
    html = page.read_text(encoding="utf-8")
    assert html.count("background:#") >= 2 and "<svg" in html and "To blame" not in html


def test_a_wrong_answer_names_the_cell_or_the_sentence(stories: Dataset, tmp_path: Path) -> None:
    sample = next(one for one in stories.test if one.symbolic["k"] == 2)  # type: ignore[index,call-overload]
    given: Any = sample.input
    first, second = (word for _, word, _ in given["edges"])
    wrong = "wife" if sample.label != "wife" else "husband"
    perception = Perception.of(STORIES, "grammar", {}, tmp_path)
    relations = (first, second, wrong, str(sample.label))
    cells = {name: number for number, name in enumerate(dict.fromkeys(relations))}
    rows = [[0] * len(cells) for _ in cells]
    rows[cells[first]][cells[second]] = 1 << cells[wrong]
    theory = Table(tuple(cells), tuple(map(tuple, rows))).theory("kinship")
    blamed = explain_from_story(stories, sample, perception, theory)
    assert not blamed.right
    assert blamed.fault == f"the cell {first}, {second} says {wrong}; the true one is {sample.label}"
    # A sentence that says something else than the sample's facts was misread, as far as the sample knows.
    told = [
        [two, word, one] if number == 0 else [one, word, two] for number, (one, word, two) in enumerate(given["edges"])
    ]
    other = replace(sample, input={**given, "edges": told}, label=wrong)
    assert "was read as" in explain_from_story(stories, other, perception).fault


# Published files ------------------------------------------------------------------------------------------------------


def test_facts_of_an_imported_set_are_compared_with_its_own_edges(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        # What the file says is not always what the story says: here the second edge is wrong.
        ("[Ann] looks just like her father [Bob]. The wife of [Bob] is [Eve].", "['father', 'wife']", "father-wife"),
        (
            "[Ann] looks just like her father [Bob]. The wife of [Bob] is [Eve].",
            "['father', 'sister']",
            "father-sister",
        ),
        ("[Ann] and [Bob] went out. [Eve] stayed in.", "['father', 'wife']", "father-wife"),
    ]
    with (tmp_path / "1.2_test.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(
            (
                *("id", "story", "query", "target", "clean_story", "proof_state", "f_comb", "task_name", "story_edges"),
                *("edge_types", "query_edge", "genders", "task_split"),
            )
        )
        for number, (story, types, comb) in enumerate(rows):
            genders = "Ann:female,Bob:male,Eve:female"
            cells = [number, story, "('Ann', 'Eve')", "mother", story, "[]", comb, "task_1.2", "[(0, 1), (1, 2)]"]
            writer.writerow([*cells, types, "(0, 2)", genders, "test"])
    imported = hb.import_dataset("clutrr", [tmp_path / "1.2_test.csv"], out=tmp_path / "d")
    figures = answered(capsys, "perceive", imported.path, "--readings", tmp_path / "r")
    assert (figures["stories"], figures["unread"], figures["facts"], figures["facts_read"]) == (3, 1, 6, 4)
    assert figures["precision"] == 0.75 and figures["recall"] == 0.5
    assert [reason[:60] for reason in figures["reasons"].values()] == [
        "no phrasing is known for: [Ann] and [Bob] went out."
    ]
    assert run(["perceive", str(imported.path), "--perceiver", "neural", "--readings", str(tmp_path / "r")]) == 2
    assert "the dataset has no split train" in capsys.readouterr().err
