"""The libraries of the optional extra `neural`: a missing one is an error that says what to install."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
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
        name = module.split(".")[0]
        if error.name is not None and error.name.split(".")[0] != name:
            raise
        raise EngineUnavailable(_missing(name, what)) from None


def missing(module: str, what: str) -> str | None:
    """The same message, or None if the library is here; it is not imported, which may take seconds.

    >>> missing("no_such_library", "flying")
    'flying needs no_such_library, which is not installed: install hornbeam[neural]'
    """
    return None if find_spec(module) is not None else _missing(module, what)


def _missing(name: str, what: str) -> str:
    return f"{what} needs {name}, which is not installed: install hornbeam[neural]"
