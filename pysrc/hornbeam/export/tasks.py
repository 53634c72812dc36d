"""Tasks in the formats of other systems: Popper's and Aleph's files, and networks as PyTorch Geometric `Data`.

PyTorch Geometric gets a file for each split: ``torch.load("train.pt", weights_only=False)`` gives a list. Each element
has `edge_index`, `edge_type`, `query_index` (the two nodes asked about, one above the other), `y` (the number of the
relation between them), `num_nodes`, `name` (the sample's opaque id) and `task`. relations.json names relations by
number; a type beyond them is a set of relations, which its `kinds` lists.

PyTorch Geometric shifts whatever has `index` in its name by the nodes of the graphs before it: in a batch,
``batch.query_index[:, i]`` are the nodes of graph `i` in the numbers of the batch, without a class of ours to import.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbeam.data.opaque import opaque_id
from hornbeam.errors import UsageError
from hornbeam.export import ExportRequest
from hornbeam.extras import need
from hornbeam.networks.network import Network
from hornbeam.tasks.problem import EXAMPLES, NETWORKS, ExampleTask, NetworkTask

if TYPE_CHECKING:
    from hornbeam.neural.graph.store import GraphStore


def popper(request: ExportRequest, folder: Path) -> list[Path]:
    """exs.pl, bk.pl and bias.pl; several tasks have a folder each."""
    from hornbeam.ilp.popper.files import write_task

    return _written(request, folder, "popper", write_task)


def aleph(request: ExportRequest, folder: Path) -> list[Path]:
    """TASK.b, TASK.f and TASK.n; several tasks have a folder each."""
    from hornbeam.ilp.aleph.learner import write_task

    return _written(request, folder, "aleph", lambda task, place: write_task(task, place, stem=task.name))


def _written(request: ExportRequest, folder: Path, to: str, write: Callable[[ExampleTask, Path], Any]) -> list[Path]:
    family = request.dataset.family
    if EXAMPLES not in family.learning_views:
        raise UsageError(f"the family {family.name} has no tasks with examples, which {to} needs")
    names = request.dataset.tasks if request.task is None else [request.task]
    places = [folder / name if len(names) > 1 else folder for name in names]
    for name, place in zip(names, places, strict=True):
        problem = family.learning_problem(request.dataset, EXAMPLES, name, request.options)
        assert isinstance(problem.task, ExampleTask)
        write(problem.task, place)
    return places


def pyg(request: ExportRequest, folder: Path) -> list[Path]:
    """SPLIT.pt for each split, and relations.json."""
    request.refuse_options("pyg")
    need("torch", "this export")
    need("torch_geometric", "this export")
    import torch

    dataset = request.dataset
    placed, store = stored_networks(request)
    relations = store.relations
    splits = list(dict.fromkeys(split for split, _, _ in placed))
    for split in splits:
        rows = [
            data_of(store, row, dataset.family.shown_task(dataset, task), opaque_id(dataset, network.name))
            for row, (part, task, network) in enumerate(placed)
            if part == split
        ]
        torch.save(rows, folder / f"{split}.pt")
    kinds = [[name for name, share in zip(relations, row, strict=True) if share] for row in store.kinds.tolist()]
    text = json.dumps({"relations": list(relations), "kinds": kinds}, indent=1, ensure_ascii=False)
    (folder / "relations.json").write_text(f"{text}\n", encoding="utf-8")
    return [folder / f"{split}.pt" for split in splits]


def _networks(request: ExportRequest) -> Iterator[tuple[str, str, Network]]:
    """All networks with their split and the task of their sample; only those of one task where it is named."""
    dataset, family = request.dataset, request.dataset.family
    if NETWORKS not in family.learning_views:
        raise UsageError(f"the family {family.name} has no networks, which pyg needs")
    task_of = {sample.id: sample.task for sample in dataset.samples}
    wanted = dataset.tasks if request.task is None else [request.task]
    learned = family.learning_tasks(dataset)
    for name in wanted if family.tasks_are_worlds else learned:
        problem = family.learning_problem(dataset, NETWORKS, name, {})
        assert isinstance(problem.task, NetworkTask)
        parts = {"train": problem.task.networks, **{split: held.networks for split, held in problem.held.items()}}
        for split, networks in parts.items():
            tasks = [task_of[network.name] for network in networks]
            yield from ((split, task, one) for task, one in zip(tasks, networks, strict=True) if task in wanted)


def stored_networks(request: ExportRequest) -> tuple[list[tuple[str, str, Network]], GraphStore]:
    """All networks with their split and task, and the store that has them in this order."""
    from hornbeam.neural.graph.store import encode

    placed = list(_networks(request))
    named = {name for _, _, network in placed for edge in network.edges for name in edge.relations}
    relations = sorted(named | {name for _, _, network in placed for name in network.answer})
    return placed, encode([network for _, _, network in placed], relations)


def data_of(store: GraphStore, row: int, task: str, name: str) -> Any:
    """A network of a store as `Data` of PyTorch Geometric."""
    import torch
    from torch_geometric.data import Data

    batch = store.batch(torch.tensor([row]))
    return Data(
        edge_index=torch.stack([batch.sources, batch.targets]),
        edge_type=batch.types,
        query_index=batch.queries.t(),
        y=batch.labels,
        num_nodes=batch.nodes,
        name=name,
        task=task,
    )
