"""Datasets for your own training loop: map-style, for loaders of plain torch and of PyTorch Geometric.

``hb.torch.pictures`` gives pictures with their labels, ``hb.torch.graphs`` networks with the relation asked about:

    import hornbeam as hb
    from torch.utils.data import DataLoader

    pictures = hb.torch.pictures(hb.load("data/kandy"), task="t00_red", split="train")
    for batch in DataLoader(pictures, batch_size=16, shuffle=True):
        batch.image, batch.label                     # [16, 3, 224, 224] from 0 to 1, [16]

    graphs = hb.torch.graphs(hb.load("data/rcc8"), split="train")
    for batch in DataLoader(graphs, batch_size=16, collate_fn=graphs.collate):
        batch.edge_index, batch.edge_type, batch.query_index, batch.y

A loader of PyTorch Geometric takes `graphs` as they are. Samples whose label is hidden are left out of `train` and
`valid`: a learner does not see them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.errors import UsageError, unknown_name
from hornbeam.extras import need

need("torch", "datasets for torch")
import numpy as np  # noqa: E402
import torch  # noqa: E402
from torch import Tensor  # noqa: E402

if TYPE_CHECKING:
    from hornbeam.neural.graph.store import GraphStore

_HELD = "test"


class PictureItem(NamedTuple):
    """A picture: [3, height, width] from 0 to 1; whether it is valid, 0 or 1; its task by number; the sample's id."""

    image: Any
    label: int
    task: int
    id: str


class PictureSet(torch.utils.data.Dataset[PictureItem]):
    """The pictures of a split. `tasks` names the tasks by number, `samples` are the samples in order."""

    def __init__(self, dataset: Dataset, samples: Sequence[Sample], transform: Callable[[Tensor], Any] | None) -> None:
        self.dataset, self.samples, self.transform = dataset, list(samples), transform
        self.tasks = dataset.tasks

    def __len__(self) -> int:
        return len(self.samples)

    def __getitem__(self, number: int) -> PictureItem:
        from PIL import Image

        from hornbeam.kandy.pictures import picture_of

        sample = self.samples[number]
        file = picture_of(self.dataset, sample)
        if file is None:
            raise UsageError(f"the sample {sample.id} has no picture", file=str(self.dataset.path))
        with Image.open(file) as picture:
            pixels = torch.from_numpy(np.array(picture.convert("RGB")))
        image = pixels.permute(2, 0, 1).float() / 255
        task = self.tasks.index(sample.task)
        return PictureItem(self.transform(image) if self.transform else image, int(bool(sample.label)), task, sample.id)

    def __repr__(self) -> str:
        return f"PictureSet({len(self)} pictures of {self.dataset.path.name})"


def pictures(
    dataset: Dataset,
    *,
    task: str | None = None,
    split: str = "train",
    transform: Callable[[Tensor], Any] | None = None,
) -> PictureSet:
    """The pictures of a KANDY dataset.

    Args:
        dataset: The dataset.
        task: One task; all if None.
        split: The split.
        transform: Applied to each picture, a tensor [3, height, width] from 0 to 1.

    Raises:
        UsageError: if the dataset has no pictures, or no such task or split.
    """
    if dataset.manifest.family != "kandy":
        raise UsageError(f"the family {dataset.manifest.family} has no pictures", file=str(dataset.path))
    return PictureSet(dataset, _seen(dataset, task, split), transform)


@dataclass(frozen=True)
class PlainBatch:
    """Networks side by side, as plain tensors: nodes are numbered through."""

    edge_index: Tensor  # [2, edges]
    edge_type: Tensor  # [edges]
    query_index: Tensor  # [2, graphs]: the two nodes asked about
    y: Tensor  # [graphs]: the number of the relation
    batch: Tensor  # [nodes]: which graph a node is of


class GraphSet(torch.utils.data.Dataset[Any]):
    """The networks of a split, each a `Data` of PyTorch Geometric.

    Attributes:
        relations: The relations by number; `y` is such a number.
        kinds: The types of edges by number, each a list of relations: most have one.
        ids: The ids of the samples.
    """

    def __init__(self, store: GraphStore, rows: Sequence[tuple[int, str, str]]) -> None:
        self._store, self._rows = store, rows
        self.relations = list(store.relations)
        self.kinds = [
            [name for name, share in zip(self.relations, kind, strict=True) if share] for kind in store.kinds.tolist()
        ]
        self.ids = [name for _, _, name in rows]

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, number: int) -> Any:
        from hornbeam.export.tasks import data_of

        row, task, name = self._rows[number]
        return data_of(self._store, row, task, name)

    @staticmethod
    def collate(items: Sequence[Any]) -> PlainBatch:
        """A batch for loaders of plain torch."""
        sizes = torch.tensor([item.num_nodes for item in items])
        shifts = (sizes.cumsum(0) - sizes).tolist()
        return PlainBatch(
            torch.cat([item.edge_index + shift for item, shift in zip(items, shifts, strict=True)], dim=1),
            torch.cat([item.edge_type for item in items]),
            torch.cat([item.query_index + shift for item, shift in zip(items, shifts, strict=True)], dim=1),
            torch.cat([item.y for item in items]),
            torch.repeat_interleave(torch.arange(len(items)), sizes),
        )

    def __repr__(self) -> str:
        return f"GraphSet({len(self)} networks, {len(self.relations)} relations)"


def graphs(dataset: Dataset, *, task: str | None = None, split: str = "train") -> GraphSet:
    """The networks of a CLUTRR, GraphLog or STaR dataset. Relations have the same numbers in all splits.

    Args:
        dataset: The dataset.
        task: One task; all if None.
        split: The split.

    Raises:
        UsageError: if the family has no networks, or the dataset no such task or split.
    """
    need("torch_geometric", "graphs for torch")
    from hornbeam.export import ExportRequest
    from hornbeam.export.tasks import stored_networks

    seen = {sample.id for sample in _seen(dataset, task, split)}
    placed, store = stored_networks(ExportRequest(dataset))
    rows = [(row, told, network.name) for row, (part, told, network) in enumerate(placed) if part == split]
    return GraphSet(store, [one for one in rows if one[2] in seen])


def _seen(dataset: Dataset, task: str | None, split: str) -> list[Sample]:
    """The samples of a split, and those only whose label may be learned from where it is not for testing."""
    if split not in dataset.splits:
        raise unknown_name("split", split, dataset.splits, file=str(dataset.path))
    samples = dataset.split(split) if task is None else dataset.task(dataset.one_task(task)).split(split)
    return [sample for sample in samples if sample.supervised or split == _HELD]
