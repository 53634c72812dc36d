"""The settings of Aleph that matter to `induce`, with their ranges.

Aleph stores any name without a word, and prints a line that nobody sees about a value out of range; here both are
refused. What the bias of the task says (clause length, variables, layers) is not set twice.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from hornbeam.ilp.learner import Settings
from hornbeam.tasks.bias import Bias

Evaluation = Literal[
    "coverage", "compression", "accuracy", "laplace", "mestimate", "auto_m", "wracc", "entropy", "gini", "pbayes"
]
Search = Literal["bf", "df", "heuristic", "ibs", "ils", "id", "ic", "ar", "rls", "scs"]
# What comes from the bias, or is of no effect on `induce`.
_OURS = {"seed", "path", "negation", "openlist"}


class AlephSettings(Settings):
    """How Aleph is run. The names are its own."""

    path: Path | None = Field(default=None, description="aleph.pl; default: HORNBEAM_ALEPH, a pack, or python-rdm")
    negation: bool = Field(default=False, description="let the tests that may be negated stand under not")
    minpos: int = Field(default=2, ge=1, description="positives a clause must cover; from 2 on no example is a fact")
    minacc: float = Field(default=0.0, ge=0, le=1, description="the least precision of a clause")
    noise: int = Field(default=0, ge=0, description="negatives a clause may cover")
    nodes: int = Field(default=20_000, ge=1, description="clauses that are tried for one seed example")
    depth: int = Field(default=30, ge=1, description="calls within calls in a proof: more fails without a word")
    evalfn: Evaluation = Field(default="coverage", description="how clauses are scored")
    search: Search = Field(default="bf", description="how the clauses below the bottom are searched")
    openlist: int | None = Field(default=None, ge=1, description="clauses kept to be refined; default: all")
    caching: bool = Field(default=False, description="keep what was proved")
    check_redundant: bool = Field(default=False, description="drop literals that another one implies")
    check_useless: bool = Field(default=True, description="drop literals of the bottom clause that lead nowhere")
    lazy_negs: bool = Field(default=False, description="stop counting negatives at the bound")
    samplesize: int = Field(default=0, ge=0, description="seeds drawn at a time; 0: in the order of the examples")
    explore: bool = Field(default=False, description="search on after the best possible clause")

    def directives(self, bias: Bias) -> dict[str, str]:
        """Aleph's settings by name, with those that say the sizes of the bias in its terms."""
        sizes = {
            "clauselength": bias.max_body + 1,  # the head counts
            "newvars": max(0, bias.max_vars - len(bias.head[0].places)),  # those of the head do not
            "i": bias.depth,
        }
        own = {name: getattr(self, name) for name in type(self).model_fields if name not in _OURS}
        if self.openlist is not None:
            own["openlist"] = self.openlist
        return {name: _value(value) for name, value in {**sizes, **own}.items()}


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
