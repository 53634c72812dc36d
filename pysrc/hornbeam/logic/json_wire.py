"""Wire values as JSON text, for bridges that carry text; the other half is prolog/json_wire.pl.

>>> dumps(["load", ("m", "true")])
'["load", {"t": ["m", "true"]}]'
>>> loads('{"t": ["ok", []]}')
('ok', [])
"""

from __future__ import annotations

import json

from hornbeam.logic.wire import Wire


def dumps(wire: Wire) -> str:
    # As characters, not escapes: an older json.pl does not join the two halves of an escaped pair.
    return json.dumps(_tagged(wire), ensure_ascii=False, allow_nan=False)


def loads(text: str) -> Wire:
    return json.loads(text, object_hook=_tuple)


def _tagged(wire: Wire) -> Wire:
    if isinstance(wire, tuple):
        return {"t": [_tagged(part) for part in wire]}
    if isinstance(wire, list):
        return [_tagged(part) for part in wire]
    return wire


def _tuple(value: dict[str, list[Wire]]) -> Wire:
    return tuple(value["t"])
