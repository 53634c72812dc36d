"""How pictures look and how samples are drawn: the configuration of a curriculum.

Every key of the original's config file is known here with its meaning there; keys that are left out have the values of
the released benchmark. Our own keys:

| key | values | meaning |
|---|---|---|
| profile | sound, compat | the defaults of the five keys below; compat is how the original does it |
| geometry | right, compat | compat draws quadrant_ll in the upper right, as the original does |
| hue | wrap, clip | what hue noise does at red: go round, or stop |
| unique | picture, symbol | whether two samples of a task may have the same noise-free picture |
| decay | closed, open | whether the last sample of a split has the supervision probability beta, or stops short of it |
| balance | stratified, coin, exact | labels by a coin with each split having its share of both (stratified) or just as
it falls (coin), or exact quotas per label and split |
| patience | a number | consecutive rejections after which a set counts as exhausted |
| shapes | names, or name: points | circle, triangle, square by default; see :mod:`hornbeam.kandy.shapes` |

>>> CurriculumConfig().domain.sizes
('small', 'large')
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from hornbeam.kandy.shapes import BUILT_IN, Outline
from hornbeam.kandy.tree import DEFAULT_DOMAIN, Domain

RGB = tuple[int, int, int]


@dataclass(frozen=True)
class CurriculumConfig:
    """The configuration of a curriculum; the values of the released benchmark by default."""

    seed: int = 12345
    canvas_size: tuple[int, int] = (224, 224)
    padding: int = 3
    bg_color: RGB = (127, 127, 127)
    colors: tuple[tuple[str, RGB], ...] = (
        ("red", (255, 0, 0)),
        ("yellow", (255, 255, 0)),
        ("green", (0, 255, 0)),
        ("cyan", (0, 255, 255)),
        ("blue", (0, 0, 255)),
        ("magenta", (255, 0, 255)),
    )
    sizes: tuple[tuple[str, float], ...] = (("small", 7), ("large", 15))
    shapes: tuple[tuple[str, Outline], ...] = tuple((name, BUILT_IN[name]) for name in DEFAULT_DOMAIN.shapes)
    size_noise: float = 2
    h_sigma: float = 0.01
    s_sigma: float = 0.2
    v_sigma: float = 0.2
    background_knowledge: str | None = None
    geometry: str = "right"
    hue: str = "wrap"
    unique: str = "picture"
    decay: str = "closed"
    balance: str = "stratified"
    patience: int = 1000

    @cached_property
    def domain(self) -> Domain:
        """The names that objects are made of."""
        return Domain(
            tuple(name for name, _ in self.shapes),
            tuple(name for name, _ in self.colors),
            tuple(name for name, _ in self.sizes),
        )

    @cached_property
    def pixels(self) -> dict[str, float]:
        """The sizes by name."""
        return dict(self.sizes)

    @property
    def largest(self) -> float:
        """The largest size, without noise."""
        return max(pixels for _, pixels in self.sizes)


PROFILES: dict[str, dict[str, str]] = {
    "sound": {"geometry": "right", "hue": "wrap", "unique": "picture", "decay": "closed", "balance": "stratified"},
    "compat": {"geometry": "compat", "hue": "clip", "unique": "symbol", "decay": "open", "balance": "coin"},
}
"""What a profile sets where the file does not say otherwise."""

CHOICES: dict[str, tuple[str, ...]] = {
    "geometry": ("right", "compat"),
    "hue": ("wrap", "clip"),
    "unique": ("picture", "symbol"),
    "decay": ("closed", "open"),
    "balance": ("stratified", "coin", "exact"),
    "profile": tuple(PROFILES),
}
