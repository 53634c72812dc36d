"""Run the benchmarks: `python -m tests.bench` for all, `python -m tests.bench bridge` for some.

Each prints our rate beside a named baseline measured in the same run. Times are CPU times, which a shared machine
disturbs least.
"""

from __future__ import annotations

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
    for name in wanted or names():
        print(f"\n== {name}", flush=True)
        import_module(f"tests.bench.bench_{name}").run()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
