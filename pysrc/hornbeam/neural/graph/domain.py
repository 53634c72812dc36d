"""Graph models for GraphLog, CLUTRR and STaR, behind one interface: a graph, two nodes, a relation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from hornbeam.errors import UsageError
from hornbeam.neural.graph import data
from hornbeam.neural.graph.settings import SETTINGS, GraphOptions, stream_of
from hornbeam.neural.registry import ModelDomain, ModelRecipe, PreparedRun, TrainingJob

_REASONERS, _MESSAGES = "hornbeam.neural.graph.models.reasoners", "hornbeam.neural.graph.models.messages"
_GRAPHLOG = {
    f"{representation}-{composition}": ModelRecipe(
        f"GraphLog: relations from {source}, composed by {reader}",
        "hornbeam.neural.graph.models.graphlog:GraphLogModel",
        {"representation": representation, "composition": composition},
    )
    for representation, source in (("param", "a table"), ("gcn", "a GCN on the world"), ("gat", "a GAT on the world"))
    for composition, reader in (("rgcn", "an R-GCN"), ("egat", "an attention network with edges"))
}


class Graphs(ModelDomain):
    """Models that relate two nodes of a labelled graph."""

    name = "graph"
    families = ("clutrr", "graphlog", "star")
    default_setting = "supervised"
    options_type = GraphOptions
    recipes: ClassVar[Mapping[str, ModelRecipe]] = {
        **_GRAPHLOG,
        "gat": ModelRecipe("CLUTRR: attention with edge vectors", f"{_MESSAGES}:Gat"),
        "rgcn": ModelRecipe("STaR's baseline: relational graph convolutions", f"{_MESSAGES}:Rgcn"),
        "nbfnet": ModelRecipe("neural Bellman-Ford, from the first node of the query", f"{_REASONERS}:NbfNet"),
        "edge-transformer": ModelRecipe(
            "a state for each pair of nodes, triangular attention", f"{_REASONERS}:EdgeTransformer"
        ),
        "ncrl": ModelRecipe("paths folded pair by pair", f"{_REASONERS}:Ncrl"),
        "epignn": ModelRecipe(
            "epistemic states spread forward and backward, met by the smallest or the product", f"{_REASONERS}:EpiGnn"
        ),
    }

    def settings(self) -> Mapping[str, str]:
        return SETTINGS

    def prepare(self, job: TrainingJob) -> PreparedRun:
        from hornbeam.neural.graph.learner import GraphLearner  # it needs torch_geometric, listing the models does not

        options = job.options
        assert isinstance(options, GraphOptions)
        paths = options.paths if job.model == "ncrl" else 0
        loaded = data.load(job.dataset, worlds=options.worlds, also_test=options.also_test, paths=paths)
        own = {"both": None, "representation": "composition", "composition": "representation"}[options.share]
        if own is not None and job.model not in _GRAPHLOG:
            raise UsageError(f"{job.model} has no separate parts; share=both is for it, or a model such as gat-egat")
        learner = GraphLearner(
            lambda: self.build(job.model, len(loaded.store.relations), options=options),
            loaded,
            own=own,
            judge_all=job.setting in ("continual", "curriculum"),
        )
        return PreparedRun(learner, stream_of(job.setting, loaded, options))
