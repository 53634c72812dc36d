"""The learner `popper`: Popper in its own process, on the directory that we write for it.

Popper is looked for in the setting `path`, the variable HORNBEAM_POPPER (a checkout: the folder with popper.py), and
among the installed distributions (`popper-ilp`; the distribution that is called just popper is something else). It is
never imported: one run spoils the process for the next.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from hornbeam.errors import EngineUnavailable, HornbeamError
from hornbeam.ilp.child import Child
from hornbeam.ilp.external import chosen_path, installed_files, time_limits
from hornbeam.ilp.learner import Learner, Settings, Space
from hornbeam.ilp.popper.files import ANALYSED, Plain, constant_types, has_directions, opened, write_task
from hornbeam.ilp.watch import Watch
from hornbeam.logic import swipl
from hornbeam.tasks.bias import Bias
from hornbeam.tasks.problem import EXAMPLES, ExampleTask
from hornbeam.theory import Theory, read
from hornbeam.wall import Wall
from hornbeam.wall.interpreter import python_files, walled_environment

_MAX_CLAUSES = 2  # what Popper 4 takes where its bias does not say
VARIABLE = "HORNBEAM_POPPER"
PYTHON_VARIABLE = "HORNBEAM_POPPER_PYTHON"
GET_IT = (
    "Popper is not here: install it (pip install git+https://github.com/logic-and-learning-lab/Popper@v4.3.0), "
    f"or let {VARIABLE} name a checkout of it and {PYTHON_VARIABLE} a Python that has what it needs"
)
_DISTRIBUTION = "popper-ilp"
# Runs popper.py's last lines for an installed Popper, which brings no module to start.
_MAIN_4 = (
    "from popper.util import Settings; from popper.loop import learn_solution; s = Settings(cmd_line=True); "
    "p, c, t = learn_solution(s); s.print_prog_score(p, c) if p is not None else print('NO SOLUTION'); t.show()"
)
_MAIN_5 = (
    "from popper.util import Settings, print_prog_score; from popper.loop import popper; s = Settings.from_args(); "
    "p, c = popper(s); print_prog_score(p, c, s, s.noisy) if p else print('NO SOLUTION')"
)
_STAMP = re.compile(r"^(?:\d\d:\d\d:\d\d|[\d.]+s)\s+")
_TITLE = re.compile(r"New best hypothesis|\*+ SOLUTION \*+")
_FIGURE = re.compile(r"\b(tp|fn|tn|fp|size|mdl|precision|recall):\s*([\d.]+|n/a)", re.IGNORECASE)
_RULE = re.compile(r"[a-z]\w*(?:\(.*\))?\s*(?::-.*)?\.$")
_PROGRAMS = re.compile(r"Num\. programs:\s*(\d+)|(\d+) programs")
_NOTHING = "NO SOLUTION"
# Popper says what it does not like and exits with status 0.
_COMPLAINT = re.compile(r"ERROR|WARNING|Traceback|(?:Error|Exception)\b")


class PopperSettings(Settings):
    """How Popper is run."""

    path: Path | None = Field(default=None, description="a checkout; default: HORNBEAM_POPPER, or the installed one")
    noisy: bool = Field(default=False, description="minimise description length instead of asking for a perfect theory")
    eval_timeout: float = Field(default=0.001, gt=0, le=10, description="seconds an example may take (version 4)")
    analysed: int = Field(default=ANALYSED, ge=0, description="predicates up to which it looks for laws among facts")
    constants: int = Field(default=2, ge=0, le=10, description="constants a clause may name beyond its sizes")


class PopperLearner(Learner):
    """Learning from failures, by its authors' program."""

    name: ClassVar[str] = "popper"
    title: ClassVar[str] = "Popper"
    views: ClassVar[tuple[str, ...]] = (EXAMPLES,)
    settings_type: ClassVar[type[Settings]] = PopperSettings
    starts_programs: ClassVar[bool] = True

    def available(self) -> str | None:
        return None if find() else GET_IT

    def fit(self, task: ExampleTask, settings: PopperSettings, watch: Watch) -> Theory:
        popper = find(settings.path)
        if popper is None:
            raise EngineUnavailable(GET_IT)
        with tempfile.TemporaryDirectory(prefix="hornbeam-popper-") as folder:
            plain = write_task(task, folder, room=settings.constants, analysed=settings.analysed)
            return _run(popper, Path(folder), plain, settings, watch)

    def space(self, bias: Bias, settings: PopperSettings) -> Space:
        """A constant is a predicate that holds of it alone: a literal and a variable, of which some more are allowed.

        Variables of a literal are different ones, the head's are all in the body, and all literals are linked to it.
        The number of clauses is bounded only where clauses call one another, and the distance from the head never.
        """
        listed = {kind: bias.constants.get(kind, ()) for kind in constant_types(bias.body)}
        more = settings.constants if any(listed.values()) else 0
        directed = has_directions((*bias.head[:1], *map(opened, bias.body)))
        said = bias if directed else bias.undirected()
        return Space(
            replace(
                said,
                head=tuple(mode.filled({"#": "?"}) for mode in said.head[:1]),
                constants=listed,
                max_body=bias.max_body + more,
                max_vars=bias.max_vars + more,
                max_clauses=(bias.max_clauses or _MAX_CLAUSES) if bias.recursion or bias.invention else None,
                depth=bias.max_body + more,
            ),
            counted_constants=True,
            negation=False,
            repeated_variables=False,
            repeated_head_variables=False,
            unused_head_variables=False,
            unconnected=False,
            note=f"a constant counts as a literal and a variable, of which {more} more are allowed" if more else "",
        )


def _run(popper: Popper, folder: Path, plain: Plain, settings: PopperSettings, watch: Watch) -> Theory:
    seconds, wall = time_limits(watch)
    command = popper.command(folder, seconds=wall, noisy=settings.noisy, eval_timeout=settings.eval_timeout)
    output, best = Output(), Theory(())
    # The alarm is what its own time limit is made of in version 4: it answers with the best that it has.
    ask_to_end = signal.SIGALRM if popper.version == 4 else signal.SIGINT
    with Child(
        command,
        watch,
        wall=popper.wall(folder),
        folder=folder,
        environment=environment(settings.seed, folder),
        seconds=seconds,
        signal_at_end=ask_to_end,
    ) as child:
        for line in child.lines():
            for block in output.feed(line):
                best = _heard(block, plain, watch)
        for block in output.end():
            best = _heard(block, plain, watch)
        stopped = child.time_is_up
    watch.count(output.programs - watch.tried)
    if not best.clauses and not output.nothing and not stopped and output.complaints:
        raise HornbeamError(f"Popper: {output.complaints[-1]}")
    if not stopped:
        watch.finished()
    return best


def _heard(block: PrintedTheory, plain: Plain, watch: Watch) -> Theory:
    theory = plain.original(read("\n".join(block.rules) + "\n", dialect="prolog"))
    claims = {f"claimed_{name}": value for name, value in block.figures.items()}
    watch.best(theory, **claims)
    return theory


# Where Popper is and which version -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Popper:
    """A Popper that can be started."""

    version: int  # 4 or 5: they differ in flags and output
    start: tuple[str, ...]  # the command, up to its arguments
    checkout: Path | None = None

    def wall(self, folder: Path) -> Wall:
        """It may start solvers, but reads only its own files and Python's, and writes only into `folder`."""
        python = Path(self.start[0])
        prefixes = (python.parent.parent, python.resolve().parent.parent)
        own = () if self.checkout is None else (self.checkout,)
        readable = (*python_files(), *prefixes, *own, *swipl.find().parts)
        return Wall(readable, writable=(folder,), processes=True)

    def command(self, folder: Path, *, seconds: float, noisy: bool, eval_timeout: float) -> list[str]:
        """The command for a task directory; the sizes are in its bias."""
        flags = ["--timeout", str(max(1, round(seconds)))]
        if self.version == 4:
            flags += ["--eval-timeout", str(eval_timeout)]
        return [*self.start, str(folder), *flags, *(["--noisy"] if noisy else [])]


def find(path: Path | None = None) -> Popper | None:
    """The Popper of this machine, or None."""
    chosen = chosen_path(path, VARIABLE)
    python = os.environ.get(PYTHON_VARIABLE) or sys.executable
    python = shutil.which(python) or python
    if chosen is not None:
        program = chosen / "popper.py" if chosen.is_dir() else chosen
        util = program.parent / "popper" / "util.py"
        if not (program.is_file() and util.is_file()):
            return None
        return Popper(_version(util), (python, str(program)), program.resolve().parent)
    utils = installed_files(_DISTRIBUTION, "popper/util.py")
    if not utils:
        return None
    version = _version(utils[0])
    return Popper(version, (sys.executable, "-c", _MAIN_4 if version == 4 else _MAIN_5))


def _version(util: Path) -> int:
    """By the flags that it takes: its metadata are of little help."""
    return 4 if "--eval-timeout" in util.read_text(encoding="utf-8") else 5


def environment(seed: int, folder: Path) -> dict[str, str]:
    """Its environment: sets in an order of their own make its search differ from run to run unless the seed is set."""
    prolog = swipl.find()
    library = str(Path(prolog.library).parent) if prolog.library else ""
    paths = [part for part in (library, os.environ.get("LD_LIBRARY_PATH", "")) if part]
    return {
        **walled_environment(folder),
        "PYTHONHASHSEED": str(seed % 4294967296),
        "PYTHONUNBUFFERED": "1",
        "OMP_NUM_THREADS": "1",
        "SWI_HOME_DIR": prolog.home,
        **({"LD_LIBRARY_PATH": os.pathsep.join(paths)} if paths else {}),
    }


# What Popper prints --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PrintedTheory:
    """A hypothesis that Popper printed, with what it says of it."""

    rules: tuple[str, ...]
    figures: dict[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class Output:
    """Reads lines; `feed` and `end` give the blocks that are complete.

    Both versions print blocks that begin with a title and hold figures and rules. Version 4 writes them to its output,
    and version 5 to its errors with the seconds in front of each line. A block ends where something else begins.
    """

    programs: int = 0
    nothing: bool = False  # it said that there is no solution
    complaints: list[str] = field(default_factory=list)
    _open: bool = False
    _rules: list[str] = field(default_factory=list)
    _figures: dict[str, float] = field(default_factory=dict)

    def feed(self, line: str) -> Iterator[PrintedTheory]:
        """The block that this line completes, if it does."""
        text = _STAMP.sub("", line.strip())
        if _TITLE.search(text):
            yield from self.end()
            self._open = True
        elif self._open and _FIGURE.search(text) and not _RULE.match(text):
            self._figures.update(
                {name.lower(): float(value) for name, value in _FIGURE.findall(text) if value != "n/a"}
            )
        elif self._open and _RULE.match(text):
            self._rules.append(text)
        else:
            if not self._open or self._rules:
                yield from self.end()
            self._other(text)

    def end(self) -> Iterator[PrintedTheory]:
        """The block that was open when nothing more came."""
        if self._open and self._rules:
            yield PrintedTheory(tuple(self._rules), dict(self._figures))
        self._open = False
        self._rules.clear()
        self._figures.clear()

    def _other(self, text: str) -> None:
        if programs := _PROGRAMS.search(text):
            self.programs = int(programs[1] or programs[2])
        elif text == _NOTHING:
            self.nothing = True
        elif _COMPLAINT.search(text) and "TIMEOUT" not in text:
            self.complaints.append(text)


LEARNER = PopperLearner
