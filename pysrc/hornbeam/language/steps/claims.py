"""The steps of a proof: claims in order, each with what it rests on."""

from __future__ import annotations

from dataclasses import dataclass

GIVEN, FOLLOWS, UNSUPPORTED = "given", "follows", "unsupported"


@dataclass(frozen=True, slots=True)
class Claim:
    """A relation between two things, an atom, or the goal of a rule.

    Attributes:
        name: The relation, with alternatives joined by a bar; a predicate; or for a scene the goal as Prolog text.
        args: The two nodes, the constants, or nothing.
    """

    name: str
    args: tuple[str, ...] = ()

    @property
    def relations(self) -> list[str]:
        """The alternatives that the claim leaves."""
        return self.name.split("|")


@dataclass(frozen=True, slots=True)
class Step:
    """A claim, and the claims that it follows from; none if it is given."""

    claim: Claim
    premises: tuple[Claim, ...] = ()
