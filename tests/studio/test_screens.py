"""The screens without a browser: every action is a form, every screen an address."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import hornbeam
from hornbeam import config as configuration
from hornbeam.family import BUILT_IN
from hornbeam.studio.browsing import Browser, Filter
from hornbeam.studio.forms import changed
from hornbeam.studio.near import near_misses, parts
from hornbeam.studio.presets import settings
from hornbeam.studio.proofs import Line, proof_of
from hornbeam.studio.screens import dataset as screen
from hornbeam.studio.views import large
from hornbeam.studio.workplace import Workplace
from tests.studio.conftest import Visitor

RED = "t00_red_train_0000"


def text_of(page: str) -> str:
    """What a page says, without its markup."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


# Home -----------------------------------------------------------------------------------------------------------------


def test_home_lists_what_is_under_the_folders(visitor: Visitor) -> None:
    page = visitor.get("/")
    said = text_of(page.text)
    assert 'href="/d/pictures"' in page.text and 'href="/d/nested.regions"' in page.text
    assert "80 5 all, confirmed" in said and "theories/blue.pl by hand" in said


def test_what_commands_left_can_be_opened(writer: Visitor, workplace: Path) -> None:
    run, duel = workplace / "run", workplace / "duel"
    for folder in (run, duel):
        folder.mkdir()
    summary = {"model": "cnn", "setting": "joint", "seeds": [0, 1], "accuracy": {"mean": 0.75, "std": 0.01}}
    (run / "summary.json").write_text(
        json.dumps({**summary, "metrics": {"test": {"forgetting": {"mean": 0.125, "std": 0.0}}}})
    )
    row = {"learner": "mdie", "task": "t0", "status": "finished", "accuracy": 0.5, "verdict": {"kind": "refuted"}}
    (duel / "rows.jsonl").write_text("")
    (duel / "table.json").write_text(json.dumps({"rows": [{**row, "theory": "valid(X)."}]}))
    (workplace / "broken").mkdir()
    (workplace / "broken" / "summary.json").write_text("[")
    said = text_of(writer.get("/").text)
    assert "run cnn joint 2 0.750 ± 0.010" in said and "duel 1 mdie" in said and "cannot be read" in said
    assert "forgetting 0.125 ± 0.000" in text_of(writer.get("/r/run").text)
    assert "mdie t0 finished 0.500 – refuted" in text_of(writer.get("/c/duel").text)
    assert "extract_color(Y, blue)" in text_of(writer.get("/t/theories.blue").text)
    assert writer.get("/r/broken").status_code == 400 and writer.get("/r/nothing").status_code == 404


def test_names_are_stable_and_tell_folders_apart(made: Path, tmp_path: Path) -> None:
    names = {place.name for place in Workplace([made]).walk().places}
    long = {name for name in names if name.startswith("nested-learned-by-mdie")}
    assert len(long) == 1 and names - long == {"pictures", "nested.regions", "theories.blue"}
    several = Workplace([made, made / "nested"]).walk().of("dataset")
    assert [place.name for place in several] == ["data.nested.regions", "data.pictures"]
    for name in ("my data", "my-data"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.pl").write_text("p(a).")
    one, other = (place.name for place in Workplace([tmp_path]).walk().of("theory"))
    assert one.startswith("my-data-a.") and other == "my-data.a"
    assert [place.name for place in Workplace([made / "pictures"]).walk().of("dataset")] == ["pictures"]


def test_a_dataset_is_made_with_changed_settings(writer: Visitor, workplace: Path) -> None:
    form = writer.get("/make/star/rcc8-small")
    assert 'name="set.test.cells"' in form.text and "graphs for each label" not in form.text
    fields = {"set.width": "1", "set.witness": "true", "set.train.cells": "[{k: [2], b: [1], rows: 2}]"}
    fields |= {"set.valid.cells": "[]", "set.test.cells": "[{k: [3], b: [1], rows: 1}]"}
    answer = writer.post("/make/star/rcc8-small", out="mine/small", seed="5", workers="1", **fields)
    job = writer.job(answer)
    assert job.state == "done", job.error
    assert job.link == "/d/mine.small"
    dataset = hornbeam.load(workplace / "mine" / "small")
    assert dataset.manifest.seed == 5 and dataset.tasks == ["k2_b1", "k3_b1"]
    assert f"{len(dataset.samples)} of {len(dataset.samples)} samples" in text_of(writer.get(job.link).text)
    same = hornbeam.generate("star", "rcc8-small", out=workplace / "again", seed=5, overrides={
        "train.cells": "[{k: [2], b: [1], rows: 2}]", "valid.cells": "[]", "test.cells": "[{k: [3], b: [1], rows: 1}]",
    })  # fmt: skip
    assert same.manifest.files == dataset.manifest.files


@pytest.mark.slow
def test_a_wrong_setting_comes_back_to_the_form(writer: Visitor) -> None:
    job = writer.job(writer.post("/make/star/rcc8-small", out="new", seed="0", workers="1", **{"set.width": "9"}))
    assert job.state == "failed" and "width" in job.error
    page = writer.get(f"/jobs/{job.id}").text
    back = html.unescape(re.search(r'href="(/make/[^"]+)"', page)[1])  # type: ignore[index]
    assert 'value="9"' in writer.get(back).text and list(writer.studio.workplace.roots[0].glob(".new*")) == []


def test_the_curriculum_language_has_a_form(visitor: Visitor) -> None:
    shown = {field.key: field for field in settings("kandy", "tour")}
    assert shown["samples"].value == "40" and shown["balance"].value == "exact" and shown["padding"].value == "3"
    form = {
        f"set.{key}": field.value for key, field in shown.items() if field.widget != "boolean" or field.value == "true"
    }
    assert changed(list(shown.values()), form) == {}
    assert changed(list(shown.values()), {**form, "set.samples": "8"}) == {"samples": "8"}


@pytest.mark.parametrize("family", BUILT_IN)
def test_every_setting_of_a_form_says_what_it_is(family: str) -> None:
    for preset in configuration.presets(family)[:1]:
        assert [one.key for one in settings(family, preset) if not (one.about or one.group_about)] == []


def test_published_files_are_imported(writer: Visitor, workplace: Path) -> None:
    file = next((workplace / "nested" / "regions" / "data").rglob("test*.csv"))
    published = workplace / "published"
    published.mkdir()
    (published / file.name).write_bytes(file.read_bytes())
    job = writer.job(writer.post("/import", family="star", files=f"published/{file.name}", out="imported"))
    assert job.state == "done", job.error
    assert hornbeam.load(workplace / "imported").manifest.seed is None


# Dataset --------------------------------------------------------------------------------------------------------------


def test_samples_are_filtered_by_what_they_are(made: Path) -> None:
    dataset = hornbeam.load(made / "pictures")
    browser = Browser(dataset)
    for wanted in (
        Filter(task="t02_house"), Filter(split="test"), Filter(label="true"), Filter(groups=(("level", "2"),)),
        Filter(task="t00_red", split="train", label="false"),
    ):  # fmt: skip
        ids = {sample.id for sample in browser.page(browser.rows(wanted), 0, 1000)}
        expected = {
            sample.id
            for sample in dataset.samples
            if wanted.task in ("", sample.task)
            and wanted.split in ("", sample.split)
            and (not wanted.label or str(sample.label).lower() == wanted.label)
            and all(str(dataset.family.groups(sample)[name]) == value for name, value in wanted.groups)
        }
        assert ids == expected and expected, wanted
    assert len(browser.rows(Filter(task="nothing"))) == len(browser.rows(Filter(groups=(("odd", "1"),)))) == 0


def test_search_looks_at_values_and_not_at_keys(made: Path) -> None:
    dataset = hornbeam.load(made / "pictures")
    browser = Browser(dataset)
    found = {sample.id for sample in browser.page(browser.rows(Filter(text="Triangle_Cyan")), 0, 1000)}
    assert found == {one.id for one in dataset.samples if "triangle_cyan" in one.symbolic["prolog"]} and found  # type: ignore[index,call-overload]
    assert len(browser.rows(Filter(text="supervised"))) == 0
    assert [sample.id for sample in browser.page(browser.rows(Filter(text=RED)), 0, 9)] == [RED]


def test_near_misses_differ_in_one_part_and_in_their_label(made: Path) -> None:
    for name in ("pictures", "nested/regions"):
        dataset = hornbeam.load(made / name)
        samples = list(dataset.samples)
        found = {row: others for task in dataset.tasks for row, others in near_misses(dataset, task).items()}
        assert found
        for row, others in found.items():
            for other in others:
                (frame, one), (its_frame, its) = parts(samples[row]), parts(samples[other])
                assert frame == its_frame and sum(a != b for a, b in zip(one, its, strict=True)) == 1
                assert samples[row].label != samples[other].label and row in found[other]


def test_a_page_of_samples_leads_to_the_next(visitor: Visitor) -> None:
    first = visitor.get("/d/pictures").text
    assert first.count("<article") == 48 and 'href="/d/pictures?start=48"' in first
    part = visitor.part("/d/pictures/samples?start=48")
    assert part.text.count("<article") == 32 and "<html" not in part.text and "Next page" not in part.text
    assert (
        visitor.get("/d/pictures/samples?start=48", follow_redirects=False).headers["location"]
        == "/d/pictures?start=48"
    )
    ids = re.findall(r'aria-label="(t0\d_\w+)"', first + part.text)
    assert len(set(ids)) == 80


def test_the_labels_of_a_large_dataset_are_counted_later(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page does not wait for them; its filters take them in without touching the samples."""
    monkeypatch.setattr(screen, "_AT_ONCE", 0)
    visitor.studio.browsers.forget()
    page = visitor.get("/d/pictures").text
    assert 'name="label"' not in page
    (span,) = re.findall(r'<span class="field" [^>]*hx-get="(/d/pictures/filters[^"]*)"[^>]*>', page)
    assert 'hx-target="this" hx-select="unset" hx-push-url="false"' in page
    assert 'name="label"' in visitor.part(html.unescape(span)).text
    assert 'name="label"' in visitor.get("/d/pictures").text
    visitor.studio.browsers.forget()
    assert 'name="label"' in visitor.get("/d/pictures?facets=1").text


def test_pictures_and_drawings_are_served(visitor: Visitor) -> None:
    picture = visitor.get(f"/d/pictures/s/{RED}/picture.png")
    assert picture.headers["content-type"] == "image/png" and picture.content.startswith(b"\x89PNG")
    sample = re.search(r"/s/([\w-]+)/drawing-1.svg", visitor.get("/d/nested.regions").text)[1]  # type: ignore[index]
    drawn = visitor.get(f"/d/nested.regions/s/{sample}/drawing-1.svg")
    assert drawn.headers["content-type"].startswith("image/svg") and 'class="region"' in drawn.text
    assert visitor.get(f"/d/nested.regions/s/{sample}/drawing-2.svg").status_code == 404


def test_the_findings_of_an_audit_lead_to_samples(writer: Visitor, workplace: Path) -> None:
    """One label is turned round: the audit finds it, and a click shows the sample."""
    lines = workplace / "nested" / "regions" / "samples.jsonl"
    text = lines.read_text()
    dataset = hornbeam.load(workplace / "nested" / "regions")
    sample = next(one for one in dataset.samples if one.label == "DC")
    changed_line = sample.line().replace('"label":"DC"', '"label":"EC"')
    lines.write_text(text.replace(sample.line(), changed_line))
    repair(workplace / "nested" / "regions")
    job = writer.job(writer.post("/d/nested.regions/audit"))
    assert job.state == "done", job.error
    page = writer.get("/d/nested.regions").text
    url = html.unescape(re.search(r'<li class="bad"><a href="([^"]+)">1 labels', page)[1])  # type: ignore[index]
    shown = writer.get(url).text
    assert re.findall(r'<article[^>]* aria-label="([^"]+)"', shown) == [sample.id]


def repair(folder: Path) -> None:
    """Note the new digest of the samples in the manifest."""
    from hornbeam.data.files import sha256

    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"]["samples.jsonl"]["sha256"] = sha256(folder / "samples.jsonl")
    (folder / "manifest.json").write_text(json.dumps(manifest))


# Sample ---------------------------------------------------------------------------------------------------------------


def test_a_negative_shows_the_literal_that_fails(visitor: Visitor, made: Path) -> None:
    negative = next(one for one in hornbeam.load(made / "pictures").task("t00_red") if one.label is False)
    page = visitor.get(f"/d/pictures/s/{negative.id}").text
    first = re.findall(r'literal no first"[^>]* data-marks="([^"]+)"><span class="sign">fails</span>([^<]+)<', page)
    ((marks, words),) = first
    assert marks == "t.0" and words.startswith("extract_color(") and words.endswith(", red)")
    assert 'data-node="t.0"' in page


def test_a_sample_under_a_learned_theory(visitor: Visitor, made: Path) -> None:
    dataset = hornbeam.load(made / "pictures")
    task = dataset.task("t00_red")
    blue = next(one for one in task if "blue" in one.symbolic["prolog"])  # type: ignore[index,call-overload]
    said = text_of(visitor.get(f"/d/pictures/s/{blue.id}?theory=theories.blue").text)
    assert "The rule holds: the picture is valid. The label is another." in said
    part = visitor.part(f"/d/pictures/s/{blue.id}/under?theory=theories.blue")
    assert "<html" not in part.text and "The label is another." in part.text
    other = next(one for one in dataset.task("t02_house") if one.label)
    assert visitor.get(f"/d/pictures/s/{other.id}?theory=no.such").status_code == 404


def test_a_network_is_proven_and_drawn(visitor: Visitor, made: Path) -> None:
    sample = hornbeam.load(made / "nested" / "regions").samples[0]
    page = visitor.get(f"/d/nested.regions/s/{sample.id}").text
    assert f"From 0 to 2 holds {sample.label}." in text_of(page)
    assert 'data-edge="0 1"' in page and 'data-marks="0 1"' in page and 'class="region"' in page


def test_the_proof_of_a_fact_holds_line_by_line_and_marks_its_rules(tmp_path: Path) -> None:
    """What a rule needs is written as a list with dashes; none of it fails."""
    dataset = hornbeam.generate("rudas", "xs", out=tmp_path / "facts", seed=1)
    sample = max(dataset.samples, key=lambda one: (one.proof or {}).get("depth", 0))  # type: ignore[attr-defined]
    proof = proof_of(dataset, sample)
    lines = list(_all(proof.lines))
    facts = [line for line in lines if line.holds is not None]
    assert facts and all(line.holds for line in facts) and not any(line.first for line in lines)
    marks = {mark for line in lines for mark in line.marks}
    assert marks and all(f'data-node="{mark}"' in large("/d/facts", dataset, sample) for mark in marks)


def _all(lines: Iterable[Line]) -> Iterator[Line]:
    for line in lines:
        yield line
        yield from _all(line.below)


def test_a_family_of_another_package_can_be_looked_at(dataset_folder: Path) -> None:
    from starlette.testclient import TestClient

    from hornbeam.studio.app import create_app
    from tests.studio.conftest import BASE, TOKEN, visitor_of

    with TestClient(create_app([dataset_folder], token=TOKEN), base_url=BASE) as client:
        visitor = visitor_of(client)
        assert visitor.get("/d/ancestors").status_code == visitor.get("/d/ancestors/s/s000000").status_code == 200


# The reasoners --------------------------------------------------------------------------------------------------------


def test_the_reasoners_health_is_shown(visitor: Visitor) -> None:
    said = text_of(visitor.part("/health").text)
    assert "SWI-Prolog ready" in said and "clingo ready" in said
