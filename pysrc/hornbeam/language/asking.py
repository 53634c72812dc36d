"""Puts the questions of a dataset to a model, judges the replies, and keeps everything in a folder.

The folder has ask.json (what is asked, of which model), calls.jsonl (every reply, as it came), rulings.jsonl,
report.json and answers.html. A run that was ended goes on where it was; a longer one asks only what is new.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbeam.data.opaque import fingerprint
from hornbeam.data.sample import Json
from hornbeam.errors import UsageError
from hornbeam.language.answers_page import answers_page
from hornbeam.language.asked import Judged, Report
from hornbeam.language.endpoint.client import Client, Messages
from hornbeam.language.endpoint.journal import Journal
from hornbeam.language.endpoint.reply import FAILED, Reply
from hornbeam.language.endpoint.run import Asking, Prices, Purse, ask_all
from hornbeam.language.item import RULE, Item
from hornbeam.language.judging import Judge, Ruling
from hornbeam.progress import Progress, no_progress
from hornbeam.writing import locked, naming, refuse_foreign, write_atomic

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

SETTINGS, CALLS, RULINGS, REPORT, PAGE = "ask.json", "calls.jsonl", "rulings.jsonl", "report.json", "answers.html"


@dataclass(frozen=True, slots=True)
class Habits:
    """How a run asks.

    Attributes:
        workers: Questions at a time.
        rounds: Replies to a question for rules: a wrong program may be written again, with what is wrong of it.
        prices: What a million tokens cost.
        budget: What may be spent.
        lenient: Whether answers in other forms count.
    """

    workers: int = 8
    rounds: int = 1
    prices: Prices = field(default_factory=Prices)
    budget: float | None = None
    lenient: bool = False


def ask(
    dataset: Dataset,
    items: Sequence[Item],
    client: Client,
    folder: Path,
    *,
    kind: str = "answer",
    prompt_settings: dict[str, Json] | None = None,
    habits: Habits | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Ask a model, judge its replies and write the report.

    Raises:
        UsageError: if the folder holds another run or other files.
        Refused: if the server refuses all requests.
        Unreachable: if there is no server.
        OverBudget: if the money is spent.
    """
    habits = habits or Habits()
    if not items:
        raise UsageError("there is nothing to ask: no sample has this split, task and level", file=str(dataset.path))
    purse = Purse(habits.prices, habits.budget)
    refuse_foreign(folder, [SETTINGS], "a run of `hornbeam ask`")
    folder.mkdir(parents=True, exist_ok=True)
    settings = _settings(dataset, client, kind, prompt_settings or {}, habits)
    busy = "another run is asking in this folder now"
    with naming(folder), locked(folder / ".lock", busy, of=folder), Judge(dataset, lenient=habits.lenient) as judge:
        _keep_settings(folder, settings)
        journal = Journal(folder / CALLS)
        judged = _conversations(items, client, journal, judge, habits, purse, progress)
        report = Report(
            client.model,
            str(dataset.path),
            dataset.manifest.family,
            kind,
            tuple(judged),
            habits.prices,
            _groups(dataset, items),
        )
        _write(folder, report, settings)
    return report


def _settings(
    dataset: Dataset, client: Client, kind: str, prompt_settings: dict[str, Json], habits: Habits
) -> dict[str, Json]:
    return {
        "dataset": dataset.path.name,
        "samples": fingerprint(dataset),
        "endpoint": client.url,
        "model": client.model,
        "kind": kind,
        "prompts": prompt_settings,
        "sampling": client.sampling.to_json(),
        "rounds": habits.rounds,
    }


def _keep_settings(folder: Path, settings: dict[str, Json]) -> None:
    """Write what the run is, or check that it is the same as before."""
    file = folder / SETTINGS
    if not file.is_file():
        write_atomic(file, (json.dumps(settings, ensure_ascii=False, indent=1) + "\n").encode())
        return
    try:
        before: Any = json.loads(file.read_bytes())
    except (ValueError, RecursionError):
        raise UsageError("it is damaged; choose another folder", file=str(file)) from None
    other = [name for name, value in settings.items() if not isinstance(before, dict) or before.get(name) != value]
    if other:
        name = other[0]
        was = before.get(name) if isinstance(before, dict) else None
        raise UsageError(
            f"the folder holds a run with another {name} ({was} before, now {settings[name]}); choose another folder",
            file=str(folder),
        )


def _groups(dataset: Dataset, items: Sequence[Item]) -> dict[str, dict[str, Any]]:
    wanted = {str(item.meta.get("sample") or "") for item in items} - {""}
    return {one.id: dict(dataset.family.groups(one)) for one in dataset.samples if one.id in wanted} if wanted else {}


# Rounds ---------------------------------------------------------------------------------------------------------------


def _conversations(
    items: Sequence[Item],
    client: Client,
    journal: Journal,
    judge: Judge,
    habits: Habits,
    purse: Purse,
    progress: Progress,
) -> list[Judged]:
    """All questions, in rounds: those for rules that were not answered right are asked again, with the reason."""
    talks: list[Messages] = [item.messages() for item in items]
    judged: list[Judged | None] = [None] * len(items)
    waiting = list(range(len(items)))
    for turn in range(habits.rounds):
        asked = [Asking(items[number].uid, talks[number]) for number in waiting]
        replies = ask_all(client, asked, journal, workers=habits.workers, purse=purse, progress=progress)
        rulings = _rulings(judge, [items[number] for number in waiting], replies)
        again = []
        for number, reply, ruling in zip(waiting, replies, rulings, strict=True):
            before = judged[number]
            earlier = before.replies if before is not None else ()
            judged[number] = Judged(items[number], reply, ruling, (*earlier, reply))
            if items[number].form == RULE and not ruling.right and reply.status != FAILED:
                talks[number] = [*talks[number], *_answer_to(reply, ruling)]
                again.append(number)
        waiting = again if turn + 1 < habits.rounds else []
        if not waiting:
            break
    return [one for one in judged if one is not None]


def _rulings(judge: Judge, items: Sequence[Item], replies: Sequence[Reply]) -> list[Ruling]:
    """Of those that failed there is nothing to judge."""
    answered = [(item, reply.text) for item, reply in zip(items, replies, strict=True) if reply.status != FAILED]
    judged = iter(judge.items(answered))
    rulings = [
        Ruling.unjudged(f"no reply: {reply.message}") if reply.status == FAILED else next(judged) for reply in replies
    ]
    pairs = zip(replies, rulings, strict=True)
    return [
        replace(one, notes=(*one.notes, reply.status)) if reply.status != "answered" else one for reply, one in pairs
    ]


def _answer_to(reply: Reply, ruling: Ruling) -> list[dict[str, Json]]:
    """What goes back to the model: the reason, and counts on training samples. Nothing is said about fresh samples."""
    if not ruling.valid:
        said = f"Your program cannot be used: {ruling.message}."
    else:
        said = f"Your program gives the right answer for {ruling.shown_right} of {ruling.shown} training samples."
        if ruling.shown_right == ruling.shown:
            said += " It is wrong for samples that you have not seen."
    said += " Write the whole program again, in the form that was asked for."
    return [{"role": "assistant", "content": reply.text}, {"role": "user", "content": said}]


def _write(folder: Path, report: Report, settings: dict[str, Json]) -> None:
    lines = (json.dumps(one.to_json(report.prices), ensure_ascii=False) + "\n" for one in report.judged)
    write_atomic(folder / RULINGS, "".join(lines).encode())
    known = {**report.to_json(), "settings": settings}
    write_atomic(folder / REPORT, (json.dumps(known, ensure_ascii=False, indent=1) + "\n").encode())
    write_atomic(folder / PAGE, answers_page(report).encode())
