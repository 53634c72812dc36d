"""Published KANDY folders as Hornbeam datasets.

The options: `curriculum=FILE` for the YAML file it was made from, which gives names, rules and domain; without it, the
domain is that of the symbols, and `rules=easy|hard|none|auto` says whose rules they obey, where `auto` takes the
published curriculum that the labels agree with, if any; `images=copy|skip`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError, unknown_name
from hornbeam.family import Batch
from hornbeam.kandy.annotations import AnnotationRow, domain_of, read_annotations
from hornbeam.kandy.dataset import ORIGINAL_SPLIT, image_path
from hornbeam.kandy.logic import KandyLogic, TaskInfo
from hornbeam.kandy.model import ImportedTask, KandyConfig
from hornbeam.kandy.tree import Domain, Tree, as_json, prolog_text

ANNOTATIONS = "annotations.csv"
OPTIONS = {"curriculum": (), "rules": ("auto", "easy", "hard", "none"), "images": ("copy", "skip")}
_ROWS_IN_A_BATCH = 500
# Labels that obey the rules, as a share: a dataset of the published curriculum has them all, but may hold slips.
_OBEYED = 0.95


@dataclass(frozen=True, slots=True)
class Item:
    """A row and its tree."""

    row: AnnotationRow
    tree: Tree


def import_files(files: Sequence[Path], options: Mapping[str, str]) -> tuple[KandyConfig, Iterator[Batch]]:
    """The configuration and the batches of folders or CSV files; everything is read before anything is made."""
    _check_options(options)
    given = KandyConfig.read(Path(options["curriculum"])) if "curriculum" in options else None
    rows = [row for split, file in find_annotations(files) for row in read_annotations(file, split)]
    if not rows:
        raise UsageError("the files hold no samples", file=str(files[0]))
    domain = given.domain if given else domain_of(rows)
    items = [Item(row, row.tree(domain)) for row in rows]
    config = given or KandyConfig.imported(_tasks(items, domain, options.get("rules", "auto")), domain)
    _check_tasks(rows, config)
    return config, _batches(items, config, with_images=options.get("images", "copy") == "copy")


def find_annotations(files: Sequence[Path]) -> list[tuple[str, Path]]:
    """The CSV files with their splits, train first: given themselves, or in folders given or below them."""
    found: dict[tuple[str, Path], None] = {}
    for path in files:
        if path.is_dir():
            candidates = _in_folder(path)
        elif path.is_file():
            candidates = [path]
        else:
            raise UsageError("there is no such file or folder", file=str(path))
        for file in candidates:
            found[_split_of(file), file] = None
    order = list(ORIGINAL_SPLIT)
    return sorted(found, key=lambda pair: (order.index(pair[0]), str(pair[1])))


def _in_folder(folder: Path) -> list[Path]:
    """The annotations in a split's folder, in the folder of the splits, or in the one above (`sets`)."""
    names = tuple(ORIGINAL_SPLIT.values())
    for base in (folder, folder / "sets", folder / "samples" / "sets"):
        found = [base / name / ANNOTATIONS for name in names if (base / name / ANNOTATIONS).is_file()]
        if found:
            return found
    if (folder / ANNOTATIONS).is_file():
        return [folder / ANNOTATIONS]
    raise UsageError(f"expected {', '.join(names)} with {ANNOTATIONS} in it", file=str(folder))


def _split_of(file: Path) -> str:
    """The split by the name of the folder, or of the file (`train_annotations.csv`)."""
    for ours, theirs in ORIGINAL_SPLIT.items():
        if file.parent.name in (ours, theirs) or file.name.split("_")[0] in (ours, theirs):
            return ours
    raise UsageError("cannot tell its split: expected train, val or test in the name of its folder", file=str(file))


def _check_options(options: Mapping[str, str]) -> None:
    for name, value in options.items():
        if name not in OPTIONS:
            raise unknown_name("option", name, OPTIONS)
        if OPTIONS[name] and value not in OPTIONS[name]:
            raise unknown_name(f"value of {name}", value, OPTIONS[name])


def _check_tasks(rows: Sequence[AnnotationRow], config: KandyConfig) -> None:
    for row in rows:
        if row.task >= len(config.tasks):
            message = f"task {row.task} is not in the curriculum, which has {len(config.tasks)}"
            raise UsageError(message, file=str(row.file), line=row.line)


# Tasks ------------------------------------------------------------------------------------------------------------


def _tasks(items: Sequence[Item], domain: Domain, rules: str) -> list[ImportedTask]:
    number = max(item.row.task for item in items) + 1
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


def _obeys(items: Sequence[Item], infos: Sequence[TaskInfo], logic: KandyLogic) -> bool:
    """Whether the labels are those of a published curriculum, in every task that the files hold."""
    by_task: dict[int, list[Item]] = defaultdict(list)
    for item in items:
        if item.row.label is not None:
            by_task[item.row.task].append(item)
    rules = {info.index: info.rule for info in infos}
    if not by_task or not by_task.keys() <= rules.keys():
        return False
    for task, kept in by_task.items():
        labels = logic.labels(rules[task], [item.tree for item in kept])
        right = sum(label == int(bool(item.row.label)) for label, item in zip(labels, kept, strict=True))
        if right < _OBEYED * len(kept):
            return False
    return True


# Samples ----------------------------------------------------------------------------------------------------------


def _batches(items: Sequence[Item], config: KandyConfig, *, with_images: bool) -> Iterator[Batch]:
    order = list(ORIGINAL_SPLIT)
    kept = sorted(items, key=lambda item: (item.row.task, order.index(item.row.split)))
    maker = _Maker(config, with_images)
    for start in range(0, len(kept), _ROWS_IN_A_BATCH):
        batch = Batch()
        for item in kept[start : start + _ROWS_IN_A_BATCH]:
            maker.add(item.row, item.tree, batch)
        yield batch


class _Maker:
    """Makes samples of rows; counts the rows of each split and the distinct trees of each task."""

    def __init__(self, config: KandyConfig, with_images: bool) -> None:
        self._tasks = config.tasks
        self._domain = config.domain
        self._with_images = with_images
        self._counts: Counter[tuple[int, str]] = Counter()
        self._symbols: dict[int, dict[str, int]] = defaultdict(dict)

    def add(self, row: AnnotationRow, tree: Tree, batch: Batch) -> None:
        task = self._tasks[row.task]
        index = self._counts[row.task, row.split]
        self._counts[row.task, row.split] += 1
        path = image_path(row.split, row.task, index)
        if self._with_images:
            batch.files[path] = _image(row)
        text = prolog_text(tree)
        symbols = self._symbols[row.task]
        batch.samples.append(
            Sample(
                id=f"{task.id}_{row.split}_{index:04d}",
                task=task.id,
                split=row.split,
                label=row.label,
                supervised=row.supervised,
                input={"image": path if self._with_images else None, "objects": [], "groups": []},
                symbolic={
                    "prolog": text,
                    "tree": as_json(tree, self._domain),
                    "symbol": symbols.setdefault(text, len(symbols)),
                    "file": row.image.name,
                },
            )
        )


def _image(row: AnnotationRow) -> bytes:
    try:
        return row.image.read_bytes()
    except OSError:
        raise UsageError(
            f"there is no picture {row.image}; import without pictures with --set images=skip",
            file=str(row.file),
            line=row.line,
        ) from None
