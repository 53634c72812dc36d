"""`hornbeam explain`: a sample's story, its proof step by step, and its family, from the dataset's own Prolog."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from hornbeam.clutrr.knowledge import PREDICATES
from hornbeam.clutrr.record import Record, facts
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.logic import Prolog

_FILES = ("theory.pl", "background.pl", "reasoning.pl", "english.pl")


def explain(dataset: Dataset, sample: Sample) -> str:
    """Why the answer is what it is."""
    record = Record.of(sample)
    person, other = record.query
    seen: Any = sample.input
    proof, family = _ask(dataset, sample)
    unproven = ["this does not follow from the story by the rules of the dataset"]
    parts = [seen["story"], "", f"{other} is the {sample.label} of {person}:", *(proof or unproven)]
    if family:
        parts += ["", "The family (* is in the story):", *family]
    return "\n".join(parts)


def _ask(dataset: Dataset, sample: Sample) -> tuple[list[str], list[str]]:
    """The lines of the proof and of the family. Only this sample is loaded, contained: a dataset may be anyone's."""
    with tempfile.TemporaryDirectory() as folder, Prolog.contained(readable=[folder]) as prolog:
        for name in _FILES:
            shutil.copy(dataset.file(name), Path(folder, name))
        declared = "".join(f":- dynamic({predicate}).\n" for predicate in PREDICATES)
        program = f"{declared}:- use_module(theory).\n:- include(background).\n{facts(sample)}"
        Path(folder, "load.pl").write_text(program, encoding="utf-8")
        prolog.load(Path(folder, "load.pl"), "user", strict=False)
        proof = prolog.once("explanation(Id, _Pair, Lines)", given={"Id": sample.id})
        family = prolog.once("family_lines(Id, Lines)", given={"Id": sample.id})
    return _lines(proof), _lines(family)


def _lines(answer: Any) -> list[str]:
    lines = [] if answer is None else answer["Lines"]
    return [str(getattr(line, "value", line)) for line in lines]
