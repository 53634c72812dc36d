"""The settings of the family: all parameters of the paper, and of the extensions that it names.

`category`, `size`, `depth`, `open_world`, `noise` and `missing` may be lists: all combinations are made, `count` times
each. `datasets` is a list of groups, each of which changes some settings.

>>> config = RudasConfig.model_validate({"category": ["chain", "rdg"], "size": "xs", "depth": 2, "count": 2})
>>> [spec.name for spec in config.specs()]
['CHAIN-XS-2-0', 'CHAIN-XS-2-1', 'RDG-XS-2-0', 'RDG-XS-2-1']
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Annotated, Any, Literal, Optional, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, create_model, model_validator

from hornbeam.config import MOST_ROWS

Category: TypeAlias = Literal["chain", "rdg", "drdg", "mixed"]
Size: TypeAlias = Literal["xs", "s", "m", "l", "xl"]
Share: TypeAlias = Annotated[float, Field(ge=0, lt=1)]
Depth: TypeAlias = Annotated[int, Field(ge=1, le=20)]
Name: TypeAlias = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]


def _listed(value: Any) -> Any:
    """One value stands for the list of it."""
    if isinstance(value, list | tuple) and not value:
        raise ValueError("expected one value or more")
    return value if value is None or isinstance(value, list | tuple) else (value,)


_Listed = BeforeValidator(_listed)
Categories: TypeAlias = Annotated[tuple[Category, ...], _Listed]
Sizes: TypeAlias = Annotated[tuple[Size, ...], _Listed]
Depths: TypeAlias = Annotated[tuple[Depth, ...], _Listed]
Shares: TypeAlias = Annotated[tuple[Share, ...], _Listed]

_AXES = ("category", "size", "depth", "open_world", "noise", "missing")


class RudasSettings(BaseModel):
    """What a dataset, or a grid of them, is to be."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Name | None = Field(None, description="instead of CATEGORY-SIZE-DEPTH")
    count: int = Field(1, ge=1, le=10_000, description="datasets of each combination")
    # The rules
    category: Categories = Field(("chain",), description="shape of the rule graphs: chain, rdg, drdg or mixed")
    depth: Depths = Field((2,), description="of the first rule graph; others have up to this depth")
    min_rules: int | None = Field(None, ge=1, le=1000, description="of a rule set, without those of properties")
    max_rules: int | None = Field(None, ge=1, le=1000, description="of a rule set at the most")
    max_atoms: int = Field(2, ge=1, le=8, description="positive atoms of a rule's body at the most")
    max_alternatives: int = Field(2, ge=2, le=8, description="rules below an OR node at the most")
    min_components: int = Field(1, ge=1, le=1000, description="rule graphs of a rule set at the least")
    max_components: int = Field(1, ge=1, le=1000, description="rule graphs of a rule set at the most")
    shared_target: bool = Field(False, description="all rule graphs have the same target predicate")
    overlap: bool = Field(False, description="rule graphs may share predicates")
    recursion: Literal["none", "allowed", "required"] = Field("allowed", description="required: in each rule graph")
    cross_products: bool = Field(False, description="allow bodies whose atoms share no variable")
    head_variable: Share = Field(0.2, description="probability that a free position takes a head variable")
    body_variable: float = Field(0.75, ge=0, le=1, description="else, that it takes a variable of the body")
    rule_constant: Share = Field(0.0, description="else, that it takes a constant (paper: 0.1; its data: 0)")
    # The symbols
    predicates: int | None = Field(None, ge=2, le=10_000, description="default: derived from depth and length")
    constants: int | None = Field(None, ge=2, le=MOST_ROWS, description="default: as many as facts")
    min_arity: int = Field(2, ge=1, le=6, description="arguments of a predicate at the least")
    max_arity: int = Field(2, ge=1, le=6, description="arguments of a predicate at the most")
    # Extensions
    negation: Share = Field(0.0, description="probability that a rule gets a negative literal")
    transitive: int = Field(0, ge=0, le=1000, description="predicates that are transitive")
    symmetric: int = Field(0, ge=0, le=1000, description="predicates that are symmetric")
    functional: int = Field(0, ge=0, le=1000, description="predicates that are functional")
    # The facts
    size: Sizes = Field(("s",), description="number of training facts: xs, s, m, l or xl")
    facts: int | None = Field(None, ge=1, le=MOST_ROWS, description="training facts; instead of a size")
    full_every: int = Field(3, ge=0, description="nDG: every n-th round instantiates whole rule graphs; 0: none")
    skip: int = Field(5, ge=0, description="nSkip: in other rounds a rule is skipped with probability 1/n; 0: never")
    node_support: int | None = Field(
        None, ge=0, le=MOST_ROWS, description="instances of every rule at the start; by size"
    )
    unfold: int = Field(3, ge=1, le=1000, description="steps of a recursive rule in one round, at the most")
    open_world: Shares = Field((0.3,), description="nOW: share of consequences that are withheld")
    noise: Shares = Field((0.2,), description="nNoise+: share of training facts that are false")
    missing: Shares = Field((0.15,), description="nNoise-: share of support facts that are withheld")
    split_targets: bool = Field(True, description="apply shares to target facts and to others separately")
    eval_support: int = Field(
        100, ge=0, le=MOST_ROWS, description="support facts of the fresh world; 0: no fresh world"
    )
    block: int = Field(20_000, ge=100, description="facts that are made together; larger datasets are made of blocks")
    learnability: bool = Field(True, description="look for rules that the training facts cannot tell apart")

    @model_validator(mode="after")
    def _ordered(self) -> RudasSettings:
        for name in ("arity", "components", "rules"):
            low, high = getattr(self, f"min_{name}"), getattr(self, f"max_{name}")
            if low is not None and high is not None and low > high:
                raise ValueError(f"min_{name} is {low}, above max_{name}, which is {high}")
        return self


# A group of datasets: any setting, unset where the settings above it hold.
_FIELDS: dict[str, Any] = {
    name: (Annotated[Optional[field.annotation], "unset", *field.metadata], None)  # noqa: UP045
    for name, field in RudasSettings.model_fields.items()
}
Group: Any = create_model("Group", __config__=ConfigDict(extra="forbid", frozen=True), **_FIELDS)


@dataclass(frozen=True, slots=True)
class Spec:
    """One dataset to make: settings without lists, and its name."""

    name: str
    category: Category
    size: Size
    depth: int
    open_world: float
    noise: float
    missing: float
    profile: str
    settings: RudasSettings

    @property
    def sound(self) -> bool:
        return self.profile == "sound"

    @property
    def in_blocks(self) -> bool:
        """Whether facts about different constants cannot meet in a proof, so that blocks can be made apart."""
        return self.sound and not self.settings.cross_products and self.settings.rule_constant == 0


class RudasConfig(RudasSettings):
    """What `hornbeam generate rudas` makes.

    The profile `sound` is the paper's text, with what its code gets wrong corrected. `compat` does what the code does:
    chains never recurse, cross products and tautologies are drawn, one OR branch in every round, the stop test counts
    facts before the open world, train-cw-n.txt lacks noise, files are absent where a share is 0.
    """

    profile: Literal["sound", "compat"] = Field("sound", description="sound: the paper's text; compat: its code")
    datasets: tuple[Group, ...] = Field((), description="groups of rule sets, each with settings of its own")

    @model_validator(mode="after")
    def _possible(self) -> RudasConfig:
        for group in self.groups():
            if self.profile == "sound" and "mixed" in group.category and group.max_components < 2:
                raise ValueError("category mixed needs max_components of 2 or more")
            if min(group.depth) < 2 and {"rdg", "drdg"} & set(group.category):
                raise ValueError("categories rdg and drdg need a depth of 2 or more")
            if group.max_atoms < 2 and "rdg" in group.category:
                raise ValueError("category rdg needs max_atoms of 2 or more")
            if group.max_arity < 2 and (group.transitive or group.symmetric or group.functional):
                raise ValueError("transitive, symmetric and functional predicates need max_arity of 2 or more")
        for name, count in Counter(spec.name for spec in self.specs()).items():
            if count > 1:
                raise ValueError(f"{count} datasets would be called {name}; give the groups other names")
        return self

    def groups(self) -> list[RudasSettings]:
        """The settings of each group, those from above filled in."""
        own = {name: getattr(self, name) for name in RudasSettings.model_fields}
        changes = [group.model_dump(exclude_none=True) for group in self.datasets] or [{}]
        try:
            return [RudasSettings.model_validate({**own, **change}) for change in changes]
        except ValidationError as error:
            raise ValueError(error.errors()[0]["msg"].removeprefix("Value error, ")) from None

    def specs(self) -> list[Spec]:
        """Every dataset, in order; names are numbered from 0 as the original numbers folders."""
        seen: Counter[str] = Counter()
        specs = []
        for group in self.groups():
            for combination in product(*(getattr(group, axis) for axis in _AXES)):
                for _ in range(group.count):
                    specs.append(_spec(group, self.profile, dict(zip(_AXES, combination, strict=True)), seen))
        return specs

    def specs_by_name(self) -> dict[str, Spec]:
        """Every dataset, by the name of its folder and task."""
        return {spec.name: spec for spec in self.specs()}


def _spec(group: RudasSettings, profile: str, axes: dict[str, Any], seen: Counter[str]) -> Spec:
    size = group.facts or axes["size"].upper()
    stem = group.name or f"{axes['category'].upper()}-{size}-{axes['depth']}"
    number = seen[stem]
    seen[stem] += 1
    name = stem if group.name and group.count == 1 and number == 0 else f"{stem}-{number}"
    return Spec(name=name, profile=profile, settings=group, **axes)


def described(spec: Spec) -> Iterator[tuple[str, object]]:
    """Every parameter of a dataset with its value, for log.txt."""
    yield "name", spec.name
    yield "profile", spec.profile
    for axis in _AXES:
        yield axis, getattr(spec, axis)
    for name in RudasSettings.model_fields:
        if name not in (*_AXES, "name", "count"):
            yield name, getattr(spec.settings, name)
