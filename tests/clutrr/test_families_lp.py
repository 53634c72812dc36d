"""The two statements of kinship against each other: the rules of the .pl files and the families of the .lp files."""

from __future__ import annotations

from itertools import product

import pytest

from hornbeam.clutrr.knowledge import load
from hornbeam.clutrr.proving import KinStory, entails, families_with

BASE = ("base",)
WIDE = ("base", "great", "cousins", "marriage")
BLENDED = ("base", "blended")


def two_steps(first: str, second: str) -> KinStory:
    return KinStory(((first, 0, 1), (second, 1, 2)), (), 0, 2)


def possible(packs: tuple[str, ...], story: KinStory) -> set[str]:
    """The relations that the two of the question have in some family with these facts; 'none' for no relation."""
    asked = f"out(T) :- rel(T,{story.person},{story.other}).\n"
    asked += f"out(none) :- not rel(_,{story.person},{story.other}).\n#show. #show out/1."
    control = families_with(packs, story, asked, options=["--enum-mode=brave"])
    control.configuration.solve.models = 0  # type: ignore[union-attr]
    relations: set[str] = set()
    with control.solve(yield_=True) as handle:
        for model in handle:
            relations = {str(symbol.arguments[0]) for symbol in model.symbols(shown=True)}
    return relations


def family_where(packs: tuple[str, ...], story: KinStory, condition: str) -> list[str] | None:
    """A family with these facts in which `condition` (a rule in clingo's syntax) holds: its atoms, sorted."""
    shown = "#show gender/2. #show father/2. #show mother/2. #show spouse/2."
    control = families_with(packs, story, condition + shown)
    with control.solve(yield_=True) as handle:
        return next((sorted(map(str, model.symbols(shown=True))) for model in handle), None)


def consistent(packs: tuple[str, ...], story: KinStory) -> bool:
    return bool(families_with(packs, story).solve().satisfiable)


def test_the_base_is_sound_and_complete_for_two_relations() -> None:
    theory = load(BASE)
    for first, second in product(range(len(theory.names)), repeat=2):
        outcomes = possible(BASE, two_steps(theory.names[first], theory.names[second]))
        whole = theory.compose(first, second)
        if whole is not None:
            assert outcomes == {theory.names[whole]}, (first, second)
        else:
            assert outcomes in (set(), {"none"}) or len(outcomes) > 1, (first, second, outcomes)


@pytest.mark.parametrize("packs", [WIDE, BLENDED], ids=["nuclear packs", "blended"])
def test_no_family_refutes_a_rule_of_a_pack(packs: tuple[str, ...]) -> None:
    theory = load(packs)
    for (first, second), whole in theory.table.items():
        assert possible(packs, two_steps(theory.names[first], theory.names[second])) == {theory.names[whole]}


@pytest.mark.parametrize("packs", [("base", "great"), ("base", "cousins")], ids=["great", "cousins"])
def test_no_family_refutes_a_rule_of_a_small_pack(packs: tuple[str, ...]) -> None:
    theory, base = load(packs), load(BASE)
    new = {pair: whole for pair, whole in theory.table.items() if max(*pair, whole) >= len(base.names)}
    assert new
    for (first, second), whole in new.items():
        assert entails(packs, two_steps(theory.names[first], theory.names[second]), theory.names[whole])


def test_families_that_blend_refute_the_withdrawn_rules() -> None:
    base, blended = load(BASE), load(BLENDED)
    withdrawn = {pair: whole for pair, whole in base.table.items() if blended.table.get(pair) is None}
    assert len(withdrawn) == 11
    for (first, second), whole in withdrawn.items():
        story = two_steps(base.names[first], base.names[second])
        assert len(possible(BLENDED, story)) > 1, (base.names[first], base.names[second], base.names[whole])


@pytest.mark.parametrize(
    ("first", "second", "claimed", "really"),
    [("child", "pibling", "sibling", "sibling_in_law"), ("child", "grandparent", "parent", "parent_in_law")],
)
def test_the_two_bad_rules_of_the_paper_are_refuted(first: str, second: str, claimed: str, really: str) -> None:
    family = family_where(BASE, two_steps(first, second), f":- rel({claimed},0,2). :- not rel({really},0,2).")
    assert family is not None
    assert any(atom.startswith("spouse(0,") for atom in family)
    assert not entails(BASE, two_steps(first, second), claimed)


@pytest.mark.parametrize(
    "packs",
    [BASE, ("base", "great", "cousins"), WIDE, BLENDED],
    ids=["base", "great and cousins", "all nuclear packs", "blended"],
)
def test_two_persons_have_at_most_one_relation(packs: tuple[str, ...]) -> None:
    theory = load(packs)
    for relation in theory.names:
        told = KinStory(((relation, 0, 1),), (), 0, 1)
        assert family_where(packs, told, f"two :- rel(R,0,1), R != {relation}. :- not two.") is None, relation


def test_an_answer_that_needs_the_names_to_differ() -> None:
    """A child's parent is one's spouse, for it is not oneself."""
    assert entails(BASE, two_steps("child", "parent"), "spouse")


def test_a_story_that_no_family_has_entails_nothing() -> None:
    story = KinStory((("spouse", 0, 1), ("spouse", 1, 2)), (), 0, 2)
    assert not consistent(BASE, story)
    assert not entails(BASE, story, "spouse")


def test_genders_can_make_a_story_impossible() -> None:
    facts = (("spouse", 0, 1),)
    assert entails(BASE, KinStory(facts, ((0, 0), (1, 1)), 0, 1), "spouse")
    assert not consistent(BASE, KinStory(facts, ((0, 0), (1, 0)), 0, 1))


def test_the_wide_reading_lets_uncles_be_such_by_marriage() -> None:
    story = two_steps("pibling", "parent")
    assert entails(BASE, story, "grandparent")
    assert not entails(BASE, story, "grandparent", wide=True)
