"""Traces that were saved are read back, and what is none is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbeam.errors import UsageError
from hornbeam.ilp.watch import Event, Trace

# Python takes each of these for the end of a line; JSON does not.
STRANGE = "p('\u2028\u2029\x85\x0b\x0c\x1c').\n"


def test_what_is_saved_is_read_back(tmp_path: Path) -> None:
    trace = Trace((Event("best", 3, 0.5, {"theory": STRANGE}), Event("finished", 4, 1.0)))
    trace.save(tmp_path / "trace.jsonl")
    assert Trace.load(tmp_path / "trace.jsonl") == trace
    assert Trace.salvage(tmp_path / "trace.jsonl") == trace


def test_of_a_torn_line_nothing_is_read(tmp_path: Path) -> None:
    trace = Trace((Event("best", 3, 0.5, {"theory": STRANGE}), Event("best", 4, 1.0, {"theory": "p(X)."})))
    trace.save(tmp_path / "trace.jsonl")
    whole = (tmp_path / "trace.jsonl").read_bytes()
    (tmp_path / "trace.jsonl").write_bytes(whole[:-9])
    assert Trace.salvage(tmp_path / "trace.jsonl") == Trace(trace.events[:1])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[1]\n", r"t\.jsonl:1: expected an event"),
        (b'{"kind": "a"}\n\n{"kind"\n', r"t\.jsonl:3: expected a line of JSON"),
        (b'{"kind": "a", "tried": "x"}', r"t\.jsonl:1: expected an event"),
        (b"\xff\n", r"t\.jsonl: cannot read it"),
    ],
)
def test_what_is_no_trace(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "t.jsonl").write_bytes(data)
    with pytest.raises(UsageError, match=message):
        Trace.load(tmp_path / "t.jsonl")
    with pytest.raises(UsageError, match="no such trace"):
        Trace.load(tmp_path / "nothing.jsonl")
