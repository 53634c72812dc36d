"""Hostile folders: pickles in checkpoints, caches and indexes, links and names that lead elsewhere, cells of tables."""

from __future__ import annotations

import ast
import csv
import io
import json
import pickle
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import hornbeam
from hornbeam.characters import no_formula
from hornbeam.cli import run
from hornbeam.data import index
from hornbeam.data.build import unpack
from hornbeam.data.files import inside
from hornbeam.errors import DatasetError, HornbeamError
from hornbeam.neural.runs import load_state
from tests.hostile.canaries import Canaries
from tests.hostile.planting import agree, planted, with_samples


class Bomb:
    """Creates a file when it is unpickled."""

    def __init__(self, mark: str) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return subprocess.call, (["touch", self.mark],)


def mark(birds: Canaries, name: str) -> str:
    return birds.places(name)["MARK"]


def test_the_bomb_goes_off(birds: Canaries) -> None:
    """Otherwise the tests below would show nothing."""
    pickle.loads(pickle.dumps(Bomb(mark(birds, "bomb"))))
    assert birds.touched() != []


@pytest.mark.parametrize("form", ["torch", "old", "plain", "nested", "module", "cut", "text", "empty"])
def test_checkpoints(form: str, birds: Canaries, tmp_path: Path) -> None:
    """Weights only: a checkpoint that would call something is refused with its name."""
    file, bomb = tmp_path / "checkpoint.pt", Bomb(mark(birds, form))
    if form == "plain":
        file.write_bytes(pickle.dumps(bomb))
    elif form == "text":
        file.write_text("cos\nsystem\n(S'touch " + bomb.mark + "'\ntR.")
    elif form == "empty":
        file.write_bytes(b"")
    else:
        values: Any = {"torch": bomb, "old": bomb, "nested": {"a": [torch.zeros(2), {"b": bomb}]}}.get(
            form, torch.nn.ReLU()
        )
        torch.save(values, file, _use_new_zipfile_serialization=form != "old")
        if form == "cut":
            file.write_bytes(file.read_bytes()[:-50])
    with pytest.raises(DatasetError, match=r"checkpoint\.pt: not a checkpoint") as refused:
        load_state(file)
    assert "weights_only" not in str(refused.value)  # torch would tell how to run it all the same
    assert birds.touched() == []


def test_the_index(dataset_folder: Path, birds: Canaries, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """samples.index.npy with Python objects, or none at all."""
    folder = planted(dataset_folder, tmp_path / "copy", {})
    bomb = Bomb(mark(birds, "index"))
    array = np.array([bomb], dtype=object)
    for data in (
        lambda: np.save(folder / index.NAME, array, allow_pickle=True),
        lambda: _write(folder, pickle.dumps(bomb)),
    ):
        data()
        agree(folder)
        for command in (["check"], ["audit"], ["show"], ["explain"], ["export", str(tmp_path / "out"), "--to", "csv"]):
            place = [command[0], str(folder), *command[1:], *(["s000000"] if command == ["explain"] else [])]
            assert run(place) in (0, 1, 2)
            printed = "".join(capsys.readouterr())
            assert "internal error" not in printed
            assert birds.touched(printed) == []


def _write(folder: Path, data: bytes) -> None:
    (folder / index.NAME).write_bytes(data)


# What runs code of a file that it reads; (function, keyword that makes it safe, if any).
FORBIDDEN = {
    "eval": None, "exec": None, "pickle.load": None, "pickle.loads": None, "pickle.Unpickler": None,
    "marshal.load": None, "marshal.loads": None, "yaml.load": None, "yaml.unsafe_load": None, "yaml.full_load": None,
    "shelve.open": None, "joblib.load": None, "os.system": None, "os.popen": None, "torch.load": "weights_only",
    "np.load": "allow_pickle", "torch.jit.load": None, "shutil.unpack_archive": None, "extractall": None,
    "pd.read_pickle": None,
}  # fmt: skip
# These two start processes of ours and read what they sent; marshal is what the wall is sent as.
ALLOWED = {
    ("processes.py", "pickle.loads"), ("workers.py", "pickle.loads"), ("wall/launch.py", "marshal.loads"),
}  # fmt: skip


def _calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    last = {name.rpartition(".")[2] for name in FORBIDDEN}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            known = getattr(node.func, "attr", getattr(node.func, "id", "")) in last
            yield ast.unparse(node.func) if known else "", node


def test_no_code_reads_what_would_run() -> None:
    """No module unpickles, evaluates or extracts what a folder holds."""
    wrong = []
    package = Path(hornbeam.__file__).parent
    for file in package.rglob("*.py"):
        name = file.relative_to(package).as_posix()
        for function, call in _calls(ast.parse(file.read_text(encoding="utf-8"))):
            if any(keyword.arg == "shell" and ast.unparse(keyword.value) != "False" for keyword in call.keywords):
                wrong.append(f"{name}:{call.lineno}: shell")
            known = "extractall" if function.endswith(".extractall") else function
            if known not in FORBIDDEN or (name, function) in ALLOWED:
                continue
            safe = FORBIDDEN[known]
            given = {keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords}
            if safe is None or given.get(safe) != {"weights_only": "True", "allow_pickle": "False"}[safe]:
                wrong.append(f"{name}:{call.lineno}: {function}")
    assert wrong == []


# Paths ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["../outside/secrets/secret.pl", "{secret}", "a/../../outside/secrets/secret.pl", "./\0", ""]
)
def test_names_of_files_in_the_manifest(name: str, dataset_folder: Path, birds: Canaries, tmp_path: Path) -> None:
    folder = planted(dataset_folder, tmp_path / "copy", {})
    path = folder / "manifest.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    size = birds.secret.stat().st_size
    value["files"][name.replace("{secret}", str(birds.secret))] = {"bytes": size, "sha256": "0" * 64}
    path.write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(DatasetError, match=r"not a path inside a dataset|missing|expected a file"):
        hornbeam.load(folder)
    assert birds.touched() == []


LINKED = (
    "load.pl",
    "theory.pl",
    "facts.pl",
    "samples.jsonl",
    "samples.index.npy",
    "manifest.json",
    "prolog/session.pl",
)


@pytest.mark.parametrize("name", LINKED)
def test_links(
    name: str, dataset_folder: Path, birds: Canaries, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file of a dataset that is a link to elsewhere is not followed."""
    folder = planted(dataset_folder, tmp_path / "copy", {})
    path = folder / name
    path.unlink()
    if name != "manifest.json":
        value = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        value["files"][name]["bytes"] = birds.secret.stat().st_size
        (folder / "manifest.json").write_text(json.dumps(value), encoding="utf-8")
    path.symlink_to(birds.secret)
    for command in (["check"], ["query", "sample(A, B, C, D, E)"], ["explain", "s000000"]):
        assert run([command[0], str(folder), *command[1:]]) in (1, 2)
        printed = "".join(capsys.readouterr())
        # The manifest is the one file that says what the others are: it is read, but not shown.
        events = [event for event in birds.touched(printed) if name != "manifest.json" or "shown" in event]
        assert events == [] and "internal error" not in printed


def test_a_linked_folder(dataset_folder: Path, birds: Canaries, tmp_path: Path) -> None:
    folder = planted(dataset_folder, tmp_path / "copy", {})
    (folder / "pictures").symlink_to(birds.secrets)
    with pytest.raises(DatasetError, match="leads out of the dataset's folder"):
        hornbeam.load(folder).file("pictures/secret.pl")
    assert birds.touched() == []


@pytest.mark.parametrize("key", ["task", "split"])
@pytest.mark.parametrize("text", ["../../escaped", "/{mark}", "..", "nul\0", ""])
@pytest.mark.parametrize("form", ["csv", "popper", "aleph", "huggingface"])
def test_exports_stay_in_their_folder(
    key: str, text: str, form: str, dataset_folder: Path, birds: Canaries, tmp_path: Path
) -> None:
    """Names of tasks, splits and samples that would be paths: the export writes into its folder, or fails."""
    name = text.replace("/{mark}", mark(birds, f"{key}-{form}"))
    top = tmp_path / "a" / "b"
    top.mkdir(parents=True)
    folder = with_samples(dataset_folder, top / "copy", lambda sample: sample.update({key: name}))
    before = {*top.rglob("*"), *tmp_path.iterdir(), *top.parent.iterdir()}
    code = run(["export", str(folder), str(top / "c" / "out"), "--to", form])
    assert code in (0, 1, 2)
    added = {*top.rglob("*"), *tmp_path.iterdir(), *top.parent.iterdir()} - before
    assert all(path.is_relative_to(top / "c") for path in added), added
    assert birds.touched() == []


def test_a_curriculum_reads_only_files_beside_it(
    birds: Canaries, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a curriculum of KANDY names is in its own folder, and no link out of it."""
    (tmp_path / "link.yml").symlink_to(birds.secret)
    (tmp_path / "beside.yml").write_text("- {name: t, positive_set: {shape: circle}}\n")
    for name in (str(birds.secret), "outside/secrets/secret.pl", "../../etc/passwd", "link.yml", "./../x"):
        for key in ("config", "tasks", "define"):
            curriculum = tmp_path / "curriculum.yml"
            curriculum.write_text(f"{key}: {name}\n")
            assert run(["generate", "kandy", str(curriculum), "--out", str(tmp_path / "out")]) == 2
            printed = "".join(capsys.readouterr())
            assert birds.touched(printed) == [] and "internal error" not in printed


# Tables ---------------------------------------------------------------------------------------------------------------

FORMULAS = ("=cmd|' /C calc'!A0", "+1+cmd()", "-2+3+cmd()", "@SUM(1)", "\t=1+1", "\r=1+1", '=HYPERLINK("http://x")')


def test_cells_are_no_formulas(dataset_folder: Path, tmp_path: Path) -> None:
    """Labels of samples in a CSV export: no cell starts as a formula; signs and relations stay as they are."""
    names = iter([*FORMULAS, *["="] * 100])
    folder = with_samples(dataset_folder, tmp_path / "copy", lambda sample: sample.update(label=next(names)))
    assert run(["export", str(folder), str(tmp_path / "out"), "--to", "csv"]) == 0
    cells = []
    for file in (tmp_path / "out").glob("*.csv"):
        with file.open(encoding="utf-8", newline="") as stream:
            cells += [cell for row in csv.reader(stream) for cell in row]
    assert not [cell for cell in cells if len(cell) > 1 and cell[0] in "=+-@\t\r"]
    assert "=" in cells and any(cell.startswith("'=cmd") for cell in cells)
    assert [no_formula(text) for text in ("-1", "+0.5", "-1e-05", "=", "<", "-")] == [
        "-1",
        "+0.5",
        "-1e-05",
        "=",
        "<",
        "-",
    ]


@pytest.mark.parametrize(
    "line", ['{"id":NaN}', '{"id":"a","id":"b"}', "[" * 100_000, '{"id":' + "9" * 5000 + "}", "\0", "null"]
)
def test_samples_that_are_odd_json(
    line: str, dataset_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = planted(dataset_folder, tmp_path / "copy", {})
    lines = (folder / "samples.jsonl").read_text(encoding="utf-8").splitlines()
    writer = index.IndexWriter()
    data = b""
    for number, old in enumerate(lines):
        text = ((line if number == 0 else old) + "\n").encode()
        known = json.loads(old)
        writer.add(text, known["task"], known["split"])
        data += text
    (folder / "samples.jsonl").write_bytes(data)
    writer.save(folder)
    agree(folder)
    for command in (["check"], ["audit"], ["export", str(tmp_path / "out"), "--to", "csv"]):
        assert run([command[0], str(folder), *command[1:]]) in (1, 2)
        printed = "".join(capsys.readouterr())
        assert "internal error" not in printed and "samples.jsonl" in printed


def test_archives_are_read_in_one_place() -> None:
    """Those from others by `data/archives.py`; `data/build.py` reads the shards of an interrupted run, in memory."""
    words = ("zipfile", "tarfile", "gzip", "lzma", "bz2")
    package = Path(hornbeam.__file__).parent
    using = {
        file.relative_to(package).as_posix()
        for file in package.rglob("*.py")
        if any(f"import {word}\n" in file.read_text(encoding="utf-8") for word in words)
    }
    assert using == {"data/archives.py", "data/build.py", "kandy/commands.py"}  # the last only writes


def test_shards_of_an_interrupted_run(birds: Canaries, tmp_path: Path) -> None:
    """A shard that was put there by somebody else cannot write outside the dataset."""
    for name in ("files/../../escaped", "files//etc/escaped", f"files/{mark(birds, 'shard')}"):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr("report.json", "{}")
            archive.writestr("samples.jsonl", "")
            archive.writestr(name, b"x")
        batch = unpack(buffer.getvalue())
        for file in batch.files:
            with pytest.raises(HornbeamError):
                inside(tmp_path, file)
    assert birds.touched() == []
