"""Pictures on pages: a person sees the objects, and the sheet of a task fits one screen."""

from __future__ import annotations

from pathlib import Path

import pytest

import hornbeam
from hornbeam.kandy.cropping import around, boxes_of, cropped
from tests.studio.browser import opened

SCREEN = {"width": 1360, "height": 900}


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> hornbeam.Dataset:
    out = tmp_path_factory.mktemp("cropped") / "tour"
    return hornbeam.generate("kandy", "tour", out=out, seed=2, overrides={"samples": 32})


def test_every_object_is_inside_and_little_else(dataset: hornbeam.Dataset) -> None:
    shares = []
    for sample in dataset.samples:
        found = cropped(dataset, sample)
        assert found is not None
        image, (left, top, right, bottom) = found
        assert image.size == (right - left, bottom - top)
        for box in boxes_of(sample).values():
            assert left <= box[0] and top <= box[1] and box[2] <= right and box[3] <= bottom
        assert 1 <= image.width / image.height <= 1.5
        shares.append(image.width * image.height / (224 * 224))
    assert min(shares) < 0.1 and sum(shares) / len(shares) < 0.5


def test_objects_at_the_border_stay_in_the_picture() -> None:
    assert around((224, 224), {(0,): (0, 0, 10, 10)}) == (0, 0, 48, 48)
    assert around((224, 224), {(0,): (210, 2, 224, 224)}) == (0, 0, 224, 224)


@pytest.mark.browser
@pytest.mark.slow
def test_the_sheet_of_a_task_fits_one_screen(dataset: hornbeam.Dataset, tmp_path: Path) -> None:
    from hornbeam.cli import run

    assert run(["show", str(dataset.path), "--out", str(tmp_path / "page.html")]) == 0
    with opened() as browser:
        page = browser.new_page(viewport=SCREEN)
        page.goto((tmp_path / "page.html").as_uri())
        tops = page.evaluate("[...document.querySelectorAll('h2')].map(one => [one.innerText, one.offsetTop])")
    tasks = [number for number, (title, _) in enumerate(tops) if title.startswith("Task")]
    assert len(tasks) == len(dataset.tasks)
    for number in tasks:
        assert tops[number + 1][1] - tops[number][1] <= SCREEN["height"], tops[number]
