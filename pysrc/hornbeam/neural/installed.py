"""What of the optional extra is installed: a missing library is an error that says what to install."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from hornbeam.errors import EngineUnavailable


def need(module: str, what: str) -> ModuleType:
    """Import a library of the extra `neural`, or say what needs it and how to get it.

    >>> need("no_such_library", "flying")
    Traceback (most recent call last):
    ...
    hornbeam.errors.EngineUnavailable: flying needs no_such_library, which is not installed: install hornbeam[neural]
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.split(".")[0] != module.split(".")[0]:
            raise
        name = module.split(".")[0]
        raise EngineUnavailable(f"{what} needs {name}, which is not installed: install hornbeam[neural]") from None
