"""reasoning-gym's family_relationships: couples and their children are told, and it is asked what one is to another.

The text is read by a strict grammar; Prolog follows the meanings of kb/clutrr through the family that is told. In such
families two persons have at most one relation, so a family in which another one holds is a countermodel. The text has
no genders: the words of the answer are compared by relation first. A word of the other gender is wrong if the name or
the spouse tells the gender, and arguable if neither does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from hornbeam import resources
from hornbeam.language.audits.report import ARGUABLE, RIGHT, UNPARSED, WRONG, AuditedRow
from hornbeam.logic import Prolog

CONVENTION = (
    "What is A to B asks for the word that B has for A. Men and women marry once; a child's parents are the couple "
    "that is named. Genders are those of usual first names."
)
_MODULE = "hornbeam_gym_kinship"
_MARRIED = re.compile(r"(\w+) is married to (\w+)\.")
_CHILDREN = re.compile(r"They have (?:a child|children) called ([\w ,]+)\.")
_QUESTION = re.compile(
    r"(?:What is|How is|What relation is) (\w+) (?:related )?to (\w+)\? "
    r"(?:Respond only with the word that describes their relationship|Provide the relationship in one word|"
    r"Answer with a single word)\."
)
_MALE, _FEMALE = "male", "female"


@dataclass(frozen=True, slots=True)
class Family:
    """What a text tells: couples, children with both parents, and the question "what is `asked` to `other`"."""

    couples: tuple[tuple[str, str], ...]
    children: tuple[tuple[str, str, str], ...]
    asked: str
    other: str


def read(text: str) -> Family | None:
    """The family of a question; None if a sentence is not of the grammar.

    >>> family = read("Ann is married to Bob. They have a child called Cid.\\n\\nWhat is Ann to Cid? "
    ...               "Respond only with the word that describes their relationship.")
    >>> family.couples, family.children, family.asked
    ((('Ann', 'Bob'),), (('Cid', 'Ann', 'Bob'),), 'Ann')
    """
    story, _, question = text.partition("\n\n")
    asked = _QUESTION.fullmatch(question.strip())
    couples: list[tuple[str, str]] = []
    children: list[tuple[str, str, str]] = []
    for sentence in re.findall(r"[^.]+\.", story):
        married, born = _MARRIED.fullmatch(sentence.strip()), _CHILDREN.fullmatch(sentence.strip())
        if married:
            couples.append((married[1], married[2]))
        elif born and couples:
            children += [(name, *couples[-1]) for name in re.split(r", and |, | and ", born[1])]
        else:
            return None
    if asked is None or not couples or any(" " in child[0] for child in children):
        return None
    return Family(tuple(couples), tuple(children), asked[1], asked[2])


@cache
def _prolog() -> Prolog:
    prolog = Prolog()
    prolog.load(resources.prolog("gym", "kinship.pl"), module=_MODULE)
    return prolog


@cache
def _open_names() -> frozenset[str]:
    answers = _prolog().all("gym_kinship:open_gender(Name)", module=_MODULE)
    return frozenset(str(answer["Name"]) for answer in answers)


def judge(rows: Sequence[tuple[int, str, str]]) -> list[AuditedRow]:
    """The verdicts on rows, each an index, a text and the answer that is given."""
    families = [read(text) for _, text, _ in rows]
    known = [family for family in families if family is not None]
    asked: Any = [
        [[list(pair) for pair in family.couples], [list(born) for born in family.children], family.other, family.asked]
        for family in known
    ]
    answer: Any = _prolog().once("gym_kinship:relations(Rows, Answers)", given={"Rows": asked}, module=_MODULE)
    derived = iter(answer["Answers"])
    return [
        AuditedRow(index, text, given, "", UNPARSED, "a sentence is not of the grammar")
        if family is None
        else _verdict(index, text, given, family, next(derived))
        for (index, text, given), family in zip(rows, families, strict=True)
    ]


def _verdict(index: int, text: str, given: str, family: Family, found: Sequence[Any]) -> AuditedRow:
    if not found:
        return AuditedRow(index, text, given, "", ARGUABLE, "no relation of the theory holds between the two")
    gender = _gender(family, family.asked)
    words = [_words(entry, gender) for entry in found]
    derived = " or ".join(dict.fromkeys(word for pair in words for word in pair))
    said = [entry for entry in found if given in (str(entry[1]), str(entry[2]))]
    if not said:
        about = f"{family.asked} is the {derived} of {family.other}, not the {given}"
        cause = "the word is that of the other person" if _turned(given, found) else "another relation holds"
        return AuditedRow(index, text, given, derived, WRONG, cause, (*_facts(family, found[0]), about))
    if any(given in pair for pair in words):
        if gender is None:
            cause = "the text does not tell the gender"
            return AuditedRow(index, text, given, derived, ARGUABLE, cause, tuple(_facts(family, said[0])))
        return AuditedRow(index, text, given, derived, RIGHT)
    about = f"{family.asked} is the {derived} of {family.other}, not the {given}"
    return AuditedRow(index, text, given, derived, WRONG, "the gender is wrong", (*_facts(family, said[0]), about))


def _words(entry: Any, gender: str | None) -> tuple[str, ...]:
    male, female = str(entry[1]), str(entry[2])
    return {_MALE: (male,), _FEMALE: (female,)}.get(gender or "", (male, female))


def _turned(given: str, found: Sequence[Any]) -> bool:
    """Whether the answer is a word for the inverse of what holds."""
    pairs = inverse_words()
    return any(given in pairs.get(str(entry[0]), ()) for entry in found)


@cache
def inverse_words() -> dict[str, tuple[str, ...]]:
    """For each relation the words of its inverse."""
    goal = "member(M, [kinship,kin_marriage]), M:inverse(R, I), M:relation(I, Male, Female, _)"
    answers = _prolog().all(f"{goal}", module=_MODULE)
    return {str(answer["R"]): (str(answer["Male"]), str(answer["Female"])) for answer in answers}


def _gender(family: Family, person: str) -> str | None:
    """The gender that a name tells, or the spouse's name; None if neither does."""
    own = usual_gender(person)
    if own is not None:
        return own
    spouses = [pair[1 - pair.index(person)] for pair in family.couples if person in pair]
    told = next((gender for spouse in spouses if (gender := usual_gender(spouse))), None)
    return None if told is None else _FEMALE if told == _MALE else _MALE


def usual_gender(name: str) -> str | None:
    """The gender of a usual first name; None if it is given to both, or unknown."""
    return None if name in _open_names() else _lists().get(name)


@cache
def _lists() -> dict[str, str]:
    """The names of the package's own configuration, which are what its author took for male and female."""
    from importlib import import_module

    config: Any = import_module("reasoning_gym.graphs.family_relationships").FamilyRelationshipsConfig()
    return {**dict.fromkeys(config.male_names, _MALE), **dict.fromkeys(config.female_names, _FEMALE)}


def _facts(family: Family, entry: Any) -> Iterator[str]:
    """The family as facts, and the way from one person to the other."""
    yield from (f"couple({one}, {other})" for one, other in family.couples)
    yield from (f"child({child}, {father}, {mother})" for child, father, mother in family.children)
    yield f"{entry[0]}: {' - '.join(map(str, entry[3]))}"
