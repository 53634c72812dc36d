"""`hornbeam check`: every answer derived again by clingo, judged over all families, and looked up in its own family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from hornbeam.clutrr.confirm import answers
from hornbeam.clutrr.entailment import Story, judge, levels, programs
from hornbeam.clutrr.record import GENDERS, Member, Record
from hornbeam.clutrr.theory import Packs, Theory, links, load
from hornbeam.data.dataset import Dataset
from hornbeam.family import Check
from hornbeam.logic.asp import engine
from hornbeam.progress import Progress, no_progress

BATCH = 200
REASONER = "clingo: closure of the theory's rules, and search over all families"


def check(dataset: Dataset, progress: Progress = no_progress) -> Check:
    """Confirm each sample whose answer clingo derives alone, entails over all families, and finds in its own family."""
    theory = load(dataset.config.packs)
    total = len(dataset.samples)
    failures: list[str] = []
    done = 0
    records = map(Record.of, dataset.samples)
    while batch := list(islice(records, BATCH)):
        failures += (record.sample.id for record, fine in zip(batch, confirmed(theory, batch), strict=True) if not fine)
        done += len(batch)
        progress(done, total)
    return Check(total, total - len(failures), len(failures), 0, REASONER, tuple(failures))


def confirmed(theory: Theory, batch: Sequence[Record]) -> list[bool]:
    """Whether clingo agrees with each record."""
    derived = answers(theory, [numbered(theory, record) for record in batch])
    true = true_in_family(theory, batch)
    verdicts = []
    for record, found, lies in zip(batch, derived, true, strict=True):
        relation, genders = theory.of_word(str(record.sample.label))
        said = record.genders[record.names.index(record.query[1])]
        fine = found == {theory.names[relation]} and said in genders and lies is not False
        verdicts.append(fine and entailed(theory, record, derivable=True))
    return verdicts


def entailed(theory: Theory, record: Record, *, derivable: bool, wide: bool = False) -> bool:
    """Whether the story without its noise has this answer in all families, and no other.

    Genders are left out where the answer can be derived, and so holds without them: then equal chains are judged once.
    """
    answer = theory.names[theory.of_word(str(record.sample.label))[0]]
    return judge(theory.packs, story_of(theory, record, genders=not derivable), answer, wide=wide).entailed


def story_of(theory: Theory, record: Record, *, genders: bool) -> Story:
    """A record's story with persons numbered as they come."""
    number: dict[str, int] = {}
    facts = []
    for word, person, other in record.story_facts:
        one, two = (number.setdefault(name, len(number)) for name in (person, other))
        facts.append((theory.names[theory.of_word(word)[0]], one, two))
    asked, about = (number.setdefault(name, len(number)) for name in record.query)
    known = dict(zip(record.names, record.genders, strict=True))
    said = tuple((place, int(known[name] == "female")) for name, place in number.items()) if genders else ()
    return Story(tuple(facts), said, asked, about)


def numbered(theory: Theory, record: Record) -> tuple[list[tuple[str, int, int]], int, int]:
    """All facts of a record, noise and all, over node numbers."""
    node = {name: place for place, name in enumerate(record.names)}
    facts = [(theory.names[theory.of_word(word)[0]], node[one], node[two]) for word, one, two in record.facts]
    return facts, node[record.query[0]], node[record.query[1]]


def true_in_family(theory: Theory, batch: Sequence[Record], *, wide: bool = False) -> list[bool | None]:
    """Whether each record's family is one, and its facts and its answer are true in it; None for an unknown family."""
    known = [place for place, record in enumerate(batch) if record.family]
    verdicts: list[bool | None] = [None] * len(batch)
    if known:
        claims = [(batch[place].family, list(_claims(theory, batch[place]))) for place in known]
        for place, false in zip(known, false_claims(theory.packs, claims, wide=wide), strict=True):
            verdicts[place] = false == []
    return verdicts


def _claims(theory: Theory, record: Record) -> Iterator[tuple[str, int, int]]:
    person, other = record.query
    place = dict(zip(record.names, record.nodes, strict=True))
    for word, one, two in [*record.facts, (str(record.sample.label), person, other)]:
        yield theory.names[theory.of_word(word)[0]], place[one], place[two]


Claims = tuple[Sequence[Member], Sequence[tuple[str, int, int]]]


def false_claims(packs: Packs, families: Sequence[Claims], *, wide: bool = False) -> list[list[int] | None]:
    """For each family the numbers of the claims that are false in it; None for what is not a family.

    All families are solved at once as one forest: nothing in the program joins persons of two families.
    """
    found = _solve(packs, families, wide)
    if found is not None:
        return list(found)
    if len(families) == 1:
        return [None]
    half = len(families) // 2
    return [*false_claims(packs, families[:half], wide=wide), *false_claims(packs, families[half:], wide=wide)]


def _solve(packs: Packs, families: Sequence[Claims], wide: bool) -> list[list[int]] | None:
    lines = ["pair(p(F,X),p(F,Y)) :- claim(F,_,_,X,Y).", "false(F,C) :- claim(F,C,R,X,Y), not rel(R,p(F,X),p(F,Y))."]
    lines.append("#show. #show false/2.")
    for number, (family, claims) in enumerate(families):
        lines += _family_facts(number, family)
        lines += (f"claim({number},{place},{r},{x},{y})." for place, (r, x, y) in enumerate(claims))
    control = engine.grounded("\n".join(lines), files=programs(packs, search=False, wide=wide))
    false: list[list[int]] = [[] for _ in families]
    with control.solve(yield_=True) as handle:
        for model in handle:
            for symbol in model.symbols(shown=True):
                false[symbol.arguments[0].number].append(symbol.arguments[1].number)
            return [sorted(claims) for claims in false]
    return None


def _family_facts(number: int, family: Sequence[Member]) -> Iterator[str]:
    for place, (member, generation) in enumerate(zip(family, generations(family), strict=True)):
        person = f"p({number},{place})"
        yield f"person({person}). generation({person},{generation}). gender({person},{GENDERS[member.gender]})."
        for link, other in (("father", member.father), ("mother", member.mother), ("spouse", member.spouse)):
            if other >= 0:
                yield f"{link}({person},p({number},{other}))."


def generations(family: Sequence[Member]) -> list[int]:
    """A generation for each member, one more than their children's; contradictions are left to the program."""
    steps = links()
    near: dict[int, list[tuple[int, int]]] = {place: [] for place in range(len(family))}
    for place, member in enumerate(family):
        for link, other in (("father", member.father), ("mother", member.mother), ("spouse", member.spouse)):
            if other >= 0:
                near[place].append((other, steps[link]))
                near[other].append((place, -steps[link]))
    known = levels(near)
    return [known[place] for place in range(len(family))]
