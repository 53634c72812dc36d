"""Judges answers in words: an option, a set of options, a label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hornbeam.language.extraction import Form, chosen, extract, members, named_options, word
from hornbeam.language.judging.ruling import Ruling

# What answers to a question with two options are taken for, beside the options themselves.
_YES = frozenset({"yes", "true", "valid", "positive", "1"})
_NO = frozenset({"no", "false", "invalid", "negative", "0"})
_FORMATS: Mapping[str, Form] = {"tags": "answer", "boxed": "boxed", "json": "json"}


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the options, the right one, and whether a set of them is wanted.

    >>> Question(("aunt", "uncle"), "aunt").judge("<answer>Aunt</answer>").right
    True
    >>> Question(("aunt", "uncle"), "aunt").judge("<answer>aunt or uncle</answer>").shortcut
    'several options'
    """

    options: tuple[str, ...]
    target: str
    is_set: bool = False
    format: str = "tags"

    def judge(self, text: str, *, lenient: bool = False, stopped: bool = False) -> Ruling:
        """The ruling on a reply.

        Args:
            text: What the model wrote.
            lenient: Also accept other forms of an answer, and an answer that is the whole reply.
            stopped: Whether the server removed the closing tag because it was a stop string.
        """
        found = extract(text, _FORMATS.get(self.format, "answer"), lenient=lenient, stopped=stopped)
        said, notes = found.text, found.notes
        if said is None and lenient and len(text) < 200 and "\n" not in text.strip():
            said, notes = text.strip(), (*notes, "lenient")
        if said is None:
            return Ruling.no_answer(found.missing, notes=notes)
        return self._judged_set(said, notes) if self.is_set else self._judged(said, notes)

    def _judged(self, said: str, notes: tuple[str, ...]) -> Ruling:
        option = chosen(said, self.options) or self._synonym(said)
        if option is None:
            several = named_options(said, self.options) > 1
            reason = "it names several options" if several else f"'{said[:80]}' is not one of the options"
            return Ruling.no_answer(reason, shortcut="several options" if several else "", answer=said, notes=notes)
        right = word(option) == word(self.target)
        return Ruling.of_answer(option, right=right, message="" if right else f"right is {self.target}", notes=notes)

    def _synonym(self, said: str) -> str | None:
        """A yes or a no in other words."""
        plain = word(said)
        for words in (_YES, _NO):
            own = [option for option in self.options if word(option) in words]
            if len(self.options) == 2 and len(own) == 1 and plain in words:
                return own[0]
        return None

    def _judged_set(self, said: str, notes: tuple[str, ...]) -> Ruling:
        given, wanted = members(said), members(self.target) or frozenset()
        known = set(self.options)
        if given is None or not given <= known:
            return Ruling.no_answer("expected a JSON array of options", answer=said, notes=notes)
        right = given == wanted
        every = len(known) > 1 and given == known and not right
        message = "" if right else f"right is {', '.join(sorted(wanted))}"
        ruling = Ruling.of_answer(said, right=right, message=message, notes=notes)
        if not every:
            return ruling
        return Ruling.no_answer(message, shortcut="several options", answer=said, notes=notes)
