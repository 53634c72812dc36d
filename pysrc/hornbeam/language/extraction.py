r"""Finds the answer in what a model wrote.

Only what the model states as its answer counts: a complete block of the form that was asked for, outside of its
thinking. Words that merely occur in the text are never searched for, because "mother" is in "grandmother" and a text
that quotes all options would hold the right one.

>>> extract("<think>mother? no</think> So <answer>Aunt.</answer>").text
'Aunt.'
>>> extract("It is probably the aunt.").missing
'no answer block'
>>> word(extract("<answer>Mother in law.</answer>").text or "")
'mother-in-law'
"""

from __future__ import annotations

import json
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hornbeam.errors import unknown_name

Form = Literal["answer", "boxed", "json", "fence"]
FORMS: tuple[Form, ...] = ("answer", "boxed", "json", "fence")
MOST_CHARACTERS = 200_000  # of a reply; what is longer is not looked at

_CLOSED = re.compile(r"</\s*(?:think|thinking|thought|reasoning)\s*>", re.IGNORECASE)
_OPEN = re.compile(r"<\s*(?:think|thinking|thought|reasoning)\s*>", re.IGNORECASE)
_OPEN_ANSWER = re.compile(r"<answer>", re.IGNORECASE)
_CLOSE_ANSWER = re.compile(r"</answer>", re.IGNORECASE)
_BOXED = re.compile(r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_TEXT = re.compile(r"\\(?:text|mathrm|textbf|mathbf)\s*\{([^{}]*)\}")
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[ \t]*([\w+-]*)([^\n]*)$", re.MULTILINE)
_MOST_OBJECTS = 1000  # places at which JSON is looked for
_PROLOG = frozenset({"prolog", "pl", "swipl", "swi-prolog", "datalog", "logic"})


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a model gave as its answer.

    Attributes:
        text: The content of the last complete block; None if there is none.
        method: The form of the block.
        notes: `several` if two blocks differ, `truncated` if the text ends inside a block or its thinking, `lenient` if
            a form was accepted that was not asked for.
        missing: Why there is no answer.
    """

    text: str | None
    method: str = ""
    notes: tuple[str, ...] = ()
    missing: str = ""


def extract(text: str, form: Form = "answer", *, lenient: bool = False, stopped: bool = False) -> Extracted:
    r"""Find the answer in a model's reply.

    Args:
        text: The reply, without the tags that a server removed.
        form: What was asked for: `answer` tags, `boxed`, `json` with the key `answer`, or a code `fence`.
        lenient: Also accept the other forms. Not for rewards in training.
        stopped: Whether the closing tag was a stop string, so that the server removed it.

    Returns:
        The content of the last complete block, with notes.

    Raises:
        UsageError: if there is no such form.

    >>> extract("\\boxed{\\text{aunt}}", "boxed").text
    'aunt'
    >>> extract('{"answer": ["DC", "EC"]}', "json").text
    '["DC", "EC"]'
    >>> extract("<answer>aunt</answer> or <answer>uncle</answer>").notes
    ('several',)
    """
    if form not in FORMS:
        raise unknown_name("answer form", form, FORMS)
    said, thinking = _after_thinking(text[:MOST_CHARACTERS])
    if thinking:
        return Extracted(None, notes=("truncated",), missing="the thinking does not end")
    for number, kind in enumerate((form, *(other for other in FORMS if other != form)) if lenient else (form,)):
        blocks, cut = _blocks(said, kind)
        if stopped and cut and kind == "answer":
            blocks, cut = [*blocks, _OPEN_ANSWER.split(said)[-1]], False
        if blocks:
            notes = ["several"] * (len({block.strip() for block in blocks}) > 1)
            notes += ["truncated"] * cut + ["lenient"] * (number > 0)
            return Extracted(blocks[-1].strip(), kind, tuple(notes))
        if cut and not lenient:
            return Extracted(None, notes=("truncated",), missing="the answer block does not end")
    return Extracted(None, missing="no answer block" if said.strip() else "the reply is empty")


def _after_thinking(text: str) -> tuple[str, bool]:
    """The text behind the last closing tag of thinking, and whether it then starts to think and never ends."""
    if "<" not in text:
        return text, False
    ends = list(_CLOSED.finditer(text))
    rest = text[ends[-1].end() :] if ends else text
    opened = _OPEN.search(rest)
    return (rest[: opened.start()], True) if opened else (rest, False)


def _blocks(text: str, form: Form) -> tuple[list[str], bool]:
    """The complete blocks of a form, in order, and whether another one is open at the end."""
    if form == "answer":
        return _tagged(text)
    if form == "boxed":
        found = list(_BOXED.finditer(text))
        rest = text[found[-1].end() if found else 0 :]
        return [_TEXT.sub(r"\1", one[1]) for one in found], "\\boxed" in rest
    if form == "json":
        return _objects(text), False
    return _fenced(text)


def _tagged(text: str) -> tuple[list[str], bool]:
    """The contents of answer tags. Time is linear in the text, whatever it repeats."""
    blocks: list[str] = []
    opened = _OPEN_ANSWER.search(text) if "<" in text else None
    while opened:
        closed = _CLOSE_ANSWER.search(text, opened.end())
        if closed is None:
            return blocks, True
        blocks.append(text[opened.end() : closed.start()])
        opened = _OPEN_ANSWER.search(text, closed.end())
    return blocks, False


def _fenced(text: str) -> tuple[list[str], bool]:
    """The contents of code fences, those of Prolog if any is; a fence ends with marks as many as it began with."""
    marks = list(_FENCE.finditer(text)) if "```" in text or "~~~" in text else []
    ends: dict[str, dict[int, list[int]]] = {"`": {}, "~": {}}
    for number, mark in enumerate(marks):
        if not mark[2] and not mark[3].strip():
            ends[mark[1][0]].setdefault(len(mark[1]), []).append(number)
    found: list[tuple[str, str]] = []
    at = 0
    cut = False
    while at < len(marks):
        mark, end = marks[at], _next_end(ends[marks[at][1][0]], len(marks[at][1]), at)
        cut = end is None
        if end is not None:
            found.append((mark[2].lower(), text[mark.end() + 1 : marks[end].start()]))
            at = end
        at += 1
    named = [content for language, content in found if language in _PROLOG]
    return named or [content for _, content in found], cut


def _next_end(ends: dict[int, list[int]], length: int, after: int) -> int | None:
    """The first mark that ends a fence of so many characters."""
    fitting = [(numbers, bisect_right(numbers, after)) for size, numbers in ends.items() if size >= length]
    return min((numbers[at] for numbers, at in fitting if at < len(numbers)), default=None)


def _objects(text: str) -> list[str]:
    """The answers of all JSON objects with the key `answer`; a list is JSON text again."""
    decoder = json.JSONDecoder()
    answers: list[str] = []
    at = text.find("{")
    for _ in range(_MOST_OBJECTS):
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        if isinstance(value, dict) and "answer" in value:
            answer = value["answer"]
            answers.append(answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False))
        at = text.find("{", end)
    return answers


# Words ----------------------------------------------------------------------------------------------------------------

_QUOTES = "\"'`\u201c\u201d\u2018\u2019*"


def word(text: str) -> str:
    """An answer as it is compared: NFKC, folded case, trimmed, without a final stop, spaces as hyphens.

    >>> word("  Mother-in-law. ")
    'mother-in-law'
    """
    plain = unicodedata.normalize("NFKC", text).casefold().strip().strip(_QUOTES).strip()
    return re.sub(r"\s+", "-", plain.removesuffix(".").strip().strip(_QUOTES))


def chosen(text: str, options: Sequence[str]) -> str | None:
    """The option that a text names exactly; None if it names none, several, or says more than an option.

    >>> chosen("Aunt.", ["aunt", "uncle"]), chosen("aunt or uncle", ["aunt", "uncle"])
    ('aunt', None)
    """
    by_word = {word(option): option for option in options}
    # Options that differ in case or a final stop only are compared as they are.
    if len(by_word) < len(set(options)):
        return text.strip() if text.strip() in options else None
    return by_word.get(word(text))


def members(text: str) -> frozenset[str] | None:
    """The members of a set: a JSON array of strings, or names joined by `|`; None if it is neither.

    >>> sorted(members('["EC", "DC"]') or ())
    ['DC', 'EC']
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, list):
        return frozenset(value) if all(isinstance(one, str) for one in value) else None
    if value is not None or any(mark in text for mark in "[]{}"):
        return None
    return frozenset(part.strip() for part in text.split("|"))


def named_options(text: str, options: Sequence[str]) -> int:
    """How many different options occur in a text as whole words: more than one is an attempt to have it both ways.

    >>> named_options("mother or grandmother", ["mother", "grandmother", "aunt"])
    2
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    return sum(
        bool(re.search(rf"(?<![\w|+-]){re.escape(option.casefold())}(?![\w|+-])", plain)) for option in set(options)
    )
