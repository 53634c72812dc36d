"""The command as a person runs it: output, exit codes, no tracebacks."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from hornbeam import __version__, config, resources
from hornbeam.report.terminal import print_json


def hornbeam(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hornbeam", *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_version() -> None:
    assert hornbeam("--version").stdout == f"hornbeam {__version__}\n"


COMMANDS = ["doctor", "list", "demo", "generate", "import", "check", "audit", "query", "shell", "explain", "show"]
COMMANDS += ["diff", "score", "learners", "learn", "bias", "compare", "judge", "export", "train", "reproduce"]


def test_help_lists_the_commands() -> None:
    shown = hornbeam().stdout
    assert all(f"\n  {command} " in shown for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str) -> None:
    done = hornbeam(command, "--help")
    assert done.returncode == 0
    assert f"Example: hornbeam {command}" in done.stdout


def test_help_loads_no_engine() -> None:
    """The command answers at once because the engines are loaded when they are used."""
    program = (
        "import sys; from hornbeam.cli import run; run(['--help']); "
        "print([name for name in ('janus_swi', 'clingo', 'torch', 'PIL', 'pyarrow') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_shell_completion() -> None:
    done = hornbeam(_HORNBEAM_COMPLETE="complete_bash", COMP_WORDS="hornbeam gen", COMP_CWORD="1")
    assert "generate" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["frobnicate"], "No such command 'frobnicate'"),
        (["generate", "ancestors"], "Missing argument 'preset'"),
        (["generate", "ancestor", "small", "--out", "x"], "did you mean 'ancestors'"),
        (["generate", "ancestors", "nowhere.yml", "--out", "x"], "nowhere.yml"),
        (["generate", "ancestors", "small", "--out", "x", "--set", "people"], "expects key=value"),
        (["generate", "ancestors", "small", "--out", "x", "--set", "people=many"], "--set people: expected a valid"),
        (["generate", "ancestors", "small", "--out", "x", "--set", "peopel=3"], "did you mean 'people'"),
        (["import", "ancestors", "nowhere.csv", "--out", "x"], "nowhere.csv: there is no such file"),
        (["generate", "ancestors", "small", "--out", "/dev/null/x"], "/dev/null/.x.partial: Not a directory"),
        (["check", "nowhere"], "nowhere: there is no such dataset folder"),
        (["audit", "."], ".: not a Hornbeam dataset"),
    ],
)
def test_asking_wrongly(arguments: list[str], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = hornbeam(*arguments)
    assert done.returncode == 2, done.stderr
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_configuration_file_names_line_and_column(tmp_path: Path) -> None:
    file = tmp_path / "mine.yml"
    file.write_text("people: 4\nsamples: lots\n")
    done = hornbeam("generate", "ancestors", str(file), "--out", str(tmp_path / "out"))
    assert done.returncode == 2
    assert f"{file}:2:10: samples: expected a valid integer, found 'lots'" in done.stderr
    file.write_text("people: [4\n")
    assert f"{file}:2:1: not YAML" in hornbeam("generate", "ancestors", str(file), "--out", "x").stderr


def test_generate_check_audit_query_explain_show(tmp_path: Path) -> None:
    out = str(tmp_path / "data")
    made = json.loads(hornbeam("generate", "ancestors", "small", "--out", out, "--seed", "7", "--json").stdout)
    assert {"dataset", "family", "preset", "seed", "samples", "rejected", "cpu_seconds", "sha256"} <= made.keys()
    assert (made["samples"], made["seed"]) == (40, 7)
    checked = json.loads(hornbeam("check", out, "--json").stdout)
    assert checked == {
        "samples": 40, "confirmed": 40, "refuted": 0, "undecided": 0, "reasoner": "clingo", "failures": [],
    }  # fmt: skip
    audited = json.loads(hornbeam("audit", out, "--json").stdout)
    assert {"samples", "derivable", "unique", "duplicates", "leaks", "shortcuts", "balance"} <= audited.keys()
    answers = hornbeam("query", out, "parent(s000000, X, p1)", "--json")
    assert json.loads(answers.stdout)["answers"] == [{"X": "p0"}]
    assert hornbeam("query", out, "parent(s000000, p1, p1)").stdout == "false\n"
    assert "ancestor(" in hornbeam("explain", out, "s000003").stdout
    page = Path(hornbeam("show", out).stdout.strip())
    assert "<h2>A tree</h2>" in page.read_text()


def test_a_page_that_cannot_be_written_is_named(dataset_folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "file" / "page.html"
    target.parent.write_text("no folder")
    done = hornbeam("show", str(dataset_folder), "--out", str(target))
    assert (done.returncode, done.stderr) == (2, f"hornbeam: {target}: Not a directory\n")


def test_a_damaged_dataset_fails_with_its_file(dataset_folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(dataset_folder, tmp_path / "copy"))
    manifest = json.loads((copy / "manifest.json").read_text())
    (copy / "manifest.json").write_text(json.dumps({**manifest, "config": {"people": "many"}}))
    done = hornbeam("generate", "ancestors", "small", "--out", str(copy), "--seed", "7")
    assert done.returncode == 2
    assert f"{copy / 'manifest.json'}: no configuration of the family ancestors (people: " in done.stderr
    (copy / "manifest.json").write_text(json.dumps({**manifest, "counts": {"samples": 40}}))
    for command in ("check", "audit", "show"):
        done = hornbeam(command, str(copy))
        assert done.returncode == 2 and 'manifest.json: key "counts": the key "splits" is missing' in done.stderr


def test_json_has_null_for_what_json_cannot_say(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"mean": math.nan, "rows": [{"most": math.inf}, 1.5]})
    shown = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert shown == {"mean": None, "rows": [{"most": None}, 1.5]}


def test_examples_of_the_help_name_what_there_is() -> None:
    """Presets by their names; samples and tasks are those of the presets that the examples before them make."""
    shown = "".join(hornbeam(command, "--help").stdout for command in ("generate", "explain", "learn", "export"))
    ((family, preset),) = re.findall(r"hornbeam generate (\w+) (\S+) --out data/rcc8", shown)
    assert preset in config.presets(family)
    ((split, task),) = re.findall(r"hornbeam explain data/rcc8 (\w+)-(k\d-b\d)-a\d\d-\d{6}\n", shown)
    tasks = yaml.safe_load(resources.curricula("kandy", "easy.yml").read_text())["tasks"]
    for number, name in re.findall(r"--task t(\d\d)_(\w+)", shown):
        assert tasks[int(number)]["name"] == name
    assert split in ("train", "valid", "test") and task


def test_a_refuted_label_fails_the_check(tmp_path: Path) -> None:
    out = tmp_path / "data"
    hornbeam("generate", "ancestors", "small", "--out", str(out))
    _flip_first_label(out)
    done = hornbeam("check", str(out), "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["failures"] == ["s000000"]


def _flip_first_label(out: Path) -> None:
    """What a careful forger would do: change a label and all checksums."""
    from hornbeam.data.manifest import entries

    path = out / "samples.jsonl"
    first, rest = path.read_text().split("\n", 1)
    sample = json.loads(first)
    old = f'"label":{json.dumps(sample["label"])}'
    new = f'"label":{json.dumps(not sample["label"])}'
    pad = " " * (len(old) - len(new))
    path.write_text(first.replace(old, new + pad) + "\n" + rest)
    if len(old) < len(new):
        _write_index(out)
    manifest = json.loads((out / "manifest.json").read_text())
    manifest["files"] = {name: {"bytes": e.bytes, "sha256": e.sha256} for name, e in entries(out).items()}
    (out / "manifest.json").write_text(json.dumps(manifest))


def _write_index(out: Path) -> None:
    from hornbeam.data.index import IndexWriter

    writer = IndexWriter()
    manifest = json.loads((out / "manifest.json").read_text())
    for split in manifest["counts"]["splits"]:
        writer.splits.setdefault(split, len(writer.splits))
    for line in (out / "samples.jsonl").read_bytes().splitlines(keepends=True):
        sample = json.loads(line)
        writer.add(line, sample["task"], sample["split"])
    writer.save(out)


def test_a_query_that_is_wrong(dataset_folder: Path) -> None:
    done = hornbeam("query", str(dataset_folder), "parent(")
    assert (done.returncode, "Syntax error" in done.stderr) == (2, True)
    for nothing in ("", "  ", "% nothing"):
        done = hornbeam("query", str(dataset_folder), nothing)
        assert (done.returncode, "Unexpected end of file" in done.stderr) == (2, True)
    done = hornbeam("query", str(dataset_folder), "no_such_thing(X)")
    assert (done.returncode, "no_such_thing(A)' does not exist" in done.stderr) == (1, True)
    done = hornbeam("query", str(dataset_folder), "repeat, fail", "--timeout", "0.3")
    assert (done.returncode, "Time limit" in done.stderr) == (1, True)


def test_a_pipe_that_closes_early(dataset_folder: Path) -> None:
    command = f"{sys.executable} -m hornbeam query {dataset_folder} 'parent(A, B, C)' --limit 100 | head -n 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_the_shell_opens_swipl(dataset_folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hornbeam", "shell", str(dataset_folder)],
        input="parent(s000000, X, p1).\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "X = p0" in done.stdout


def test_doctor() -> None:
    done = hornbeam("doctor", "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 0
    assert report["ok"] is True
    assert report["prolog"]["bridge"] == "janus"
    expected = {"python", "janus", "pyswip", "clingo", "torch", "torch_geometric", "dask", "aleph", "popper", "browser"}
    assert expected <= report.keys()
    assert all(report[name]["found"] or report[name]["fix"] for name in expected)


def test_doctor_survives_a_program_that_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hornbeam import doctor

    browser = tmp_path / "chromium"
    browser.write_bytes(b"\0 no program")
    browser.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    parts = {part.name: part for part in doctor.examine()}
    assert (parts["browser"].found, parts["browser"].ok) == (False, True)
    assert "Exec format error" in parts["browser"].note


def test_doctor_without_prolog(tmp_path: Path) -> None:
    done = hornbeam("doctor", "--json", HORNBEAM_SWIPL=str(tmp_path / "nothing"))
    report = json.loads(done.stdout)
    assert (done.returncode, report["ok"], report["prolog"]["found"]) == (1, False, False)
    assert "not a program" in report["prolog"]["note"]
