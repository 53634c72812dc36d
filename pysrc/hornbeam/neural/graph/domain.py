"""Graph models for GraphLog, CLUTRR and STaR, behind one interface: a graph, two nodes, a relation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hornbeam.errors import UsageError
from hornbeam.neural.registry import Domain, Job, Work

if TYPE_CHECKING:
    from torch import nn

    from hornbeam.neural.graph.options import GraphOptions

_GRAPHLOG = {
    f"{representation}-{composition}": f"GraphLog: relations from {source}, composed by {reader}"
    for representation, source in (("param", "a table"), ("gcn", "a GCN on the world"), ("gat", "a GAT on the world"))
    for composition, reader in (("rgcn", "an R-GCN"), ("egat", "an attention network with edges"))
}
_OTHERS = {
    "gat": "CLUTRR: attention with edge vectors",
    "rgcn": "STaR's baseline: relational graph convolutions",
    "nbfnet": "neural Bellman-Ford, from the first node of the query",
    "edge-transformer": "a state for each pair of nodes, triangular attention",
    "ncrl": "paths folded pair by pair",
    "epignn": "epistemic states spread forward and backward, met by the smallest or the product",
}


@dataclass(frozen=True)
class _Recipe:
    """How a model is made: its class, and which options it takes under which of its own names."""

    make: Callable[..., nn.Module]
    takes: Mapping[str, str]


class Graphs(Domain):
    """Models that relate two nodes of a labelled graph."""

    name = "graph"
    families = ("clutrr", "graphlog", "star")
    default_setting = "supervised"

    @property
    def options_type(self) -> type[GraphOptions]:
        from hornbeam.neural.graph.options import GraphOptions

        return GraphOptions

    def built_in_models(self) -> Mapping[str, str]:
        return {**_GRAPHLOG, **_OTHERS}

    def settings(self) -> Mapping[str, str]:
        from hornbeam.neural.graph.settings import SETTINGS

        return SETTINGS

    def prepare(self, job: Job) -> Work:
        from hornbeam.neural.graph import data
        from hornbeam.neural.graph.learner import GraphLearner
        from hornbeam.neural.graph.settings import stream

        options: Any = job.options
        paths = options.paths if job.model == "ncrl" else 0
        loaded = data.load(job.dataset, worlds=options.worlds, also_test=options.also_test, paths=paths)
        relations = len(loaded.store.relations)
        own = {"both": None, "representation": "composition", "composition": "representation"}[options.share]
        if own is not None and job.model not in _GRAPHLOG:
            raise UsageError(f"{job.model} has no separate parts; share=both is for it, or a model such as gat-egat")
        learner = GraphLearner(
            lambda: self._model(job.model, relations, options),
            loaded,
            own=own,
            judge_all=job.setting in ("continual", "curriculum"),
        )
        return Work(learner, stream(job.setting, loaded, options))

    def _model(self, name: str, relations: int, options: GraphOptions) -> nn.Module:
        if name in self.plugins.names():
            made: nn.Module = self.plugins.get(name)(relations, options)
            return made
        if name in _GRAPHLOG:
            from hornbeam.neural.graph.models.graphlog import GraphLogModel

            representation, composition = name.split("-")
            return GraphLogModel(relations, representation, composition, **_given(options, {"width": "width"}))
        recipe = _recipes()[name]
        return recipe.make(relations, **_given(options, recipe.takes))


def _given(options: GraphOptions, takes: Mapping[str, str]) -> dict[str, Any]:
    """The options that are set, under the model's names."""
    return {own: getattr(options, name) for name, own in takes.items() if getattr(options, name) is not None}


def _recipes() -> dict[str, _Recipe]:
    from hornbeam.neural.graph.models.attention import Gat
    from hornbeam.neural.graph.models.convolution import Rgcn
    from hornbeam.neural.graph.models.edge_transformer import EdgeTransformer
    from hornbeam.neural.graph.models.epignn import EpiGnn
    from hornbeam.neural.graph.models.nbfnet import NbfNet
    from hornbeam.neural.graph.models.ncrl import Ncrl

    def same(*names: str) -> dict[str, str]:
        return {name: name for name in names}

    return {
        "gat": _Recipe(Gat, same("width", "rounds", "heads", "dropout")),
        "rgcn": _Recipe(Rgcn, same("width", "rounds")),
        "nbfnet": _Recipe(NbfNet, same("width", "rounds", "pooling", "message")),
        "edge-transformer": _Recipe(EdgeTransformer, same("width", "rounds", "heads", "dropout")),
        "ncrl": _Recipe(Ncrl, same("width")),
        "epignn": _Recipe(EpiGnn, same("width", "rounds", "facets", "pooling", "margin")),
    }
