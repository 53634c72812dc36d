"""Reads the inputs of a dataset, keeps the readings in a folder, and goes on where an earlier run stopped."""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbeam import resources
from hornbeam.config import validated
from hornbeam.data.files import whole_lines
from hornbeam.data.reading import SampleReader
from hornbeam.errors import EngineUnavailable, UsageError
from hornbeam.perception import perceiver as perceivers
from hornbeam.perception.perceiver import Alternative, Perceiver, PerceiverSettings, Preparation, Reader, Reading
from hornbeam.perception.pictures.loading import pictures_of
from hornbeam.progress import Progress, no_progress

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset
    from hornbeam.data.sample import Sample

SYMBOLS = "symbols"
SOURCES = (SYMBOLS, perceivers.PICTURES)
"""The values of `--from`: what a learner learns from."""
_BATCH = 64
_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Perception:
    """How a dataset is perceived: by whom, with which settings, and where readings are kept."""

    perceiver: Perceiver
    settings: PerceiverSettings
    folder: Path
    _known: dict[Path, dict[str, Reading]] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, source: str, name: str, settings: Mapping[str, Any], folder: Path) -> Perception:
        """The perception by a perceiver.

        Raises:
            UsageError: if the perceiver is unknown or reads something else, or a setting is invalid.
            EngineUnavailable: if it cannot run here.
        """
        chosen = perceivers.get(name)
        if chosen.source != source:
            raise UsageError(f"the perceiver {name} reads {chosen.source}, not {source}")
        missing = chosen.available()
        if missing is not None:
            raise EngineUnavailable(f"the perceiver {name} cannot run here: {missing}")
        checked = validated(chosen.settings_type, settings, kind=f"setting of {name}", option="--perceiver-set")
        return cls(chosen, checked, folder)

    @property
    def label(self) -> str:
        """Its name in tables."""
        return f"{self.perceiver.name} on {self.perceiver.source}"

    def key(self, dataset: Dataset) -> str:
        """The same for readings that would come out the same."""
        digest = hashlib.sha256((dataset.path / "manifest.json").read_bytes())
        digest.update(f"{self.perceiver.name} {self.settings.model_dump_json()}".encode())
        folder = Path(inspect.getfile(type(self.perceiver))).parent
        sources = {*_HERE.rglob("*.py"), *folder.rglob("*.py"), *_knowledge()}
        for file in sorted(sources):
            digest.update(file.read_bytes())
        return digest.hexdigest()[:20]

    def readings(
        self, dataset: Dataset, samples: Sequence[Sample], progress: Progress = no_progress
    ) -> dict[str, Reading]:
        """The readings of some samples, by id; those of earlier runs are not made again."""
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / f"{self.perceiver.name}-{self.key(dataset)}.jsonl"
        known = self._known.setdefault(file, {})
        known |= _kept(file, dataset, [sample for sample in samples if sample.id not in known])
        missing = [sample for sample in samples if sample.id not in known]
        progress(len(samples) - len(missing), len(samples))
        if missing:
            reader = self.perceiver.prepare(Preparation(dataset, self.folder, self.settings, progress))
            with file.open("a", encoding="utf-8") as stream:
                for batch in _read(reader, dataset, missing):
                    for reading in batch:
                        known[reading.id] = reading
                        stream.write(json.dumps(reading.to_json(), ensure_ascii=False) + "\n")
                    stream.flush()
                    progress(sum(sample.id in known for sample in samples), len(samples))
        return {sample.id: known[sample.id] for sample in samples}


def _knowledge() -> Iterator[Path]:
    """The sources of how pictures are drawn and parsed."""
    yield from resources.kb("kandy", "pictures").rglob("*.pl")
    yield resources.prolog("kandy", "parsing.pl")


def _kept(file: Path, dataset: Dataset, samples: Sequence[Sample]) -> dict[str, Reading]:
    """The readings of these samples that a file has. What is damaged, or fits no such sample, is read again."""
    wanted = {sample.id: sample for sample in samples}
    reader = SampleReader.of(dataset)
    kept: dict[str, Reading] = {}
    for line in whole_lines(file) if wanted else ():
        with contextlib.suppress(ValueError, RecursionError):
            reading = Reading.from_json(json.loads(line))
            if reading.id in wanted and all(_fits(one, wanted[reading.id], reader) for one in reading.alternatives):
                kept[reading.id] = reading
    return kept


def _fits(alternative: Alternative, sample: Sample, reader: SampleReader) -> bool:
    """Whether a sample may have these symbols; ValueError if they are none of its dataset."""
    symbols: Any = sample.symbolic
    seen = replace(sample, symbolic={**symbols, **alternative.symbolic})
    reader.check(reader.decode(seen.line().encode()), seen)
    return alternative.log_probability <= 0


def _read(reader: Reader, dataset: Dataset, samples: Sequence[Sample]) -> Iterator[list[Reading]]:
    for start in range(0, len(samples), _BATCH):
        yield reader.perceive(pictures_of(dataset, samples[start : start + _BATCH]))
