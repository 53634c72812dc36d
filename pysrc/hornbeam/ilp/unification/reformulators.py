"""CTP: goals are turned into sub-goals by learned reformulators (Minervini et al., ICML 2020).

A goal is a vector. A module turns it into two sub-goals, one for each part of a path; a path of one edge proves a goal
as well as its relation is near. A proof is as good as its worst step, a goal as good as its best proof, over all
modules and all places at which a path can be cut in two.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from hornbeam.ilp.unification.prover import kernel
from hornbeam.ilp.unification.settings import Kind


class Reformulators(nn.Module):
    """So many modules of two hops, and the vectors of the relations.

    `linear` maps a goal by a matrix; `attentive` gives a mixture of the relations, `memory` one of vectors of its own.
    """

    def __init__(self, relations: int, modules: int, kind: Kind, width: int, rows: int = 64) -> None:
        super().__init__()
        self.kind, self.modules_ = kind, modules
        self.relations = nn.Parameter(torch.randn(relations, width))
        outputs = {"linear": width, "attentive": relations, "memory": rows}[kind]
        self.weight = nn.Parameter(torch.randn(2, modules, width, outputs) / width**0.5)
        self.bias = nn.Parameter(torch.zeros(2, modules, outputs))
        self.memory = nn.Parameter(torch.randn(2, rows, width)) if kind == "memory" else None

    def sub_goals(self, goals: Tensor) -> Tensor:
        """For goals [goal, width] the sub-goals [hop, goal, module, width]."""
        mapped = torch.einsum("gw,hmwo->hgmo", goals, self.weight) + self.bias[:, None]
        if self.kind == "linear":
            return mapped
        shares = torch.softmax(mapped, -1)
        if self.memory is None:
            return shares @ self.relations
        return torch.einsum("hgmr,hrw->hgmw", shares, self.memory)

    def scores(self, goals: Tensor, paths: Tensor, depth: int) -> Tensor:
        """The score of each goal on each path [path, edge], by proofs of at most this depth: [goal, path]."""
        length = paths.shape[1]
        if length == 1:
            return kernel(goals, self.relations)[:, paths[:, 0]]
        if depth == 0:
            return torch.zeros(len(goals), len(paths))
        firsts, seconds = self.sub_goals(goals).flatten(1, 2)
        best = torch.zeros(len(goals), len(paths))
        for cut in range(1, length):
            # Parts that no proof of the depth left can cover need not be looked at.
            if max(cut, length - cut) > 2 ** (depth - 1):
                continue
            left = self.scores(firsts, paths[:, :cut], depth - 1)
            right = self.scores(seconds, paths[:, cut:], depth - 1)
            proofs = torch.minimum(left, right).view(len(goals), self.modules_, len(paths))
            best = torch.maximum(best, proofs.amax(1))
        return best

    def decoded(self) -> list[tuple[int, int, int, float]]:
        """For each relation and module the relations nearest to its sub-goals: head, first, second, how near."""
        with torch.no_grad():
            goals = self.sub_goals(self.relations)
            near, which = kernel(goals, self.relations).max(-1)
        return [
            (head, *which[:, head, module].tolist(), float(near[:, head, module].min()))
            for head in range(len(self.relations))
            for module in range(self.modules_)
        ]
