"""Learners that go wrong, each in its own way. Whatever one of them does may cost no more than its own row."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from hornbeam.errors import HornbeamError
from hornbeam.ilp.learner import Learner, Settings
from hornbeam.ilp.watch import Watch
from hornbeam.logic import Prolog
from hornbeam.logic.terms import Clause, Var, literal
from hornbeam.theory import Statement, Theory


def everything(task: Any) -> Theory:
    """A theory that covers all examples."""
    head = task.bias.head[0]
    return Theory.of([Clause(literal(head.name, *(Var(f"_V{at}") for at in range(len(head.places)))))])


class Misbehaved(Learner):
    views = ("examples",)


class Looper(Misbehaved):
    name, title = "looper", "never looks at the time"

    def fit(self, task: Any, settings: Settings, watch: Watch) -> Theory:
        watch.count(7)
        watch.best(everything(task))
        while True:
            pass


class Eater(Misbehaved):
    name, title = "eater", "eats memory"

    def fit(self, task: Any, settings: Settings, watch: Watch) -> Theory:
        watch.best(everything(task))
        eaten = []
        while True:
            eaten.append(bytearray(b"x" * (16 << 20)))


class Crasher(Misbehaved):
    name, title = "crasher", "raises in the middle"

    def fit(self, task: Any, settings: Settings, watch: Watch) -> Theory:
        watch.best(everything(task))
        raise RuntimeError("the bottom fell out")


class Killed(Misbehaved):
    name, title = "killed", "dies by a signal, in the middle of an event"

    def fit(self, task: Any, settings: Settings, watch: Watch) -> Theory:
        watch.best(everything(task))
        with Path("events.jsonl").open("a") as events:
            events.write('{"kind": "best", "tried": 1, "seconds": 0.1, "theory": "torn')
        os.abort()


class Babbler(Misbehaved):
    name, title = "babbler", "prints without end, and gives text that is no theory"

    def fit(self, task: Any, settings: Settings, watch: Watch) -> Theory:
        for _ in range(3000):
            print("}{ nonsense " * 100)
            print("more nonsense " * 100, file=sys.stderr)
        statement = Statement(Clause("p"), ":- )( p q r.")
        return Theory((statement,))


class Liar(Misbehaved):
    name, title = "liar", "claims a perfect score for a theory that covers everything"

    def fit(self, task: Any, settings: Settings, watch: Watch) -> Theory:
        theory = everything(task)
        watch.best(theory, tp=len(task.positive), fp=0, fn=0, tn=len(task.negative))
        watch.finished()
        return theory


class Silent(Misbehaved):
    name, title = "silent", "finds nothing"

    def fit(self, task: Any, settings: Settings, watch: Watch) -> Theory:
        return Theory(())


class Runaway(Misbehaved):
    name, title = "runaway", "leaves a child behind that is in a session of its own"
    starts_programs = True

    def fit(self, task: Any, settings: Settings, watch: Watch) -> Theory:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"], start_new_session=True)
        watch.note("child", pid=child.pid)
        watch.best(everything(task), child=child.pid)
        time.sleep(0.5)
        return everything(task)


class Delegate(Misbehaved):
    name, title = "delegate", "has its child do the looping"
    starts_programs = True

    def fit(self, task: Any, settings: Settings, watch: Watch) -> Theory:
        watch.best(everything(task))
        subprocess.run([sys.executable, "-c", "while True: pass"], check=False)
        return everything(task)


class Absent(Misbehaved):
    name, title = "absent", "is not installed"

    def available(self) -> str:
        return "pip install nothing-of-the-kind"

    def fit(self, task: Any, settings: Settings, watch: Watch) -> Theory:
        raise AssertionError("it is not there")


class Stranger(Misbehaved):
    name, title = "stranger", "takes a view that nobody offers"
    views = ("dreams",)

    def fit(self, task: Any, settings: Settings, watch: Watch) -> Theory:
        raise AssertionError("there is nothing to learn from")


class BurglarSettings(Settings):
    outside: Path = Path("/nowhere")


class Burglar(Misbehaved):
    """What background knowledge could do that got hold of the learner's process, told to the watch."""

    name, title = "burglar", "tries to get out of its process"
    settings_type = BurglarSettings

    def fit(self, task: Any, settings: BurglarSettings, watch: Watch) -> Theory:
        outside = settings.outside
        attempts: dict[str, Any] = {
            "reads": (outside / "secret.txt").read_bytes,
            "writes": lambda: (outside / "new.txt").write_bytes(b"x"),
            "deletes": (outside / "secret.txt").unlink,
            "connects": socket.socket,
            "starts": lambda: subprocess.run(["/bin/true"], check=True),
            "signals": lambda: os.kill(os.getppid(), 0),
            "environment": Path(f"/proc/{os.getppid()}/environ").read_bytes,
            "secret": lambda: os.environb[b"SECRET_TOKEN"],
            "prolog reads": lambda: Prolog().ask(f"open('{outside}/secret.txt', read, S), close(S)"),
            "prolog writes": lambda: Prolog().ask(f"open('{outside}/new.txt', write, S), close(S)"),
            "prolog starts": lambda: Prolog().ask("process_create('/bin/true', [], [])"),
            "python from prolog": lambda: Prolog().ask(f"py_call(open('{outside}/new.txt', w), _)"),
        }
        Prolog().ask(f"shell('touch {outside}/ran')")
        for name, attempt in attempts.items():
            try:
                attempt()
            except (OSError, KeyError, HornbeamError) as error:
                watch.note("held", what=name, how=str(error)[:80])
            else:
                watch.note("through", what=name)
        Path("own.txt").write_text("its own folder", encoding="utf-8")
        return everything(task)
