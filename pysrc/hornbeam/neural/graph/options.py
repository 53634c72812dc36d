"""Options of graph models. What is None is the model's own default, that of its paper."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from hornbeam.neural.options import Options


class GraphOptions(Options):
    """How to train a graph model."""

    lr: float = Field(1e-3, gt=0, description="the learning rate")
    batch: int = Field(100, ge=1, description="graphs a step")
    epochs: int = Field(20, ge=1, description="epochs an experience")
    clip: float | None = Field(1.0, gt=0, description="largest norm of the gradient")
    width: int | None = Field(None, ge=1, description="width of states")
    rounds: int | None = Field(None, ge=1, description="rounds of messages")
    heads: int | None = Field(None, ge=1, description="heads of attention (gat, edge-transformer)")
    facets: int | None = Field(None, ge=1, description="facets of epignn")
    dropout: float | None = Field(None, ge=0, lt=1, description="dropout (gat, edge-transformer)")
    pooling: Literal["min", "mul", "mean", "sum"] | None = Field(None, description="how messages meet (epignn, nbfnet)")
    message: Literal["transe", "distmult"] | None = Field(None, description="how nbfnet applies a relation")
    margin: float | None = Field(None, gt=0, description="margin loss of epignn; without it cross-entropy")
    paths: int = Field(4, ge=1, description="paths that ncrl reads of each graph")
    patience: int | None = Field(None, ge=1, description="stop after so many epochs without better validation")
    worlds: tuple[str, ...] = Field((), description="worlds to take; all if empty")
    also_test: tuple[str, ...] = Field((), description="folders of further datasets to test on, e.g. other noise")
    adapt: tuple[str, ...] = Field((), description="pretrain: worlds to adapt to")
    shots: tuple[int, ...] = Field((5, 10, 20, 40), description="pretrain: steps after which adaptation is judged")
    adapt_epochs: int = Field(50, ge=1, description="pretrain: most epochs of converged adaptation")
    share: Literal["both", "representation", "composition"] = Field(
        "both", description="continual: what worlds share; the other part is each world's own (GraphLog models)"
    )
    order: tuple[str, ...] = Field(
        (), description="curriculum: worlds from the easiest to the hardest; if empty, by what their rows tell"
    )
