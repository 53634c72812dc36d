"""Families, puzzles and noise: what holds of everything that is drawn."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hornbeam.clutrr import proving, puzzle
from hornbeam.clutrr.config import DISCONNECTED, IRRELEVANT, KINDS_OF_TASK, SUPPORTING, FamilySettings
from hornbeam.clutrr.forest import false_claims
from hornbeam.clutrr.importer import hops
from hornbeam.clutrr.kin import FEMALE, MALE, NOBODY, FamilyTree, Kin, grow, largest
from hornbeam.clutrr.knowledge import GENDERS, engine, load
from hornbeam.clutrr.proving import answers
from hornbeam.clutrr.puzzle import Fact, Puzzle
from hornbeam.clutrr.record import Member

BASE = load(("base",))
PACKS = [("base",), ("base", "great", "cousins", "marriage"), ("base", "blended")]

shapes = st.builds(
    FamilySettings,
    generations=st.integers(2, 4),
    children=st.tuples(st.integers(1, 3), st.integers(0, 2)).map(lambda pair: (pair[0], pair[0] + pair[1])),
    marry=st.sampled_from([0.0, 0.5, 1.0]),
    in_laws=st.sampled_from([0.0, 0.5]),
)


def members(tree: FamilyTree) -> list[Member]:
    rows = zip(tree.gender, tree.father, tree.mother, tree.spouse, strict=True)
    return [Member(f"p{n}", int(gender), *kin) for n, (gender, *kin) in enumerate(rows)]


@settings(max_examples=25, deadline=None)
@given(shapes, st.integers(0, 10**6))
def test_every_family_obeys_clingos_constraints_and_means_what_clingo_says(shape: FamilySettings, seed: int) -> None:
    """Also for the parameters on which the original crashes: single children, and people who do not marry."""
    kin = Kin(BASE, grow(shape, Random(seed)))
    claims = [(BASE.names[relation], person, other) for relation, person, other in kin.pairs()]
    assert false_claims(("base",), [(members(kin.tree), claims)]) == [[]]


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(PACKS))
def test_relations_of_packs_mean_what_clingo_says(seed: int, packs: tuple[str, ...]) -> None:
    shape = FamilySettings(generations=4, children=(1, 3), in_laws=0.3, remarry=0.5 if "blended" in packs else 0.0)
    theory = load(packs)
    kin = Kin(theory, grow(shape, Random(seed)))
    claims = [(theory.names[relation], person, other) for relation, person, other in kin.pairs()]
    assert false_claims(packs, [(members(kin.tree), claims)]) == [[]]


def test_what_is_no_family_is_found_out() -> None:
    good = members(grow(FamilySettings(generations=2, children=(2, 2)), Random(1)))
    married_siblings = [*good[:2], Member("a", MALE, 0, 1, 3), Member("b", FEMALE, 0, 1, 2)]
    if good[0].gender != MALE:
        married_siblings = [*good[:2], Member("a", MALE, 1, 0, 3), Member("b", FEMALE, 1, 0, 2)]
    assert false_claims(("base",), [(good, []), (married_siblings, []), (good, [("spouse", 0, 2)])]) == [[], None, [0]]


def test_the_original_family_has_its_size() -> None:
    tree = largest(FamilySettings(generations=3, children=(4, 4)))
    assert len(tree) == 42
    assert sum(other != NOBODY for other in tree.spouse) == 42
    assert sum(other != NOBODY for other in tree.father) == 20


def test_the_closure_of_the_original_family_is_that_of_the_specification() -> None:
    """422 tuples of the relations without sibling-in-law."""
    kin = Kin(BASE, largest(FamilySettings(generations=3, children=(4, 4))))
    assert sum(BASE.names[relation] != "sibling_in_law" for relation, _, _ in kin.pairs()) == 422


def drawn(seed: int, relation: int, length: int) -> tuple[Kin, Puzzle] | None:
    rng = Random(seed)
    for _ in range(400):  # some families have no chain of this length for the relation
        kin = Kin(BASE, grow(FamilySettings(), rng))
        target = puzzle.pairs_of(kin, relation, None, rng)
        found = None if target is None else puzzle.draw(kin, target, length, rng)
        if found is not None:
            return kin, found
    return None


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 10), st.integers(2, 15))
@example(1, 2, 8)
def test_facts_lead_from_person_to_person_without_a_loop(seed: int, relation: int, length: int) -> None:
    found = drawn(seed, relation, length)
    assert found is not None
    kin, made = found
    path = [made.target.person, *(fact.other for fact in made.facts)]
    assert len(made.facts) == length
    assert len(set(path)) == length + 1
    assert path[-1] == made.target.other
    assert all(one.other == two.person for one, two in zip(made.facts, made.facts[1:], strict=False))
    assert all(kin.relation(fact.person, fact.other) == fact.relation for fact in [*made.facts, made.target])


def test_prolog_accepts_every_proof_and_no_other_answer() -> None:
    puzzles = [found[1] for seed in range(60) if (found := drawn(seed, seed % 11, 2 + seed % 9))]

    def said(fact: Fact) -> list[str | int]:
        return [BASE.names[fact.relation], fact.person, fact.other]

    proofs = [
        [list(map(said, p.facts)), [[said(s.whole), said(s.first), said(s.second)] for s in p.proof], said(p.target)]
        for p in puzzles
    ]
    verdicts = engine().once("valid_steps(T, P, V)", given={"T": ["base"], "P": proofs}, module="clutrr_kin")
    assert verdicts is not None and verdicts["V"] == ["ok"] * len(puzzles)
    assert proving.derive(("base",), [told(number, p) for number, p in enumerate(puzzles)]) == [
        p.word(BASE, p.target) for p in puzzles
    ]


def told(number: int, made: Puzzle) -> list[int | str | list[str]]:
    """A puzzle as a story whose persons are called by their numbers."""
    facts: list[str] = []
    for fact in made.facts:
        facts += (BASE.words[fact.relation][made.tree.gender[fact.other]], f"p{fact.person}", f"p{fact.other}")
    persons: list[str] = []
    for person in made.persons():
        persons += (f"p{person}", GENDERS[made.tree.gender[person]])
    return [number, f"p{made.target.person}", f"p{made.target.other}", facts, persons]


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(2, 5),
    st.lists(st.sampled_from(KINDS_OF_TASK[5]), min_size=1, max_size=3, unique=True),
    st.integers(2, 3),
)
def test_noise_is_true_typed_of_the_size_asked_and_changes_nothing(
    seed: int, length: int, kinds: list[str], size: int
) -> None:
    found = drawn(seed, seed % 11, length)
    assert found is not None
    kin, clean = found
    made = puzzle.add_noise(kin, clean, [(kind, size) for kind in kinds], Random(seed))
    if made is None:
        return
    on_path = {clean.target.person, *(fact.other for fact in clean.facts)}
    for added in made.noise:
        touched = [person for fact in added.facts for person in (fact.person, fact.other)]
        shared = set(touched) & on_path
        assert len(added.facts) == size
        assert all(kin.relation(fact.person, fact.other) == fact.relation for fact in added.facts)
        assert len(shared) == {SUPPORTING: 2, IRRELEVANT: 1, DISCONNECTED: 0}[added.kind]
        if added.kind == IRRELEVANT:
            assert shared <= {clean.target.person, clean.target.other}
    facts = [*made.facts, *(fact for added in made.noise for fact in added.facts)]
    told = [(BASE.names[fact.relation], fact.person, fact.other) for fact in facts]
    assert answers(BASE, [(told, made.target.person, made.target.other)]) == [{BASE.names[made.target.relation]}]
    assert hops([(fact.person, fact.other) for fact in facts], made.target.person, made.target.other) == length


@pytest.mark.parametrize("body", [["child", "parent", "spouse"], ["spouse", "spouse"]])
def test_chains_that_need_one_person_twice_have_no_persons(body: list[str]) -> None:
    kin = Kin(BASE, largest(FamilySettings()))
    assert puzzle.embed(kin, [BASE.id(name) for name in body], None, Random(0)) is None
