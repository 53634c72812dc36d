"""The page of commands: the help of each, with its options."""

from __future__ import annotations

import inspect
import re
from typing import Any

from hornbeam.handbook.markdown import code, page, section, table


def command_page(group: Any) -> str:
    """All commands of a typer group."""
    parts = [_command(name, command) for name, command in group.commands.items() if not command.hidden]
    return page("Commands", "Every command prints this with `--help`.", *parts)


def _command(name: str, command: Any) -> str:
    text = inspect.cleandoc(command.help or "")
    about, _, example = text.partition("Example:")
    shown = f"```text\n{' '.join(example.split())}\n```" if example.strip() else ""
    rows = [(_names(parameter), _about(parameter)) for parameter in command.params if getattr(parameter, "help", None)]
    return section(
        code(f"hornbeam {name}"),
        re.sub(r"[ \t]+", " ", about).strip(),
        shown,
        table(("option", "meaning"), rows) if rows else "",
    )


def _names(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return code(parameter.metavar or parameter.name.upper())
    return ", ".join(code(name) for name in (*parameter.opts, *parameter.secondary_opts))


def _about(parameter: Any) -> str:
    default = parameter.default
    stated = default is not None and default is not False and not callable(default) and default not in ((), [])
    return (
        f"{parameter.help} Default: {code(default)}."
        if stated and parameter.param_type_name != "argument"
        else str(parameter.help)
    )
