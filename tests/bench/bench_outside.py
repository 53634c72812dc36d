"""Loading facts from outside: read as terms and admitted, against SWI-Prolog's own loader, which runs what it reads."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hornbeam import resources
from hornbeam.logic import swipl
from hornbeam.processes import printed_by

_FACTS = 50_000
_GOAL = "statistics(cputime, Start), {load}, statistics(cputime, End), Seconds is End - Start, print(Seconds)"


def run() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "facts.pl")
        lines = (f"sample('train-{n}', k{n % 9}, train, 'DC', query({n % 7}, {n % 5}))." for n in range(_FACTS))
        file.write_text(":- dynamic sample/5.\n" + "\n".join(lines) + "\n", encoding="utf-8")
        ours = _seconds(file, "hornbeam_outside:contain, hornbeam_outside:load_outside(user:'{file}', [silent(true)])")
        plain = _seconds(file, "load_files(user:'{file}', [silent(true)])")
    print(f"{_FACTS:,} facts  read, then loaded {_FACTS / ours:10,.0f}/s   load_files/2 {_FACTS / plain:10,.0f}/s")


def _seconds(file: Path, load: str) -> float:
    goal = _GOAL.format(load=load.format(file=file))
    loader = str(resources.prolog("outside.pl"))
    return float(printed_by([swipl.find().executable, "-q", "-f", "none", "-g", goal, "-t", "halt", loader]).stdout)
