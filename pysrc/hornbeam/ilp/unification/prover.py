"""The prover: scores of goals by soft unification of predicates (Rocktäschel and Riedel, NIPS 2017), depth 1.

A rule has a vector for its head and for each slot of its body. Vectors unify as well as they are near: exp(-distance).
A proof is as good as its worst unification, a goal as good as its best proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from hornbeam.ilp.unification.templates import Template

_NEAREST, _FURTHEST = 1e-6, 1000.0  # squared distances, so that gradients stay finite


def kernel(one: Tensor, other: Tensor) -> Tensor:
    """How well vectors unify: of the last two dimensions, each row of one with each of the other."""
    squared = (one[..., :, None, :] - other[..., None, :, :]).square().sum(-1)
    return torch.exp(-squared.clamp(_NEAREST, _FURTHEST).sqrt())


@dataclass(frozen=True)
class GoalPatterns:
    """What connects the goals of a batch, for one template: rows (goal, predicate of each slot)."""

    goal: Tensor
    predicates: Tensor  # a column for each slot


class SoftRules(nn.Module):
    """Copies of templates with free vectors, and the vectors of the predicates."""

    def __init__(self, predicates: int, templates: Sequence[Template], copies: int, width: int) -> None:
        super().__init__()
        self.templates = tuple(templates)
        self.predicates = nn.Parameter(torch.rand(predicates, width) * 2 - 1)
        self.slots = nn.ParameterList(
            nn.Parameter(torch.rand(copies, template.slots + 1, width) * 2 - 1) for template in templates
        )

    def scores(self, heads: Tensor, found: Sequence[GoalPatterns]) -> Tensor:
        """The score of each goal: the best proof by any rule; 0 where there is none."""
        best = torch.zeros(len(heads))
        for slots, patterns in zip(self.slots, found, strict=True):
            if not len(patterns.goal):
                continue
            similar = kernel(slots, self.predicates)  # copy, slot, predicate
            proof = similar[:, 0, :].t()[heads[patterns.goal]]  # pattern, copy
            for slot in range(slots.shape[1] - 1):
                proof = torch.minimum(proof, similar[:, slot + 1, :].t()[patterns.predicates[:, slot]])
            best = best.scatter_reduce(0, patterns.goal, proof.amax(1), "amax", include_self=True)
        return best

    def decoded(self) -> list[tuple[Template, int, tuple[int, ...], float]]:
        """Each rule with the nearest predicates: template, head, body, and how near the furthest of them is."""
        rules = []
        with torch.no_grad():
            for template, slots in zip(self.templates, self.slots, strict=True):
                nearest, which = kernel(slots, self.predicates).max(-1)
                for near, (head, *body) in zip(nearest.amin(1).tolist(), which.tolist(), strict=True):
                    rules.append((template, head, tuple(body), near))
        return rules
