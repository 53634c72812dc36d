"""Counting the goals that reach the Prolog of a dataset."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hornbeam.logic import Prolog


@contextmanager
def goals_of(module: str) -> Iterator[list[str]]:
    """The ids for which true_answer/2 of a module is called, as SWI-Prolog itself counts them."""
    prolog = Prolog()
    wrapped = "wrap_predicate(M:true_answer(Id, _), counting, W, ( assertz(user:hornbeam_asked(Id)), W ))"
    assert prolog.ask(f"dynamic(user:hornbeam_asked/1), {wrapped}", given={"M": module})
    asked: list[str] = []
    try:
        yield asked
        asked += [str(answer["Id"]) for answer in prolog.all("hornbeam_asked(Id)")]
    finally:
        prolog.ask("unwrap_predicate(M:true_answer/2, counting)", given={"M": module})
        prolog.ask("retractall(hornbeam_asked(_))")
