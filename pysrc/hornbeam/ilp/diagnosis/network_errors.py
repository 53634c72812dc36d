"""What a theory gets wrong on networks: a wrong answer with the cell or rule that gave it, or no answer and why.

A theory is a table of compositions, compose/3, or rules over edges: is_R(X, Y) for each relation R.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hornbeam.ilp.diagnosis.errors import SplitErrors, WrongAnswer, traced_atoms
from hornbeam.logic.terms import Compound, Term
from hornbeam.networks.blaming import (
    Repair,
    blamed_cells,
    breaks,
    cell_text,
    derivations,
    fact_text,
    known_answers,
    removals,
    repairs,
)
from hornbeam.networks.differing import Cell, members
from hornbeam.networks.network import Network
from hornbeam.networks.reasoning import Answer
from hornbeam.networks.table import Table
from hornbeam.tasks.graphs import edges_program, node_name
from hornbeam.tasks.network_files import TARGET, edge_name
from hornbeam.tasks.problem import NetworkTask, Problem
from hornbeam.theory import Bench, Theory
from hornbeam.theory.theory import indicator

_COMPOSE = ("compose", 3)
_TRACED = 50  # networks of a kind in a split whose cause is looked for
_MOST_CHANGES = 400  # cells that are tried
_DERIVED = 10  # wrong answers of a split whose derivation is asked of Prolog
# What decides where nothing follows.
_NOTHING = ("first of all", "hints")


def network_errors(problem: Problem, theory: Theory, most: int) -> list[SplitErrors]:
    """The errors of a theory in training and in every held-out split of a problem of the view `networks`.

    Only the first `most` networks of a split are looked at; where there are more, a note says so.
    """
    task = problem.task
    assert isinstance(task, NetworkTask)
    splits = {"train": task.networks, **{split: held.networks for split, held in problem.held.items()}}
    if any(indicator(clause.head) == _COMPOSE for clause in theory.clauses):
        own, true = Table.of(theory), Table.of(problem.truth) if problem.truth is not None else None
        parts = [_table_errors(split, networks[:most], own, true) for split, networks in splits.items()]
    else:
        parts = [_rule_errors(split, networks[:most], theory) for split, networks in splits.items()]
    sizes = [len(networks) for networks in splits.values()]
    return [
        replace(part, note=f"only the first {most} of {size} networks were looked at") if size > most else part
        for part, size in zip(parts, sizes, strict=True)
    ]


# Tables ---------------------------------------------------------------------------------------------------------------


def _table_errors(split: str, networks: Sequence[Network], own: Table, true: Table | None) -> SplitErrors:
    answers = known_answers(own, networks)
    wrong = [
        (network, answer)
        for network, answer in zip(networks, answers, strict=True)
        if answer is None or set(answer.relations) != set(network.answer)
    ]
    errors = [_unknown(split, network, own) for network, answer in wrong if answer is None]
    silent = [network for network, answer in wrong if answer is not None and answer.by in _NOTHING]
    errors += _silent_errors(split, silent, own, true)
    spoken = [(network, answer) for network, answer in wrong if answer is not None and answer.by not in _NOTHING]
    errors += _spoken_errors(split, spoken, own, true)
    order = {network.name: number for number, network in enumerate(networks)}
    return SplitErrors(split, len(networks), tuple(sorted(errors, key=lambda error: order[error.example])))


def _unknown(split: str, network: Network, own: Table) -> WrongAnswer:
    names = dict.fromkeys(name for edge in network.edges for name in edge.relations if name not in own.place)
    label = edge_name(network.answer)
    blame = f"no answer: the theory does not know the relation {', '.join(names)}"
    return WrongAnswer(split, network.name, label, None, label, blame=blame)


def _silent_errors(split: str, networks: Sequence[Network], own: Table, true: Table | None) -> list[WrongAnswer]:
    """Networks from which nothing follows: the theory answers the relation that it lists first."""
    traced = networks[:_TRACED]
    stops = breaks(own, traced)
    # Where the truth does not compose the pair either, an earlier composition led the path astray.
    astray = [number for number, stop in enumerate(stops) if true is not None and not _has(true, stop.cell)]
    changes = repairs(own, true)[:_MOST_CHANGES] if true is not None else []
    earlier = dict(zip(astray, blamed_cells(own, [traced[number] for number in astray], changes), strict=True))
    errors = [_wrong(split, network, None) for network in networks]
    for number, stop in enumerate(stops):
        cell = earlier.get(number) or stop.cell
        fact = cell_text(cell, members(own, cell), members(true, cell), own.reading) if cell and true else ""
        blame = f"no answer: {stop.text}; {fact}" if fact else f"no answer: {stop.text}"
        errors[number] = replace(errors[number], cell=cell, blame=blame)
    return errors


def _has(table: Table, cell: Cell | None) -> bool:
    return cell is not None and bool(members(table, cell))


def _spoken_errors(
    split: str, wrong: Sequence[tuple[Network, Answer]], own: Table, true: Table | None
) -> list[WrongAnswer]:
    errors = [_wrong(split, network, answer) for network, answer in wrong]
    traced = [network for network, _ in wrong[:_TRACED]]
    cells = blamed_cells(own, traced, _changes(own, true), partly=True)
    told = derivations(own, traced[:_DERIVED])
    for number, cell in enumerate(cells):
        if cell is None:
            blame = "no single composition explains it"
        elif true is not None:
            blame = f"by {cell_text(cell, members(own, cell), members(true, cell), own.reading)}"
        else:
            blame = f"by {' '.join(fact_text('compose', *cell, name) for name in sorted(members(own, cell)))}"
        lines = told[number] if number < len(told) else ()
        errors[number] = replace(errors[number], cell=cell, blame=blame, derivation=lines)
    return errors


def _changes(own: Table, true: Table | None) -> list[Repair]:
    return (repairs(own, true) if true is not None else removals(own))[:_MOST_CHANGES]


def _wrong(split: str, network: Network, answer: Answer | None) -> WrongAnswer:
    label = edge_name(network.answer)
    return WrongAnswer(split, network.name, label, None if answer is None else edge_name(answer.relations), label)


# Rules ----------------------------------------------------------------------------------------------------------------


def _rule_errors(split: str, networks: Sequence[Network], theory: Theory) -> SplitErrors:
    """Rules are asked of the query's nodes for every relation that the theory concludes."""
    labels = sorted(
        name.removeprefix(TARGET) for name, arity in theory.defines if arity == 2 and name.startswith(TARGET)
    )
    goals = [_goal(label, split, number, one) for number, one in enumerate(networks) for label in labels]
    with Bench(edges_program(split, networks)) as bench:
        covered = iter(bench.judge(theory, goals).covered if goals else ())
        answers = [[label for label in labels if next(covered)] for _ in networks]
        wrong = [
            (number, network, said)
            for number, (network, said) in enumerate(zip(networks, answers, strict=True))
            if said != [edge_name(network.answer)]
        ]
        causes = _rule_causes(bench, split, theory, wrong[:_TRACED])
    errors = []
    for number, network, said in wrong:
        right, cause = edge_name(network.answer), causes.get(number)
        error = WrongAnswer(split, network.name, right, "+".join(said) or None, right)
        if cause is not None:
            error = replace(error, clause=cause.clause, literal=cause.literal, blame=cause.blame)
        errors.append(error)
    return SplitErrors(split, len(networks), tuple(errors))


def _rule_causes(
    bench: Bench, split: str, theory: Theory, wrong: Sequence[tuple[int, Network, list[str]]]
) -> dict[int, WrongAnswer]:
    """By number of the network: the rule that gives a wrong relation, or that comes nearest to the right one."""
    missed: dict[int, Term] = {}
    covered: dict[int, Term] = {}
    for number, network, said in wrong:
        right = edge_name(network.answer)
        others = [label for label in said if label != right]
        chosen = covered if others else missed
        chosen[number] = _goal(others[0] if others else right, split, number, network)
    errors = traced_atoms(bench, split, theory, list(missed.values()), list(covered.values()))
    return dict(zip([*missed, *covered], errors, strict=True))


def _goal(label: str, split: str, number: int, network: Network) -> Term:
    return Compound(TARGET + label, tuple(node_name(split, number, node) for node in network.query))
