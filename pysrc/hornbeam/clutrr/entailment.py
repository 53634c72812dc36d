"""What a story says in all families: the other reasoner's answer, from kb/clutrr/families.lp.

The program there says what a family is and what the kinship words mean; it knows none of the rules by which relations
compose. A story's answer is entailed when no family in which all facts hold denies it, and it is the only one
when no such family gives the two persons another relation.

Families are searched with the persons of the story and as many unnamed ones as the facts can call for: a fact such as
"uncle" speaks of a parent and of a grandparent. A nuclear family that refutes an answer stays one when all others are
left out, so there this search decides the question for families of every size. In blended families some words are
defined by what is not so, and the argument does not carry over: there the search is over families of that size.

>>> judge(("base",), Story((("parent", 0, 1), ("sibling", 1, 2)), (), 0, 2), "pibling")
Verdict(consistent=True, entailed=True)
>>> judge(("base",), Story((("child", 0, 1), ("grandparent", 1, 2)), (), 0, 2), "parent").entailed
False
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from hornbeam import resources
from hornbeam.clutrr.theory import Packs, Theory, load
from hornbeam.logic.asp import engine

Named = tuple[str, int, int]  # relation, person, other


@dataclass(frozen=True, slots=True)
class Story:
    """Facts over numbered persons, what is known of genders (0 man, 1 woman), and the two of the question."""

    facts: tuple[Named, ...]
    genders: tuple[tuple[int, int], ...]
    person: int
    other: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """`consistent`: some family has all facts. `entailed`: all such families have the answer and no other."""

    consistent: bool
    entailed: bool


def programs(packs: Packs, *, search: bool = True, wide: bool = False) -> list[str]:
    """The files that say what a family of these packs is; with `search` the one that looks for families too."""
    kinds = ["families", "blended" if "blended" in packs else "nuclear", "relations"]
    kinds += [pack for pack in packs if pack not in ("base", "blended")]
    kinds += ["search"] * search + ["wide"] * wide
    return [str(resources.kb("clutrr", f"{kind}.lp")) for kind in kinds]


@cache
def judge(packs: Packs, story: Story, answer: str, *, wide: bool = False) -> Verdict:
    """Whether a story's answer is the only one. Equal questions are asked once.

    With `wide` uncles, aunts, nephews and nieces may be such by marriage.
    """
    theory = load(packs)
    told = _told(theory, story, wide)
    denied = f"other :- rel(T,{story.person},{story.other}), T != {answer}.\n"
    denied += f":- rel({answer},{story.person},{story.other}), not other."
    if _solvable(packs, told + denied, wide):
        return Verdict(consistent=True, entailed=False)
    consistent = _solvable(packs, told, wide)
    return Verdict(consistent, entailed=consistent)


def possible(packs: Packs, story: Story) -> set[str]:
    """The relations that the two of the question have in some family with these facts; 'none' for no relation."""
    asked = f"out(T) :- rel(T,{story.person},{story.other}).\n"
    asked += f"out(none) :- not rel(_,{story.person},{story.other}).\n#show. #show out/1."
    control = _control(packs, _told(load(packs), story, False) + asked, "--enum-mode=brave")
    control.configuration.solve.models = 0  # type: ignore[union-attr]
    found: set[str] = set()
    with control.solve(yield_=True) as handle:
        for model in handle:
            found = {str(symbol.arguments[0]) for symbol in model.symbols(shown=True)}
    return found


def family_where(packs: Packs, story: Story, condition: str) -> list[str] | None:
    """A family with these facts in which `condition` (a rule in clingo's syntax) holds: its atoms, sorted."""
    shown = "#show gender/2. #show father/2. #show mother/2. #show spouse/2."
    control = _control(packs, _told(load(packs), story, False) + condition + shown)
    with control.solve(yield_=True) as handle:
        for model in handle:
            return sorted(map(str, model.symbols(shown=True)))
    return None


def _solvable(packs: Packs, text: str, wide: bool) -> bool:
    return bool(_control(packs, text, wide=wide).solve().satisfiable)


def _control(packs: Packs, text: str, *arguments: str, wide: bool = False) -> engine.Control:
    return engine.grounded(text, files=programs(packs, wide=wide), options=arguments)


def _told(theory: Theory, story: Story, wide: bool) -> str:
    generation = generations(theory, story)
    lines = [f"pair({x},{y}). :- not rel({relation},{x},{y})." for relation, x, y in story.facts]
    lines.append(f"pair({story.person},{story.other}).")
    lines += [f":- not gender({person},{('male', 'female')[gender]})." for person, gender in story.genders]
    unnamed = _unnamed(theory, story, generation, wide)
    lowest = min([*generation.values(), *unnamed])
    everyone = [*generation.items(), *((f"u({place})", step) for place, step in enumerate(unnamed))]
    lines += [f"person({person}). generation({person},{step - lowest})." for person, step in everyone]
    return "\n".join([*lines, ""])


def generations(theory: Theory, story: Story) -> dict[int, int]:
    """How much older each person is than the first, as far as the facts tell; parts that are apart start anew at 0."""
    links: dict[int, list[tuple[int, int]]] = {story.person: [], story.other: []}
    for relation, person, other in story.facts:
        step = theory.generations[theory.id(relation)]
        links.setdefault(person, []).append((other, step))
        links.setdefault(other, []).append((person, -step))
    return levels(links)


def levels(links: Mapping[int, Sequence[tuple[int, int]]]) -> dict[int, int]:
    """The level of each person, from links (other, how much higher); the first of each part that hangs together is 0.

    >>> levels({0: [(1, 2)], 1: [(0, -2)], 5: []})
    {0: 0, 1: 2, 5: 0}
    """
    known: dict[int, int] = {}
    for start in links:
        if start not in known:
            known[start] = 0
            waiting = [start]
            while waiting:
                person = waiting.pop()
                for other, step in links[person]:
                    if other not in known:
                        known[other] = known[person] + step
                        waiting.append(other)
    return known


def _unnamed(theory: Theory, story: Story, generation: dict[int, int], wide: bool) -> list[int]:
    """The generations of the unnamed persons that the facts, and any answer, can call for."""
    speaks_of = theory.witnesses[wide]
    wanted: Counter[int] = Counter()
    for relation, person, _ in story.facts:
        wanted.update(generation[person] + step for step in speaks_of[theory.id(relation)])
    asked: Counter[int] = Counter()
    apart = generation[story.other] - generation[story.person]
    for steps, step in zip(speaks_of, theory.generations, strict=True):
        if step == apart:
            asked |= Counter(steps)
    wanted.update(generation[story.person] + step for step in asked.elements())
    return sorted(wanted.elements())
