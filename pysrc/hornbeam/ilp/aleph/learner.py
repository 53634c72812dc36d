"""The learner `aleph`: Aleph in a `swipl` process of its own, on the files that we write for it."""

from __future__ import annotations

import re
import signal
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import ClassVar

from hornbeam import resources
from hornbeam.errors import EngineUnavailable, HornbeamError, UsageError
from hornbeam.ilp.aleph.files import write_task
from hornbeam.ilp.aleph.location import GET_IT, LICENCE, Aleph, find
from hornbeam.ilp.aleph.settings import AlephSettings
from hornbeam.ilp.child import Child
from hornbeam.ilp.learner import Learner, Settings
from hornbeam.ilp.space import Space
from hornbeam.ilp.watch import Watch
from hornbeam.logic import swipl
from hornbeam.tasks.bias import Bias
from hornbeam.tasks.problem import EXAMPLES, ExampleTask
from hornbeam.theory import Theory
from hornbeam.theory.reading import file_text, read_text

_WALL = 10.0  # of the CPU time, for a loaded machine
_NO_LIMIT = 86_400.0
_GRACE = 0.9  # of the CPU time: what is left is for writing and reading the result
_STEM, _RULES = "task", "rules.pl"
_CONSTRUCTED = re.compile(r"\[(total )?clauses constructed\] \[(\d+)\]")
_COVER = re.compile(r"\[pos cover = (\d+) neg cover = (\d+)\]")


class AlephLearner(Learner):
    """Mode-directed inverse entailment, by its author's program."""

    name: ClassVar[str] = "aleph"
    title: ClassVar[str] = "Aleph"
    views: ClassVar[tuple[str, ...]] = (EXAMPLES,)
    settings_type: ClassVar[type[Settings]] = AlephSettings

    def available(self) -> str | None:
        return None if find() else GET_IT

    def fit(self, task: ExampleTask, settings: AlephSettings, watch: Watch) -> Theory:
        found = find(settings.path)
        if found is None:
            raise EngineUnavailable(GET_IT)
        _refuse_taken_names(task, found)
        _tell_licence()
        with tempfile.TemporaryDirectory(prefix="hornbeam-aleph-") as folder:
            write_task(task, folder, settings, kind=found.kind, stem=_STEM)
            return _run(found, Path(folder), watch)

    def space(self, bias: Bias, settings: AlephSettings) -> Space:
        # One mode of the head is given; constants come from proofs, and `induce` bounds no number of clauses.
        said = replace(bias, head=bias.head[:1], constants={}, max_clauses=None)
        return Space(said, negation=settings.negation, invention=False)


@cache
def _tell_licence() -> None:
    print(LICENCE, file=sys.stderr)


def _refuse_taken_names(task: ExampleTask, found: Aleph) -> None:
    names = {mode.name for mode in (*task.bias.head, *task.bias.body)}
    names.update(re.findall(r"^([a-z]\w*)\(", task.background, re.MULTILINE))
    taken = sorted(names & found.defines)
    if taken:
        raise UsageError(f"Aleph has a predicate of its own named {taken[0]}: the task would overwrite it")


def _run(found: Aleph, folder: Path, watch: Watch) -> Theory:
    left = watch.seconds_left()
    seconds = None if left is None else _GRACE * left
    wall = _NO_LIMIT if seconds is None else _WALL * seconds
    drive = str(resources.prolog("aleph", "drive.pl"))
    arguments = [str(found.file), found.kind, _STEM, str(wall), _RULES]
    command = [swipl.find().executable, "-f", "none", "--no-packs", "-q", drive, "--", *arguments]
    environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": str(folder)}
    log = Log()
    with Child(command, watch, folder=folder, environment=environment, seconds=seconds,
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
        elif found := _CONSTRUCTED.match(text):
            self._count(bool(found[1]), int(found[2]))
        elif text.startswith("[select example]"):
            self._seeds, self._of_seed = self._seeds + self._of_seed, 0
        elif text == "[broken off]":
            self.broken_off = True

    def _count(self, total: bool, number: int) -> None:
        """Aleph counts for each seed anew, and gives the sum at the end."""
        self._of_seed = number
        self.constructed = number if total else self._seeds + number


LEARNER = AlephLearner
