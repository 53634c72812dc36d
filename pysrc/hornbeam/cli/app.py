"""The command with its subcommands, and those that need no dataset: setup, doctor, list, demo.

A family can add its own commands as `hornbeam FAMILY ...`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from hornbeam.cli import asking, concepts, datasets, learning, perceiving, prompting, studio, theories, training
from hornbeam.cli.options import JSON
from hornbeam.report.terminal import print_figures, print_json, print_table
from hornbeam.version import __version__

_EPILOG = (
    "Exit codes: 0 success, 1 failure, 2 usage error, 130 Ctrl-C, 143 SIGTERM. See also `hornbeam COMMAND --help`."
)

_INTERRUPTED = 130  # what typer makes of Ctrl-C


_GROUPS = {
    "Start here": ("setup", "doctor", "list", "demo", "studio"),
    "Datasets": ("generate", "import", "check", "audit", "query", "shell", "explain", "show", "export"),
    "Theories": ("learners", "learn", "bias", "compare", "diff", "score", "judge"),
    "Models": ("train", "runs", "reproduce"),
    "Pictures and stories": ("perceivers", "perceive", "concepts"),
    "Language models": ("prompts", "ask"),
}


class FamilyGroup(TyperGroup):
    """Lists the commands in groups, and finds the commands of a family when they are asked for."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        known = {name: command for name in self.list_commands(ctx) if (command := self.get_command(ctx, name))}
        listed = {name for names in _GROUPS.values() for name in names}
        groups = {**_GROUPS, "Further": [name for name in known if name not in listed]}
        width = max(map(len, known), default=0)
        for title, names in groups.items():
            rows = [
                (name.ljust(width), known[name].get_short_help_str(formatter.width - width - 6))
                for name in names
                if name in known
            ]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)
        rows = [(name.ljust(width), ", ".join(commands)) for name, commands in _commands_of_families()]
        with formatter.section("Of a family, as `hornbeam FAMILY COMMAND`"):
            formatter.write_dl(rows)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return super().get_command(ctx, cmd_name) or _family_commands(cmd_name)


def _commands_of_families() -> Iterator[tuple[str, list[str]]]:
    """The families of this package that have commands, and the names of these; the families are not loaded."""
    from hornbeam.family import BUILT_IN

    for name in BUILT_IN:
        if find_spec(f"hornbeam.{name}.commands") is not None:
            group: Any = typer.main.get_group(import_module(f"hornbeam.{name}.commands").app())
            yield name, list(group.commands)


def _family_commands(name: str) -> Any:
    from hornbeam import family

    if name not in family.names():
        return None
    commands = family.get(name).commands()
    if commands is None:
        return None
    commands.rich_markup_mode = None  # help that looks like that of the other commands
    return typer.main.get_group(commands)


app = typer.Typer(
    name="hornbeam",
    cls=FamilyGroup,
    help="Reasoning benchmarks with a known true theory: generate, query, check, learn, compare.",
    epilog=_EPILOG,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"hornbeam {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", help="Show the version and exit.", callback=_print_version, is_eager=True
    ),
    trust: bool = typer.Option(
        False,
        "--trust",
        help="Trust all files: run what others wrote even if this system cannot hold it behind a wall (see doctor).",
    ),
) -> None:
    """Options of the command itself."""
    if trust:
        from hornbeam.wall.trust import trust_all

        trust_all()


@app.command()
def doctor(
    as_json: bool = JSON,
    brief: bool = typer.Option(False, "--brief", help="Print one line, and what is missing."),
) -> None:
    """Show what is installed, what is missing, and the command that installs it.

    Example: hornbeam doctor
    """
    from hornbeam import doctor as examination

    if as_json:
        report = examination.report()
        print_json(report)
        raise typer.Exit(0 if report["ok"] else 1)
    parts = examination.examine()
    if brief:
        ready = [f"{part.name} {part.version}" for part in parts if part.needed and part.found]
        print("ready:" if all(part.ok for part in parts) else "not ready:", ", ".join(ready))
        parts = [part for part in parts if not part.ok]
    rows = [
        (part.name, "found" if part.found else "missing", part.version or "", part.note or part.fix) for part in parts
    ]
    if rows:
        print_table("hornbeam doctor", ("part", "", "version", "where, or how to get it"), rows)
    raise typer.Exit(0 if all(part.ok for part in parts) else 1)


@app.command()
def setup(
    prefix: Path | None = typer.Option(
        None, "--prefix", help="The folder for SWI-Prolog; by default swipl in ~/.local/share/hornbeam."
    ),
    constraints: Path | None = typer.Option(None, "--constraints", help="A file of versions for pip.", exists=True),
) -> None:
    """Install SWI-Prolog where there is none that fits, and Janus for it; then try both.

    A SWI-Prolog of 9.1.12 or later on PATH is used as it is. Otherwise Debian's packages are unpacked into a folder:
    nothing outside it changes, and no root is needed. Janus is compiled, which takes a minute. A second run installs
    nothing.

    Example: hornbeam setup
    """
    from hornbeam.installing import install

    install(prefix, constraints, say=lambda text: print(f"setup: {text}", file=sys.stderr))
    doctor(as_json=False, brief=True)


@app.command("list")
def list_families(family: str | None = typer.Argument(None, help="Show the presets of this family.")) -> None:
    """List the families and their presets.

    Example: hornbeam list
    """
    from hornbeam import config
    from hornbeam import family as families

    if family is None:
        rows = [(name, each.title, ", ".join(config.presets(name))) for name, each in families.loaded().items()]
        print_table("families", ("family", "what a sample is", "presets"), rows)
        return
    chosen = families.get(family)
    print_figures({"family": chosen.name, "title": chosen.title, "paper": chosen.paper})
    print_table(
        "presets", ("preset", "about"), [(name, config.description(family, name)) for name in config.presets(family)]
    )


@app.command()
def demo(
    out: Path = typer.Option(Path("demo"), "--out", help="The folder for the datasets and the report."),
    seed: int = typer.Option(7, "--seed", help="The seed of all datasets."),
) -> None:
    """Take a tour of the families: small datasets are generated, checked, queried and learned from, in one report.

    Example: hornbeam demo --out demo
    """
    from hornbeam.demo import tour

    tour(out, seed)


for commands in (datasets, perceiving, concepts, learning, theories, training, prompting, asking, studio):
    app.add_typer(commands.app)


def invoke(arguments: list[str]) -> int:
    """Run the command; what typer calls a usage error is one of ours."""
    from hornbeam.errors import UsageError

    try:
        result: Any = app(args=arguments, prog_name="hornbeam", standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except typer.Exit as done:
        return done.exit_code
    except SystemExit:
        # What typer makes of a reader that went away.
        raise BrokenPipeError from None
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        hint = f"\nTry '{context.command_path} --help'." if context else ""
        raise UsageError(error.format_message() + hint) from None
    if result == _INTERRUPTED:
        raise KeyboardInterrupt
    return result if isinstance(result, int) else 0
