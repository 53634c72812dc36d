"""`hornbeam check`: clingo derives every answer again, over all possible families and in the sample's own family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hornbeam.clutrr.knowledge import GENDERS, KinTheory, Packs, links, load
from hornbeam.clutrr.proving import KinStory, RelationFact, answers, entails, levels, programs
from hornbeam.clutrr.record import Member, Record
from hornbeam.data.dataset import Dataset
from hornbeam.family import Check
from hornbeam.logic.asp import engine
from hornbeam.progress import Progress, no_progress

_BATCH = 200
REASONER = "clingo: closure of the theory's rules, and search over all families"


def check(dataset: Dataset, progress: Progress = no_progress) -> Check:
    """Confirm each sample whose answer clingo derives alone, entails over all families, and finds in its own family."""
    theory = load(dataset.config.packs)
    total = len(dataset.samples)
    failures: list[str] = []
    for batch in batches(dataset, progress):
        failures += (record.sample.id for record, fine in zip(batch, confirmed(theory, batch), strict=True) if not fine)
    return Check(total, total - len(failures), len(failures), 0, REASONER, tuple(failures))


def batches(dataset: Dataset, progress: Progress) -> Iterator[list[Record]]:
    """The records of a dataset, as many at once as clingo takes well; each batch counts as progress when it is done."""
    for start in range(0, len(dataset.samples), _BATCH):
        batch = [Record.of(sample) for sample in dataset.samples[start : start + _BATCH]]
        yield batch
        progress(start + len(batch), len(dataset.samples))


def confirmed(theory: KinTheory, batch: Sequence[Record]) -> list[bool]:
    """Whether clingo agrees with each record."""
    derived = answers(theory, [numbered(theory, record) for record in batch])
    true = true_in_family(theory, batch)
    verdicts = []
    for record, relations, in_family in zip(batch, derived, true, strict=True):
        relation, genders = theory.of_word(str(record.sample.label))
        said = record.genders[record.names.index(record.query[1])]
        fine = relations == {theory.names[relation]} and said in genders and in_family is not False
        verdicts.append(fine and entailed(theory, record, derivable=True))
    return verdicts


def entailed(theory: KinTheory, record: Record, *, derivable: bool, wide: bool = False) -> bool:
    """Whether the story without its noise has this answer in all families, and no other.

    Genders are left out where the answer can be derived, and so holds without them: then equal chains are judged once.
    """
    answer = theory.relation(str(record.sample.label))
    return entails(theory.packs, _story_of(theory, record, genders=not derivable), answer, wide=wide)


def _story_of(theory: KinTheory, record: Record, *, genders: bool) -> KinStory:
    """A record's story with persons numbered as they come."""
    number: dict[str, int] = {}
    facts = []
    for word, person, other in record.story_facts:
        one, two = (number.setdefault(name, len(number)) for name in (person, other))
        facts.append((theory.relation(word), one, two))
    asked, about = (number.setdefault(name, len(number)) for name in record.query)
    known = dict(zip(record.names, record.genders, strict=True))
    said = tuple((place, int(known[name] == "female")) for name, place in number.items()) if genders else ()
    return KinStory(tuple(facts), said, asked, about)


def numbered(theory: KinTheory, record: Record) -> tuple[list[RelationFact], int, int]:
    """All facts of a record, noise included, over node numbers."""
    node = {name: place for place, name in enumerate(record.names)}
    facts = [(theory.relation(word), node[one], node[two]) for word, one, two in record.facts]
    return facts, node[record.query[0]], node[record.query[1]]


def true_in_family(
    theory: KinTheory, batch: Sequence[Record], *, facts: bool = True, wide: bool = False
) -> list[bool | None]:
    """Whether each record's family is one, and its answer and, with `facts`, its story are true in it.

    None stands for an unknown family.
    """
    claims = [(record.family, _claims(theory, record, facts)) for record in batch if record.family]
    false = iter(false_claims(theory.packs, claims, wide=wide) if claims else ())
    return [next(false) == [] if record.family else None for record in batch]


def _claims(theory: KinTheory, record: Record, facts: bool) -> list[RelationFact]:
    place = dict(zip(record.names, record.nodes, strict=True))
    said = [*(record.facts if facts else ()), (str(record.sample.label), *record.query)]
    return [(theory.relation(word), place[one], place[two]) for word, one, two in said]


Claims = tuple[Sequence[Member], Sequence[RelationFact]]


def false_claims(packs: Packs, families: Sequence[Claims], *, wide: bool = False) -> list[list[int] | None]:
    """For each family the numbers of the claims that are false in it; None for what is not a family.

    All families are solved at once as one forest: nothing in the program joins persons of two families.
    """
    false = _solve(packs, families, wide)
    if false is not None:
        return list(false)
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
    yield from (f"{link}(p({number},{place}),p({number},{other}))." for place, link, other in _family_links(family))


def _family_links(family: Sequence[Member]) -> Iterator[tuple[int, str, int]]:
    for place, member in enumerate(family):
        for link, other in (("father", member.father), ("mother", member.mother), ("spouse", member.spouse)):
            if other >= 0:
                yield place, link, other


def generations(family: Sequence[Member]) -> list[int]:
    """A generation for each member, one more than their children's; contradictions are left to the program."""
    steps = links()
    known = levels(range(len(family)), [(place, other, steps[link]) for place, link, other in _family_links(family)])
    return [known[place] for place in range(len(family))]
