"""The parses of pictures: asks the grammar of prolog/kandy/parsing.pl, a batch of pictures in a call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from hornbeam import resources
from hornbeam.kandy.curriculum import CurriculumConfig
from hornbeam.kandy.tree import Tree
from hornbeam.logic import Prolog
from hornbeam.logic.terms import Compound
from hornbeam.perception.pictures.segments import Patch

_MODULE = "hornbeam_kandy_parsing"
_INFERENCES = 3_000_000  # a picture; the usual one needs some ten thousand
GRAMMARS = ("plain", "places", "any")
"""From narrow to wide: quadrants as the whole picture only, also inside, and with several children on each other."""


class Parser:
    """Parses the patches of pictures under one configuration."""

    def __init__(self, config: CurriculumConfig) -> None:
        width, height = (side - config.padding for side in config.canvas_size)
        corner = config.padding // 2
        self._canvas = Compound("canvas", (corner, corner, width, height))
        self._measures = Compound("measures", (config.geometry, config.largest, config.size_noise))

    @cached_property
    def _prolog(self) -> Prolog:
        prolog = Prolog()
        prolog.load(resources.prolog("kandy", "parsing.pl"), module=_MODULE)
        return prolog

    def parses(self, pictures: Sequence[Sequence[Patch]], grammar: str, most: int) -> list[list[Tree]]:
        """For each picture at most `most` trees whose leaves are the numbers of its patches, as text."""
        given: dict[str, Any] = {
            "_Canvas": self._canvas,
            "_Measures": self._measures,
            "_Pictures": [_numbers(patches) for patches in pictures],
            "_Grammar": grammar,
            "_Most": most,
            "_Limit": _INFERENCES,
        }
        goal = "parse_pictures(_Canvas, _Measures, _Pictures, _Grammar, _Most, _Limit, Parses)"
        answer: Any = self._prolog.once(goal, given=given, module=_MODULE)
        return [[_decoded(iter(codes)) for codes in parses] for parses in answer["Parses"]]


def _numbers(patches: Sequence[Patch]) -> list[int]:
    return [
        number for patch in patches for number in (*_bounds(patch), patch.left, patch.top, patch.right, patch.bottom)
    ]


def _bounds(patch: Patch) -> tuple[int, int, int, int]:
    across, down = zip(*patch.middles, strict=True)
    return min(across), max(across), min(down), max(down)


def _decoded(codes: Iterator[Any]) -> Tree:
    """A tree of its codes: an operator comes before the number of its children."""
    code = next(codes)
    if isinstance(code, int):
        return str(code)
    return code, [_decoded(codes) for _ in range(next(codes))]
