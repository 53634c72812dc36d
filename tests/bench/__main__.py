"""Run the benchmarks: `python -m tests.bench` for all, `python -m tests.bench bridge` for some.

Each prints our rate beside a named baseline measured in the same run. Times are CPU times, which a shared machine
disturbs least.
"""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path


def names() -> list[str]:
    return sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))


def main(wanted: list[str]) -> int:
    unknown = sorted(set(wanted) - set(names()))
    if unknown:
        print(f"no benchmark {', '.join(unknown)}; there are: {', '.join(names())}", file=sys.stderr)
        return 2
    if len(wanted) == 1:
        print(f"\n== {wanted[0]}", flush=True)
        import_module(f"tests.bench.bench_{wanted[0]}").run()
        return 0
    # Each in a process of its own: memory and caches of one are no part of another's figures.
    commands = [[sys.executable, "-m", "tests.bench", name] for name in wanted or names()]
    return max(subprocess.run(command, check=False).returncode for command in commands)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
