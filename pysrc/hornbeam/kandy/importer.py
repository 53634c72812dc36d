"""Published KANDY folders as Hornbeam datasets, in all the dialects of annotations.csv that are around.

A label or a supervision mark is 0/1, True/False, or, in old files, +1/-1 with 0 for a sample without a label. A symbol
is the text of a Python dictionary, in some files with numpy's own names for strings.

The options: `curriculum=FILE` for the YAML file it was made from, which gives names, rules and domain; without it, the
domain is that of the symbols, and `rules=easy|hard|none|auto` says whose rules they obey, where `auto` takes the
published curriculum that the labels agree with, if any; `images=copy|skip`.
"""

from __future__ import annotations

import ast
import csv
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError, unknown_name
from hornbeam.family import Batch
from hornbeam.kandy.config import ImportedTask, KandyConfig
from hornbeam.kandy.knowledge import KandyLogic, TaskInfo
from hornbeam.kandy.record import ORIGINAL_SPLIT, image_path
from hornbeam.kandy.tree import (
    ATTRIBUTES,
    DEFAULT_DOMAIN,
    Domain,
    Tree,
    as_json,
    from_json,
    prolog_text,
    refuse_bad_names,
)

COLUMNS = ("filename", "task_id", "label", "symbol")
_MOST_TASKS = 10_000
"""A dataset has all tasks up to the largest number in its files."""
_NUMPY = re.compile(r"np\.str_\(('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")\)")
_PLAIN = {"0": False, "1": True, "0.0": False, "1.0": True, "false": False, "true": True}
_SIGNED = {"1": True, "+1": True, "1.0": True, "-1": False, "-1.0": False, "0": None, "0.0": None}
_Mark = Callable[[str], bool | None]
_TreedRow = tuple["AnnotationRow", Tree]
_ANNOTATIONS = "annotations.csv"
OPTIONS = {"curriculum": (), "rules": ("auto", "easy", "hard", "none"), "images": ("copy", "skip")}
_ROWS_IN_A_BATCH = 500
# Labels that obey the rules, as a share: a dataset of the published curriculum has them all, but may hold slips.
_OBEYED = 0.95


@dataclass(frozen=True, slots=True)
class AnnotationRow:
    """A row of a CSV file: label None for a sample that is given without one."""

    file: Path
    line: int
    split: str
    task: int
    label: bool | None
    supervised: bool
    symbol: Any
    image: Path

    def tree(self, domain: Domain) -> Tree:
        """The tree of the symbol; a :class:`UsageError` names the row where it is none in this domain."""
        try:
            return from_json(self.symbol, domain)
        except (UsageError, RecursionError) as error:
            raise self.error(str(error)) from None

    def error(self, message: str) -> UsageError:
        """The error that says `message` of this row."""
        return UsageError(message, file=str(self.file), line=self.line)


def import_files(files: Sequence[Path], options: Mapping[str, str]) -> tuple[KandyConfig, Iterator[Batch]]:
    """The configuration and the batches of folders or CSV files; everything is read before anything is made."""
    _check_options(options)
    given = KandyConfig.read(Path(options["curriculum"])) if "curriculum" in options else None
    rows = [row for split, file in find_annotations(files) for row in read_annotations(file, split)]
    if not rows:
        raise UsageError("the files hold no samples", file=str(files[0]))
    domain = given.domain if given else domain_of(rows)
    items = [(row, row.tree(domain)) for row in rows]
    config = given or KandyConfig.imported(_tasks(items, domain, options.get("rules", "auto")), domain)
    _check_tasks(rows, config)
    return config, _batches(items, config, with_images=options.get("images", "copy") == "copy")


def _check_options(options: Mapping[str, str]) -> None:
    for name, value in options.items():
        if name not in OPTIONS:
            raise unknown_name("option", name, OPTIONS)
        if OPTIONS[name] and value not in OPTIONS[name]:
            raise unknown_name(f"value of {name}", value, OPTIONS[name])


def find_annotations(files: Sequence[Path]) -> list[tuple[str, Path]]:
    """The CSV files with their splits, train first: given themselves, or in folders given or below them."""
    splits: set[tuple[str, Path]] = set()
    for path in files:
        if not path.exists():
            raise UsageError("there is no such file or folder", file=str(path))
        splits.update((_split_of(file), file) for file in (_in_folder(path) if path.is_dir() else [path]))
    order = list(ORIGINAL_SPLIT)
    return sorted(splits, key=lambda pair: (order.index(pair[0]), str(pair[1])))


def _in_folder(folder: Path) -> list[Path]:
    """The annotations in a split's folder, in the folder of the splits, or in the one above (`sets`)."""
    names = tuple(ORIGINAL_SPLIT.values())
    for base in (folder, folder / "sets", folder / "samples" / "sets"):
        files = [base / name / _ANNOTATIONS for name in names if (base / name / _ANNOTATIONS).is_file()]
        if files:
            return files
    if (folder / _ANNOTATIONS).is_file():
        return [folder / _ANNOTATIONS]
    raise UsageError(f"expected {', '.join(names)} with {_ANNOTATIONS} in it", file=str(folder))


def _split_of(file: Path) -> str:
    """The split by the name of the folder, or of the file (`train_annotations.csv`)."""
    for ours, theirs in ORIGINAL_SPLIT.items():
        if file.parent.name in (ours, theirs) or file.name.split("_")[0] in (ours, theirs):
            return ours
    raise UsageError("cannot tell its split: expected train, val or test in the name of its folder", file=str(file))


def read_annotations(file: Path, split: str) -> list[AnnotationRow]:
    """The rows of a file, in its order; a :class:`UsageError` names file, line and what was expected."""
    records = list(_records(file))
    mark = _dialect(file, records)
    return [_row(file, split, line, record, mark) for line, record in records]


def _records(file: Path) -> Iterator[tuple[int, dict[str, str]]]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream, strict=True)
            missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
            if missing:
                raise UsageError(
                    f"expected the columns {', '.join(COLUMNS)}; missing: {', '.join(missing)}", file=str(file), line=1
                )
            for record in reader:
                if None in record or None in record.values():
                    raise UsageError("the row has too many or too few columns", file=str(file), line=reader.line_num)
                yield reader.line_num, record
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read it as UTF-8 text: {error}", file=str(file)) from None
    except csv.Error as error:
        raise UsageError(f"not a CSV file: {error}", file=str(file)) from None


def _dialect(file: Path, records: Sequence[tuple[int, dict[str, str]]]) -> _Mark:
    """How labels are written in this file: signed if any is below zero."""
    labels = {record["label"].strip().lower() for _, record in records}
    known = _SIGNED if labels & {"-1", "-1.0", "+1"} else _PLAIN
    for line, record in records:
        if record["label"].strip().lower() not in known:
            expected = "+1, -1 or 0" if known is _SIGNED else "0, 1, True or False"
            raise UsageError(f"expected a label {expected}, got {record['label']!r}", file=str(file), line=line)
    return lambda text: known[text.strip().lower()]


def _row(file: Path, split: str, line: int, record: dict[str, str], mark: _Mark) -> AnnotationRow:
    label = mark(record["label"])
    return AnnotationRow(
        file=file,
        line=line,
        split=split,
        task=_task(file, line, record["task_id"]),
        label=label,
        supervised=label is not None and _supervised(file, line, record.get("supervised", "1")),
        symbol=_symbol(file, line, record["symbol"]),
        image=file.parent / record["filename"],
    )


def _task(file: Path, line: int, text: str) -> int:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < _MOST_TASKS or number != int(number):
        most = f"; the largest is {_MOST_TASKS - 1}" if number >= _MOST_TASKS else ""
        raise UsageError(f"expected the number of a task, got {text!r}{most}", file=str(file), line=line)
    return int(number)


def _supervised(file: Path, line: int, text: str) -> bool:
    mark = _PLAIN.get(text.strip().lower())
    if mark is None:
        raise UsageError(f"expected supervised 0, 1, True or False, got {text!r}", file=str(file), line=line)
    return mark


def _symbol(file: Path, line: int, text: str) -> Any:
    try:
        return ast.literal_eval(_NUMPY.sub(r"\1", text))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        message = f"expected a symbol as a Python dictionary, got {text[:60]!r}"
        raise UsageError(message, file=str(file), line=line) from None


def domain_of(rows: Iterable[AnnotationRow]) -> Domain:
    """The default domain with the further names that the symbols hold, in the order of their appearance."""
    names = {key: dict.fromkeys(known) for key, known in zip(ATTRIBUTES, DEFAULT_DOMAIN.values, strict=True)}
    for row in rows:
        for key, name in ((key, one[key]) for one in _objects(row.symbol) for key in ATTRIBUTES):
            if isinstance(name, str) and name not in names[key]:
                try:
                    refuse_bad_names(key, (name,))
                except UsageError as error:
                    raise row.error(error.message) from None
                names[key][name] = None
    return Domain(*(tuple(names[key]) for key in ATTRIBUTES))


def _objects(symbol: Any) -> Iterator[dict[str, Any]]:
    waiting = [symbol]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict) and set(value) == set(ATTRIBUTES):
            yield value
        elif isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(reversed(value))


def _check_tasks(rows: Sequence[AnnotationRow], config: KandyConfig) -> None:
    for row in rows:
        if row.task >= len(config.tasks):
            raise row.error(f"task {row.task} is not in the curriculum, which has {len(config.tasks)}")


# Tasks ------------------------------------------------------------------------------------------------------------


def _tasks(items: Sequence[_TreedRow], domain: Domain, rules: str) -> list[ImportedTask]:
    number = max(row.task for row, _ in items) + 1
    with KandyLogic(domain) as logic:
        published: dict[str, list[TaskInfo]] = defaultdict(list)
        for info in logic.task_table():
            published[info.curriculum].append(info)
        if rules == "auto":
            fitting = (name for name, infos in sorted(published.items()) if _obeys(items, infos, logic))
            rules = next(fitting, "none")
    known = published.get(rules, [])
    if rules != "none" and number > len(known):
        raise UsageError(f"the files hold task {number - 1}, but the curriculum {rules} has {len(known)} tasks")
    names = {info.index: info for info in known}
    return [
        ImportedTask(name=names[index].rule.split("_", 2)[2].replace("_", " "), rule=names[index].rule)
        if index in names
        else ImportedTask(name=f"task {index}")
        for index in range(number)
    ]


def _obeys(items: Sequence[_TreedRow], infos: Sequence[TaskInfo], logic: KandyLogic) -> bool:
    """Whether the labels are those of a published curriculum, in every task that the files hold."""
    by_task: dict[int, list[_TreedRow]] = defaultdict(list)
    for row, tree in items:
        if row.label is not None:
            by_task[row.task].append((row, tree))
    rules = {info.index: info.rule for info in infos}
    if not by_task or not by_task.keys() <= rules.keys():
        return False
    for task, kept in by_task.items():
        labels = logic.labels(rules[task], [tree for _, tree in kept])
        right = sum(label == int(bool(row.label)) for label, (row, _) in zip(labels, kept, strict=True))
        if right < _OBEYED * len(kept):
            return False
    return True


# Samples ----------------------------------------------------------------------------------------------------------


def _batches(items: Sequence[_TreedRow], config: KandyConfig, *, with_images: bool) -> Iterator[Batch]:
    order = list(ORIGINAL_SPLIT)
    kept = sorted(items, key=lambda item: (item[0].task, order.index(item[0].split)))
    counts: Counter[tuple[int, str]] = Counter()
    symbols: dict[int, dict[str, int]] = defaultdict(dict)  # the number of each distinct tree of a task
    for start in range(0, len(kept), _ROWS_IN_A_BATCH):
        batch = Batch()
        for row, tree in kept[start : start + _ROWS_IN_A_BATCH]:
            index = counts[row.task, row.split]
            counts[row.task, row.split] += 1
            path = image_path(row.split, row.task, index) if with_images else None
            if path is not None:
                batch.files[path] = _image(row)
            symbol = symbols[row.task].setdefault(prolog_text(tree), len(symbols[row.task]))
            batch.samples.append(_sample(row, tree, config, index, path, symbol))
        yield batch


def _sample(row: AnnotationRow, tree: Tree, config: KandyConfig, index: int, path: str | None, symbol: int) -> Sample:
    task = config.tasks[row.task]
    return Sample(
        id=f"{task.id}_{row.split}_{index:04d}",
        task=task.id,
        split=row.split,
        label=row.label,
        supervised=row.supervised,
        input={"image": path, "objects": [], "groups": []},
        symbolic={
            "prolog": prolog_text(tree),
            "tree": as_json(tree, config.domain),
            "symbol": symbol,
            "file": row.image.name,
        },
    )


def _image(row: AnnotationRow) -> bytes:
    """The bytes of a picture, which must lie in the folder of its CSV file or below."""
    home, place = os.path.realpath(row.file.parent), os.path.realpath(row.image)
    if not place.startswith(home + os.sep):
        raise row.error(f"expected a picture in the folder of this file, found {str(row.image)!r}")
    try:
        return row.image.read_bytes()
    except (OSError, ValueError):
        message = f"there is no picture {str(row.image)!r}; import without pictures with --set images=skip"
        raise row.error(message) from None
