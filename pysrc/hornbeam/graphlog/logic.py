"""What the two reasoners are asked, in bulk: rules that survive, chains, graphs, and whether rules are confluent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from hornbeam import resources
from hornbeam.logic import Prolog
from hornbeam.logic.asp import Facts, Solver, engine

if TYPE_CHECKING:
    from hornbeam.graphlog.world import World

Edge = tuple[int, int, str]
Chain = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A graph and two of its nodes: which relations do they have?"""

    edges: tuple[Edge, ...]
    source: int
    sink: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a chain composes to: by the rules as they are written, and by all that its world derives with."""

    by_rules: tuple[str, ...]
    by_theory: tuple[str, ...]

    def proves(self, label: str) -> bool:
        """Whether the label, and no other, follows."""
        return label in self.by_rules and self.by_theory == (label,)


@dataclass(frozen=True, slots=True)
class Certificate:
    """A proof of a chain: as text, the rules it uses from the top down, and how deep they stand."""

    text: str
    rules: tuple[int, ...]
    depth: int


@cache  # loading the file again would take longer than a small question
def _engine() -> tuple[Prolog, str]:
    prolog = Prolog()
    return prolog, prolog.load(resources.prolog("graphlog", "worlds.pl"), "hornbeam_graphlog")


def surviving_rules(partners: Sequence[int], draws: Sequence[Sequence[Sequence[int]]]) -> list[list[list[int]]]:
    """For each draw of rules [first, second, head]: the rules [sign, first, second, head] that a vocabulary keeps."""
    prolog, module = _engine()
    rows = [(list(partners), draw) for draw in draws]
    kept: list[list[list[int]]] = prolog.once_many(
        "surviving_rules(P, D, R)", over=("P", "D"), get="R", rows=rows, module=module
    )
    return kept


@cache
def inverse_labels(partners: tuple[int, ...]) -> list[tuple[int, int, int, int]]:
    """Each base relation with each sign, and the relation and the sign that read it backwards."""
    prolog, module = _engine()
    answer = prolog.once("inverse_labels(P, I)", given={"P": list(partners)}, module=module)
    assert answer is not None
    inverses: Any = answer["I"]
    return [(base, sign, partner, other) for base, sign, partner, other in inverses]


class Theory:
    """A world in this process' Prolog."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._prolog, self._module = _engine()
        given: dict[str, Any] = {
            "W": world.name,
            "R": [[rule.first, rule.second, rule.head] for rule in world.rules],
            "I": [list(pair) for pair in world.inverses],
            "B": "true" if world.backwards else "false",
        }
        self._prolog.ask("set_world(W, R, I, B)", given=given, module=self._module)

    def verdicts(self, chains: Sequence[Chain]) -> list[Verdict]:
        """What each chain composes to."""
        rows = [(self.world.name, list(chain)) for chain in chains]
        found = self._prolog.once_many(
            "chain_verdict(W, C, R, T)", over=("W", "C"), get=("R", "T"), rows=rows, module=self._module
        )
        return [Verdict(tuple(by_rules), tuple(by_theory)) for by_rules, by_theory in found]

    def triples(self) -> list[Chain]:
        """The chains of three labels that compose to one relation and no other."""
        answer = self._prolog.once("proven_triples(W, C)", given={"W": self.world.name}, module=self._module)
        assert answer is not None
        chains: Any = answer["C"]
        return [tuple(chain) for chain in chains]

    def certificates(self, chains: Sequence[tuple[Chain, str]]) -> list[Certificate | None]:
        """A proof of each chain's label; None where the rules as written have none."""
        rows = [(self.world.name, list(chain), label) for chain, label in chains]
        found = self._prolog.once_many(
            "chain_certificate(W, C, H, T, N, D)",
            over=("W", "C", "H"), get=("T", "N", "D"), rows=rows, module=self._module,
        )  # fmt: skip
        return [None if row is None else Certificate(row[0], tuple(row[1]), row[2]) for row in found]

    def relations(self, questions: Sequence[Question]) -> list[tuple[str, ...]]:
        """All relations between the two nodes of each question, sorted."""
        graphs: Any = [[[list(edge) for edge in asked.edges], asked.source, asked.sink] for asked in questions]
        answer = self._prolog.once(
            "graphs_relations(W, _G, R)", given={"W": self.world.name, "_G": graphs}, module=self._module
        )
        assert answer is not None
        found: Any = answer["R"]
        return [tuple(relations) for relations in found]


def clingo_relations(questions: Mapping[str, Sequence[Question]], worlds: Sequence[World]) -> dict[str, list[set[str]]]:
    """The same from clingo's least model, for questions of many worlds at once."""
    labels: dict[str, int] = {}
    asked = [(number, question) for number, world in enumerate(worlds) for question in questions[world.name]]
    facts = _theory_facts(worlds, labels) + _question_facts(asked, labels)
    control = engine.grounded(facts, files=[resources.kb("graphlog", "closure.lp")])
    found: list[set[str]] = [set() for _ in asked]
    names = list(labels)
    # Grounding alone has the least model; reading only its answers is what makes this fast.
    for atom in control.symbolic_atoms.by_signature("answer", 2):
        place, label = atom.symbol.arguments
        found[place.number].add(names[label.number])
    answers: dict[str, list[set[str]]] = {world.name: [] for world in worlds}
    for (number, _), relations in zip(asked, found, strict=True):
        answers[worlds[number].name].append(relations)
    return answers


# Labels and worlds cross to clingo as numbers, which it reads and joins far faster than names; `labels` numbers them.


def _theory_facts(worlds: Sequence[World], labels: dict[str, int]) -> str:
    def of(label: str) -> int:
        return labels.setdefault(label, len(labels))

    lines = []
    for number, world in enumerate(worlds):
        lines += [f"rule({number},{of(r.first)},{of(r.second)},{of(r.head)})." for r in world.rules]
        if world.backwards:
            lines += [f"inverse({number},{of(label)},{of(inverse)})." for label, inverse in world.inverses]
    return "".join(lines)


def _question_facts(asked: Sequence[tuple[int, Question]], labels: dict[str, int]) -> str:
    lines = []
    for place, (number, question) in enumerate(asked):
        lines.append(f"asked({place},{number},{question.source},{question.sink}).")
        for source, sink, label in question.edges:
            lines.append(f"edge({place},{source},{sink},{labels.setdefault(label, len(labels))}).")
    return "".join(lines)


@dataclass(frozen=True, slots=True)
class Clash:
    """A chain whose ends get two relations."""

    chain: Chain
    relations: tuple[str, str]


def clash(world: World, longest: int, *, seconds: float = 20.0) -> Clash | None:
    """The shortest chain of at most `longest` edges that composes to two relations; None where clingo shows none."""
    rules = [(rule.first, rule.second, rule.head) for rule in world.rules]
    facts = Facts.rows("rule", rules) | Facts.rows("label", [(label,) for label in world.labels])
    facts |= Facts.rows("inverse", list(world.inverses) if world.backwards else [])
    file = resources.kb("graphlog", "confluence.lp")
    for length in range(2, longest + 1):
        found = Solver(files=[file], facts=facts, constants={"length": length}).first(time_limit=seconds)
        if found is not None:
            chain = {place: label for place, label in found.rows("chain")}  # noqa: C416 - rows have any width
            one, other = next(iter(found.rows("two")))
            return Clash(tuple(str(chain[place]) for place in range(length)), (str(one), str(other)))
    return None
