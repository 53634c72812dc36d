"""Tables and plots."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import numpy as np
import pytest

from hornbeam.cli.app import invoke
from hornbeam.errors import UsageError
from hornbeam.neural.metrics import Outcome
from hornbeam.neural.report import summary_of
from hornbeam.report.plots import HeatMap, Lines, heat_maps, lines, save
from hornbeam.report.tables import deviation, mean_cell


def test_deviation_is_the_samples() -> None:
    assert deviation([0.5]) == 0
    assert deviation([1.0, 3.0]) == pytest.approx(2**0.5)
    assert mean_cell([1.0, 3.0], 1) == "2.0 ± 1.4"


def outcome(final: float) -> Outcome:
    return Outcome(("a", "b"), (("a",), ("b",)), ({"test": {"a": 0.9, "b": 0.5}}, {"test": {"a": final, "b": 0.8}}))


def test_a_summary_over_seeds() -> None:
    found = summary_of([outcome(0.7), outcome(0.5)])["test"]
    assert found["average_accuracy"]["mean"] == pytest.approx(0.7)
    assert found["forgetting"]["mean"] == pytest.approx(0.3)
    assert found["tasks"]["a"] == {"mean": pytest.approx(0.6), "std": pytest.approx(0.02**0.5)}
    assert found["definitions"]["kandy-code"]["forward_transfer"]["mean"] == pytest.approx(0.5)


def panel() -> Lines:
    return Lines("one", {"mlp": np.array([[0.5, 0.6], [0.7, 0.8]]), "cnn": np.array([[0.6, 0.9]])}, "task", "accuracy")


def test_plots_are_the_same_bytes_again(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        save(lines([[panel(), panel()]]), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert (tmp_path / "a.svg").read_text().count("<path") > 10


def test_heat_maps(tmp_path: Path) -> None:
    values = np.array([[0.5, np.nan], [0.7, 1.0]])
    save(heat_maps([HeatMap("joint", ["mlp", "cnn"], ["0", "1"], values, across="task")]), tmp_path / "h.png")
    assert (tmp_path / "h.png").read_bytes().startswith(b"\x89PNG")
    save(heat_maps([HeatMap("joint", ["mlp", "cnn"], ["red", "house"], values, across="task")]), tmp_path / "h.svg")
    assert {".50", ".70", "1.00", "–", "red", "house"} <= set(written(tmp_path / "h.svg"))


@pytest.mark.parametrize(
    ("family", "preset", "model"),
    [
        ("clutrr", "tiny", "rgcn"),
        pytest.param("star", "rcc8-small", "rgcn", marks=pytest.mark.slow),
        pytest.param("graphlog", "tiny", "param-rgcn", marks=pytest.mark.slow),
    ],
)
def test_the_command_plots_every_value_under_its_name(
    family: str, preset: str, model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = str(tmp_path / "data")
    assert invoke(["generate", family, preset, "--out", data, "--seed", "2"]) == 0
    capsys.readouterr()
    arguments = ["--model", model, "--set", "epochs=1", "--plots", "--out", str(tmp_path / "run"), "--json"]
    assert invoke(["train", data, *arguments]) == 0
    report = json.loads(capsys.readouterr().out)
    measured = {name: figure["mean"] for name, figure in report["metrics"]["test"]["tasks"].items()}
    assert len(measured) > 2 and min(measured.values()) < 0.4
    texts = written(Path(report["plots"][0]))
    cells = [text for text in texts if re.fullmatch(r"(\.\d\d|1\.00)", text)]
    assert sorted(cells) == sorted(f"{value:.2f}".removeprefix("0") for value in measured.values())
    assert "–" not in texts and set(measured) <= set(texts)


def written(file: Path) -> list[str]:
    """The texts of an SVG of matplotlib, which names each before it draws its letters."""
    return [html.unescape(text) for text in re.findall(r"<!-- (.*?) -->", file.read_text(encoding="utf-8"))]


def test_other_formats_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.svg or \.png"):
        save(lines([[panel()]]), tmp_path / "a.txt")
