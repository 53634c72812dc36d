"""Reads a curriculum: from text to tasks, with all problems of the file and not only the first."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from hornbeam.errors import UsageError, unknown_name
from hornbeam.kandy.curriculum import Curriculum, CurriculumConfig, NamedRule, Rule, RuleText, Task
from hornbeam.kandy.language.checks import Measure, check_aliases
from hornbeam.kandy.language.nodes import Node
from hornbeam.kandy.language.rules import RuleReader
from hornbeam.kandy.language.settings import READERS as CONFIG_READERS
from hornbeam.kandy.language.settings import Reader, flag, number, read_config, text, whole
from hornbeam.yaml_reader import Fields, Items, Located, Position, Scalar, describe, read_yaml

TASK_READERS: dict[str, Reader] = {
    "name": text,
    "gamma": number(0, 1),
    "beta": number(0, 1),
    "samples": whole(1, 10_000_000),
    "train_split": number(0, 1),
    "val_split": number(0, 1),
    "noisy_color": flag,
    "noisy_size": flag,
}
SETS = ("positive_set", "negative_set")
# What each key of a task means: for messages, the schema and editors.
MEANINGS = {
    "name": "what the task is called",
    "gamma": "the chance, from 0 to 1, that the first sample of a split keeps its label; 1 for all labels",
    "beta": "the same for the last sample: the chance falls (or rises) from gamma to beta; 1 for all labels",
    "samples": "how many samples, all splits together",
    "train_split": "the share of the samples that is for training, above 0",
    "val_split": "the share that is for validation; what is left is the test split",
    "noisy_color": "whether colours vary from object to object",
    "noisy_size": "whether sizes vary from object to object",
    "positive_set": "what positive samples are drawn from",
    "negative_set": "what negative samples are drawn from",
}
RULES = ("positive_rule", "rule")
_TASK_KEYS = (*TASK_READERS, *SETS, *RULES, "about")
_FILE_KEYS = ("about", "define", "config", "set", "tasks")
# Settings of the original's files that mean nothing here: a file may have them, who sets one by hand is told.
UNUSED = {
    "seed": "the seed of a dataset is the one it is generated with (--seed); this one is not used",
    "background_knowledge": "this file is not loaded: rules see the background knowledge of kb/kandy",
}
_MOST_INCLUDES = 8


Open = Callable[[str], str | None]
"""Gives the text of a file beside the curriculum, or None if there is none."""


def folder_of(path: Path) -> Open:
    """Opens files beside `path`, and no others: a curriculum may come from elsewhere."""

    def read(name: str) -> str | None:
        file = path.parent / name
        if file.name != name or (name != path.name and file.resolve().parent != path.parent.resolve()):
            return None
        try:
            return file.read_text(encoding="utf-8") if file.is_file() else None
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"cannot read it as UTF-8 text: {error}", file=str(file)) from None

    return read


def curriculum_text(path: Path) -> str:
    """The text of a curriculum file."""
    source = folder_of(path)(path.name)
    if source is None:
        raise UsageError("there is no such file", file=str(path))
    return source


@dataclass
class Reading:
    """A curriculum file while it is read: what was found wrong (refused) and odd (warned of)."""

    problems: list[UsageError] = field(default_factory=list)
    warnings: list[UsageError] = field(default_factory=list)


def parse_curriculum(source: str, file: str, beside: Open, overrides: Mapping[str, str] | None = None) -> Curriculum:
    """The curriculum of a text; raises the first problem."""
    curriculum, reading = examine(source, file, beside, overrides)
    if curriculum is None:
        first = reading.problems[0]
        more = len(reading.problems) - 1
        if more:
            first.message += f" (and {more} more: hornbeam kandy lint lists them)"
        raise first
    return curriculum


def read_curriculum(path: Path, overrides: Mapping[str, str] | None = None) -> Curriculum:
    """The curriculum of a file; a :class:`UsageError` names the first of its problems, with file, line and column."""
    return parse_curriculum(curriculum_text(path), str(path), folder_of(path), overrides)


def examine(
    source: str, file: str, beside: Open, overrides: Mapping[str, str] | None = None
) -> tuple[Curriculum | None, Reading]:
    """The curriculum of a text if nothing is wrong with it, and all that was found."""
    reading = Reading()
    try:
        return _Examiner(reading, file, beside, overrides or {}).curriculum(read_yaml(source, file)), reading
    except UsageError as problem:
        reading.problems.append(problem)
    return None, reading


@dataclass(frozen=True)
class _Source:
    tasks: Located
    common: Mapping[str, Located]
    config: Located | None


class _Examiner:
    def __init__(self, reading: Reading, file: str, beside: Open, overrides: Mapping[str, str]) -> None:
        self._reading = reading
        self._file = file
        self._beside = beside
        self._own = _overrides(overrides)

    def curriculum(self, document: Located) -> Curriculum | None:
        about = ""
        if isinstance(document, Fields) and "about" in document.fields:
            about = text("about", document.fields["about"])
        source = self._source(document, _MOST_INCLUDES)
        config = self._config(source.config)
        if not isinstance(source.tasks, Items) or not source.tasks.items:
            raise source.tasks.place.error(f"expected a list of tasks, got {describe(source.tasks)}")
        common = {**source.common, **{key: value for key, value in self._own.items() if key in _TASK_KEYS}}
        read = _TaskReader(self._reading, config, common)
        tasks = [read.task(index, item) for index, item in enumerate(source.tasks.items)]
        if self._reading.problems:
            return None
        read_tasks = tuple(task for task in tasks if task is not None)
        return Curriculum(Path(self._file).stem, config, read_tasks, about, tuple(self._reading.warnings))

    def _source(self, document: Located, includes: int) -> _Source:
        """The tasks of a document with what it sets for them, on top of what the file that it includes sets."""
        if not isinstance(document, Fields):
            return _Source(document, {}, None)
        self._known_keys(document, _FILE_KEYS, "key of a curriculum")
        tasks = document.get("tasks")
        if tasks is None:
            raise document.place.error("expected the key 'tasks' with a list of tasks")
        if not includes:
            raise tasks.place.error("these files include each other without end")
        inner = _Source(tasks, {}, None)
        if isinstance(tasks, Scalar):
            inner = self._source(self._included("tasks", tasks), includes - 1)
        common = {**inner.common, **self._common(document.get("set"))}
        return _Source(inner.tasks, common, document.get("config") or inner.config)

    def _known_keys(self, fields: Fields, known: Iterable[str], kind: str) -> None:
        for key, place in fields.key_places.items():
            if key not in known:
                raise unknown_name(kind, key, known, **asdict(place))

    def _config(self, value: Located | None) -> CurriculumConfig:
        own = {key: item for key, item in self._own.items() if key in CONFIG_READERS}
        value = self._own.get("config", value)
        if value is None:
            source = self._beside("config.yml")
            value = read_yaml(source, self._path("config.yml")) if source is not None else None
        elif isinstance(value, Scalar):
            value = self._included("config", value)
        if value is not None and not isinstance(value, Fields):
            raise value.place.error(f"expected a mapping of settings, got {describe(value)}")
        config = read_config(value) if value is not None else CurriculumConfig()
        given, places = ({}, {}) if value is None else (value.fields, value.key_places)
        self._reading.warnings += [places[key].error(message) for key, message in UNUSED.items() if key in places]
        if not own:
            return config
        merged = {**given, **own}
        place = next(iter(own.values())).place
        return read_config(Fields(place, merged, dict.fromkeys(merged, place)))

    def _included(self, key: str, value: Scalar) -> Located:
        name = text(key, value)
        source = self._beside(name)
        if source is None:
            raise value.place.error(f"{key}: there is no file '{name}' in the same folder")
        return read_yaml(source, self._path(name))

    def _path(self, name: str) -> str:
        """How messages name a file beside this one."""
        return str(Path(self._file).parent / name)

    def _common(self, value: Located | None) -> dict[str, Located]:
        if value is None:
            return {}
        if not isinstance(value, Fields):
            raise value.place.error(f"set: expected a mapping of task keys, got {describe(value)}")
        self._known_keys(value, _TASK_KEYS, "key of a task")
        return dict(value.fields)


def _overrides(overrides: Mapping[str, str]) -> dict[str, Located]:
    read: dict[str, Located] = {}
    known = (*TASK_READERS, *CONFIG_READERS, "config")
    for key, value in overrides.items():
        if key not in known:
            raise unknown_name("setting", key, known)
        if key in UNUSED:
            raise UsageError(UNUSED[key], file=f"--set {key}")
        # A colour such as #ff0000 would be a comment to YAML.
        text_of = json.dumps(value) if value.startswith("#") else value or "null"
        read[key] = read_yaml(text_of, f"--set {key}")
    return read


class _TaskReader:
    """Reads the tasks of one file; a generation rule that several tasks share is read once."""

    def __init__(self, reading: Reading, config: CurriculumConfig, common: Mapping[str, Located]) -> None:
        self._reading = reading
        self._common = common
        self._task = ""
        self._rules = RuleReader(config.domain, config.pixels, self._note)

    def _note(self, problem: UsageError) -> None:
        problem.message = f"{self._task}: {problem.message}"
        self._reading.problems.append(problem)

    def _warn(self, place: Position, message: str) -> None:
        self._reading.warnings.append(place.error(f"{self._task}: {message}"))

    def task(self, index: int, value: Located) -> Task | None:
        self._task = f"task {index}"
        before = len(self._reading.problems)
        try:
            if not isinstance(value, Fields):
                raise value.place.error(f"expected a mapping with name, samples and so on, got {describe(value)}")
            task = self._read(index, value)
        except UsageError as problem:
            self._note(problem)
            return None
        return task if len(self._reading.problems) == before else None

    def _read(self, index: int, value: Fields) -> Task:
        name = value.get("name")
        if isinstance(name, Scalar) and isinstance(name.value, str):
            self._task = f"task {index} '{name.value}'"
        self._warn_of_keys(value)
        fields = {**value.fields, **self._common}
        missing = [key for key in (*TASK_READERS, *SETS) if key not in fields]
        if missing:
            raise self._missing(missing, value)
        given = {key: reader(key, fields[key]) for key, reader in TASK_READERS.items()}
        train, val = given["train_split"], given["val_split"]
        if train <= 0 or train + val > 1:
            message = f"expected train_split > 0 and train_split + val_split <= 1, got {train:g} and {val:g}"
            raise fields["train_split"].place.error(message)
        about = text("about", fields["about"]) if "about" in fields else ""
        task = Task(index, **given, rule=_rule(fields), about=about)
        positive, negative = (self._set(key, fields[key]) for key in SETS)
        return replace(task, positive=positive, negative=negative)

    def _missing(self, keys: list[str], value: Fields) -> UsageError:
        """All keys that are not there, each with what it means; one that is misspelt is told first."""
        unknown = [other for other in value if other not in _TASK_KEYS]
        for key in keys:
            near = difflib.get_close_matches(key, unknown, n=1)
            if near:
                return value.key_places[near[0]].error(f"unknown key '{near[0]}'; did you mean '{key}'?")
        told = "; ".join(f"'{key}' ({MEANINGS[key]})" for key in keys)
        noun = "key" if len(keys) == 1 else "keys"
        return value.place.error(f"expected the {noun} {told}. 'set' gives keys to all tasks at once")

    def _warn_of_keys(self, value: Fields) -> None:
        for key, place in value.key_places.items():
            if key not in _TASK_KEYS:
                near = difflib.get_close_matches(key, _TASK_KEYS, n=1)
                hint = f"; did you mean '{near[0]}'?" if near else ""
                self._warn(place, f"the key '{key}' has no meaning here{hint}")
        for key, place in value.repeated:
            self._warn(place, f"the key '{key}' is written twice; the last one holds")

    def _set(self, key: str, items: Located) -> tuple[Node, ...]:
        if not isinstance(items, Items) or not items.items:
            self._note(items.place.error(f"{key}: expected a list with at least one element, got {describe(items)}"))
            return ()
        elements = tuple(element for item in items.items if (element := self._rules.element(item)) is not None)
        if len(elements) == len(items.items):
            for element in elements:
                self._check(element)
        return elements

    def _check(self, element: Node) -> None:
        def complain(node: Node, message: str) -> None:
            self._note(node.place.error(message))

        before = len(self._reading.problems)
        Measure(complain).element(element)
        if len(self._reading.problems) == before:
            check_aliases(element, complain)


def _rule(fields: Mapping[str, Located]) -> Rule | None:
    given = [key for key in RULES if key in fields]
    if not given:
        return None
    value = fields[given[-1]]
    if len(given) == 2:
        raise value.place.error("expected either rule (a name) or positive_rule (Prolog text), got both")
    said = text(given[0], value)
    if given[0] == "rule":
        return NamedRule(said, value.place)
    first_line = value.place.line + ("\n" in said)  # the text of a block starts below its |
    return RuleText(said, value.place.file, first_line)
