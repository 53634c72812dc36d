"""A sample: the same keys in all families. docs/samples.md says what `input`, `symbolic` and `proof` hold in each.

>>> Sample(id="t1-000007", task="t1", split="train", label=True, input={"image": "img/7.png"}).to_json()["label"]
True
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

KEYS = ("id", "task", "split", "label", "supervised", "input", "symbolic", "proof")
OBJECTS = ("input", "symbolic", "proof")


@dataclass(frozen=True, slots=True)
class Sample:
    """What a learner sees (`input`), what is true of it (`label`), and why (`symbolic`, `proof`).

    The three are JSON objects in every family. Where a sample is a graph, ``input["edges"]`` is a list of
    [source, relation, target] and ``input["query"]`` the two nodes that are asked about.
    """

    id: str  # unique in the dataset; letters, digits, - and _
    task: str
    split: str
    label: Json
    supervised: bool = True
    input: Json = field(default_factory=dict)
    symbolic: Json = field(default_factory=dict)  # how it was made, and its Prolog text
    proof: Json = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        return {key: getattr(self, key) for key in KEYS}

    def line(self) -> str:
        """The sample's line in samples.jsonl."""
        return json.dumps(self.to_json(), ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Sample:
        return cls(**{key: value[key] for key in KEYS})

    @classmethod
    def from_line(cls, line: str | bytes) -> Sample:
        return cls.from_json(json.loads(line))
