"""Families, learners, models, dialects and reproductions by name, built in or from other packages.

Other packages register theirs through an entry point. A plug-in that cannot be loaded is an error if it is requested by
name, and a warning if all are listed; the others still work.

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
    """A plug-in cannot be loaded and is skipped."""


class BrokenPlugin(HornbeamError):
    """A plug-in that was requested by name cannot be loaded."""


@dataclass(frozen=True)
class Registry(Generic[T]):
    """Objects by name. An object is created by calling the registered class or function without arguments.

    Args:
        kind: The kind of object, for messages.
        group: The entry point group of other packages.
        built_in: The built-in objects, ``module:attribute`` by name.
        base: The class of the objects; None if the registered value is the object itself, such as a function.
        needs: Attributes that each object must have.
    """

    kind: str
    group: str
    built_in: Mapping[str, str]
    base: type[T] | None = None
    needs: tuple[str, ...] = ()

    def names(self) -> list[str]:
        """All registered names, whether they can be loaded or not."""
        return sorted({*self.built_in, *self.plugins()})

    def plugins(self) -> dict[str, EntryPoint]:
        """The entry points of other packages."""
        return {point.name: point for point in entry_points(group=self.group)}

    def get(self, name: str) -> T:
        """The object of this name; a plug-in takes precedence over a built-in one.

        Raises:
            UsageError: if the name is unknown; the message suggests the nearest.
            BrokenPlugin: if the plug-in cannot be loaded.
        """
        point = self.plugins().get(name)
        if point is not None:
            return self._plugin(point)
        if name not in self.built_in:
            raise unknown_name(self.kind, name, self.names())
        module, _, attribute = self.built_in[name].partition(":")
        return self._checked(getattr(import_module(module), attribute))

    def loaded(self) -> dict[str, T]:
        """All objects that can be loaded, by name; a :class:`PluginWarning` names each that cannot."""
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
        # An exception of another package's code, even SystemExit, must not end the command.
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
