"""Presets, parameters, and what a person is told who asks wrongly."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import hornbeam
from hornbeam import config as configuration
from hornbeam.clutrr import generate
from hornbeam.clutrr.clauses import KinClause, hashed_out, hold_out, of_length
from hornbeam.clutrr.config import ClutrrConfig, FamilySettings
from hornbeam.clutrr.family import Clutrr
from hornbeam.clutrr.knowledge import load
from hornbeam.clutrr.record import Record
from hornbeam.errors import UsageError
from hornbeam.family import Batch

PRESETS = configuration.presets("clutrr")
PUBLISHED = {
    "generalization-k23": (10094, 1146),
    "generalization-k234": (15083, 1048),
    "robust-clean": (10124, 447),
    "robust-supporting": (10154, 447),
    "robust-irrelevant": (10099, 444),
    "robust-disconnected": (10100, 445),
}


def configured(name: str, **overrides: str) -> ClutrrConfig:
    config = Clutrr().configure(name, overrides)
    assert isinstance(config, ClutrrConfig)
    return config


def made(config: ClutrrConfig, seed: int = 1, shards: int = 1) -> list[Batch]:
    return [generate.make(config, seed, shard) for shard in generate.plan(config, seed)[:shards]]


def records(config: ClutrrConfig, seed: int = 1) -> list[Record]:
    return [Record.of(sample) for batch in made(config, seed) for sample in batch.samples]


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_published_configurations_have_their_sizes(name: str) -> None:
    config = configured(name)
    assert (sum(config.train.values()), sum(config.test.values())) == PUBLISHED[name]
    assert f"{name}-small" in PRESETS


@pytest.mark.parametrize("name", [name for name in PRESETS if name not in PUBLISHED])
def test_every_preset_makes_its_first_shard(name: str) -> None:
    config = configured(name, train='{"1.2": 30, "1.3": 30}', test='{"1.3": 30}', valid="{}")
    for batch in made(config, shards=3):
        assert len(batch.samples) == 30


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_generates_whole_and_is_confirmed(name: str, tmp_path: Path) -> None:
    dataset = hornbeam.generate("clutrr", name, out=tmp_path / name, seed=7, workers=2)
    config = configured(name)
    assert len(dataset.samples) == sum(sum(rows.values()) for _, rows in config.splits())
    check = hornbeam.check(dataset)
    assert check.ok, check.failures[:5]
    graphs = Counter((frozenset(record.facts), record.query) for record in map(Record.of, dataset.samples))
    assert max(graphs.values()) == 1


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"family.children": "[1, 1]"}, "single children"),
        ({"family.marry": "0.5"}, "unmarried people"),
        ({"family.generations": "2", "family.children": "[4, 6]"}, "two generations"),
        ({"family.in_laws": "1.0"}, "in-laws"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_parameters_on_which_the_original_fails(settings: dict[str, str], what: str) -> None:
    found = records(configured("tiny", train='{"1.3": 22}', test="{}", valid="{}", **settings))
    assert len(found) == 22


def test_a_family_for_several_puzzles() -> None:
    found = records(configured("tiny", train='{"1.3": 40}', test="{}", valid="{}", **{"family.puzzles": "4"}))
    shapes = [tuple((m.gender, m.father, m.mother, m.spouse) for m in record.family) for record in found]
    assert len(set(shapes)) < 30
    fresh = records(configured("tiny", train='{"1.3": 40}', test="{}", valid="{}"))
    assert len({tuple((m.gender, m.father, m.mother, m.spouse) for m in record.family) for record in fresh}) == 40


def test_the_natural_distribution_of_answers() -> None:
    found = records(configured("tiny", train='{"1.2": 300}', test="{}", valid="{}", targets="natural"))
    counts = Counter(str(record.sample.label) for record in found)
    assert counts["wife"] + counts["husband"] < counts["nephew"] + counts["niece"]


def test_noise_has_the_size_that_is_asked_for() -> None:
    sizes = {"noise.supporting": "[3, 3]", "noise.irrelevant": "[2, 2]", "noise.disconnected": "[1, 3]"}
    for record in records(configured("tiny", train='{"5.3": 30}', test="{}", valid="{}", **sizes)):
        assert record.noise["supporting"] == 3 and record.noise["irrelevant"] == 2
        assert 1 <= record.noise["disconnected"] <= 3
        assert len(record.facts) == 3 + sum(record.noise.values())


def test_nodes_are_numbered_along_the_path_only_where_asked() -> None:
    plain = {"train": '{"1.4": 30}', "test": "{}", "valid": "{}"}
    along = [[0, 1], [1, 2], [2, 3], [3, 4]]
    kept = records(configured("tiny", **plain, **{"story.permute_ids": "false"}))
    assert all(_pairs(record) == along for record in kept)
    shuffled = records(configured("tiny", **plain))
    assert sum(_pairs(record) == along for record in shuffled) < 5


def _pairs(record: Record) -> list[list[int]]:
    given: Any = record.sample.input
    return [[person, other] for person, _, other in given["edges"]]


def test_no_two_puzzles_share_their_names() -> None:
    found = records(configured("tiny", train='{"1.2": 500}', test="{}", valid="{}"))
    assert len({(record.query, record.facts[0][2]) for record in found}) == 500


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('train: {"1.2": 0}', "greater than or equal to 1"),
        ('train: {"8.2": 5}', "'8.2' is not a task"),
        ('train: {"1.02": 5}', "'1.02' is not a task"),
        ('train: {"1.1": 5}', "two facts or more"),
        ('train: {"1.2": 5}\nfamily: {children: [4, 2]}', "is reversed"),
        ('train: {"1.2": 5}\nfamily: {marry: 1.5}', "less than or equal to 1"),
        ('train: {"1.2": 5}\nnoise: {supporting: [1, 2]}', "2 or more"),
        ('train: {"1.2": 5}\npacks: [base, uncles]', "unknown kinship pack 'uncles'"),
        ('train: {"1.2": 5}\npacks: [great]', "must include 'base'"),
        ('train: {"1.2": 5}\npacks: [base, blended, great]', "combines with 'base' only"),
        ('train: {"1.2": 5}\nfamily: {remarry: 0.5}', "needs the pack 'blended'"),
        ('trian: {"1.2": 5}', "did you mean 'train'"),
        ("targets: uniform", "all empty"),
    ],
)
def test_bad_parameters_get_a_clear_error(text: str, message: str, settings_file: Path) -> None:
    settings_file.write_text(text)
    with pytest.raises(UsageError, match=None) as caught:
        Clutrr().configure(settings_file)
    assert message in str(caught.value)


def test_clauses_too_long_for_a_list_are_held_out_by_their_words() -> None:
    config = configured("tiny", train='{"1.7": 200}', test='{"1.7": 40}', valid="{}")
    batches = made(config, shards=2)
    train, test = ({sample.symbolic["pattern"] for sample in batch.samples} for batch in batches)  # type: ignore[index,call-overload]
    assert not train & test
    words = [KinClause("son", tuple(str(n) for n in range(place, place + 7))) for place in range(4000)]
    assert 300 < sum(hashed_out(clause, 0.1, 7) for clause in words) < 500


def test_stories_that_are_too_long_for_their_families(settings_file: Path) -> None:
    settings_file.write_text('train: {"1.25": 5}\nfamily: {generations: 2, children: [1, 2]}')
    with pytest.raises(UsageError, match="make them larger"):
        generate.plan(configured(str(settings_file)), 1)


def test_families_with_more_persons_than_names_are_refused_at_once() -> None:
    crowd = configured("tiny", **{"family.generations": "6", "family.children": "[8, 8]"})
    with pytest.raises(UsageError, match=r"have 74898 persons or more, and there are \d+ names"):
        generate.plan(crowd, 1)


def test_too_few_placeholders_name_their_setting() -> None:
    few = {"story.entities": "anonymous", "story.pool": "10", "train": '{"1.12": 5}', "test": "{}", "valid": "{}"}
    with pytest.raises(UsageError, match=r"13 persons need more names than there are: raise story\.pool"):
        made(configured("tiny", **few, **{"family.generations": "4"}))


def test_every_label_has_a_held_out_clause_where_there_are_enough() -> None:
    """A label of few clauses would not be tested at all."""
    for name in ("generalization-k23", "wide", "blended"):
        config = configured(name)
        theory = load(config.packs)
        clauses = of_length(theory, config.family, 3)
        held_out = hold_out(clauses, config.hold_out.clauses, 3, 3)
        assert {clause.label for clause in held_out} == {clause.label for clause in clauses}
        assert len(held_out) == round(config.hold_out.clauses * len(clauses))


def test_clauses_are_those_of_people_who_do_not_marry() -> None:
    found = {word for clause in of_length(load(), FamilySettings(marry=0.0), 2) for word in clause.body}
    assert found == {"father", "mother", "son", "daughter", "husband", "wife", "brother", "sister"}


# Phrasings in the original's format -----------------------------------------------------------------------------------


def written(path: Path, content: object) -> str:
    path.write_text(json.dumps(content))
    return str(path)


def test_placeholder_files_tell_the_stories(tmp_path: Path) -> None:
    words = load().labels()
    cells = {
        word: {
            f"{one}-{other}": [f"Say {word}: ENT_0_{one} and ENT_1_{other}."]
            for one in ("male", "female")
            for other in load().of_word(word)[1]
        }
        for word in words
    }
    cells["niece"] = {}
    cells["neice"] = {f"{one}-female": [f"Say niece: ENT_0_{one} and ENT_1_female."] for one in ("male", "female")}
    path = written(tmp_path / "phrasings.json", cells)
    overrides = {"story.phrasings": json.dumps({"train": path, "test": path})}
    for record in records(configured("tiny", train='{"1.3": 30}', test="{}", valid="{}", **overrides)):
        story = record.sample.input["story"]  # type: ignore[index,call-overload]
        for word, person, other in record.facts:
            assert f"Say {word}: [{person}] and [{other}]." in story


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "expected an object"),
        ({"father": []}, "'father': expected an object"),
        ({"fater": {}}, "not a chain of kinship words"),
        ({"father": {"male": ["x"]}}, "should be 2 of male and female"),
        ({"father": {"male-male": ["ENT_0_male"]}}, "not each person has a placeholder"),
        ({"father": {"male-male": "x"}}, "expected a list of texts"),
    ],
)
def test_bad_placeholder_files_are_refused(content: object, message: str, tmp_path: Path) -> None:
    path = written(tmp_path / "bad.json", content)
    with pytest.raises(UsageError) as caught:
        configured("tiny", **{"story.phrasings": json.dumps({"train": path, "test": path})})
    assert message in str(caught.value) and "bad.json" in str(caught.value)


def test_phrasings_without_words_for_a_story(tmp_path: Path) -> None:
    path = written(tmp_path / "few.json", {"father": {"male-male": ["ENT_0_male, ENT_1_male"]}})
    config = configured("tiny", **{"story.phrasings": json.dumps({"train": path, "test": path})})
    with pytest.raises(UsageError, match="no words for"):
        made(config)
