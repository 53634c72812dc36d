"""GraphLog's six models: a representation of the relations, and a composition of them along a graph."""

from __future__ import annotations

from torch import Tensor, nn

from hornbeam.neural.graph.models.attention import GatedAttention
from hornbeam.neural.graph.models.convolution import MixedConvolutions
from hornbeam.neural.graph.models.parts import ReadOut
from hornbeam.neural.graph.models.representation import Table, WorldAttention, WorldConvolution
from hornbeam.neural.graph.store import GraphBatch
from hornbeam.neural.graph.worlds import World

REPRESENTATIONS = {"param": Table, "gcn": WorldConvolution, "gat": WorldAttention}
COMPOSITIONS = {"rgcn": MixedConvolutions, "egat": GatedAttention}


class GraphLogModel(nn.Module):
    """`representation` makes relation vectors of a world, `composition` reads a graph with them."""

    def __init__(self, relations: int, representation: str, composition: str, width: int = 200) -> None:
        super().__init__()
        self.representation = REPRESENTATIONS[representation](relations, width)
        self.composition = COMPOSITIONS[composition](width)
        self.read = ReadOut(width, relations)

    def use(self, part: str, module: nn.Module) -> None:
        """Take another representation or composition, e.g. that of another world."""
        self._modules[part] = module

    def forward(self, batch: GraphBatch, world: World) -> Tensor:
        vectors = batch.kinds @ self.representation(world)
        return self.read(self.composition(batch, vectors), batch)
