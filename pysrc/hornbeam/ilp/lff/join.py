"""Rules joined from parts that share only variables of the head.

A rule covers an example exactly if each of its parts does: joining is the intersection of bit sets, without any
test. To cover no negative example each must be excluded by some part, so a join is grown by a part that excludes the
first negative example that is still covered, and its last part is found by intersecting sets of parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hornbeam.bitsets import bits
from hornbeam.ilp.cover import replaces
from hornbeam.ilp.lff.coverage import Bits
from hornbeam.ilp.lff.language import Body


@dataclass(frozen=True, slots=True)
class BodyPiece:
    """A part of a rule that does not fall apart itself."""

    body: Body
    positive: Bits
    negative: Bits
    size: int  # literals
    variables: int  # those that are not of the head
    heads: int  # mask of those of the head that must be in a rule


@dataclass(frozen=True, slots=True)
class Joint:
    """Pieces that make a rule, or the beginning of one."""

    pieces: tuple[BodyPiece, ...]
    positive: Bits
    negative: Bits
    heads: int
    size: int
    variables: int

    def with_piece(self, piece: BodyPiece) -> Joint:
        return Joint(
            (*self.pieces, piece),
            self.positive & piece.positive,
            self.negative & piece.negative,
            self.heads | piece.heads,
            self.size + piece.size,
            self.variables + piece.variables,
        )


class Joiner:
    """The pieces found so far, without those that another one replaces in every rule."""

    def __init__(self, positive: Bits, negative: Bits, *, required: int, variables: int, noise: bool) -> None:
        self._start = Joint((), positive, negative, 0, 0, 0)
        self._required, self._variables, self._noise = required, variables, noise
        self._pieces: list[BodyPiece] = []
        self._alike: dict[tuple[Bits, Bits, int], BodyPiece] = {}
        self._by_size: dict[int, int] = {}  # sets of pieces, as bits
        self._excluding: dict[int, int] = {}  # by negative example
        self._bringing: dict[int, int] = {}  # by variable of the head

    def add(self, piece: BodyPiece) -> None:
        """Add a piece unless an earlier, hence no larger one does as well."""
        key = (piece.positive, piece.negative, piece.heads)
        known = self._alike.get(key)
        if known is not None and known.variables <= piece.variables:
            return
        if any(_replaces(other, piece) for other in self._pieces):
            return
        self._alike[key] = piece
        mark = 1 << len(self._pieces)
        self._pieces.append(piece)
        self._by_size[piece.size] = self._by_size.get(piece.size, 0) | mark
        for example in bits(self._start.negative & ~piece.negative):
            self._excluding[example] = self._excluding.get(example, 0) | mark
        for variable in bits(piece.heads):
            self._bringing[variable] = self._bringing.get(variable, 0) | mark

    def joints(
        self, literals: int, hopeless: Callable[[Bits, int], bool], joint: Joint | None = None
    ) -> Iterator[Joint | None]:
        """The rules of two or more pieces with so many literals, those of `joint` among them.

        None comes now and then, so that a caller can stop.
        """
        joint = joint or self._start
        left = literals - joint.size
        yield None
        if joint.pieces:
            for piece in self._chosen(self._last(joint) & self._by_size.get(left, 0), joint):
                longer = joint.with_piece(piece)
                if longer.positive and not hopeless(longer.positive, literals + 1) and self._pays(joint, piece):
                    yield longer
        sizes = 0
        for size, pieces in self._by_size.items():
            sizes |= pieces if size < left else 0
        for piece in self._chosen(self._next(joint) & sizes, joint):
            longer = joint.with_piece(piece)
            done = not longer.negative and not self._required & ~longer.heads
            if (
                longer.positive
                and not done
                and self._pays(joint, piece)
                and not hopeless(longer.positive, literals + 1)
            ):
                yield from self.joints(literals, hopeless, longer)

    def _chosen(self, pieces: int, joint: Joint) -> Iterator[BodyPiece]:
        spare = self._variables - joint.variables
        for number in bits(pieces):
            if self._pieces[number].variables <= spare:
                yield self._pieces[number]

    def _next(self, joint: Joint) -> int:
        """The pieces that a join may go on with: one of them is in every rule that it can become."""
        everything = (1 << len(self._pieces)) - 1
        if self._noise:
            # In the order of their numbers, each set once.
            last = self._pieces.index(joint.pieces[-1]) if joint.pieces else -1
            return everything & ~((1 << last + 1) - 1)
        if joint.negative:
            return self._excluding.get(_lowest(joint.negative), 0)
        missing = self._required & ~joint.heads
        return self._bringing.get(_lowest(missing), 0) if missing else 0

    def _last(self, joint: Joint) -> int:
        """The pieces that make a whole rule of it."""
        pieces = self._next(joint)
        for variable in bits(self._required & ~joint.heads):
            pieces &= self._bringing.get(variable, 0)
        if not self._noise:
            for example in bits(joint.negative):
                pieces &= self._excluding.get(example, 0)
                if not pieces:
                    break
        return pieces

    def _pays(self, joint: Joint, piece: BodyPiece) -> bool:
        """Under noise: whether a piece excludes more negative examples than it has literals, or is needed otherwise."""
        if not self._noise or not joint.pieces or piece.heads & self._required & ~joint.heads:
            return True
        return (joint.negative & ~piece.negative).bit_count() > piece.size


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


def _replaces(one: BodyPiece, other: BodyPiece) -> bool:
    return replaces(one, other) and one.variables <= other.variables and not other.heads & ~one.heads
