"""The command `hornbeam studio`: the web workbench on this machine."""

from __future__ import annotations

import contextlib
import socket
import threading
import webbrowser
from pathlib import Path

import typer

from hornbeam.report.terminal import say

app = typer.Typer()
_HOST = "127.0.0.1"
_PORT = 8765  # the first choice; any free one if it is taken
_GRACE = 2  # seconds for requests that are under way when the studio is closed


@app.command()
def studio(
    folders: list[Path] = typer.Argument(None, metavar="[DIR]...", help="The folders to work in; default: this one."),
    port: int = typer.Option(None, "--port", min=0, max=65535, help="The port; 0 means any that is free."),
    no_browser: bool = typer.Option(False, "--no-browser", help="Only print the URL."),
) -> None:
    """Open the web workbench on this machine: look at samples, edit rules, learn, ask, compare.

    It listens on 127.0.0.1 only, and opens with the token in the printed URL. Ctrl-C ends it and all that it started.

    Example: hornbeam studio data --port 8000
    """
    import uvicorn

    from hornbeam.studio.app import create_app
    from hornbeam.studio.security import new_token

    token = new_token()
    application = create_app(folders or [Path()], token=token)
    with _listening(port) as listener:
        url = f"http://{_HOST}:{listener.getsockname()[1]}/?token={token}"
        say(f"hornbeam studio: {url}\nCtrl-C ends it.")
        config = uvicorn.Config(
            application, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=_GRACE
        )
        if not no_browser:
            threading.Timer(0.5, webbrowser.open, [url]).start()
        # The server ends what it started and then passes the signal on.
        with contextlib.suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listener])


def _listening(port: int | None) -> socket.socket:
    """A socket on this machine's own address."""
    from hornbeam.errors import UsageError

    for number in (port,) if port is not None else (_PORT, 0):
        # Where the protocol is not named, asyncio lets the body of an answer wait for the acknowledgement of its head.
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((_HOST, number))
            listener.listen()
            return listener
        except OSError as error:
            listener.close()
            reason = error.strerror
    raise UsageError(f"the port {port} cannot be used: {reason}")
