"""The published CSV files as a Hornbeam dataset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError
from hornbeam.family import Batch
from hornbeam.star.calculus import Calculus, load_calculus
from hornbeam.star.config import SPLITS, Cells, Split, StarConfig
from hornbeam.star.dataset import input_of
from hornbeam.star.graph import paths
from hornbeam.star.network import Network
from hornbeam.star.original import PublishedFile, published_file, read_rows

_BATCH = 1000


def import_files(files: Sequence[Path], options: Mapping[str, str]) -> tuple[StarConfig, Iterator[Batch]]:
    """Files of one calculus; their names say split and cell."""
    if options:
        raise UsageError(f"the import of star takes no options, found {sorted(options)[0]}")
    if not files:
        raise UsageError("expected published files such as train_rcc8.csv or test_interval_k_4_b_3.csv")
    found = [published_file(path) for path in files]
    for path in files:
        if not path.is_file():
            raise UsageError("there is no such file", file=str(path))
    others = {file.calculus for file in found}
    if len(others) > 1:
        raise UsageError(f"files of one calculus at a time, found {', '.join(sorted(others))}")
    calculus = load_calculus(found[0].calculus)
    return _config(calculus, found), _batches(calculus, found)


def _config(calculus: Calculus, files: Sequence[PublishedFile]) -> StarConfig:
    """A configuration that names the cells; the rows are whatever the files hold."""
    splits: dict[str, list[Cells]] = {}
    for file in files:
        k, b = file.cell or (2, 1)
        splits.setdefault(file.split, []).append(Cells(k=(k,), b=(b,), rows=1))
    made = {split: Split(cells=tuple(splits.get(split, ()))) for split in SPLITS}
    return StarConfig(
        calculus=calculus.name, profile="compat", train=made["train"], valid=made["valid"], test=made["test"]
    )


def _batches(calculus: Calculus, files: Sequence[PublishedFile]) -> Iterator[Batch]:
    for number, file in enumerate(files):
        batch = Batch()
        row = -1
        for row, (network, label) in enumerate(read_rows(file.path, calculus)):
            batch.samples.append(_sample(calculus, file, f"{file.split}-f{number:03}-{row:06}", network, label))
            if len(batch.samples) == _BATCH:
                yield batch
                batch = Batch()
        if row < 0:
            raise UsageError("the file has no row", file=str(file.path))
        yield batch


def _sample(calculus: Calculus, file: PublishedFile, name: str, network: Network, label: str) -> Sample:
    k, b = file.cell or _cell_of(network)
    return Sample(
        id=name,
        task=f"k{k}_b{b}",
        split=file.split,
        label=label,
        input=input_of(calculus, network),
        symbolic={"calculus": calculus.name, "k": k, "b": b, "file": file.path.name},
    )


def _cell_of(network: Network) -> tuple[int, int]:
    """A training file does not say its cells: k is the length of a path, b the number of edges from the source."""
    first = next(paths(network), [])
    return len(first), sum(u == network.query[0] for u, _ in network.edges)
