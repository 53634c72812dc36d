"""Configuration files and `--set`: what is wrong is named with its place, and nothing is changed that was not meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict

from hornbeam import config
from hornbeam import family as families
from hornbeam.errors import UsageError


class Group(BaseModel):
    model_config = ConfigDict(extra="forbid")
    size: int = 0


class Settings(BaseModel):
    model_config = ConfigDict(extra="forbid")
    one: Group = Group()
    other: Group = Group()
    numbers: list[int] = []


def parse(text: str, **overrides: str) -> Settings:
    return config.parse(text, Settings, file="a.yml", overrides={k.replace("__", "."): v for k, v in overrides.items()})


def test_an_override_changes_one_of_two_groups_that_an_alias_joins() -> None:
    made = parse("one: &one {size: 1}\nother: *one\n", one__size="2")
    assert (made.one.size, made.other.size) == (2, 1)


def test_an_override_of_a_group_that_is_not_in_the_file() -> None:
    assert parse("", one__size="2").one.size == 2


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("one: {size: 1}\none: {size: 2}\n", "a.yml:2:1: the setting 'one' is there twice"),
        ("one: {size: 1, size: 2}\n", "a.yml:1:16: the setting 'size' is there twice"),
        ("one: 2020-13-45\n", "a.yml:1:6: cannot read '2020-13-45': month must be in 1..12"),
        ("[" * 3000, "a.yml:1:121: nested too deeply"),
        ("- 1\n", "a.yml:1:1: expected a mapping of settings, found a list"),
        ("one: {size: 1}\n---\n{}\n", "a.yml:2:1: not YAML"),
        ("one: &one {size: *one}\n", "a.yml:1:6: this block contains itself through its alias"),
        ("1: 2\n", "a.yml:1:1: expected a name as key, got the number '1'"),
    ],
)
def test_a_file_that_is_wrong(text: str, complaint: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(text)
    assert str(caught.value).startswith(complaint)


def test_merged_keys_are_no_repetition() -> None:
    made = parse("one: &one {size: 1}\nother:\n  <<: *one\n  size: 3\n")
    assert (made.one.size, made.other.size) == (1, 3)


@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        ("numbers", "[1", "--set numbers: not YAML: while parsing a flow sequence, did not find expected ',' or ']'"),
        ("numbers", "2020-13-45", "--set numbers: cannot read '2020-13-45': month must be in 1..12"),
        ("numbers", "[1, x]", "--set numbers.1: expected a valid integer, found 'x'"),
        ("one", "{size: x}", "--set one.size: expected a valid integer, found 'x'"),
        ("numbers__first", "1", "--set numbers.first: numbers is not a group of settings"),
    ],
)
def test_an_override_that_is_wrong(key: str, value: str, complaint: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse("one: {size: 1}\nnumbers: [1]\n", **{key: value})
    assert str(caught.value).startswith(complaint)


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.yml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="cannot be read"):
        config.load(path, Settings)


@pytest.mark.parametrize(
    ("family", "preset", "setting"),
    [
        ("clutrr", "tiny", 'train={"1.2": N}'),
        ("clutrr", "tiny", "noise.supporting=[2, N]"),
        ("graphlog", "tiny", "rows.train=N"),
        ("graphlog", "tiny", "worlds=N"),
        ("kandy", "easy", "samples=N"),
        ("rudas", "xs", "facts=N"),
        ("rudas", "xs", "count=N"),
        ("star", "rcc8-small", "train={cells: [{k: [2], b: [1], rows: N}]}"),
        ("star", "rcc8-small", "train={cells: [{k: [N], b: [1], rows: 1}]}"),
    ],
)
def test_more_than_can_be_generated_is_refused_at_once(family: str, preset: str, setting: str) -> None:
    key, _, value = setting.partition("=")
    with pytest.raises(UsageError, match=key.split(".")[-1]):
        families.get(family).configure(preset, {key: value.replace("N", str(10**17))})
