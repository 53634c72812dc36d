"""Prompts: what a person gets from the command, and that nothing in them tells the answer."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import hornbeam
from hornbeam.cli import run
from hornbeam.data.dataset import Dataset
from hornbeam.errors import UsageError
from hornbeam.language.adapters.source import marked
from hornbeam.language.item import Item, read_items
from hornbeam.language.judging import Judge

FAMILIES = ("clutrr", "graphlog", "kandy", "rudas", "star")
Made = Callable[[str], Dataset]


@pytest.mark.parametrize("family", FAMILIES)
def test_from_the_command_to_full_marks(made: Made, family: str, tmp_path: Path) -> None:
    """A file of prompts: the right answers get 1, wrong ones 0, and a prompt has no name of the dataset."""
    dataset, out = made(family), tmp_path / "prompts.jsonl"
    given = ["prompts", str(dataset.path), "--split", "test", "--rows", "20", "--shots", "2", "--out", str(out)]
    assert run(given) == 0
    items = read_items(out)
    assert len(items) == 20 and len({item.uid for item in items}) == 20
    with Judge(dataset) as judge:
        assert [ruling.score for ruling in judge.items([(item, marked(item)) for item in items])] == [1.0] * 20
        other = [(item, marked(_wrong(item))) for item in items]
        assert [ruling.score for ruling in judge.items(other)] == [0.0] * 20
    for item in items:
        shown = json.dumps(item.messages())
        assert str(item.meta["sample"] or "no sample") not in shown
        assert family in ("clutrr", "star") or str(item.meta["task"]) not in shown


def _wrong(item: Item) -> Item:
    options = [word for word in item.options if word != item.target]
    target = json.dumps(options[:1]) if item.form == "set" else options[0]
    return Item(item.uid, item.family, item.form, item.level, item.prompt, "", item.options, target, item.meta)


@pytest.mark.parametrize("style", ["natural", "formal", "symbols"])
@pytest.mark.parametrize("answer_format", ["tags", "boxed", "json"])
def test_styles_and_formats(made: Made, style: str, answer_format: str) -> None:
    for family in ("clutrr", "star"):
        items = hornbeam.prompts(made(family), style=style, answer_format=answer_format, seed=3)
        item = items[0]
        assert item == items[0] and item.target in item.options
        assert (style == "symbols") == bool(item.meta["renamed"])
        assert Judge(made(family)).items([(item, marked(item))])[0].right


def test_rows_are_a_function_of_seed_and_index(made: Made) -> None:
    first, second = (hornbeam.prompts(made("star"), seed=4, shots=1) for _ in range(2))
    assert [first[place] for place in (5, 2)] == [list(second)[place] for place in (5, 2)]
    others = {item.uid for item in hornbeam.prompts(made("star"), seed=5, shots=1)}
    assert not others & {item.uid for item in first}


def test_names_of_a_language(made: Made) -> None:
    item = hornbeam.prompts(made("clutrr"), names="de", split="test")[0]
    sample: Any = made("clutrr").sample(str(item.meta["sample"])).input
    entities: Any = item.meta["entities"]
    assert not set(sample["names"]) & set(entities.values())
    assert all(name in item.text for name in (entities[str(node)] for node in sample["query"]))


def test_a_picture_is_a_part(made: Made) -> None:
    item = hornbeam.prompts(made("kandy"), picture="image", shots=2)[0]
    pictures = [part for part in item.prompt if part.kind == "image"]
    assert len(pictures) == 3 and all(part.value.startswith("data:image/png;base64,iVBO") for part in pictures)
    content: Any = item.messages()[1]["content"]
    assert [part["type"] for part in content].count("image_url") == 3


@pytest.mark.parametrize("family", FAMILIES)
def test_a_task_of_rule_induction(made: Made, family: str) -> None:
    item = hornbeam.prompts(made(family), kind="induce", examples=4)[0]
    assert item.form == "rule" and item.target and item.target not in item.text and 1 <= item.level <= 20
    assert not any(str(sample.id) in item.text for sample in made(family).train[:200])


@pytest.mark.parametrize("family", ["clutrr", "star", "kandy"])
def test_a_stump_finds_no_shortcut(made: Made, family: str) -> None:
    """The id, the place in the file, the length and the first fact say no more than the most frequent answer does."""
    items = list(hornbeam.prompts(made(family), seed=8))
    labels = [item.target for item in items]
    features: dict[str, list[float]] = {
        "id": [int(item.uid[:6], 16) for item in items],
        "last digit of the id": [int(item.uid[-1], 16) for item in items],
        "place": [float(place) for place in range(len(items))],
        "parity of the place": [float(place % 2) for place in range(len(items))],
        "length": [float(len(item.text)) for item in items],
        "first fact": [float(_place_of_source(item)) for item in items],
    }
    for name, values in features.items():
        gain = _stump_gain(values, labels)
        assert gain <= 0.05 + 2 / len(items) ** 0.5, f"{name} predicts the answer {gain:.2f} better than chance"


def _place_of_source(item: Item) -> int:
    """Where the first person or node of the question is named first."""
    entities: Any = item.meta["entities"]
    return item.text.find(str(next(iter(entities.values()), "Scene")))


def _stump_gain(values: Sequence[float], labels: Sequence[str]) -> float:
    """How much better than the most frequent label a threshold is, learned on one half and tested on the other."""
    train, test = (list(zip(values[start::2], labels[start::2], strict=True)) for start in (0, 1))
    best, chosen = 0, (0.0, "", "")
    for cut in sorted(set(values))[:: max(1, len(set(values)) // 20)]:
        sides = [[label for value, label in train if (value <= cut) is low] for low in (True, False)]
        said = [max(set(side), key=side.count) if side else "" for side in sides]
        right = sum(side.count(word) for side, word in zip(sides, said, strict=True))
        if right > best:
            best, chosen = right, (cut, said[0], said[1])
    cut, low, high = chosen
    known = [label for _, label in test]
    usual = max(known.count(label) for label in set(known))
    right = sum(label == (low if value <= cut else high) for value, label in test)
    return (right - usual) / len(test)


def test_the_order_of_facts_is_not_that_of_the_proof(made: Made) -> None:
    firsts = []
    for item in hornbeam.prompts(made("star"), style="formal"):
        lines = [line for line in item.text.splitlines() if line.startswith("edge(")]
        entities: Any = item.meta["entities"]
        source = entities[str(made("star").sample(str(item.meta["sample"])).input["query"][0])]  # type: ignore[index,call-overload]
        firsts.append(f"edge({source}," in lines[0] or lines[0].endswith(f"{source})"))
    assert sum(firsts) / len(firsts) < 0.6


def test_what_is_wrong_is_named(made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = str(made("star").path)
    for given, message in [
        (["--level", "0"], "expected 1 to 20"),
        (["--level", "x"], "expected a level from 1 to 20"),
        (["--style", "rhyme"], "style"),
        (["--set", "colour=red"], "unknown setting of prompts 'colour'"),
        (["--split", "tests"], "unknown split 'tests'"),
        (["--templates", str(tmp_path / "none")], "expected a folder with templates"),
    ]:
        assert run(["prompts", data, "--out", str(tmp_path / "out.jsonl"), *given]) == 2
        assert message in capsys.readouterr().err
    assert not (tmp_path / "out.jsonl").exists()
    with pytest.raises(UsageError, match="cannot be stated with renamed symbols"):
        hornbeam.prompts(made("kandy"), style="symbols")[0]


def test_templates_can_be_seen_and_replaced(made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prompts", "--show-template", "answer/star"]) == 0
    assert "{% macro problem(q, style, rules) -%}" in capsys.readouterr().out
    (tmp_path / "system.j2").write_text("Answer at once.")
    assert hornbeam.prompts(made("star"), templates=tmp_path)[0].system == "Answer at once."
    (tmp_path / "system.j2").write_text("{% if %}")
    with pytest.raises(UsageError, match="not a template"):
        hornbeam.prompts(made("star"), templates=tmp_path)[0]


@pytest.mark.parametrize("family", FAMILIES)
def test_the_page_of_a_dataset_shows_a_prompt_of_each_kind(made: Made, family: str, tmp_path: Path) -> None:
    dataset, page = made(family), tmp_path / "page.html"
    assert run(["show", str(dataset.path), "--out", str(page)]) == 0
    section = html.unescape(page.read_text().partition("<h2>As a prompt</h2>")[2].partition("</section>")[0])
    wanted = hornbeam.prompts(dataset.drawn(20) if family != "rudas" else dataset, picture="both")[0]
    assert all(part.value.strip() in section for part in wanted.prompt)
    assert hornbeam.prompts(dataset, kind="induce")[0].text.splitlines()[0] in section
    for name in ("answer", f"answer/{family}", "induce"):
        assert f"<summary>The template {name}</summary>" in section
    assert "{% macro problem(q, style, rules) -%}" in section


def test_predictions_with_opaque_ids_are_judged(made: Made, tmp_path: Path) -> None:
    """From the export to the score: who joins by the exported id gets full marks."""
    from hornbeam.data.opaque import opaque_id

    dataset = made("star")
    lines = [f"{opaque_id(dataset, sample.id)},{sample.label}" for sample in dataset.test]
    (tmp_path / "mine.csv").write_text("id,label\n" + "\n".join(lines))
    assert hornbeam.judge(dataset, tmp_path / "mine.csv", split="test").overall.accuracy == 1.0
    assert dataset.sample(opaque_id(dataset, dataset.test[3].id)) == dataset.test[3]
