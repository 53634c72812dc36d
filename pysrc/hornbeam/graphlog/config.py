"""The settings of a GraphLog suite. What is not set takes the value of its profile.

>>> Config(rules=30, worlds=3).noise.directed
False
>>> Config(profile="compat").noise.directed
True
>>> Config(rules=30).world_count
11
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from hornbeam.config import MOST_ROWS

Share = Annotated[float, Field(ge=0, le=1)]
Profile = Literal["sound", "compat", "imported"]
NoiseKind = Literal["neighbours", "supporting", "disconnected"]

# What the two profiles differ in: `compat` is the reconstruction of the published data.
_PROFILES: dict[str, dict[str, dict[str, Any]]] = {
    "sound": {},
    "compat": {
        "growth": {"expansions": [2, 4], "reuse": 0.5},
        # Fitted to the rows of the published worlds rule_17 and rule_32, drawn again from their own world graphs.
        "noise": {"directed": True, "depth": 3, "first": 0.8, "decay": 0.57},
        "descriptors": {"train": 0.8, "valid": 0.2, "test": 0.2},
    },
}
# The published suite, and bounds around its means (Table 6: 16.33 classes, resolution length 4.70).
_PUBLISHED_SUITE = {"relations": 10, "invertible": 0.5, "rules": 76, "rules_per_world": 20, "stride": 1, "worlds": None}
_LIKE_PUBLISHED = {"classes": [15.9, 16.7], "resolution_length": [4.55, 4.85]}


class _Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Rows(_Settings):
    """How many rows a world has."""

    train: int = Field(default=5000, ge=1, le=MOST_ROWS, description="training rows of a world")
    valid: int = Field(default=1000, ge=0, le=MOST_ROWS, description="validation rows of a world")
    test: int = Field(default=1000, ge=0, le=MOST_ROWS, description="test rows of a world")


class Growth(_Settings):
    """How a world graph grows (Algorithm 3)."""

    cycles: int = Field(default=10, ge=1, le=1000, description="how often every rule is used at least once")
    gamma: float = Field(default=0.8, gt=0, le=1, description="what a rule's weight is multiplied by when it was used")
    expansions: tuple[int, int] = Field(default=(2, 12), description="fewest and most expansions of a seed edge")
    reuse: Share = Field(default=0.9, description="how often a seed edge starts at a node that is there already")

    @model_validator(mode="after")
    def _ordered(self) -> Growth:
        low, high = self.expansions
        if not 1 <= low <= high <= 40:
            raise ValueError(f"expansions: expected 1 <= fewest <= most <= 40, found {low} and {high}")
        return self


class Length(_Settings):
    """Bounds on the length of a resolution path."""

    min: int = Field(default=2, ge=2, le=20, description="edges of the shortest path that is asked about")
    max: int = Field(default=10, ge=2, le=20, description="edges of the longest path that is asked about")

    @model_validator(mode="after")
    def _ordered(self) -> Length:
        if self.min > self.max:
            raise ValueError(f"min is {self.min} and max is {self.max}; expected min <= max")
        return self


class RowNoise(_Settings):
    """What a graph contains in addition to its resolution path."""

    kinds: tuple[NoiseKind, ...] = Field(default=("neighbours",), description="which kinds of noise a graph gets")
    depth: int = Field(default=2, ge=0, le=10, description="how far neighbours are followed from the path")
    first: Share = Field(default=1.0, description="how often the first neighbour of a node is taken")
    decay: Share = Field(default=0.6, description="how much less often each further neighbour is taken")
    directed: bool = Field(default=False, description="follow edges only from their source to their target")


class Descriptors(_Settings):
    """Shares of the descriptors; `compat` takes `valid` as a share of the training descriptors."""

    train: float = Field(default=0.6, gt=0, le=1, description="share of the descriptors for training rows")
    valid: Share = Field(default=0.2, description="share of the descriptors for validation rows")
    test: Share = Field(default=0.2, description="share of the descriptors for test rows")


class Likeness(_Settings):
    """Bounds on means over the worlds of a suite."""

    classes: tuple[float, float] | None = Field(default=None, description="classes in a world's rows")
    resolution_length: tuple[float, float] | None = Field(default=None, description="edges of a resolution path")

    @model_validator(mode="after")
    def _ordered(self) -> Likeness:
        for name in ("classes", "resolution_length"):
            bounds = getattr(self, name)
            if bounds is not None and bounds[0] > bounds[1]:
                raise ValueError(f"{name}: expected least <= most, found {bounds[0]:g} and {bounds[1]:g}")
        return self


class Config(_Settings):
    """A suite of worlds."""

    profile: Profile = Field(default="sound", description="sound, or compat: the behaviour of the published data")
    relations: int = Field(default=10, ge=3, le=60, description="base relations; each has two signs")
    invertible: Share = Field(default=0.5, description="share of the relations that swap with a partner")
    rules: int = Field(default=76, ge=1, le=100_000, description="rules of the whole suite")
    rules_per_world: int = Field(default=20, ge=1, le=1000, description="width of the window over the rules")
    stride: int = Field(default=1, ge=1, le=100_000, description="how many rules the next world's window is further")
    worlds: int | None = Field(default=None, ge=1, le=100_000, description="how many worlds; as many as fit if not set")
    valid_worlds: int = Field(default=0, ge=0, le=100_000, description="worlds, before the last ones, for validation")
    test_worlds: int = Field(default=0, ge=0, le=100_000, description="the last worlds, for testing")
    rows: Rows = Rows()
    growth: Growth = Growth()
    length: Length = Length()
    noise: RowNoise = RowNoise()
    descriptors: Descriptors = Descriptors()
    balance: bool = Field(default=True, description="go round the classes, so that each has as many rows")
    inverses: bool | None = Field(
        default=None, description="derive with the inverses of relations, too; by default in the profile sound"
    )
    row_format: Literal["v1.0", "v1.1"] = Field(default="v1.0", description="keys of the rows in the original's format")
    folder: str = Field(
        default="comp_r10_n100_ov", pattern=r"^[A-Za-z0-9_-]+$", description="name of the original's data folder"
    )
    likeness: Likeness | None = Field(
        default=None,
        description="of compat: draw the rules again until these means hold; by default for a suite as published",
    )
    imported: dict[str, Literal["train", "valid", "test"]] = Field(
        default_factory=dict, description="of imported worlds: which split each belongs to"
    )

    @model_validator(mode="before")
    @classmethod
    def _profile_defaults(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        merged = dict(value)
        for group, settings in _PROFILES.get(str(value.get("profile", "sound")), {}).items():
            given = merged.get(group, {})
            merged[group] = {**settings, **given} if isinstance(given, dict) else given
        if value.get("profile") == "compat" and _is_as_published(value):
            merged.setdefault("likeness", _LIKE_PUBLISHED)
        return merged

    @model_serializer(mode="wrap")
    def _without_idle_settings(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        value: dict[str, Any] = dump(self)
        if self.profile != "compat":
            del value["likeness"]
        return value

    @model_validator(mode="after")
    def _fits(self) -> Config:
        if self.profile == "imported":
            return self
        bodies = self.relations * (self.relations - 1)
        if self.rules > bodies:
            raise ValueError(
                f"rules: {self.relations} relations have at most {bodies} rules, {self.rules} were asked for"
            )
        if self.rules_per_world > self.rules:
            raise ValueError(f"rules_per_world: {self.rules_per_world} of {self.rules} rules were asked for")
        if self.worlds is not None and self.worlds > self._windows:
            needed = self.rules_per_world + (self.worlds - 1) * self.stride
            raise ValueError(
                f"worlds: {self.worlds} windows of {self.rules_per_world} rules with stride {self.stride} need "
                f"{needed} rules, there are {self.rules}"
            )
        if self.valid_worlds + self.test_worlds >= self.world_count:
            raise ValueError(f"valid_worlds and test_worlds leave none of {self.world_count} worlds for training")
        return self._sums()

    def _sums(self) -> Config:
        shares = self.descriptors
        total = shares.train + shares.test + (shares.valid if self.profile == "sound" else 0)
        if abs(total - 1) > 1e-9:
            raise ValueError(f"descriptors: the shares add up to {total:g}, not to 1")
        for name in ("valid", "test"):
            if getattr(self.rows, name) and not getattr(shares, name):
                raise ValueError(f"descriptors.{name} is 0, but rows.{name} is {getattr(self.rows, name)}")
        if self.length.max < 3 and (self.rows.valid or self.rows.test) and self.profile == "sound":
            raise ValueError("length.max: paths of 2 edges are for training only; expected 3 or more, or no other rows")
        if self.profile != "compat" and self.likeness is not None:
            raise ValueError("likeness: only the profile compat draws its rules by the means of its worlds")
        if self.profile == "compat" and set(self.noise.kinds) - {"neighbours"}:
            raise ValueError("noise.kinds: the profile compat has neighbours only")
        if len(set(self.noise.kinds)) != len(self.noise.kinds):
            raise ValueError("noise.kinds: a kind is named twice")
        return self

    @property
    def _windows(self) -> int:
        return (self.rules - self.rules_per_world) // self.stride + 1

    @property
    def world_count(self) -> int:
        return self.worlds or self._windows

    @property
    def backwards(self) -> bool:
        """Whether worlds derive with the inverses of their relations."""
        return self.profile == "sound" if self.inverses is None else self.inverses

    def world_split(self, name: str, index: int) -> str:
        """The split of the suite to which a world belongs."""
        if name in self.imported:
            return self.imported[name]
        if index >= self.world_count - self.test_worlds:
            return "test"
        return "valid" if index >= self.world_count - self.test_worlds - self.valid_worlds else "train"


def _is_as_published(value: dict[str, Any]) -> bool:
    """Whether settings leave the rules, the worlds and how these grow as they were published."""
    same = all(value.get(name, usual) == usual for name, usual in _PUBLISHED_SUITE.items())
    return same and not any(value.get(group) for group in ("growth", "length", "descriptors"))
