"""What GraphLog knows: labels, rules and worlds, and what the two reasoners say of them, asked in bulk.

The laws of a vocabulary are in kb/graphlog/laws.pl, what a world derives in prolog/graphlog/reasoning.pl, and the same
for clingo in kb/graphlog/closure.lp.

>>> labels = LabelVocabulary((0, 2, 1))
>>> labels.names
('R_0_+', 'R_0_-', 'R_1_+', 'R_1_-', 'R_2_+', 'R_2_-')
>>> labels.inverses()[:3]
[('R_0_+', 'R_0_-'), ('R_0_-', 'R_0_+'), ('R_1_+', 'R_2_-')]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, TypedDict

from hornbeam import resources
from hornbeam.logic import Prolog
from hornbeam.logic.asp import Facts, Solver, engine

Edge = tuple[int, int, str]
Chain = tuple[str, ...]

UNKNOWN = "UNK_REL"
SIGNS = ("+", "-")
BACKWARD = "_-"  # how a label ends that reads a relation backwards
# The order in which the labels stand in the published label2id.json; models of the original expect these numbers.
_PUBLISHED = "2+ 4+ 5+ 4- 0+ 7+ 9+ 7- 1+ 0- 3- 2- 8+ 5- 6- 6+ 8- 1- 9- 3+"
_NAME = re.compile(r"R_(\d+)_([+-])")


def name(base: int, sign: int) -> str:
    return f"R_{base}_{SIGNS[sign]}"


def is_backward(label: str) -> bool:
    """Whether a label has the sign that reads a relation backwards."""
    return label.endswith(BACKWARD)


def label_order(label: str) -> tuple[int, int, str]:
    """A key that sorts labels by base relation and sign, and foreign names after them."""
    parts = _NAME.fullmatch(label)
    return (int(parts[1]), SIGNS.index(parts[2]), "") if parts else (1 << 30, 0, label)


def label_ids(labels: Iterable[str]) -> dict[str, int]:
    """label2id: the published numbers for the labels of ten relations, and after them any others."""
    published = [f"R_{text[0]}_{text[1]}" for text in _PUBLISHED.split()]
    wanted = set(labels)
    order = published if wanted <= set(published) else sorted(wanted, key=label_order)
    return {label: number for number, label in enumerate([UNKNOWN, *order])}


@dataclass(frozen=True, slots=True)
class LabelVocabulary:
    """Base relation i reads `partners[i]` backwards; a symmetric relation is its own partner."""

    partners: tuple[int, ...]

    @classmethod
    def draw(cls, relations: int, invertible: float, rng: Random) -> LabelVocabulary:
        """Relations of which about the share `invertible` swaps with a partner."""
        order = list(range(relations))
        rng.shuffle(order)
        partners = list(range(relations))
        for pair in range(int(relations * invertible) // 2):
            one, other = order[2 * pair], order[2 * pair + 1]
            partners[one], partners[other] = other, one
        return cls(tuple(partners))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name(base, sign) for base in range(len(self.partners)) for sign in (0, 1))

    def inverses(self) -> list[tuple[str, str]]:
        """Each label with the one that reads it backwards."""
        return _inverses(self.partners)


@dataclass(frozen=True, slots=True)
class WorldRule:
    """head(X,Z) if first(X,Y) and second(Y,Z)."""

    first: str
    second: str
    head: str

    @property
    def body(self) -> tuple[str, str]:
        return (self.first, self.second)


class StoredWorld(TypedDict):
    """A theory as JSON: rules are [first, second, head], inverses [label, inverse]."""

    name: str
    rules: list[tuple[str, str, str]]
    inverses: list[tuple[str, str]]
    backwards: bool


@dataclass(frozen=True, slots=True)
class GraphWorld:
    """A theory: rules, inverses of labels, and whether it derives with the inverses."""

    name: str
    rules: tuple[WorldRule, ...]
    inverses: tuple[tuple[str, str], ...]
    backwards: bool

    @property
    def labels(self) -> tuple[str, ...]:
        """All labels, in the vocabulary's order; those of the rules for a world without inverses."""
        known = [label for label, _ in self.inverses]
        return tuple(dict.fromkeys(known or [label for rule in self.rules for label in (*rule.body, rule.head)]))

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "rules": [[rule.first, rule.second, rule.head] for rule in self.rules],
            "inverses": [list(pair) for pair in self.inverses],
            "backwards": self.backwards,
        }

    @classmethod
    def from_json(cls, value: StoredWorld) -> GraphWorld:
        rules = tuple(WorldRule(*rule) for rule in value["rules"])
        inverses = tuple((label, inverse) for label, inverse in value["inverses"])
        return cls(value["name"], rules, inverses, value["backwards"])


# SWI-Prolog -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Question:
    """A graph and two of its nodes: which relations do they have?"""

    edges: tuple[Edge, ...]
    source: int
    sink: int


@dataclass(frozen=True, slots=True)
class ChainVerdict:
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


def _asked(goal: str, name: str, **given: Any) -> Any:
    """What a goal that always succeeds once gives a variable."""
    prolog, module = _engine()
    answer = prolog.once(goal, given=given, module=module)
    assert answer is not None
    return answer[name]


def surviving_rules(partners: Sequence[int], draws: Sequence[Sequence[Sequence[int]]]) -> list[list[list[int]]]:
    """For each draw of rules [first, second, head]: the rules [sign, first, second, head] that a vocabulary keeps."""
    prolog, module = _engine()
    rows = [(list(partners), draw) for draw in draws]
    kept: list[list[list[int]]] = prolog.once_many(
        "surviving_rules(P, D, R)", over=("P", "D"), get="R", rows=rows, module=module
    )
    return kept


@cache
def _inverses(partners: tuple[int, ...]) -> list[tuple[str, str]]:
    inverses = _asked("inverse_labels(P, I)", "I", P=list(partners))
    return [(name(base, sign), name(partner, other)) for base, sign, partner, other in inverses]


class WorldTheory:
    """A world in this process' Prolog."""

    def __init__(self, world: GraphWorld) -> None:
        self.world = world
        self._prolog, self._module = _engine()
        value = world.to_json()
        given = {
            "W": world.name,
            "R": value["rules"],
            "I": value["inverses"],
            "B": "true" if world.backwards else "false",
        }
        self._prolog.ask("set_world(W, R, I, B)", given=given, module=self._module)

    def _many(self, goal: str, over: tuple[str, ...], get: tuple[str, ...], rows: list[tuple[Any, ...]]) -> list[Any]:
        named = [(self.world.name, *row) for row in rows]
        return self._prolog.once_many(goal, over=("W", *over), get=get, rows=named, module=self._module)

    def verdicts(self, chains: Sequence[Chain]) -> list[ChainVerdict]:
        """What each chain composes to."""
        answers = self._many("chain_verdict(W, C, R, T)", ("C",), ("R", "T"), [(list(chain),) for chain in chains])
        return [ChainVerdict(tuple(by_rules), tuple(by_theory)) for by_rules, by_theory in answers]

    def triples(self) -> list[Chain]:
        """The chains of three labels that compose to one relation and no other."""
        return [tuple(chain) for chain in _asked("proven_triples(W, C)", "C", W=self.world.name)]

    def certificates(self, chains: Sequence[tuple[Chain, str]]) -> list[Certificate | None]:
        """A proof of each chain's label; None if the rules as written have none."""
        rows = [(list(chain), label) for chain, label in chains]
        answers = self._many("chain_certificate(W, C, H, T, N, D)", ("C", "H"), ("T", "N", "D"), rows)
        return [None if row is None else Certificate(row[0], tuple(row[1]), row[2]) for row in answers]

    def proof_lines(self, chain: Chain, label: str, path: Sequence[int]) -> list[str]:
        """The proof of a chain's label as a tree to read, over the nodes of a path; empty if there is none."""
        goal = "chain_proof_lines(W, C, H, P, L)"
        (lines,) = self._many(goal, ("C", "H", "P"), ("L",), [(list(chain), label, list(path))])
        return [] if lines is None else list(lines[0])

    def relations(self, questions: Sequence[Question]) -> list[tuple[str, ...]]:
        """All relations between the two nodes of each question, sorted."""
        graphs = [[[list(edge) for edge in asked.edges], asked.source, asked.sink] for asked in questions]
        answers = _asked("graphs_relations(W, _G, R)", "R", W=self.world.name, _G=graphs)
        return [tuple(relations) for relations in answers]


# clingo ---------------------------------------------------------------------------------------------------------------


def clingo_relations(world: GraphWorld, questions: Sequence[Question]) -> list[set[str]]:
    """The same from clingo's least model. Labels cross as numbers, which it reads and joins far faster than names."""
    numbers: dict[str, int] = {}

    def of(label: str) -> int:
        return numbers.setdefault(label, len(numbers))

    lines = [f"rule({of(rule.first)},{of(rule.second)},{of(rule.head)})." for rule in world.rules]
    if world.backwards:
        lines += [f"inverse({of(label)},{of(inverse)})." for label, inverse in world.inverses]
    for place, asked in enumerate(questions):
        lines.append(f"asked({place},{asked.source},{asked.sink}).")
        lines += [f"edge({place},{source},{sink},{of(label)})." for source, sink, label in asked.edges]
    control = engine.grounded("".join(lines), files=[resources.kb("graphlog", "closure.lp")])
    relations: list[set[str]] = [set() for _ in questions]
    names = list(numbers)
    # Grounding alone has the least model; reading only its answers is what makes this fast.
    for atom in control.symbolic_atoms.by_signature("answer", 2):
        number, relation = atom.symbol.arguments
        relations[number.number].add(names[relation.number])
    return relations


@dataclass(frozen=True, slots=True)
class Clash:
    """A chain whose ends get two relations."""

    chain: Chain
    relations: tuple[str, str]


def clash(world: GraphWorld, longest: int, *, seconds: float = 20.0) -> Clash | None:
    """The shortest chain of at most `longest` edges that composes to two relations; None if clingo shows none."""
    rules = [(rule.first, rule.second, rule.head) for rule in world.rules]
    facts = Facts.rows("rule", rules) | Facts.rows("label", [(label,) for label in world.labels])
    facts |= Facts.rows("inverse", list(world.inverses) if world.backwards else [])
    file = resources.kb("graphlog", "confluence.lp")
    for length in range(2, longest + 1):
        model = Solver(files=[file], facts=facts, constants={"length": length}).first(time_limit=seconds)
        if model is not None:
            places: Any = model.rows("chain")
            one, other = next(iter(model.rows("two")))
            return Clash(tuple(str(label) for _, label in sorted(places)), (str(one), str(other)))
    return None
