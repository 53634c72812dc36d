"""One question for a language model, with the answer beside it.

>>> item = Item("9f", "star", "answer", 1, (Part("Which relation?"),), target="DC", options=("DC", "EC"))
>>> Item.from_json(item.to_json()) == item, item.text
(True, 'Which relation?')
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from hornbeam.data.sample import Json
from hornbeam.errors import UsageError

ANSWER, SET, LABEL, RULE = "answer", "set", "label", "rule"
FORMS = (ANSWER, SET, LABEL, RULE)
"""What is wanted: one of the options, a set of them, a label of a picture or a fact, or a Prolog program."""

TEXT, IMAGE = "text", "image"
_KEYS = ("uid", "family", "form", "level", "prompt", "system", "options", "target", "meta")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a prompt: text, or a picture as a data URL.

    >>> Part("data:image/png;base64,iVBO", "image").content()
    {'type': 'image_url', 'image_url': {'url': 'data:image/png;base64,iVBO'}}
    """

    value: str
    kind: Literal["text", "image"] = "text"

    def content(self) -> dict[str, Json]:
        """The part as chat servers expect it in a message."""
        if self.kind == IMAGE:
            return {"type": "image_url", "image_url": {"url": self.value}}
        return {"type": "text", "text": self.value}


@dataclass(frozen=True, slots=True)
class Item:
    """One question for a language model.

    Attributes:
        uid: The name that a model and its operator see. It is a hash and says nothing about the answer.
        family: The family that the question belongs to.
        form: One of `FORMS`.
        level: The difficulty, 1 to 20, see :mod:`hornbeam.language.ladder`.
        prompt: What the model is asked.
        system: The system message; may be empty.
        options: The words to choose from; empty for rules.
        target: The right answer: a word, a JSON array, or a program. Never part of the prompt.
        meta: What only the judge may see: `sample` (the sample's id; "" if the question has no sample), `task`,
            `dataset`, `answer_format`, `renamed` (words of the prompt to those of the dataset, if they differ),
            `entities` (nodes and constants of the dataset to their names in the prompt).

    >>> Item("9f", "star", "answer", 1, (Part("Which?"),), "Be brief.").messages()[0]
    {'role': 'system', 'content': 'Be brief.'}
    """

    uid: str
    family: str
    form: str
    level: int
    prompt: tuple[Part, ...]
    system: str = ""
    options: tuple[str, ...] = ()
    target: str = ""
    meta: Mapping[str, Json] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The text of the prompt; pictures are left out."""
        return "".join(part.value for part in self.prompt if part.kind == TEXT)

    def messages(self) -> list[dict[str, Json]]:
        """The prompt as chat messages."""
        first: list[dict[str, Json]] = [{"role": "system", "content": self.system}] if self.system else []
        only_text = all(part.kind == TEXT for part in self.prompt)
        content: Json = self.text if only_text else [part.content() for part in self.prompt]
        return [*first, {"role": "user", "content": content}]

    def to_json(self) -> dict[str, Json]:
        """The item as a JSON object."""
        row: dict[str, Any] = {key: getattr(self, key) for key in _KEYS}
        prompt = [{"kind": part.kind, "value": part.value} for part in self.prompt]
        return {**row, "prompt": prompt, "options": list(self.options), "meta": dict(self.meta)}

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Item:
        """The item that :meth:`to_json` wrote.

        Raises:
            UsageError: if a key is missing, or has a value of another kind.
        """
        try:
            parts = tuple(Part(str(part["value"]), _kind(part["kind"])) for part in row["prompt"])
            form = str(row["form"])
            if form not in FORMS:
                raise UsageError(f'key "form": expected one of {", ".join(FORMS)}, found "{form}"')
            return cls(
                str(row["uid"]),
                str(row["family"]),
                form,
                int(row["level"]),
                parts,
                str(row["system"]),
                tuple(map(str, row["options"])),
                str(row["target"]),
                dict(row["meta"]),
            )
        except KeyError as error:
            raise UsageError(f"not an item: the key {error} is missing") from None
        except (TypeError, ValueError, AttributeError) as error:
            raise UsageError(f"not an item: {error}") from None


def _kind(value: object) -> Literal["text", "image"]:
    if value == TEXT:
        return "text"
    if value == IMAGE:
        return "image"
    raise ValueError(f'key "prompt": expected parts of the kind text or image, found "{value}"')


def write_items(items: Iterable[Item]) -> Iterator[str]:
    """The lines of a file of prompts."""
    for item in items:
        yield json.dumps(item.to_json(), ensure_ascii=False, separators=(",", ":")) + "\n"


def read_items(path: Path) -> list[Item]:
    """The items of a file that `hornbeam prompts` wrote.

    Raises:
        UsageError: with the line, if one is not an item.
    """
    items = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            items.append(Item.from_json(json.loads(line)))
        except json.JSONDecodeError as error:
            raise UsageError(f"not JSON: {error.msg}", file=str(path), line=number) from None
        except UsageError as error:
            raise UsageError(error.message, file=str(path), line=number) from None
    return items
