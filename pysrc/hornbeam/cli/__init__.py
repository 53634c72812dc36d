"""The command `hornbeam`."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
import warnings
from types import FrameType
from typing import Any

# A path that a person gave, and that cannot be read or written there.
_WRONG_PLACE = frozenset(
    {
        *(errno.ENOENT, errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.EACCES, errno.EPERM, errno.EROFS),
        *(errno.ENAMETOOLONG, errno.ELOOP),
    }
)
_INTERRUPTED, _TERMINATED = 128 + signal.SIGINT, 128 + signal.SIGTERM


def main() -> None:
    """Run the command; errors are messages and exit codes, never tracebacks."""
    # Raised as Ctrl-C is, so that what a command has started ends and what it was writing is removed.
    signal.signal(signal.SIGTERM, _terminate)
    code = run(sys.argv[1:])
    sys.exit(_TERMINATED if _terminated.is_set() and code == _INTERRUPTED else code)


_terminated = threading.Event()


def _terminate(number: int, frame: FrameType | None) -> None:
    _terminated.set()
    raise _Termination


class _Termination(KeyboardInterrupt):
    """SIGTERM. Not KeyboardInterrupt itself: Python may then end itself with SIGINT at exit, handled or not."""


def run(arguments: list[str]) -> int:
    """Run the command with these arguments and return its exit code, see docs/faults.md."""
    from hornbeam.errors import HornbeamError, Terminated, UsageError

    try:
        return _invoke(arguments or ["--help"])
    except UsageError as error:
        _complain(str(error))
        return 2
    except Terminated as error:
        _complain(str(error))
        return _TERMINATED
    except HornbeamError as error:
        _complain(str(error))
        return 1
    except KeyboardInterrupt:
        _complain(f"{'terminated' if _terminated.is_set() else 'interrupted'}; what was finished is kept")
        return _INTERRUPTED
    except BrokenPipeError:
        # The reader went away (`hornbeam ... | head`); nothing more can be said to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if os.environ.get("HORNBEAM_DEBUG"):
            raise
        if isinstance(error, OSError) and error.strerror:
            _complain(": ".join(str(part) for part in (error.filename, error.strerror) if part is not None))
            return 2 if error.errno in _WRONG_PLACE else 1
        _complain(f"internal error: {type(error).__name__}: {error} (HORNBEAM_DEBUG=1 shows where)")
        return 1


def _invoke(arguments: list[str]) -> int:
    """Run the command; a warning about a plug-in is one line."""
    from hornbeam.cli.app import invoke
    from hornbeam.registry import PluginWarning

    with warnings.catch_warnings():
        plain = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if issubclass(category, PluginWarning):
                _complain(f"warning: {message}")
            else:
                plain(message, category, *place, **more)

        warnings.showwarning = show
        warnings.simplefilter("default", PluginWarning)
        return invoke(arguments)


def _complain(message: str) -> None:
    from hornbeam.report.terminal import say

    say(f"hornbeam: {message}", file=sys.stderr)
