"""Families, learners, models, dialects and reproductions by name: those that are built in, and those of other packages.

Another package announces its own through an entry point. One that cannot be loaded is an error where a person asks for
it by name, and a warning that names it wherever all are listed: it never takes the others with it.

>>> import decimal
>>> kinds = Registry("kind of number", "hornbeam.kinds", {"decimal": "decimal:Decimal"}, base=decimal.Decimal)
>>> kinds.names(), kinds.get("decimal")
(['decimal'], Decimal('0'))
>>> kinds.get("decimol")
Traceback (most recent call last):
...
hornbeam.errors.UsageError: unknown kind of number 'decimol'; did you mean 'decimal'? Known: decimal
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

from hornbeam.errors import HornbeamError, unknown_name

T = TypeVar("T")


class PluginWarning(UserWarning):
    """Something of another package cannot be loaded, and is left out."""


class BrokenPlugin(HornbeamError):
    """Something of another package was asked for by name, and cannot be loaded."""


@dataclass(frozen=True)
class Registry(Generic[T]):
    """What can be had under a name. A thing is made by calling what is registered, without arguments.

    Args:
        kind: What it is, in messages.
        group: The entry point group of other packages.
        built_in: Where each built-in one is: ``module:attribute`` by name.
        base: What each must be an instance of; None where what is registered is the thing itself, such as a function.
        needs: Attributes that each must have.
    """

    kind: str
    group: str
    built_in: Mapping[str, str]
    base: type[T] | None = None
    needs: tuple[str, ...] = ()

    def names(self) -> list[str]:
        """All that are announced, whether they can be loaded or not."""
        return sorted({*self.built_in, *self.plugins()})

    def plugins(self) -> dict[str, EntryPoint]:
        """Those of other packages."""
        return {point.name: point for point in entry_points(group=self.group)}

    def get(self, name: str) -> T:
        """The one of this name; a plug-in goes before what is built in.

        Raises:
            UsageError: if there is none; the message names the nearest.
            BrokenPlugin: if it is of another package and cannot be loaded.
        """
        point = self.plugins().get(name)
        if point is not None:
            return self._plugin(point)
        if name not in self.built_in:
            raise unknown_name(self.kind, name, self.names())
        module, _, attribute = self.built_in[name].partition(":")
        return self._checked(getattr(import_module(module), attribute))

    def loaded(self) -> dict[str, T]:
        """All that can be loaded, by name; a :class:`PluginWarning` names each that cannot."""
        whole = {}
        for name in self.names():
            try:
                whole[name] = self.get(name)
            except BrokenPlugin as error:
                warnings.warn(f"{error}; it is left out", PluginWarning, stacklevel=2)
        return whole

    def _plugin(self, point: EntryPoint) -> T:
        try:
            return self._checked(point.load())
        # Whatever another package's code raises, be it the end of the process, is about that package alone.
        except (Exception, SystemExit) as error:
            package = point.dist.name if point.dist is not None else point.value
            reason = f"{type(error).__name__}: {error}"
            message = f"the {self.kind} '{point.name}' of the package {package} cannot be loaded ({reason})"
            raise BrokenPlugin(message) from error

    def _checked(self, registered: Any) -> T:
        if self.base is None:
            return registered  # type: ignore[no-any-return]
        thing: Any = registered()
        if not isinstance(thing, self.base):
            raise TypeError(f"expected a {self.base.__name__}, found {type(thing).__name__}")
        for attribute in self.needs:
            getattr(thing, attribute)
        return thing
