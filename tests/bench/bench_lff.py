"""`lff` beside real Popper on classic task directories, each with the same CPU seconds and every claim verified.

The folder of task directories (bias.pl, bk.pl, exs.pl each; Popper's own `examples` folder is one) is named by the
environment variable LFF_TASKS; Popper is found as the learner `popper` finds it (HORNBEAM_POPPER). LFF_SECONDS is the
budget of a task (60), LFF_ONLY a comma-separated choice of tasks. Theories are judged by `swipl` in a process that has
nothing of the learner: missed positives (fn), covered negatives (fp).
"""

from __future__ import annotations

import math
import os
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from hornbeam.ilp.lff.learner import LFF, LFFSettings
from hornbeam.ilp.popper.learner import GET_IT, Output, Popper, environment, find
from hornbeam.ilp.watch import Watch
from hornbeam.logic import swipl
from hornbeam.logic.terms import to_text
from hornbeam.theory import Theory, read
from tests.ilp.popper.reading import read_task

CLASSIC = (
    *("trains1", "trains2", "trains3", "zendo1", "zendo2", "zendo3", "iggp-rps-next-score", "iggp-buttons-next"),
    *("iggp-coins-next-cell", "iggp-gt_centipede-goal", "1d_flip", "synthesis-dropk", "synthesis-length"),
    *(
        "synthesis-finddupl",
        "synthesis-contains",
        "kinship-pi",
        "kinship-ancestor",
        "robots-recursion",
        "noisy-zendo2-10",
    ),
)
# What free ASP statements of a bias.pl say that a task has no place for: the example's variable is the head's alone.
SINGLE_TYPES = {"1d_flip": ("ex",)}


@dataclass(frozen=True)
class Result:
    """A learner's theory for a task, as it was judged."""

    size: int
    rules: int
    missed: int
    wrong: int
    seconds: float
    tried: int = 0
    proved: bool = False

    @property
    def solved(self) -> bool:
        return self.rules > 0 and not self.missed and not self.wrong

    def __str__(self) -> str:
        verdict = "solved" if self.solved else f"fn {self.missed} fp {self.wrong}"
        rate = f", {self.tried} tried" if self.tried else ""
        return f"{verdict}{' *' if self.proved else ''}, {self.rules}r/{self.size}l, {self.seconds:.2f} s{rate}"


def run() -> None:
    folder = os.environ.get("LFF_TASKS")
    if not folder or not Path(folder).is_dir():
        print("lff: set LFF_TASKS to a folder of task directories, e.g. the folder `examples` of Popper's source")
        return
    seconds = float(os.environ.get("LFF_SECONDS", "60"))
    chosen = [name for name in os.environ.get("LFF_ONLY", "").split(",") if name]
    tasks = [name for name in chosen or CLASSIC if (Path(folder) / name / "bias.pl").is_file()]
    popper = find()
    print(f"{seconds:g} s of CPU a task; * = nothing better in the space\nPopper: {popper or GET_IT}", flush=True)
    solved = [0, 0]
    for name in tasks:
        ours = _ours(Path(folder) / name, seconds)
        theirs = _popper(popper, Path(folder) / name, seconds) if popper else None
        solved[0] += ours.solved
        solved[1] += theirs.solved if theirs else 0
        print(f"{name:24} lff: {ours!s:58} popper: {theirs or '-'}", flush=True)
    print(f"solved of {len(tasks)}: lff {solved[0]}, popper {solved[1] if popper else '-'}")


def _ours(folder: Path, seconds: float) -> Result:
    """Our learner in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.bench_lff", str(folder), str(seconds)]
    environment = {**os.environ, "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"}
    output, spent = _timed(command, environment, seconds + 10)
    head, _, text = output.partition("\n")
    tried, proved = (int(part) for part in head.split()) if head else (0, 0)
    theory = Theory.parse(text) if text.strip() else Theory(())
    return Result(theory.literals, len(theory), *_judge(theory, folder), spent, tried, bool(proved))


def _popper(found: Popper, folder: Path, seconds: float) -> Result:
    """Popper on the directory itself; where its time ends before it does, the last theory that it told."""
    noisy = folder.name.startswith("noisy")
    command = found.command(folder.resolve(), seconds=10 * seconds, noisy=noisy, eval_timeout=0.001)
    output, spent = _timed(command, environment(0), seconds)
    told = Output()
    blocks = [block for line in output.splitlines() for block in told.feed(line)] + list(told.end())
    theory = read("\n".join(blocks[-1].rules) + "\n", dialect="prolog") if blocks else Theory(())
    return Result(theory.literals, len(theory), *_judge(theory, folder), spent, told.programs)


def _timed(command: list[str], variables: dict[str, str], seconds: float) -> tuple[str, float]:
    """What a command printed, and its CPU time with that of all it started, which the system ends at the limit."""
    limit = math.ceil(seconds)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        ["/bin/sh", "-c", f'ulimit -t {limit}; exec "$@"', "sh", *command],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT if "popper" in command[1] else subprocess.DEVNULL,
        text=True, check=False, env=variables,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _learn(folder: str, seconds: str) -> None:
    made = read_task(folder)
    watch = Watch(float(seconds))
    settings = LFFSettings(
        noise=made.task.name.startswith("noisy"),
        loose_head=made.non_datalog,
        single_types=(*made.single_types, *SINGLE_TYPES.get(made.task.name, ())),
    )
    theory = LFF().fit(made.task, settings, watch)
    print(watch.tried, int(bool(watch.events) and watch.events[-1].kind == "finished"))
    print(theory, end="")


_JUDGE = """
proved(G) :- catch(call_with_inference_limit(G, 1000000, R), _, fail), R \\== inference_limit_exceeded.
count(Kind, N) :- findall(G, call(Kind, G), Gs), aggregate_all(count, ( member(G, Gs), once(proved(G)) ), N).
:- initialization(( count(pos, P), count(neg, N), format("~w ~w~n", [P, N]), halt )).
"""


def _judge(theory: Theory, folder: Path) -> tuple[int, int]:
    """Missed positives and covered negatives, by plain swipl."""
    task = read_task(folder).task
    if not len(theory):
        return len(task.positive), 0
    examples = [
        *(f"pos({to_text(atom)})." for atom in task.positive),
        *(f"neg({to_text(atom)})." for atom in task.negative),
    ]
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "judge.pl"
        dynamic = ":- dynamic pos/1, neg/1.\n:- style_check(-singleton).\n:- style_check(-discontiguous).\n"
        file.write_text("\n".join([dynamic, task.background, str(theory), *examples, _JUDGE]))
        done = subprocess.run(
            [swipl.find().executable, "-q", str(file)], capture_output=True, text=True, check=False, timeout=600
        )
    covered, wrong = map(int, done.stdout.split())
    return len(task.positive) - covered, wrong


if __name__ == "__main__":
    _learn(*sys.argv[1:])
