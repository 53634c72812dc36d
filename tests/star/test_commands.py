"""`hornbeam star solve` and `hornbeam star cells`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hornbeam.errors import UsageError
from hornbeam.star.commands import read_text
from hornbeam.star.knowledge import load_calculus


def star(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hornbeam", "star", *arguments], capture_output=True, text=True, timeout=120, check=False
    )


def test_solve_answers_with_a_witness(tmp_path: Path) -> None:
    file = tmp_path / "net.txt"
    file.write_text("0 EC 1   # two paths\n1 TPPI 3\n0 TPPI 2\n2 EC 3\n\n? 0 3\n")
    done = star("solve", str(file), "--json", "--witness")
    report = json.loads(done.stdout)
    assert (done.returncode, report["answer"], report["exact"]) == (0, "EC", True)
    assert len(report["witness"]) == 4


def test_solve_names_the_edges_that_contradict_each_other(tmp_path: Path) -> None:
    file = tmp_path / "net.txt"
    file.write_text("0 < 1\n1 m 2\n2 < 0\n2 o 3\n? 0 3\n")
    done = star("solve", str(file), "--calculus", "allen", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["conflict"] == ["0 < 1", "1 m 2", "2 < 0"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 DC 1\n1 XX 2\n? 0 2\n", "net.txt:2: edge (1, 2): unknown rcc8 relation 'XX'"),
        ("0 TPP 1\n1 TPP 0\n? 0 1\n", "edge (1, 0) is TPP, but an earlier edge"),
        ("0 DC 1\n? 0 7\n", "node 7, which no edge has"),
        ("0 DC 1\n", "no line '? U V'"),
        ("0 DC\n", "net.txt:1: expected 'U RELATION V'"),
        ("a DC 1\n? 0 1\n", "net.txt:1: expected the number of a node, found 'a'"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "net.txt"
    file.write_text(text)
    with pytest.raises(UsageError) as caught:
        read_text(load_calculus("rcc8"), file)
    assert message in str(caught.value)


def test_a_wrong_file_is_exit_code_2_without_a_traceback(tmp_path: Path) -> None:
    file = tmp_path / "net.txt"
    file.write_text("0 DC 1\n1 XX 2\n? 0 2\n")
    done = star("solve", str(file))
    assert done.returncode == 2
    assert "net.txt:2: edge (1, 2): unknown rcc8 relation 'XX'" in done.stderr
    assert "Traceback" not in done.stderr


def test_cells_says_why_a_cell_is_empty() -> None:
    done = star("cells", "rcc8-small", "--json")
    report = json.loads(done.stdout)
    assert report["impossible"]["k=4 b=1 PO"].startswith("no 1 path of 4 non-identity edges")


def test_cells_says_that_none_is_empty(tmp_path: Path) -> None:
    file = tmp_path / "tangles.yml"
    file.write_text("train: {tangles: [{nodes: [6], rows: 1}]}\n")
    assert star("cells", str(file)).stdout == "Every cell has all the graphs that are asked for.\n"


def test_a_witness_of_a_calculus_without_models_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "net.txt"
    file.write_text("0 < 1\n1 < 2\n? 0 2\n")
    done = star("solve", str(file), "--calculus", "point", "--witness")
    assert done.returncode == 2
    assert "point has no model of regions or intervals, rcc8 and allen have" in done.stderr
