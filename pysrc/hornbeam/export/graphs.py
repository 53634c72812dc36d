"""Networks as PyTorch Geometric `Data`, a file a split: ``torch.load("train.pt", weights_only=False)`` gives the list.

Each has `edge_index`, `edge_type`, `query_index` (the two nodes asked about, one above the other), `y` (the number of
the relation between them), `num_nodes`, `name` (the sample's id) and `task`. relations.json names the relations by
number; a type beyond them is a set of relations, which its `kinds` lists.

PyTorch Geometric shifts whatever has `index` in its name by the nodes of the graphs before it: in a batch,
``batch.query_index[:, i]`` are the nodes of graph `i` in the batch's own numbers, without a class of ours to import.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbeam.errors import UsageError
from hornbeam.export import Order
from hornbeam.networks.network import Network
from hornbeam.neural.installed import need
from hornbeam.tasks.problem import NETWORKS, NetworkTask

if TYPE_CHECKING:
    from hornbeam.neural.graph.store import GraphStore


def pyg(order: Order, folder: Path) -> list[Path]:
    """SPLIT.pt for each split, and relations.json."""
    order.refuse_options("pyg")
    need("torch", "this export")
    need("torch_geometric", "this export")
    import torch

    from hornbeam.neural.graph.store import encode

    placed = list(_networks(order))
    named = {name for _, _, network in placed for edge in network.edges for name in edge.relations}
    relations = sorted(named | {name for _, _, network in placed for name in network.answer})
    store = encode([network for _, _, network in placed], relations)
    splits = list(dict.fromkeys(split for split, _, _ in placed))
    for split in splits:
        rows = [_data(store, row, task, network) for row, (part, task, network) in enumerate(placed) if part == split]
        torch.save(rows, folder / f"{split}.pt")
    kinds = [[name for name, share in zip(relations, row, strict=True) if share] for row in store.kinds.tolist()]
    text = json.dumps({"relations": relations, "kinds": kinds}, indent=1, ensure_ascii=False)
    (folder / "relations.json").write_text(f"{text}\n", encoding="utf-8")
    return [folder / f"{split}.pt" for split in splits]


def _networks(order: Order) -> Iterator[tuple[str, str, Network]]:
    """All networks with their split and the task of their sample; only those of one task where it is named."""
    dataset, family = order.dataset, order.dataset.family
    if NETWORKS not in family.learning_views:
        raise UsageError(f"the family {family.name} has no networks, which pyg wants")
    task_of = {sample.id: sample.task for sample in dataset.samples}
    wanted = dataset.tasks if order.task is None else [order.task]
    learned = family.learning_tasks(dataset)
    for name in wanted if family.tasks_are_worlds else learned:
        problem = family.learning_problem(dataset, NETWORKS, name, {})
        assert isinstance(problem.task, NetworkTask)
        parts = {"train": problem.task.networks, **{split: held.networks for split, held in problem.held.items()}}
        for split, networks in parts.items():
            tasks = [task_of[network.name] for network in networks]
            yield from ((split, task, one) for task, one in zip(tasks, networks, strict=True) if task in wanted)


def _data(store: GraphStore, row: int, task: str, network: Network) -> Any:
    import torch
    from torch_geometric.data import Data

    batch = store.batch(torch.tensor([row]))
    return Data(
        edge_index=torch.stack([batch.sources, batch.targets]),
        edge_type=batch.types,
        query_index=batch.queries.t(),
        y=batch.labels,
        num_nodes=batch.nodes,
        name=network.name,
        task=task,
    )
