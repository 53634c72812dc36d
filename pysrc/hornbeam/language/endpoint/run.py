"""A run: many questions to one model, several at a time, each asked until it is answered, and never twice."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from queue import Empty, SimpleQueue

from hornbeam.errors import HornbeamError, UsageError
from hornbeam.language.endpoint.client import Client, Messages
from hornbeam.language.endpoint.journal import Journal, key_of
from hornbeam.language.endpoint.reply import Reply
from hornbeam.progress import Progress, no_progress

_MILLION = 1e6


@dataclass(frozen=True, slots=True)
class Prices:
    """What a million tokens cost; None if unknown. An unknown price is not 0.

    >>> Prices(1.0, 2.0).cost(Reply("", prompt_tokens=1_000_000, completion_tokens=500_000))
    2.0
    """

    prompt: float | None = None
    completion: float | None = None

    @property
    def known(self) -> bool:
        return self.prompt is not None and self.completion is not None

    def cost(self, reply: Reply) -> float | None:
        """What a reply cost; None if a price or a count of tokens is unknown."""
        if self.prompt is None or self.completion is None:
            return None
        if reply.prompt_tokens is None or reply.completion_tokens is None:
            return None
        return (reply.prompt_tokens * self.prompt + reply.completion_tokens * self.completion) / _MILLION


@dataclass(frozen=True, slots=True)
class Asking:
    """A question: its name, and the conversation that it ends."""

    uid: str
    messages: Messages


class OverBudget(HornbeamError):
    """The replies so far cost as much as may be spent."""


@dataclass(slots=True)
class Purse:
    """Counts what replies cost, and says when there is nothing left to spend."""

    prices: Prices = field(default_factory=Prices)
    budget: float | None = None
    spent: float = 0.0

    def __post_init__(self) -> None:
        if self.budget is not None and not self.prices.known:
            raise UsageError("--budget needs --price-in and --price-out")

    def pay(self, reply: Reply) -> None:
        self.spent += self.prices.cost(reply) or 0.0

    @property
    def empty(self) -> bool:
        return self.budget is not None and self.spent >= self.budget


def ask_all(
    client: Client,
    questions: Sequence[Asking],
    journal: Journal,
    *,
    workers: int = 8,
    purse: Purse | None = None,
    progress: Progress = no_progress,
) -> list[Reply]:
    """The replies to all questions, in order. What the journal has is not asked again.

    Raises:
        Refused: if the server refuses all requests.
        Unreachable: if there is no server.
        OverBudget: if the money is spent; what was answered is in the journal.
    """
    purse = purse or Purse()
    keys = [key_of(client, question.messages) for question in questions]
    waiting = {key: question for key, question in zip(keys, questions, strict=True) if journal.get(key) is None}
    for key in set(keys) - waiting.keys():
        reply = journal.get(key)
        if reply is not None:
            purse.pay(reply)
    done = len(questions) - len(waiting)
    failed: dict[str, Reply] = {}
    progress(done, len(questions))
    with journal:
        for key, reply in _asked(client, waiting, workers, lambda: purse.empty):
            journal.add(key, waiting[key].uid, reply)
            purse.pay(reply)
            if journal.get(key) is None:
                failed[key] = reply
            done += 1
            progress(done, len(questions))
    replies = [journal.get(key) or failed.get(key) for key in keys]
    if any(reply is None for reply in replies):
        raise OverBudget(f"the budget of {purse.budget:g} is spent; what was answered is kept")
    return [reply for reply in replies if reply is not None]


def _asked(
    client: Client, waiting: dict[str, Asking], workers: int, enough: Callable[[], bool]
) -> Iterator[tuple[str, Reply]]:
    """Replies as they come. On an error, or Ctrl-C, no further question is asked."""
    client.stop = threading.Event()
    todo: SimpleQueue[tuple[str, Asking] | None] = SimpleQueue()
    done: SimpleQueue[tuple[str, Reply | BaseException]] = SimpleQueue()
    # Threads that end with the process: nobody waits for a server that is slow when a person has had enough.
    threads = [
        threading.Thread(target=_work, args=(client, todo, done), daemon=True)
        for _ in range(min(max(1, workers), len(waiting)))
    ]
    for thread in threads:
        thread.start()
    left, running = iter(waiting.items()), 0
    try:
        while True:
            free = 0 if enough() else len(threads) - running
            for one in islice(left, free):
                todo.put(one)
                running += 1
            if not running:
                return
            key, reply = _next(done)
            running -= 1
            if isinstance(reply, BaseException):
                raise reply
            yield key, reply
    finally:
        client.stop.set()
        for _ in threads:
            todo.put(None)


def _work(
    client: Client,
    todo: SimpleQueue[tuple[str, Asking] | None],
    done: SimpleQueue[tuple[str, Reply | BaseException]],
) -> None:
    while (one := todo.get()) is not None:
        key, question = one
        try:
            done.put((key, client.ask(question.messages)))
        except BaseException as error:
            done.put((key, error))


def _next(done: SimpleQueue[tuple[str, Reply | BaseException]]) -> tuple[str, Reply | BaseException]:
    """What is done next. A wait without an end would keep Ctrl-C waiting, too."""
    while True:
        with contextlib.suppress(Empty):
            return done.get(timeout=0.5)
