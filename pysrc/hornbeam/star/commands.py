"""`hornbeam star ...`: solve your own network, and see which cells a preset can fill."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hornbeam.errors import UsageError

if TYPE_CHECKING:
    from hornbeam.networks.network import ConstraintNetwork, Pair
    from hornbeam.star.knowledge import Calculus

# The engines are imported by what uses them: `hornbeam --help` lists these commands.


def app() -> typer.Typer:
    """The commands."""
    commands = typer.Typer(no_args_is_help=True, help="RCC-8, Allen's interval algebra, and your own calculi.")
    commands.command()(solve)
    commands.command()(cells)
    return commands


def solve(
    file: Annotated[Path, typer.Argument(help="lines 'U RELATION V' or 'U R1|R2 V', and one line '? U V'")],
    calculus: Annotated[str, typer.Option(help="rcc8, allen, rcc5, point, or a calculus file (.pl)")] = "rcc8",
    witness: Annotated[bool, typer.Option(help="also regions or intervals that realise the network")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on standard output")] = False,
) -> None:
    """What can hold between two nodes of a network? Exit code 1 if the network is inconsistent.

    Example: hornbeam star solve rooms.txt --calculus rcc8
    """
    from hornbeam.report.terminal import print_json, say
    from hornbeam.star.cells import label_of
    from hornbeam.star.explain import edge_text
    from hornbeam.star.knowledge import load_calculus
    from hornbeam.star.proving import minimal_conflict
    from hornbeam.star.solving import MODELS, decide, witnesses
    from hornbeam.tasks.network_files import INCONSISTENT

    table = load_calculus(calculus)
    if witness and table.name not in MODELS:
        raise UsageError(f"--witness: {table.name} has no model of regions or intervals, {' and '.join(MODELS)} have")
    network = read_text(table, file)
    solution = decide(table, network)
    report: dict[str, Any] = {
        "answer": label_of(table, solution.mask),
        "relations": list(table.names(solution.mask)),
        "exact": solution.exact,
        "by": solution.by,
    }
    if not solution.mask:
        report["conflict"] = [edge_text(table, network, number) for number in minimal_conflict(table, network)]
    elif witness:
        report["witness"] = witnesses(table, [network])[0]
    if as_json:
        print_json(report)
    else:
        for name, value in report.items():
            say(f"{name}: {', '.join(map(str, value)) if isinstance(value, list) else value}")
    if report["answer"] == INCONSISTENT:
        raise typer.Exit(1)


def cells(
    preset: Annotated[str, typer.Argument(help="a preset or a YAML file")],
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on standard output")] = False,
) -> None:
    """Which cells of a preset have no graphs or too few, and why.

    Example: hornbeam star cells rcc8
    """
    from hornbeam.report.terminal import print_json, print_table
    from hornbeam.star.cells import plan
    from hornbeam.star.config import StarConfig
    from hornbeam.star.family import Star

    config = Star().configure(preset)
    assert isinstance(config, StarConfig)
    if config.profile == "compat":
        raise UsageError("the profile compat fills every cell, with copies where there are too few graphs")
    planned = plan(config)
    if as_json:
        print_json({"impossible": planned.impossible, "short": planned.short})
    elif planned.impossible or planned.short:
        print_table("Cells", ("cell", "why"), [*planned.impossible.items(), *planned.short.items()])
    else:
        print("Every cell has all the graphs that are asked for.")


def read_text(calculus: Calculus, file: Path) -> ConstraintNetwork:
    """A network from lines of text; an error names the line and the edge."""
    from hornbeam.star.record import check_edge, read_network
    from hornbeam.theory.reading import file_text

    edges: list[Pair] = []
    labels: list[str] = []
    query: Pair | None = None
    for number, line in enumerate(file_text(file).splitlines(), start=1):
        words = line.partition("#")[0].split()
        try:
            if not words:
                continue
            if len(words) != 3:
                raise UsageError(f"expected 'U RELATION V' or '? U V', found {line!r}")
            if words[0] == "?":
                query = (_node(words[1]), _node(words[2]))
            else:
                edges.append((_node(words[0]), _node(words[2])))
                labels.append(words[1])
                check_edge(calculus, edges[-1], words[1])
        except UsageError as error:
            raise UsageError(error.message, file=str(file), line=number) from None
    if query is None:
        raise UsageError("there is no line '? U V' that says which two nodes are asked about", file=str(file))
    try:
        return read_network(calculus, edges, labels, query)
    except UsageError as error:
        raise UsageError(error.message, file=str(file)) from None


def _node(word: str) -> int:
    if not word.isdecimal():
        raise UsageError(f"expected the number of a node, found {word!r}")
    return int(word)
