"""Neural compositional rule learning: a path of relations is folded pair by pair until one vector is left.

In each step a recurrent cell reads every two neighbours of the path, attention chooses which of them to fold, and the
pair becomes a mixture of the known relations and of its own vector. The scores of a query's paths are added: a relation
must be possible along each.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from hornbeam.neural.graph.store import GraphBatch


class Ncrl(nn.Module):
    """Folds paths; needs a store that was encoded with `paths`."""

    def __init__(self, relations: int, width: int = 64) -> None:
        super().__init__()
        self.relations, self.width = relations, width
        self.vectors = nn.Parameter(torch.randn(2 * relations, width) / width**0.5)
        self.cell = nn.GRU(width, width, batch_first=True)
        self.choose = nn.Linear(width, 1)
        self.query = nn.Linear(width, width)
        self.unknown = nn.Linear(width, 1)

    def forward(self, batch: GraphBatch) -> Tensor:
        kinds, size = batch.kinds, len(batch.kinds)
        both = torch.cat([kinds @ self.vectors[: self.relations], kinds @ self.vectors[self.relations :]])
        graphs, paths, length = batch.paths.shape
        flat = batch.paths.reshape(graphs * paths, length)
        lengths = (flat >= 0).sum(1)
        steps = both[flat.clamp(min=0, max=2 * size - 1)]
        present = (lengths > 0).float()
        while steps.shape[1] > 1:
            steps, lengths = self._fold(steps, lengths)
        scores = functional.log_softmax(self._similarity(steps[:, 0])[:, : self.relations], dim=1)
        return (scores * present[:, None]).view(graphs, paths, -1).sum(1)

    def _similarity(self, states: Tensor) -> Tensor:
        return self.query(states) @ self.vectors.t() / self.width**0.5

    def _fold(self, steps: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """One pair of each path that still has one becomes a single step."""
        rows, size, width = steps.shape
        pairs = torch.stack([steps[:, :-1], steps[:, 1:]], dim=2).reshape(-1, 2, width)
        read = self.cell(pairs)[1][0].view(rows, size - 1, width)
        folded = self._compose(read)
        places = torch.arange(size - 1)
        open_places = places[None, :] < (lengths - 1)[:, None]
        scores = self.choose(read).squeeze(-1).masked_fill(~open_places, -1e9)
        shares = torch.softmax(scores, dim=1)
        # Whichever pair is folded, what lies before stays in its place and what lies behind moves up by one.
        later = torch.cumsum(shares, dim=1)
        before, behind = 1 - later, later - shares
        mixed = before[..., None] * steps[:, :-1] + shares[..., None] * folded + behind[..., None] * steps[:, 1:]
        done = (lengths <= 1)[:, None, None]
        return torch.where(done, steps[:, :-1], mixed), torch.where(lengths > 1, lengths - 1, lengths)

    def _compose(self, read: Tensor) -> Tensor:
        scores = torch.cat([self._similarity(read), self.unknown(read)], dim=-1)
        shares = torch.softmax(scores, dim=-1)
        return shares[..., :-1] @ self.vectors + shares[..., -1:] * read
