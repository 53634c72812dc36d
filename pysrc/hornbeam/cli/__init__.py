"""The command `hornbeam`."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any

# A path that a person gave, and that cannot be read or written there.
_WRONG_PLACE = (FileNotFoundError, FileExistsError, NotADirectoryError, IsADirectoryError, PermissionError)


def main() -> None:
    """Run the command; errors are messages and exit codes, never tracebacks."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command with these arguments and return its exit code: 0 done, 1 it failed, 2 usage error."""
    from hornbeam.errors import HornbeamError, UsageError

    try:
        return _invoke(arguments or ["--help"])
    except UsageError as error:
        _complain(str(error))
        return 2
    except HornbeamError as error:
        _complain(str(error))
        return 1
    except KeyboardInterrupt:
        _complain("interrupted; what was finished is kept")
        return 130
    except BrokenPipeError:
        # The reader went away (`hornbeam ... | head`); nothing more can be said to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if os.environ.get("HORNBEAM_DEBUG"):
            raise
        if isinstance(error, OSError) and error.strerror:
            _complain(": ".join(str(part) for part in (error.filename, error.strerror) if part is not None))
            return 2 if isinstance(error, _WRONG_PLACE) else 1
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
    print(f"hornbeam: {message}", file=sys.stderr)
