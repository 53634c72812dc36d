"""The ways into SWI-Prolog: each carries the requests of prolog/bridge.pl and brings back the reply.

`janus` and `pyswip` run SWI-Prolog in this process; `contained` runs it in its own process, for programs and goals
that come from outside.
"""

from __future__ import annotations

import os
from typing import Protocol

from hornbeam.errors import unknown_name
from hornbeam.logic.wire import Wire

IN_PROCESS = ("janus", "pyswip")


class Bridge(Protocol):
    """One way into SWI-Prolog."""

    name: str
    safety: str  # "trusted" or "sandboxed": whether goals are checked before they run

    def call(self, operation: str, request: Wire, seconds: float | None) -> Wire:
        """Run an operation of prolog/bridge.pl; `seconds` is the goal's own time limit, where it has one."""
        ...


def in_process(name: str | None = None) -> Bridge:
    """This process' bridge: `name`, else the variable HORNBEAM_PROLOG, else Janus."""
    chosen = name or os.environ.get("HORNBEAM_PROLOG") or "janus"
    if chosen == "janus":
        from hornbeam.logic.bridges.janus import janus_bridge

        return janus_bridge()
    if chosen == "pyswip":
        from hornbeam.logic.bridges.pyswip import pyswip_bridge

        return pyswip_bridge()
    raise unknown_name("Prolog bridge", chosen, IN_PROCESS)
