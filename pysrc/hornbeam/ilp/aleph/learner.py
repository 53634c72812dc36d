"""The learner `aleph`: Aleph in a `swipl` process of its own, on the files that we write for it.

Aleph is looked for in the setting `path` and the variable HORNBEAM_ALEPH (the file aleph.pl), among the packs of
SWI-Prolog, and in the distribution python-rdm, which is located and never imported.
"""

from __future__ import annotations

import re
import signal
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field

from hornbeam import resources
from hornbeam.errors import EngineUnavailable, HornbeamError, UsageError
from hornbeam.ilp.child import Child
from hornbeam.ilp.external import chosen_path, installed_files, time_limits
from hornbeam.ilp.learner import Learner, Settings, Space
from hornbeam.ilp.watch import Watch
from hornbeam.logic import swipl
from hornbeam.logic.terms import quote, to_text
from hornbeam.tasks.bias import Bias, Mode
from hornbeam.tasks.problem import EXAMPLES, ExampleTask
from hornbeam.theory import Theory
from hornbeam.theory.reading import file_text, read_text
from hornbeam.theory.theory import Indicator
from hornbeam.wall import Wall

Kind = Literal["original", "port"]
Evaluation = Literal[
    "coverage", "compression", "accuracy", "laplace", "mestimate", "auto_m", "wracc", "entropy", "gini", "pbayes"
]
Search = Literal["bf", "df", "heuristic", "ibs", "ils", "id", "ic", "ar", "rls", "scs"]
# What comes from the bias, or is of no effect on `induce`.
_OURS = {"seed", "path", "negation", "openlist"}

VARIABLE = "HORNBEAM_ALEPH"
GET_IT = (
    "Aleph is not here: install it with `pip install --no-deps python-rdm==0.3.7` (its dependencies are not needed), "
    f"as a pack with `swipl pack install aleph`, or let {VARIABLE} name a file aleph.pl"
)
LICENCE = (
    "Aleph is free for academic purposes; for commercial use ask its author, Ashwin Srinivasan, first. "
    "Hornbeam runs the copy that is installed here and contains none."
)
_PACKS = (".local/share/swi-prolog/pack", ".config/swi-prolog/pack", "lib/swi-prolog/pack")
_MODULE = re.compile(r"^:-\s*module\(\s*aleph\b", re.MULTILINE)
_STEM, _RULES = "task", "rules.pl"
_CONSTRUCTED = re.compile(r"\[(total )?clauses constructed\] \[(\d+)\]")
_COVER = re.compile(r"\[pos cover = (\d+) neg cover = (\d+)\]")


class AlephSettings(Settings):
    """How Aleph is run: its own settings that matter to `induce`, with their ranges.

    Aleph itself accepts unknown names silently and values out of range with a message that is easy to miss; here both
    are errors. The sizes of the task's bias (clause length, variables, layers) are not settings.
    """

    path: Path | None = Field(default=None, description="aleph.pl; default: HORNBEAM_ALEPH, a pack, or python-rdm")
    negation: bool = Field(default=False, description="allow negation of predicates that may be negated")
    minpos: int = Field(default=2, ge=1, description="positives a clause must cover; from 2 on no example is a fact")
    minacc: float = Field(default=0.0, ge=0, le=1, description="the least precision of a clause")
    noise: int = Field(default=0, ge=0, description="negatives a clause may cover")
    nodes: int = Field(default=20_000, ge=1, description="clauses that are tried for one seed example")
    depth: int = Field(default=30, ge=1, description="the maximum depth of a proof; deeper proofs fail silently")
    evalfn: Evaluation = Field(default="coverage", description="how clauses are scored")
    search: Search = Field(default="bf", description="how the clauses below the bottom are searched")
    openlist: int | None = Field(default=None, ge=1, description="clauses kept to be refined; default: all")
    caching: bool = Field(default=False, description="keep what was proved")
    check_redundant: bool = Field(default=False, description="drop literals that another one implies")
    check_useless: bool = Field(default=True, description="drop literals of the bottom clause that lead nowhere")
    lazy_negs: bool = Field(default=False, description="stop counting negatives at the bound")
    samplesize: int = Field(default=0, ge=0, description="seeds drawn at a time; 0: in the order of the examples")
    explore: bool = Field(default=False, description="search on after the best possible clause")

    def directives(self, bias: Bias) -> dict[str, str]:
        """Aleph's settings by name, with those that say the sizes of the bias in its terms."""
        sizes = {
            "clauselength": bias.max_body + 1,  # the head counts
            "newvars": max(0, bias.max_vars - len(bias.head[0].places)),  # those of the head do not
            "i": bias.depth,
        }
        own = {name: getattr(self, name) for name in type(self).model_fields if name not in _OURS}
        if self.openlist is not None:
            own["openlist"] = self.openlist
        return {
            name: str(value).lower() if isinstance(value, bool) else str(value)
            for name, value in {**sizes, **own}.items()
        }


class AlephLearner(Learner):
    """Mode-directed inverse entailment, by its author's program."""

    name: ClassVar[str] = "aleph"
    title: ClassVar[str] = "Aleph"
    views: ClassVar[tuple[str, ...]] = (EXAMPLES,)
    settings_type: ClassVar[type[Settings]] = AlephSettings
    starts_programs: ClassVar[bool] = True

    def available(self) -> str | None:
        return None if find() else GET_IT

    def fit(self, task: ExampleTask, settings: AlephSettings, watch: Watch) -> Theory:
        aleph = find(settings.path)
        if aleph is None:
            raise EngineUnavailable(GET_IT)
        _refuse_taken_names(task, aleph)
        _tell_licence()
        with tempfile.TemporaryDirectory(prefix="hornbeam-aleph-") as folder:
            write_task(task, folder, settings, kind=aleph.kind, stem=_STEM)
            return _run(aleph, Path(folder), watch)

    def space(self, bias: Bias, settings: AlephSettings) -> Space:
        # One mode of the head is given; constants come from proofs, and `induce` bounds no number of clauses.
        said = replace(bias, head=bias.head[:1], constants={}, max_clauses=None)
        return Space(said, negation=settings.negation, invention=False)


@cache
def _tell_licence() -> None:
    print(LICENCE, file=sys.stderr)


def _refuse_taken_names(task: ExampleTask, aleph: Aleph) -> None:
    names = {mode.name for mode in (*task.bias.head, *task.bias.body)}
    names.update(re.findall(r"^([a-z]\w*)\(", task.background, re.MULTILINE))
    taken = sorted(names & aleph.defines)
    if taken:
        raise UsageError(f"Aleph itself defines the predicate {taken[0]}: the task would overwrite it")


def _run(aleph: Aleph, folder: Path, watch: Watch) -> Theory:
    seconds, wall = time_limits(watch)
    drive = str(resources.prolog("aleph", "drive.pl"))
    arguments = [str(aleph.file), aleph.kind, _STEM, str(wall), _RULES]
    engine = swipl.find()
    behind = Wall((*engine.parts, resources.prolog(), aleph.file), writable=(folder,))
    command = [engine.program, "-f", "none", "--no-packs", "-q", drive, "--", *arguments]
    log = Log()
    with Child(command, watch, wall=behind, folder=folder, environment=engine.environment(str(folder)), seconds=seconds,
               signal_at_end=signal.SIGUSR1) as child:  # fmt: skip
        for line in child.lines():
            for rule in log.feed(line):
                watch.note("clause", clause=rule, positives=log.positives, negatives=log.negatives)
                watch.best(_theory("\n".join(log.rules)))
            watch.count(max(0, log.constructed - watch.tried))
        stopped = child.time_is_up or log.broken_off
    rules = folder / _RULES
    if not rules.is_file():
        if stopped:
            return _theory("\n".join(log.rules))
        raise HornbeamError(f"Aleph ended without a result: {log.last or 'it printed nothing'}")
    theory = _theory(file_text(rules))
    watch.best(theory)
    if not stopped:
        watch.finished()
    return theory


def _theory(text: str) -> Theory:
    return Theory.of(read_text(text if text.endswith("\n") else text + "\n", strict=False).clauses)


@dataclass(slots=True)
class Log:
    """Reads what Aleph prints: the clauses that it took, and how many it tried."""

    rules: list[str] = field(default_factory=list)
    constructed: int = 0
    positives: int = 0
    negatives: int = 0
    broken_off: bool = False
    last: str = ""
    _seeds: int = 0  # clauses of the seeds before
    _of_seed: int = 0  # clauses of this seed
    _open: bool = False
    _lines: list[str] = field(default_factory=list)

    def feed(self, line: str) -> Iterator[str]:
        """The clause that this line completes, if it does."""
        text = line.strip()
        self.last = text or self.last
        if text == "[best clause]":
            self._open = True
            self._lines.clear()
        elif self._open and (cover := _COVER.search(text)):
            self._open = False
            self.positives, self.negatives = int(cover[1]), int(cover[2])
            rule = " ".join(self._lines)
            self.rules.append(rule)
            yield rule
        elif self._open:
            self._lines.append(text)
        elif constructed := _CONSTRUCTED.match(text):
            self._count(bool(constructed[1]), int(constructed[2]))
        elif text.startswith("[select example]"):
            self._seeds, self._of_seed = self._seeds + self._of_seed, 0
        elif text == "[broken off]":
            self.broken_off = True

    def _count(self, total: bool, number: int) -> None:
        """Aleph counts for each seed separately, and gives the sum at the end."""
        self._of_seed = number
        self.constructed = number if total else self._seeds + number


# Where Aleph is -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Aleph:
    """An aleph.pl: the original of 2007, or the port to SWI-Prolog, whose files and commands differ."""

    file: Path
    kind: Kind

    @property
    def defines(self) -> frozenset[str]:
        """The names that the original takes in `user`, where a task would overwrite them; the port has a module."""
        if self.kind == "port":
            return frozenset()
        text = self.file.read_text(encoding="latin-1")
        return frozenset(re.findall(r"^([a-z]\w*)(?=\(|\s*:-|\.)", text, re.MULTILINE))


def find(path: Path | None = None) -> Aleph | None:
    """The Aleph of this machine, or None."""
    for file in _candidates(path):
        if file.is_file():
            text = file.read_text(encoding="latin-1")
            return Aleph(file.resolve(), "port" if _MODULE.search(text) else "original")
    return None


def _candidates(path: Path | None) -> list[Path]:
    chosen = chosen_path(path, VARIABLE)
    if chosen is not None:
        return [chosen]
    packs = [Path.home() / folder / "aleph" / "prolog" / "aleph.pl" for folder in _PACKS]
    return [*packs, *installed_files("python-rdm", "aleph.pl")]


# The files of a task: three for the original, one for the port to SWI-Prolog ------------------------------------------


def write_task(
    task: ExampleTask, folder: str | Path, settings: AlephSettings | None = None, *, kind: Kind = "original",
    stem: str = "task",
) -> list[Path]:  # fmt: skip
    """Write the files of a task; returns their paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for ending, text in aleph_files(task, settings or AlephSettings(), kind).items():
        path = folder / f"{stem}{ending}"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths


def aleph_files(task: ExampleTask, settings: AlephSettings, kind: Kind = "original") -> dict[str, str]:
    """The texts of a task by the ending of their file.

    >>> from hornbeam.tasks.bias import Bias
    >>> bias = Bias((Mode.parse("f(+t)"),), (Mode.parse("has(+t,#colour)"),))
    >>> texts = aleph_files(ExampleTask("x", ("f(a)",), (), "has(a,red).", bias), AlephSettings())
    >>> texts[".b"].splitlines()[0], [line for line in texts[".b"].splitlines() if "mode" in line]
    (':- set(clauselength,6).', [':- modeh(1,f(+t)).', ':- modeb(*,has(+t,#colour)).'])
    """
    if len(task.bias.targets) != 1:
        raise UsageError(f"Aleph learns one predicate, the task {task.name} has {len(task.bias.targets)}")
    settle = "set" if kind == "original" else "aleph_set"
    lines = [f":- {settle}({name},{value}).\n" for name, value in settings.directives(task.bias).items()]
    language = "".join([*lines, *(f":- {line}.\n" for line in _language(task.bias, settings.negation))])
    positive, negative = ("".join(f"{to_text(atom)}.\n" for atom in atoms) for atoms in (task.positive, task.negative))
    background = task.background.rstrip() + "\n"
    if kind == "original":
        return {".b": f"{language}\n{background}", ".f": positive, ".n": negative}
    sections = (("bg", background), ("in_pos", positive), ("in_neg", negative))
    marked = (f":- begin_{name}.\n{text}:- end_{name}.\n" for name, text in sections)
    return {".pl": f":- aleph.\n{language}{''.join(marked)}"}


def _language(bias: Bias, negation: bool) -> Iterator[str]:
    (target,) = bias.targets
    head = bias.head[0]
    yield f"modeh(1,{next(_directed(head))})"
    used: dict[Indicator, None] = {}
    for mode in bias.body:
        if mode.indicator == target and not bias.recursion:
            continue
        for version in _directed(mode):
            yield f"modeb({'*' if mode.recall is None else mode.recall},{version})"
            if negation and mode.negated:
                yield f"modeb(1,not({version}))"
                used["not", 1] = None
        used[mode.indicator] = None
    if bias.recursion:
        yield f"modeb(*,{next(_directed(head))})"
        used[target] = None
    for name, arity in used:
        shown = f"({name})" if name == "not" else quote(name)
        yield f"determination({quote(target[0])}/{target[1]},{shown}/{arity})"


def _directed(mode: Mode) -> Iterator[str]:
    """Aleph has no place that is in or out as it comes: each way is a mode of its own, one place at least being in."""
    fills = [("+", "-") if place.fill == "?" else (place.fill,) for place in mode.places]
    open_places = any(place.fill == "?" for place in mode.places)
    for chosen in product(*fills):
        if open_places and "+" not in chosen:
            continue
        places = ",".join(f"{fill}{place.type}" for fill, place in zip(chosen, mode.places, strict=True))
        yield f"{quote(mode.name)}({places})" if places else quote(mode.name)


LEARNER = AlephLearner
