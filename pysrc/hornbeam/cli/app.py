"""The commands that work on any family; each family adds its own as `hornbeam FAMILY ...`."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from hornbeam.cli import datasets, exports, general, judging, learning, theories, training
from hornbeam.version import __version__

_EPILOG = "Exit codes: 0 done, 1 it failed, 2 usage error. `hornbeam COMMAND --help` shows an example."

_INTERRUPTED = 130  # what typer makes of Ctrl-C


class FamilyGroup(TyperGroup):
    """Finds the commands of a family when they are asked for, so that `hornbeam --help` loads none of them."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return super().get_command(ctx, cmd_name) or _family_commands(cmd_name)


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
) -> None:
    """Options of the command itself."""


general.add_to(app)
datasets.add_to(app)
theories.add_to(app)
learning.add_to(app)
judging.add_to(app)
exports.add_to(app)
training.add_to(app)


def invoke(arguments: list[str]) -> int:
    """Run the command; what typer calls a usage error is one of ours."""
    from hornbeam.errors import UsageError

    try:
        result: Any = app(args=arguments, prog_name="hornbeam", standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except typer.Exit as done:
        return done.exit_code
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        hint = f"\nTry '{context.command_path} --help'." if context else ""
        raise UsageError(error.format_message() + hint) from None
    if result == _INTERRUPTED:
        raise KeyboardInterrupt
    return result if isinstance(result, int) else 0
