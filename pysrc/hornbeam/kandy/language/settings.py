"""Reads a configuration: the mapping under `config`, or a config file of the original."""

from __future__ import annotations

from typing import Any

from hornbeam.errors import UsageError, unknown_name
from hornbeam.kandy.config import CHOICES, PROFILES, Config
from hornbeam.kandy.language.values import Reader, choice, color, named, number, pair_of_sizes, text, whole
from hornbeam.kandy.shapes import BUILT_IN, Outline
from hornbeam.yaml_reader import Fields, Items, Located, Scalar, describe


def _shapes(key: str, value: Located) -> tuple[tuple[str, Outline], ...]:
    if not isinstance(value, Items) or not value.items:
        raise value.place.error(f"{key}: expected a list of shapes, got {describe(value)}")
    return tuple(_shape(key, item) for item in value.items)


def _shape(key: str, item: Located) -> tuple[str, Outline]:
    if isinstance(item, Scalar):
        name = choice(tuple(BUILT_IN))(key, item)
        return name, BUILT_IN[name]
    if isinstance(item, Fields) and len(item.fields) == 1:
        ((name, points),) = item.fields.items()
        if isinstance(points, Scalar):
            return name, BUILT_IN[choice(tuple(BUILT_IN))(f"{key}.{name}", points)]
        if isinstance(points, Items) and len(points.items) >= 3:
            return name, Outline(tuple(_point(f"{key}.{name}", point) for point in points.items))
    raise item.place.error(f"{key}: expected a shape, 'name: shape' or 'name: [[x, y], ...]', got {describe(item)}")


def _point(key: str, value: Located) -> tuple[float, float]:
    if not isinstance(value, Items) or len(value.items) != 2:
        raise value.place.error(f"{key}: expected a point [x, y] from -1 to 1, got {describe(value)}")
    x, y = (number(-1, 1)(key, item) for item in value.items)
    return x, y


def _optional_text(key: str, value: Located) -> str | None:
    return None if isinstance(value, Scalar) and value.value is None else text(key, value)


READERS: dict[str, Reader] = {
    "seed": whole(0, 2**63),
    "canvas_size": pair_of_sizes,
    "padding": whole(0, 4096),
    "bg_color": color,
    "colors": named(color),
    "sizes": named(number(1, 4096)),
    "shapes": _shapes,
    "size_noise": number(0, 4096),
    "h_sigma": number(0, 100),
    "s_sigma": number(0, 100),
    "v_sigma": number(0, 100),
    "background_knowledge": _optional_text,
    "patience": whole(1, 10_000_000),
    **{key: choice(options) for key, options in CHOICES.items()},
}


def read_config(values: Fields) -> Config:
    """The configuration that a mapping describes."""
    found: dict[str, Any] = {}
    for key, value in values.fields.items():
        place = values.key_places[key]
        if key not in READERS:
            raise unknown_name("setting", key, READERS, file=place.file, line=place.line, column=place.column)
        found[key] = READERS[key](key, value)
    profile = PROFILES[found.pop("profile", "sound")]
    config = Config(**{**profile, **found})
    try:
        _ = config.domain
    except UsageError as error:
        raise values.place.error(error.message) from None
    if config.padding + config.largest + config.size_noise > min(config.canvas_size):
        raise values.place.error("the largest size with its noise and the padding do not fit on the canvas")
    return config
