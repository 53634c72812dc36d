"""A graph model on the trainer: its rows are graphs, each of a world."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor, nn

from hornbeam.neural.devices import device_of, on_processor, onto
from hornbeam.neural.graph.data import GraphData
from hornbeam.neural.graph.models.graphlog import GraphLogModel
from hornbeam.neural.graph.settings import Stretch
from hornbeam.neural.learner import Classifier, Experience, Rows


class GraphLearner(Classifier):
    """`own` names the part of a GraphLog model that each world has for itself: "representation", "composition"."""

    def __init__(
        self, make: Callable[[], nn.Module], data: GraphData, *, own: str | None = None, judge_all: bool = False
    ) -> None:
        super().__init__(data.store.labels, data.held, names=data.names, relations=data.store.relations)
        self.make, self.data, self.own, self.judge_all = make, data, own, judge_all
        self.module = self._new_module()
        self._pretrained: dict[str, Tensor] | None = None

    def _new_module(self) -> nn.Module:
        """New weights; each world gets a copy of what is its own."""
        module = self.make()
        if self.own is not None:
            part = getattr(module, self.own)
            module.add_module("own", nn.ModuleDict({name: copy.deepcopy(part) for name in self.data.worlds}))
        return module

    def begin(self, experience: Experience) -> None:
        if isinstance(experience, Stretch) and experience.from_pretrained:
            if self._pretrained is None:
                self._pretrained = {name: value.clone() for name, value in self.module.state_dict().items()}
            self.module.load_state_dict(self._pretrained)
        elif experience.fresh:
            self.module = self._new_module()

    def scores(self, rows: Rows) -> Tensor:
        worlds = self.data.world_of[rows]
        parts, places = [], []
        for world in sorted(set(worlds.tolist())):
            chosen = torch.from_numpy((worlds == world).nonzero()[0])
            in_world = self._in_world(torch.from_numpy(rows)[chosen], world)
            if len(chosen) == len(rows):
                return in_world
            parts.append(in_world)
            places.append(chosen)
        order = onto(torch.cat(places).argsort(), device_of(self.module))
        return torch.cat(parts)[order]

    def _in_world(self, rows: Tensor, world: int) -> Tensor:
        module: Any = self.module
        device = device_of(module)
        with on_processor():
            batch = self.data.store.batch(rows)
        batch = onto(batch, device)
        if not isinstance(module, GraphLogModel):
            scores: Tensor = module(batch)
            return scores
        if self.own is not None:
            copies: Any = module.own
            module.use(self.own, copies[self.data.worlds[world]])
        return module(batch, onto(self.data.graphs[world], device))

    def judged(self, experience: Experience) -> tuple[str, ...]:
        return self.data.worlds if self.judge_all else experience.tasks

    def state(self) -> dict[str, Any]:
        return {"pretrained": self._pretrained}

    def load_state(self, state: Mapping[str, Any]) -> None:
        self._pretrained = state["pretrained"]
