"""The Prolog side of theories, prolog/theory/, loaded once into a module of its own in this process' engine."""

from __future__ import annotations

from functools import cache

from hornbeam import resources
from hornbeam.logic import Prolog

MODULE = "hornbeam_theory_bench"


@cache
def engine() -> Prolog:
    """The engine, with everything of prolog/theory/ to be asked in `MODULE`."""
    prolog = Prolog()
    prolog.load(resources.prolog("theory", "theory.pl"), MODULE)
    return prolog
