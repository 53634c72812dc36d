"""The learner `popper`: Popper in a process of its own, on the directory that we write for it."""

from __future__ import annotations

import signal
import tempfile
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from hornbeam.errors import EngineUnavailable, HornbeamError
from hornbeam.ilp.child import Child
from hornbeam.ilp.learner import Learner, Settings
from hornbeam.ilp.popper.location import GET_IT, Popper, environment, find
from hornbeam.ilp.popper.output import Block, Output
from hornbeam.ilp.popper.plain import Plain
from hornbeam.ilp.popper.space import popper_space
from hornbeam.ilp.popper.writer import ANALYSED, write_task
from hornbeam.ilp.space import Space
from hornbeam.ilp.watch import Watch
from hornbeam.tasks.bias import Bias
from hornbeam.tasks.problem import EXAMPLES, ExampleTask
from hornbeam.theory import Theory, read

# Popper's own limit is of wall time; ours is of CPU time, and a loaded machine gives it a fraction of the wall's.
_WALL = 10.0
_NO_LIMIT = 86_400.0
_GRACE = 0.9  # of the CPU time: what is left is for reading its result


class PopperSettings(Settings):
    """How Popper is run."""

    path: Path | None = Field(
        default=None, description="a checkout of Popper; default: HORNBEAM_POPPER, or the installed one"
    )
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

    def available(self) -> str | None:
        return None if find() else GET_IT

    def fit(self, task: ExampleTask, settings: PopperSettings, watch: Watch) -> Theory:
        found = find(settings.path)
        if found is None:
            raise EngineUnavailable(GET_IT)
        with tempfile.TemporaryDirectory(prefix="hornbeam-popper-") as folder:
            made = write_task(task, folder, room=settings.constants, analysed=settings.analysed)
            return _run(found, Path(folder), made, settings, watch)

    def space(self, bias: Bias, settings: PopperSettings) -> Space:
        return popper_space(bias, settings.constants)


def _run(found: Popper, folder: Path, made: Plain, settings: PopperSettings, watch: Watch) -> Theory:
    left = watch.seconds_left()
    seconds = None if left is None else _GRACE * left
    wall = _NO_LIMIT if seconds is None else _WALL * seconds
    command = found.command(folder, seconds=wall, noisy=settings.noisy, eval_timeout=settings.eval_timeout)
    output, best = Output(), Theory(())
    # The alarm is what its own time limit is made of in version 4: it answers with the best that it has.
    ask_to_end = signal.SIGALRM if found.version == 4 else signal.SIGINT
    with Child(command, watch, folder=folder, environment=environment(settings.seed), seconds=seconds,
               signal_at_end=ask_to_end) as child:  # fmt: skip
        for line in child.lines():
            for block in output.feed(line):
                best = _heard(block, made, watch)
        for block in output.end():
            best = _heard(block, made, watch)
        stopped = child.time_is_up
    watch.count(output.programs - watch.tried)
    if not best.clauses and not output.nothing and not stopped and output.complaints:
        raise HornbeamError(f"Popper: {output.complaints[-1]}")
    if not stopped:
        watch.finished()
    return best


def _heard(block: Block, made: Plain, watch: Watch) -> Theory:
    theory = made.original(read("\n".join(block.rules) + "\n", dialect="prolog"))
    claims = {f"claimed_{name}": value for name, value in block.figures.items()}
    watch.best(theory, **claims)
    return theory


LEARNER = PopperLearner
