"""The bytes of small presets, recorded: code that is not meant to change a dataset must not change them.

`python -m tests.recorded_bytes` writes the record again after a change that is meant; say so in CHANGELOG.md.
"""

from __future__ import annotations

import json
import tempfile
from collections import defaultdict
from hashlib import sha256
from pathlib import Path

from PIL import Image

import hornbeam
from hornbeam.data.dataset import Dataset

RECORD = Path(__file__).with_name("recorded_bytes.json")
SEED = 3
PRESETS = (
    "clutrr tiny",
    "clutrr wide",
    "graphlog tiny",
    "graphlog tiny-compat",
    "kandy tour",
    "rudas demo",
    "rudas recursive",
    "star interval-small",
    "star point",
    "star rcc8-small",
)


def generate(preset: str, folder: Path) -> Dataset:
    family, name = preset.split()
    return hornbeam.generate(family, name, out=folder / name, seed=SEED, workers=1)


def digests(dataset: Dataset) -> dict[str, str]:
    """One digest for each file of the top folder, and one for each folder in it with all that it holds."""
    contents: dict[str, list[str]] = defaultdict(list)
    for path in sorted(path for path in dataset.path.rglob("*") if path.is_file()):
        name = path.relative_to(dataset.path)
        contents[name.parts[0]].append(f"{name.as_posix()} {_content(path)}")
    del contents["manifest.json"]  # it names the version of Hornbeam; its digests are those of the files here
    return {name: sha256("\n".join(lines).encode()).hexdigest()[:16] for name, lines in contents.items()}


def _content(path: Path) -> str:
    """Of a picture the pixels: how tightly they are packed depends on the machine's zlib."""
    content = Image.open(path).convert("RGBA").tobytes() if path.suffix == ".png" else path.read_bytes()
    return sha256(content).hexdigest()


def recorded() -> dict[str, dict[str, str]]:
    record: dict[str, dict[str, str]] = json.loads(RECORD.read_text(encoding="utf-8"))
    return record


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        record = {preset: digests(generate(preset, Path(folder) / preset.split()[0])) for preset in PRESETS}
    RECORD.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
