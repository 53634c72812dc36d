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
from hornbeam.errors import EngineUnavailable
from hornbeam.perception import perceiver as perceivers
from hornbeam.perception.perceiver import Alternative, Perceiver, PerceiverSettings, Preparation, Reader, Reading
from hornbeam.perception.pictures.loading import pictures_of
from hornbeam.perception.stories.loading import stories_of
from hornbeam.progress import Progress, no_progress

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset
    from hornbeam.data.sample import Sample

SYMBOLS = "symbols"
SOURCES = (SYMBOLS, *perceivers.REGISTRIES)
"""The values of `--from`: what a learner learns from."""
_BATCH, _STORIES = 64, 1024  # pictures and stories that are read together
_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Perception:
    """How a dataset is perceived: by whom, with which settings, and where readings are kept."""

    perceiver: Perceiver
    settings: PerceiverSettings
    folder: Path
    _known: dict[Path, dict[str, Reading]] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, source: str, name: str | None, settings: Mapping[str, Any], folder: Path) -> Perception:
        """The perception by a perceiver; without a name by the default one of the source.

        Raises:
            UsageError: if the source has no such perceiver, or a setting is invalid.
            EngineUnavailable: if it cannot run here.
        """
        chosen = perceivers.REGISTRIES[source].get(name or perceivers.DEFAULTS[source])
        name = chosen.name
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
        sources = {*_HERE.rglob("*.py"), *folder.rglob("*.py"), *_knowledge(self.perceiver.source)}
        for file in sorted(sources):
            digest.update(file.read_bytes())
        return digest.hexdigest()[:20]

    def readings(
        self, dataset: Dataset, samples: Sequence[Sample], progress: Progress = no_progress
    ) -> dict[str, Reading]:
        """The readings of some samples, by id; those of earlier runs are not made again."""
        self.folder.mkdir(parents=True, exist_ok=True)
        kind = "" if self.perceiver.source == perceivers.PICTURES else f"{self.perceiver.source}-"
        file = self.folder / f"{kind}{self.perceiver.name}-{self.key(dataset)}.jsonl"
        known = self._known.setdefault(file, {})
        wanted = [sample for sample in samples if sample.id not in known]
        known |= _kept(file, self.perceiver.source, dataset, wanted)
        missing = [sample for sample in samples if sample.id not in known]
        progress(len(samples) - len(missing), len(samples))
        if missing:
            reader = self.perceiver.prepare(Preparation(dataset, self.folder, self.settings, progress))
            with file.open("a", encoding="utf-8") as stream:
                for batch in _read(reader, self.perceiver.source, dataset, missing):
                    for reading in batch:
                        known[reading.id] = reading
                        stream.write(json.dumps(reading.to_json(), ensure_ascii=False) + "\n")
                    stream.flush()
                    progress(sum(sample.id in known for sample in samples), len(samples))
        return {sample.id: known[sample.id] for sample in samples}


def _knowledge(source: str) -> Iterator[Path]:
    """The sources of how pictures are drawn and parsed, and of how stories are told and read."""
    if source == perceivers.PICTURES:
        yield from resources.kb("kandy", "pictures").rglob("*.pl")
        yield resources.prolog("kandy", "parsing.pl")
    else:
        yield from (resources.kb("clutrr", f"{name}.pl") for name in ("names", "phrasings"))
        yield resources.prolog("clutrr", "reading.pl")


def _kept(file: Path, source: str, dataset: Dataset, samples: Sequence[Sample]) -> dict[str, Reading]:
    """The readings of these samples that a file has. What is damaged, or fits no such sample, is read again."""
    wanted = {sample.id: sample for sample in samples}
    reader = SampleReader.of(dataset)
    kept: dict[str, Reading] = {}
    for line in whole_lines(file) if wanted else ():
        with contextlib.suppress(ValueError, RecursionError):
            reading = Reading.from_json(json.loads(line))
            sample = wanted.get(reading.id)
            if sample and all(_fits(one, source, sample, reader) for one in reading.alternatives):
                kept[reading.id] = reading
    return kept


def _fits(alternative: Alternative, source: str, sample: Sample, reader: SampleReader) -> bool:
    """Whether a sample may have these symbols; ValueError if they are none of its dataset."""
    where = "symbolic" if source == perceivers.PICTURES else "input"  # the facts of a story are its edges
    given: Any = getattr(sample, where)
    changed: Any = {where: {**given, **alternative.symbolic}}
    seen = replace(sample, **changed)
    reader.check(reader.decode(seen.line().encode()), seen)
    return alternative.log_probability <= 0


def _read(reader: Reader, source: str, dataset: Dataset, samples: Sequence[Sample]) -> Iterator[list[Reading]]:
    size, inputs = (_BATCH, pictures_of) if source == perceivers.PICTURES else (_STORIES, stories_of)
    for start in range(0, len(samples), size):
        yield reader.perceive(inputs(dataset, samples[start : start + size]))
