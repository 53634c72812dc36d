"""Reading stories: sentences a CPU second of the neural reader, beside the grammar run backwards.

Three networks, as by default, read all stories of a dataset with k up to 10. How long they were trained does not change
their speed.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import hornbeam
from hornbeam.perception.perceiver import STORIES, Preparation, Reader, Story
from hornbeam.perception.readings import Perception
from hornbeam.perception.stories.loading import stories_of
from hornbeam.perception.stories.passages import passages_of

PASSES = 3
READERS: dict[str, dict[str, Any]] = {"neural": {"steps": 2, "annotated": "all"}, "grammar": {}}


def run() -> None:
    """Print a table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dataset = hornbeam.generate("clutrr", "generalization-k23-small", out=folder / "data", seed=7)
        stories = stories_of(dataset, dataset.samples)
        sentences = sum(part.text.count(".") for one in stories for part in passages_of(one.text))
        print(f"{'reader':<28}{'stories':>9}{'sentences':>11}{'sentences a CPU second':>25}")
        for reader, settings in READERS.items():
            perception = Perception.of(STORIES, reader, settings, folder)
            ready = perception.perceiver.prepare(Preparation(dataset, folder, perception.settings))
            best = min(_seconds(ready, stories) for _ in range(PASSES))
            label = reader if reader == "neural" else "grammar (the baseline)"
            print(f"{label:<28}{len(stories):>9}{sentences:>11}{sentences / best:>25,.0f}")


def _seconds(reader: Reader, stories: Sequence[Story]) -> float:
    start = time.process_time()
    reader.perceive(stories)
    return time.process_time() - start
