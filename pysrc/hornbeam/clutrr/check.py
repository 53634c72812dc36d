"""`hornbeam check`: clingo derives every answer again, over all possible families and in the sample's own family."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from hornbeam.clutrr.forest import false_claims
from hornbeam.clutrr.knowledge import KinTheory, load
from hornbeam.clutrr.proving import KinStory, RelationFact, answers, entails
from hornbeam.clutrr.record import Record
from hornbeam.data.dataset import Dataset
from hornbeam.family import Check
from hornbeam.progress import Progress, no_progress

_BATCH = 1000
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
    derivable = []
    for record, relations, in_family in zip(batch, derived, true, strict=True):
        relation, genders = theory.of_word(str(record.sample.label))
        said = record.genders[record.names.index(record.query[1])]
        fine = relations == {theory.names[relation]} and said in genders and in_family.story is not False
        derivable.append(fine)
    entailed = iter(entailed_in(theory, [record for record, fine in zip(batch, derivable, strict=True) if fine]))
    return [fine and next(entailed) for fine in derivable]


def entailed_in(
    theory: KinTheory, batch: Sequence[Record], derivable: Container[str] | None = None, *, wide: bool = False
) -> list[bool]:
    """Whether each story without its noise has its answer in all families, and no other.

    Args:
        theory: The theory of the dataset.
        batch: The stories.
        derivable: The ids of those whose answer can be derived, and so holds without the genders: these are left out
            then, so that equal chains are judged once. None for all.
        wide: Whether uncles, aunts, nephews and nieces may be such by marriage.
    """
    questions = [
        (_story_of(theory, record, genders=derivable is not None and record.sample.id not in derivable), record)
        for record in batch
    ]
    verdicts = [False] * len(batch)
    # Questions about the same facts follow each other: what clingo has grounded for the first serves all.
    for place in sorted(range(len(batch)), key=lambda place: questions[place][0].facts):
        story, record = questions[place]
        verdicts[place] = entails(theory.packs, story, theory.relation(str(record.sample.label)), wide=wide)
    return verdicts


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


@dataclass(frozen=True, slots=True)
class InFamily:
    """What is true in the family of a record; None if that is unknown."""

    answer: bool | None = None
    story: bool | None = None  # all facts, and the answer


def true_in_family(theory: KinTheory, batch: Sequence[Record], *, wide: bool = False) -> list[InFamily]:
    """What is true in each record's own family, which is nothing if it is not a family."""
    claims = [(record.family, _claims(theory, record)) for record in batch if record.family]
    false = iter(false_claims(theory.packs, claims, wide=wide))
    return [_in_family(next(false), len(record.facts)) if record.family else InFamily() for record in batch]


def _in_family(false: Sequence[int] | None, answer: int) -> InFamily:
    return InFamily(answer=false is not None and answer not in false, story=false == [])


def _claims(theory: KinTheory, record: Record) -> list[RelationFact]:
    """The facts, and at the end the answer."""
    place = dict(zip(record.names, record.nodes, strict=True))
    said = [*record.facts, (str(record.sample.label), *record.query)]
    return [(theory.relation(word), place[one], place[two]) for word, one, two in said]
