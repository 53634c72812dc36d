"""Tables of alternatives as models of a logic program: data and laws are its constraints, clingo is its solver.

A choice for every triple (r, s, t) says whether t is among what r and s compose to. An example says that its answer
is among what each of its paths composes to, and, where its paths are apart, that no other relation is among all of
them. Which relation is the identity and which the converse of which is chosen along with the table.

Of the tables that fit, one is found to which no member can be added: what no example rules out stays possible.

Every law and every example stands behind a guard that is assumed when the program is solved, so that what cannot hold
together is named by the solver's core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from hornbeam.bitsets import bits
from hornbeam.ilp.algebra.paths import Path, PathExample
from hornbeam.logic.asp import engine
from hornbeam.logic.asp.engine import Backend

CONVERSE, IDENTITY, ASSOCIATIVE = "converse", "identity", "associative"
LAWS = (CONVERSE, IDENTITY, ASSOCIATIVE)
Triple = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class FittedTable:
    """A table that fits; `converse` and `identity` are empty if their laws were not assumed."""

    cells: tuple[tuple[int, ...], ...]
    converse: tuple[int, ...]
    identity: int


class Interrupted(Exception):
    """The time was up inside the solver."""


class RelationAlgebra:
    """The program over `count` relations: it grows by examples and by triples for which associativity is asked."""

    def __init__(self, count: int, laws: Sequence[str]) -> None:
        self._count = count
        self._control = engine.Control(["--heuristic=Domain", "--sign-def=pos", "--warn=none"])
        self._laws = dict.fromkeys(laws, 0)
        self._states: dict[Path, list[int]] = {}
        self._guards: dict[PathExample, int] = {}
        with self._control.backend() as program:
            self._cells = self._choose_cells(program)
            for law in self._laws:
                self._laws[law] = self._guard(program)
            if CONVERSE in laws:
                self._choose_converse(program)
            if IDENTITY in laws:
                self._choose_identity(program)

    # The program ----------------------------------------------------------------------------------------------------

    @staticmethod
    def _atom(program: Backend, name: str, *places: int) -> int:
        return program.add_atom(engine.Function(name, [engine.Number(place) for place in places]))

    @staticmethod
    def _guard(program: Backend) -> int:
        atom = program.add_atom()
        program.add_rule([atom], [], choice=True)
        return atom

    def _choose_cells(self, program: Backend) -> list[list[list[int]]]:
        places = range(self._count)
        cells = [[[self._atom(program, "in", r, s, t) for t in places] for s in places] for r in places]
        chosen = [atom for row in cells for cell in row for atom in cell]
        program.add_rule(chosen, [], choice=True)
        for atom in chosen:
            # Decided first and in favour: then no member can be added to the table that is found.
            program.add_heuristic(atom, engine.HeuristicType.True_, 1, 1, [])
        for row in cells:
            for cell in row:
                program.add_rule([], [-atom for atom in cell])  # something always holds between the ends
        return cells

    def _choose_converse(self, program: Backend) -> None:
        """One converse for each relation, mutual, and the triangle law: all sides of a triangle say the same."""
        law = self._laws[CONVERSE]
        places = range(self._count)
        pairs = {(r, s): self._atom(program, "converse", r, s) for r in places for s in range(r, self._count)}
        program.add_rule(list(pairs.values()), [], choice=True)
        both = {(r, s): pairs[min(r, s), max(r, s)] for r, s in product(places, repeat=2)}
        for r in places:
            program.add_rule([], [law, *(-both[r, s] for s in places)])
            for s, other in product(places, repeat=2):
                if other < s:
                    program.add_rule([], [law, both[r, s], both[r, other]])
        for r, s, t, back in product(places, repeat=4):
            program.add_rule([], [law, both[r, back], self._cells[r][s][t], -self._cells[back][t][s]])
            program.add_rule([], [law, both[s, back], self._cells[r][s][t], -self._cells[t][back][r]])

    def _choose_identity(self, program: Backend) -> None:
        """One relation that changes nothing, on either side."""
        law = self._laws[IDENTITY]
        places = range(self._count)
        atoms = [self._atom(program, "identity", r) for r in places]
        program.add_rule(atoms, [], choice=True)
        program.add_rule([], [law, *(-atom for atom in atoms)])
        for one, atom in enumerate(atoms):
            for other in atoms[:one]:
                program.add_rule([], [law, atom, other])
            for r, t in product(places, repeat=2):
                for cell in (self._cells[one][r], self._cells[r][one]):
                    program.add_rule([], [law, atom, -cell[t] if r == t else cell[t]])

    def _state(self, program: Backend, path: Path) -> list[int]:
        """Atoms for what a path of two or more masks composes to, from the left."""
        if path not in self._states:
            step = bits(path[-1])
            if len(path) == 2:
                before: list[list[int]] = [[] if path[0] >> r & 1 else [0] for r in range(self._count)]
            else:
                before = [[atom] for atom in self._state(program, path[:-1])]
            atoms = [program.add_atom() for _ in range(self._count)]
            for r, s, t in product(range(self._count), step, range(self._count)):
                if before[r] != [0]:
                    program.add_rule([atoms[t]], [*before[r], self._cells[r][s][t]])
            self._states[path] = atoms
        return self._states[path]

    def add(self, examples: Iterable[PathExample]) -> None:
        """Make examples known; they are asked for by `solve`."""
        with self._control.backend() as program:
            for example in examples:
                if example not in self._guards:
                    guard = self._guards[example] = self._guard(program)
                    self._add(program, example, guard)

    def _add(self, program: Backend, example: PathExample, guard: int) -> None:
        states = [self._state(program, path) for path in example.paths if len(path) > 1]
        given = [path[0] for path in example.paths if len(path) == 1]
        for t in range(self._count):
            if example.answer >> t & 1:
                for state in states:
                    program.add_rule([], [guard, -state[t]])
            elif example.apart and all(mask >> t & 1 for mask in given):
                program.add_rule([], [guard, *(state[t] for state in states)])

    def associate(self, triples: Iterable[Triple]) -> None:
        """Ask that these three compose to the same from the left and from the right."""
        law = self._laws[ASSOCIATIVE]
        with self._control.backend() as program:
            for r, s, t in triples:
                left = self._state(program, (1 << r, 1 << s, 1 << t))
                for whole, atom in enumerate(left):
                    right = program.add_atom()
                    for middle in range(self._count):
                        program.add_rule([right], [self._cells[s][t][middle], self._cells[r][middle][whole]])
                    program.add_rule([], [law, atom, -right])
                    program.add_rule([], [law, right, -atom])

    # Solving --------------------------------------------------------------------------------------------------------

    def solve(self, examples: Sequence[PathExample], stop: Callable[[], bool]) -> FittedTable | list[PathExample]:
        """A table for these examples and the laws, or examples that no table fits together with the laws."""
        models: list[FittedTable] = []
        guards = {self._guards[example]: example for example in examples}
        assumed = [*self._laws.values(), *guards]
        end = engine.search(self._control, lambda model: models.append(self._read(model)), stop, assumptions=assumed)
        if end.stopped:
            raise Interrupted
        return models[-1] if models else [guards[literal] for literal in end.core if literal in guards]

    def _read(self, model: engine.Model) -> FittedTable:
        places = range(self._count)
        cells = [[0] * self._count for _ in places]
        converse = [0] * self._count
        identity = 0
        for symbol in model.symbols(atoms=True):
            at = [argument.number for argument in symbol.arguments]
            if symbol.name == "in":
                cells[at[0]][at[1]] |= 1 << at[2]
            elif symbol.name == "converse":
                converse[at[0]] |= 1 << at[1]
                converse[at[1]] |= 1 << at[0]
            else:
                identity |= 1 << at[0]
        return FittedTable(tuple(map(tuple, cells)), tuple(converse), identity)
