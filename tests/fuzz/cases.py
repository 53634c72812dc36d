"""Damaged inputs, and what must be true of every command that meets one."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import shutil
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from hornbeam.cli import run
from hornbeam.data.index import IndexWriter
from hornbeam.data.manifest import NAME, entries
from tests.fuzz.mutations import damage_of

INDEX, SAMPLES = "samples.index.npy", "samples.jsonl"


@dataclass(frozen=True)
class Outcome:
    """What a command did."""

    arguments: tuple[str, ...]
    code: int
    out: str
    err: str
    warnings: tuple[str, ...]


def call(*arguments: object) -> Outcome:
    """Run the command in this process."""
    out, err = io.StringIO(), io.StringIO()
    given = tuple(map(str, arguments))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(list(given))
    return Outcome(given, code, out.getvalue(), err.getvalue(), tuple(str(one.message) for one in caught))


@dataclass
class Case:
    """A damaged input: the command to run on it, the names that an error may name, and what it may leave behind."""

    name: str
    command: tuple[object, ...]
    names: tuple[str, ...]
    unchanged: Path | None = None  # the input's folder
    out: Path | None = None  # must be absent after an error
    codes: tuple[int, ...] = (0, 2)


@dataclass(frozen=True)
class Examined:
    """What a command did with a damaged input, and what is wrong with that."""

    outcome: Outcome
    problems: tuple[str, ...]


def examine(case: Case) -> Examined:
    """Run the command of a case."""
    before = _snapshot(case.unchanged)
    outcome = call(*case.command)
    problems = [*_problems(case, outcome)]
    if _snapshot(case.unchanged) != before:
        problems.append("the input was changed")
    return Examined(outcome, tuple(problems))


def _problems(case: Case, done: Outcome) -> Iterator[str]:
    said = f"{done.err}\n{done.out}"
    if done.code not in case.codes:
        yield f"exit code {done.code}"
    if "internal error" in said or "Traceback" in said:
        yield "an internal error"
    if done.warnings or "Warning" in done.err:
        yield f"a warning: {done.warnings}"
    if done.code == 2 and not any(name in done.err for name in case.names):
        yield "the message does not name the file"
    if done.code and case.out is not None and _holds(case.out):
        yield f"{case.out} was left behind"


def _holds(path: Path) -> bool:
    return path.is_file() or (path.is_dir() and any(path.iterdir()))


def _snapshot(folder: Path | None) -> dict[str, tuple[int, int]]:
    if folder is None:
        return {}
    if folder.is_file():
        return {folder.name: (folder.stat().st_size, folder.stat().st_mtime_ns)}
    files = [Path(base, name) for base, _, names in os.walk(folder) for name in names]
    return {str(file): (file.stat().st_size, file.stat().st_mtime_ns) for file in files}


# A damaged dataset ----------------------------------------------------------------------------------------------------


def copied(folder: Path, to: Path) -> Path:
    """A copy that shares its files with the original: a file is replaced, never written into."""
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(folder, to, copy_function=os.link)
    return to


def replace(file: Path, data: bytes) -> None:
    file.unlink(missing_ok=True)
    file.write_bytes(data)


def rehash(folder: Path, name: str) -> None:
    """The manifest agrees with the file as it is now."""
    manifest = json.loads((folder / NAME).read_bytes())
    entry = entries_of(folder, name)
    manifest["files"][name] = entry
    replace(folder / NAME, json.dumps(manifest, indent=1, ensure_ascii=False).encode())


def entries_of(folder: Path, name: str) -> dict[str, object]:
    from hornbeam.data.files import sha256

    return {"bytes": (folder / name).stat().st_size, "sha256": sha256(folder / name)}


def index_again(folder: Path) -> None:
    """The index and the counts of the manifest agree with samples.jsonl, as far as its lines can be read."""
    manifest = json.loads((folder / NAME).read_bytes())
    writer = IndexWriter()
    for task in manifest["counts"]["tasks"]:
        writer.tasks.setdefault(task, len(writer.tasks))
    for split in manifest["counts"]["splits"]:
        writer.splits.setdefault(split, len(writer.splits))
    first = next(iter(writer.tasks)), next(iter(writer.splits))
    count = 0
    for line in (folder / SAMPLES).read_bytes().splitlines(keepends=True):
        try:
            value = json.loads(line)
            place = value["task"], value["split"]
            if not all(isinstance(part, str) and part for part in place):
                place = first
        except (ValueError, KeyError, TypeError, RecursionError):
            place = first
        writer.add(line, *place)
        count += 1
    (folder / INDEX).unlink()
    writer.save(folder)
    table = writer.counts()
    splits = {split: sum(row[split] for row in table.values()) for split in writer.splits}
    manifest["counts"] = {"samples": count, "splits": splits, "tasks": table}
    replace(folder / NAME, json.dumps(manifest, indent=1, ensure_ascii=False).encode())
    rehash(folder, INDEX)


def damaged_dataset(folder: Path, to: Path, name: str, rng: random.Random) -> Path:
    """A copy with one file damaged, whose manifest agrees."""
    copy = copied(folder, to)
    file = copy / name
    replace(file, damage_of(name, rng)(file.read_bytes(), rng))
    if name == NAME:
        return copy
    rehash(copy, name)
    if name == SAMPLES and rng.random() < 0.9:
        index_again(copy)
    return copy


# The cases of a family ------------------------------------------------------------------------------------------------


@dataclass
class Bench:
    """What the damaged inputs of a family are made from, made once."""

    family: str
    dataset: Path
    preset: Path
    work: Path
    imports: tuple[str, ...]  # what of the dataset its importer reads, as globs
    imported: str  # the path in the dataset that is imported
    settings: tuple[str, ...] = ()  # that make the preset small
    by_file: bool = False  # whether the importer takes files, not a folder
    ids: list[str] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        rows = [json.loads(line) for line in (self.dataset / SAMPLES).read_bytes().splitlines()]
        self.ids = [row["id"] for row in rows]
        self.tasks = sorted({row["task"] for row in rows})
        self.predictions = {"csv": _as_csv(rows), "jsonl": _as_jsonl(rows)}
        self.files = sorted(entries(self.dataset))

    def case(self, seed: int) -> Case:
        """The case of a seed."""
        rng = random.Random(f"{self.family} {seed}")
        makers: dict[Callable[[random.Random], Case], int] = {
            self.samples: 50,
            self.index: 6,
            self.manifest: 14,
            self.other_file: 12,
            self.yaml: 14,
            self.published: 12,
            self.judged: 8,
        }
        return rng.choices(list(makers), list(makers.values()))[0](rng)

    def samples(self, rng: random.Random) -> Case:
        return self._on(damaged_dataset(self.dataset, self.work / "d", SAMPLES, rng), SAMPLES, rng)

    def index(self, rng: random.Random) -> Case:
        return self._on(damaged_dataset(self.dataset, self.work / "d", INDEX, rng), INDEX, rng)

    def manifest(self, rng: random.Random) -> Case:
        return self._on(damaged_dataset(self.dataset, self.work / "d", NAME, rng), NAME, rng)

    def other_file(self, rng: random.Random) -> Case:
        others = [name for name in self.files if name not in (SAMPLES, INDEX)]
        suffixes = sorted({name.rpartition(".")[2] for name in others})
        chosen = rng.choice(suffixes)
        name = rng.choice([name for name in others if name.endswith(chosen)])
        return self._on(damaged_dataset(self.dataset, self.work / "d", name, rng), name, rng)

    def _on(self, folder: Path, name: str, rng: random.Random) -> Case:
        """A command on a damaged dataset."""
        out = self._fresh_out()
        sample, task = rng.choice(self.ids), rng.choice(self.tasks)
        commands: list[tuple[tuple[object, ...], int]] = [
            (("check", folder), 8),
            (("audit", folder), 6),
            (("show", folder, "--out", out), 5),
            (("export", folder, out, "--to", "csv"), 3),
            (("export", folder, out, "--to", "huggingface"), 1),
            (("export", folder, out, "--to", rng.choice(["popper", "aleph"]), "--task", task), 2),
            (("explain", folder, sample), 3),
            (("judge", folder, self._own_predictions()), 2),
            (("bias", folder, "--task", task, "--learners", "mdie"), 1),
            (("query", folder, "sample(A,B,C,D,E)"), 1 if name.endswith(".pl") else 0),
        ]
        command = rng.choices([one for one, _ in commands], [weight for _, weight in commands])[0]
        # A label may be wrong now; Prolog may refuse a file when it loads it, which is a failure of the query.
        codes = (0, 1, 2) if command[0] in ("check", "query") else (0, 2)
        wrote = out if out in command else None
        names = (name, SAMPLES, INDEX, NAME, str(folder), sample, task, str(self._own_predictions()))
        return Case(f"{name}: {command[0]}", command, names, folder, wrote, codes)

    def _fresh_out(self) -> Path:
        out = self.work / "out"
        if out.is_file():
            out.unlink()
        shutil.rmtree(out, ignore_errors=True)
        return out

    def _own_predictions(self) -> Path:
        file = self.work / "own.csv"
        if not file.is_file():
            file.write_bytes(self.predictions["csv"])
        return file

    def yaml(self, rng: random.Random) -> Case:
        file, out = self.work / "damaged.yml", self._fresh_out()
        before = self.preset.read_bytes()
        damaged = damage_of("damaged.yml", rng)(before, rng)
        replace(file, damaged)
        small = [part for setting in self.settings for part in ("--set", setting)]
        # Without a key that says how much there is, a preset asks for a dataset of the usual, large size.
        sizes = [key for key in (b"worlds", b"rows", b"train", b"valid", b"test", b"samples") if key in before]
        more = small if rng.random() < 0.8 or any(key not in damaged for key in sizes) else []
        command = ("generate", self.family, file, "--out", out, "--workers", 1, *more)
        return Case("preset", command, (str(file), file.name, "--set"), file, out)

    def published(self, rng: random.Random) -> Case:
        source = copied(self.dataset / self.imported, self.work / "published")
        out = self._fresh_out()
        pattern = rng.choice(self.imports)
        name = rng.choice(sorted(str(file.relative_to(source)) for file in source.glob(pattern) if file.is_file()))
        replace(source / name, damage_of(name, rng)((source / name).read_bytes(), rng))
        given = sorted(source.glob("*.csv")) if self.by_file else [source]
        command = ("import", self.family, *given, "--out", out)
        return Case(f"import of {name}", command, (str(source), name), source, out)

    def judged(self, rng: random.Random) -> Case:
        suffix = rng.choice(sorted(self.predictions))
        file = self.work / f"predictions.{suffix}"
        replace(file, damage_of(file.name, rng)(self.predictions[suffix], rng))
        return Case(f"predictions.{suffix}", ("judge", self.dataset, file), (str(file),), file)


def _as_csv(rows: list[dict[str, object]]) -> bytes:
    lines = [f"{row['id']},{_label(row['label'])}" for row in rows]
    return ("id,label\n" + "\n".join(lines) + "\n").encode()


def _as_jsonl(rows: list[dict[str, object]]) -> bytes:
    said = [{"id": row["id"], "label": row["label"], "scores": {_label(row["label"]): 1.0}} for row in rows]
    return "".join(json.dumps(one) + "\n" for one in said).encode()


def _label(label: object) -> str:
    return str(label).lower() if isinstance(label, bool) else str(label)
