"""Labels proven: derived in SWI-Prolog, and confirmed by clingo.

SWI-Prolog derives every label through the text of the files that a dataset ships, theory.pl and background.pl.

clingo confirms in two ways that the label is exactly what is possible. :func:`certify` takes a stream of networks. Many
of them share one control; each has a guard that is assumed, so that an unsatisfiable core names the networks that are
inconsistent instead of failing the batch. Clauses are written for the triangulated graph, past the grounder, as aspif
(clingo's ground format: several times faster than calls of its backend): each edge has exactly one relation, and in
each triangle two relations need a third that supports them. Domains between the ends are pruned by elimination; the
answer's own domain never is, so that clingo itself refutes every other answer. :func:`possible` is the reference:
clingo on kb/star/network.lp, grounded, nothing pruned, independent of closure.

>>> from hornbeam.star.knowledge import load_calculus
>>> from hornbeam.star.record import read_network
>>> given = {"edges": [[0, "NTPP", 1], [1, "NTPP", 2]], "query": [0, 2]}
>>> derived_labels("rcc8", [Sample("s", "t", "test", "NTPP", input=given)])
['NTPP']
>>> rcc8 = load_calculus("rcc8")
>>> net = read_network(rcc8, [(0, 1), (1, 3), (0, 2), (2, 3)], ["EC", "TPPI", "TPPI", "EC"], (0, 3))
>>> [rcc8.text(mask) for mask in (*certify(rcc8, [net]), *possible(rcc8, [net]))]
['EC', 'EC']
>>> allen = load_calculus("allen")
>>> net = read_network(allen, [(0, 1), (1, 2), (0, 2), (2, 3)], ["<", "m", "di", "f"], (0, 3))
>>> possible(allen, [net]), minimal_conflict(allen, net)
([0], [0, 1, 2])
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

from hornbeam import resources
from hornbeam.bitsets import bits
from hornbeam.data.sample import Sample
from hornbeam.errors import DatasetError
from hornbeam.logic import Prolog
from hornbeam.logic.asp import engine
from hornbeam.logic.terms import to_text
from hornbeam.networks.closing import Triangle, eliminate, triangulate
from hornbeam.networks.network import ConstraintNetwork, Pair
from hornbeam.star.knowledge import Calculus, calculus_file, load_calculus
from hornbeam.theory.reading import read_text

# Networks in one control: pruned, and not pruned.
_TOGETHER = 32
_UNPRUNED_TOGETHER = 16

# A calculus that states no property: the theory asks for them all the same.
_NO_PROPERTY = "\n%   Nothing further is known of this calculus.\n\nproperty(none).\n"
# For masks of a triangle's three edges: the clauses (relation, relation, supporting relations) that it needs.
_Clauses = dict[tuple[int, int, int], list[tuple[int, int, list[int]]]]
# The aspif literals of an edge's relations, by relation.
_Literals = dict[int, int]


# SWI-Prolog -----------------------------------------------------------------------------------------------------------


def prolog_texts(calculus: str) -> tuple[str, str]:
    """The background knowledge and the theory of a dataset, as they stand in background.pl and theory.pl."""
    theory = resources.kb("star", "theory.pl").read_text(encoding="utf-8")
    theory += "\n" + resources.prolog("star", "deciding.pl").read_text(encoding="utf-8")
    if not load_calculus(calculus).patchwork:
        theory += _NO_PROPERTY
    return calculus_file(calculus).read_text(encoding="utf-8"), theory


@lru_cache(maxsize=8)
def _loaded(calculus: str) -> tuple[Prolog, str]:
    """The dataset's Prolog in its own module; `load_calculus` has seen that the calculus holds only facts."""
    background, theory = prolog_texts(calculus)
    # A calculus may be anybody's file. It is printed again from what was read, so that nothing but facts is loaded.
    facts = "".join(f"{to_text(fact)}.\n" for fact in read_text(background).heads)
    text = f":- dynamic sample/5, edge/4.\n{facts}\n{theory}"
    module = f"hornbeam_star_proof_{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    prolog = Prolog()
    prolog.load_text(text, module, name="theory.pl")
    return prolog, module


def derived_labels(calculus: str, samples: Sequence[Sample]) -> list[str]:
    """What SWI-Prolog derives for each sample from its edges and its query, in one call."""
    prolog, module = _loaded(calculus)
    answer = prolog.once("network_answers(_Codes, Labels)", given={"_Codes": _coded(samples)}, module=module)
    assert answer is not None
    labels: Any = answer["Labels"]
    return [str(label) for label in labels]


def prove(calculus: str, samples: Sequence[Sample]) -> int:
    """How many labels SWI-Prolog derived: all of them, or DatasetError names the first sample that it contradicts."""
    for sample, derived in zip(samples, derived_labels(calculus, samples), strict=True):
        if derived != sample.label:
            raise DatasetError(
                f"sample {sample.id} is labelled {sample.label}, but SWI-Prolog derives {derived} from theory.pl and "
                "background.pl: this is a fault of the generator"
            )
    return len(samples)


def _coded(samples: Sequence[Sample]) -> list[Any]:
    """The networks as one flat list, which crosses fastest: see network_answers/2 of kb/star/theory.pl."""
    codes: list[Any] = []
    for sample in samples:
        given: Any = sample.input
        edges = given["edges"]
        codes += given["query"]
        codes.append(1 + max(max(source, target) for source, _, target in edges))
        codes.append(len(edges))
        for source, label, target in edges:
            codes += (source, target, label)
    return codes


# clingo, pruned -------------------------------------------------------------------------------------------------------


def certify(calculus: Calculus, networks: Sequence[ConstraintNetwork], *, batch: int = _TOGETHER) -> list[int]:
    """For each network the mask of all relations that can hold between its query's nodes; 0 if it is inconsistent."""
    answers: list[int] = []
    clauses: _Clauses = {}
    for start in range(0, len(networks), batch):
        answers += _Batch(calculus, networks[start : start + batch], clauses).answers()
    return answers


class _Batch:
    """Several networks in one control. What stands for one network is kept while its clauses are written."""

    def __init__(self, calculus: Calculus, networks: Sequence[ConstraintNetwork], clauses: _Clauses) -> None:
        self.calculus = calculus
        self.clauses = clauses
        self.guards: list[int] = []
        self.atoms = 0
        self.lines = ["asp 1 0 0"]
        for number, network in enumerate(networks):
            self._add(number, network)
        # Every atom is free; the constraints decide.
        self.lines.append(f"1 1 {self.atoms} {' '.join(map(str, range(1, self.atoms + 1)))} 0 0")
        self.lines.append("0\n")

    def answers(self) -> list[int]:
        control = engine.grounded("\n".join(self.lines), options=["--sat-prepro=no", "--eq=0"])
        return _brave_masks(control, self.guards)

    def _add(self, number: int, network: ConstraintNetwork) -> None:
        self.atoms += 1
        self.guards.append(self.atoms)
        done = eliminate(self.calculus, network)
        if done.contradicted:
            done = eliminate(self.calculus, network, prune=False)
            if any(0 in around.values() for around in done.known):  # two edges between the same nodes
                self.lines.append(f"1 0 0 0 1 {self.atoms}")
        source, sink = network.query
        self.known, self.shared = done.known, done.plan.shared
        self.known[source][sink] = done.said[0]  # what the network itself says
        target = self._one_of(done.said[0], target=True)
        for relation, atom in target.items():
            name = f"a({number},{relation})"
            self.lines.append(f"4 {len(name)} {name} 1 {atom}")
        self.literals: dict[Pair, _Literals] = {(source, sink): target}
        for triangle in done.plan.triangles:
            self._triangle(*triangle)

    def _triangle(self, a: int, v: int, c: int) -> None:
        """Whatever holds from a to v and from v to c needs support from a to c."""
        masks = (self.known[a][v], self.known[v][c], self.known[a][c])
        clauses = self.clauses.get(masks)
        if clauses is None:
            clauses = self.clauses[masks] = _support(self.calculus, masks)
        if not clauses:
            return
        first, second, third = self._edge(a, v), self._edge(v, c), self._edge(a, c)
        for r, s, support in clauses:
            needs = " -".join([str(third[t]) for t in support])
            self.lines.append(f"1 0 0 0 {2 + len(support)} {first[r]} {second[s]}{' -' + needs if needs else ''}")

    def _edge(self, u: int, v: int) -> _Literals:
        """The literals of an edge in this direction, made on first use; the other direction has the same atoms."""
        atoms = self.literals.get((u, v))
        if atoms is None:
            back = self.literals.get((v, u))
            if back is None:
                atoms = self._one_of(self.known[u][v], single=(u, v) in self.shared)
            else:
                converses = self.calculus.converses
                atoms = {converses[r].bit_length() - 1: atom for r, atom in back.items()}
            self.literals[u, v] = atoms
        return atoms

    def _one_of(self, mask: int, *, target: bool = False, single: bool = True) -> _Literals:
        """A relation of the mask holds while the guard does; where there is only one, the guard stands for it.

        With `single` no two do. An edge that is the result of one triangle alone needs no such clause: of several
        relations that hold, any one that its triangle supports can be kept and the others dropped.
        """
        guard = self.guards[-1]
        relations = bits(mask)
        if len(relations) == 1 and not target:
            return {relations[0]: guard}
        start = self.atoms + 1
        self.atoms += len(relations)
        atoms = range(start, self.atoms + 1)
        negative = "".join([f" -{atom}" for atom in atoms])
        self.lines.append(f"1 0 0 0 {len(relations) + 1} {guard}{negative}")
        if single and len(relations) > 1:
            weighted = "".join([f" {atom} 1" for atom in atoms])
            self.lines.append(f"1 0 0 1 2 {len(relations)}{weighted}")
        return dict(zip(relations, atoms, strict=True))


def _support(calculus: Calculus, masks: tuple[int, int, int]) -> list[tuple[int, int, list[int]]]:
    first, second, domain = masks
    triples = ((r, s, calculus.cells[r][s] & domain) for r in bits(first) for s in bits(second))
    return [(r, s, bits(support)) for r, s, support in triples if support != domain]


# clingo, not pruned ---------------------------------------------------------------------------------------------------


def possible(
    calculus: Calculus,
    networks: Sequence[ConstraintNetwork],
    *,
    complete: bool | None = None,
    batch: int = _UNPRUNED_TOGETHER,
) -> list[int]:
    """For each network the mask of exactly the relations that can hold between the query's nodes; 0 if inconsistent.

    `complete` takes the triangles of the complete graph instead of a triangulated one; by default that is done for
    calculi whose file does not state property(patchwork).
    """
    whole = not calculus.patchwork if complete is None else complete
    masks: list[int] = []
    for start in range(0, len(networks), batch):
        chunk = networks[start : start + batch]
        control = _control(calculus, chunk, whole, fixed=True)
        masks += _brave_masks(control, [_literal(control, "on", i) for i in range(len(chunk))])
    return masks


def minimal_conflict(calculus: Calculus, network: ConstraintNetwork) -> list[int]:
    """The numbers of edges that cannot hold together, none of them to spare; empty if the network is consistent.

    Dropping any one of these edges leaves the rest of them consistent.
    """
    control = _control(calculus, [network], not calculus.patchwork, fixed=False)
    on = _literal(control, "on", 0)
    kept = {n: _literal(control, "kept", 0, n) for n in range(len(network.edges))}

    def core(edges: Iterable[int]) -> set[int] | None:
        with control.solve(assumptions=[on, *(kept[n] for n in edges)], yield_=True) as handle:
            handle.resume()
            if handle.get().satisfiable:
                return None
            named = set(handle.core())
        return {n for n in edges if kept[n] in named}

    conflict = core(range(len(network.edges)))
    if conflict is None:
        return []
    for edge in sorted(conflict):
        if edge in conflict:
            smaller = core(sorted(conflict - {edge}))
            conflict = conflict if smaller is None else smaller
    return sorted(conflict)


def _literal(control: engine.Control, name: str, *numbers: int) -> int:
    atom = control.symbolic_atoms[engine.Function(name, [engine.Number(n) for n in numbers])]
    assert atom is not None
    return atom.literal


def _control(
    calculus: Calculus, networks: Sequence[ConstraintNetwork], complete: bool, *, fixed: bool
) -> engine.Control:
    facts = _calculus_facts(calculus)
    for i, network in enumerate(networks):
        facts += _network_facts(i, network, complete)
        facts += [f"fixed({i})."] if fixed else []
    return engine.grounded("\n".join(facts), files=[resources.kb("star", "network.lp")])


def _calculus_facts(calculus: Calculus) -> list[str]:
    """The calculus as ASP facts; relations are their numbers."""
    facts = [f"relation(0..{calculus.size - 1})."]
    facts += [f"converse({r},{s})." for r, s in enumerate(mask.bit_length() - 1 for mask in calculus.converses)]
    for a, row in enumerate(calculus.cells):
        facts += [f"composition({a},{b},{c})." for b, mask in enumerate(row) for c in bits(mask)]
    return facts


def _network_facts(i: int, network: ConstraintNetwork, complete: bool) -> list[str]:
    pairs, triangles = _complete(network) if complete else _triangulated(network)
    facts = [f"instance({i}). query({i},{network.query[0]},{network.query[1]})."]
    facts += [f"pair({i},{u},{v})." for u, v in pairs]
    facts += [f"triangle({i},{u},{v},{w})." for u, v, w in triangles]
    for n, ((u, v), label) in enumerate(zip(network.edges, network.labels, strict=True)):
        facts.append(f"edge({i},{n},{u},{v}).")
        facts += [f"label({i},{n},{r})." for r in bits(label)]
    return facts


def _complete(network: ConstraintNetwork) -> tuple[list[Pair], list[Triangle]]:
    nodes = range(network.nodes)
    return list(combinations(nodes, 2)), list(combinations(nodes, 3))


def _triangulated(network: ConstraintNetwork) -> tuple[list[Pair], list[Triangle]]:
    plan = triangulate(network.nodes, network.edges, network.query)
    pairs = {(min(edge), max(edge)) for edge in (*network.edges, *plan.added)}
    return sorted(pairs), list(plan.triangles)


# Both -----------------------------------------------------------------------------------------------------------------


def _brave_masks(control: engine.Control, guards: Sequence[int]) -> list[int]:
    """For each guard's network the union over all models of its answers, shown as (network, relation); 0 if none."""
    alive = list(range(len(guards)))
    _set_models(control, "brave")
    while alive:
        shown: Sequence[engine.Symbol] = []
        with control.solve(assumptions=[guards[i] for i in alive], yield_=True) as handle:
            for model in handle:
                shown = model.symbols(shown=True)
            core = None if handle.get().satisfiable else set(handle.core())
        if core is None:
            masks = [0] * len(guards)
            for symbol in shown:
                number, relation = (argument.number for argument in symbol.arguments)
                if number in alive:
                    masks[number] |= 1 << relation
            return masks
        # A core may be larger than it must be: of the networks it names at least one is inconsistent.
        named = [i for i in alive if guards[i] in core]
        if len(named) > 1:
            _set_models(control, "auto")
            named = [i for i in named if not control.solve(assumptions=[guards[i]]).satisfiable]
            _set_models(control, "brave")
        alive = [i for i in alive if i not in named]
    return [0] * len(guards)


def _set_models(control: engine.Control, mode: str) -> None:
    """Set clingo to the union of all models (``brave``), or back to one model (``auto``)."""
    solve = control.configuration.solve
    assert isinstance(solve, engine.Configuration)
    solve.enum_mode = mode
    solve.models = 1 if mode == "auto" else 0
