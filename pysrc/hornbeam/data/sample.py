"""A sample, with the same keys in all families. docs/samples.md describes `input`, `symbolic` and `proof` of each.

>>> Sample(id="t1-000007", task="t1", split="train", label=True, input={"image": "img/7.png"}).to_json()["label"]
True
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

if TYPE_CHECKING:
    Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
else:
    Json = Any  # msgspec knows no types that contain themselves

KEYS = ("id", "task", "split", "label", "supervised", "input", "symbolic", "proof")


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample of a dataset: what a learner sees, the true answer, and why it is true.

    If the sample is a graph, ``input["edges"]`` is a list of [source, relation, target] and ``input["query"]`` holds
    the two nodes that the question is about.

    Attributes:
        id: Unique in the dataset; letters, digits, - and _.
        task: The task that the sample belongs to.
        split: ``train``, ``valid`` or ``test``.
        label: The true answer.
        supervised: Whether a learner may see the label.
        input: A JSON object: what a learner sees.
        symbolic: A JSON object: the sample as symbols and Prolog text, and how it was generated.
        proof: A JSON object: why the label is true; empty for imported samples without a proof.

    >>> sample = ds.train[0]
    >>> sample.task, sample.input["query"]
    ('ancestor', ['p0', 'p3'])
    """

    id: str
    task: str
    split: str
    label: Json
    supervised: bool = True
    input: Json = field(default_factory=dict)
    symbolic: Json = field(default_factory=dict)
    proof: Json = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        """The sample as a JSON object."""
        return {key: getattr(self, key) for key in KEYS}

    def line(self) -> str:
        """The line of the sample in samples.jsonl.

        >>> Sample.from_line(ds.train[0].line()) == ds.train[0]
        True
        """
        return json.dumps(self.to_json(), ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"

    @classmethod
    def from_line(cls, line: str | bytes) -> Sample:
        """The sample that :meth:`line` wrote."""
        return _DECODER.decode(line)


_DECODER = msgspec.json.Decoder(Sample)
