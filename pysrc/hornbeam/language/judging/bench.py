"""The samples of one task, loaded once in a contained SWI-Prolog, and many texts asked about them in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hornbeam import resources
from hornbeam.data.sample import Sample
from hornbeam.errors import HornbeamError, UsageError
from hornbeam.language.judging.outcome import Built, Failed, Outcome, Said, outcome
from hornbeam.language.judging.tables import Closed, Tables, Written
from hornbeam.logic import Compound, Limits, String
from hornbeam.logic.terms import Clause, Term, Var
from hornbeam.networks.network import Edge, Pair
from hornbeam.networks.repeating import Repeated
from hornbeam.seeds import derive, fast_rng
from hornbeam.tasks.court import Court, NotComparable, Trial
from hornbeam.tasks.courtroom import NOTHING, UNDECIDED, Courtroom
from hornbeam.tasks.networks_court import NetworkCourt
from hornbeam.tasks.vocabulary import Vocabulary
from hornbeam.theory import Theory
from hornbeam.theory.coverage import program_text
from hornbeam.theory.files import MODULE
from hornbeam.theory.verdict import Witness

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

FRESH = 120  # samples from the generator that a theory is asked; near misses come on top
_SHOWN = 20  # of the dataset's training samples, to tell what was memorised
_AT_ONCE = 64  # texts in one call
# What a text may take: seconds, inferences, and samples that it leaves undecided.
_LIMITS = {"cpu": 5, "first": 4_000_000, "each": 2_000_000, "all": 100_000_000, "undecided": 3}
_SECONDS = 60.0  # for a text, below which its inferences end it
_CPU_SECONDS = 1_000_000  # of the process, which lives as long as the judge
# What a dataset's files define beside the background knowledge: it holds labels, asks for them or asks a theory.
_SECRET = (
    *(("sample", 5), ("judged", 2), ("true_answer", 2), ("mine_answer", 2), ("theory_predicates", 1), ("rule", 3)),
    *(("true_rule", 2), ("explain_truth", 1), ("explain_mine", 1), ("wrong", 1), ("score", 0), ("compare", 1)),
    *(
        ("true_fact", 3),
        ("derivable", 4),
        ("last_step", 5),
        ("by_rules", 3),
        ("why", 2),
        ("label", 1),
        ("label", 2),
        ("pos", 1),
        ("neg", 1),
        ("positive", 1),
        ("negative", 1),
        ("truth", 1),
    ),
)


class Bench:
    """A task's court with samples that are drawn and loaded once; close it, or use it in a `with` statement.

    Args:
        dataset: The dataset that theories are about.
        task: The task; None if one theory is true of all tasks.
        options: Of the family's tasks.
        fresh: How many fresh samples to draw.
        seed: Of the fresh samples; None for one that is derived from the dataset's own.
    """

    def __init__(
        self,
        dataset: Dataset,
        task: str | None,
        options: Mapping[str, str] | None = None,
        *,
        fresh: int = FRESH,
        seed: int | None = None,
    ) -> None:
        self.court: Court = dataset.family.court(dataset, task, options)
        own = derive(dataset.manifest.seed or 0, dataset.family.name, "judge") % (1 << 31)
        self._seed = own if seed is None else seed
        self._fresh = fresh
        self._room: Courtroom | None = None
        self._tables: Tables | None = None
        self._witnesses: dict[int, Witness] = {}
        self._built: dict[tuple[tuple[Edge, ...], Pair], Sample | None] = {}

    # Samples ----------------------------------------------------------------------------------------------------------

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What texts may use."""
        return self.court.vocabulary()

    @cached_property
    def trial(self) -> Trial:
        """The samples; of an imported dataset its own held-out ones, for there is no generator."""
        try:
            return self.court.trial(self._fresh, self._seed)
        except NotComparable:
            dataset, task = self.court.dataset, self.court.task
            view = dataset.samples if task is None else dataset.task(task)
            held = [sample for sample in view if sample.split != "train"] or list(view)
            rng = fast_rng(self._seed, "held out")
            return Trial(self._hidden(rng.sample(held, min(self._fresh, len(held))), "h"))

    @cached_property
    def shown(self) -> list[Sample]:
        """Training samples, to tell a theory that is right on them only; none where samples need each other."""
        if self.trial.given:
            return []
        view = self.court.dataset.train if self.court.task is None else self.court.dataset.train.task(self.court.task)
        rng = fast_rng(self._seed, "shown")
        return self._hidden([view[at] for at in sorted(rng.sample(range(len(view)), min(_SHOWN, len(view))))], "t")

    def _hidden(self, samples: Sequence[Sample], letter: str) -> list[Sample]:
        rng = fast_rng(self._seed, "hidden", letter)
        numbers = rng.sample(range(10**6, 10**7), len(samples))
        renamed = (self.court.renamed(sample, rng) for sample in samples)
        return [replace(one, id=f"{letter}{number}") for one, number in zip(renamed, numbers, strict=True)]

    @cached_property
    def samples(self) -> list[Sample]:
        """All samples that are asked: fresh, near misses, shown."""
        return [*self.trial.asked, *self.shown]

    @cached_property
    def truth(self) -> tuple[str, ...]:
        """What the true theory answers for each of them."""
        answer = self._opened().prolog.once(
            "hornbeam_judge:true_answers(Ids, Answers)", given={"Ids": self._ids}, limits=Limits(seconds=600)
        )
        return tuple(str(answer["Answers"] if answer else "").split("\t"))

    @cached_property
    def telling(self) -> tuple[bool, ...]:
        """Whether a sample tells something of a theory: the true theory, written as a text, answers it rightly.

        A table of compositions answers every network, also one of which the dataset's rules say nothing.
        """
        pairs = zip(self.truth, self._true_text_answers, strict=True)
        return tuple(true == said and true not in (NOTHING, UNDECIDED) for true, said in pairs)

    @cached_property
    def counted(self) -> list[int]:
        """The numbers of the samples that refute a theory which answers them in another way."""
        return [number for number in range(len(self.trial.asked)) if self.telling[number]]

    @cached_property
    def by_answer(self) -> dict[str, list[int]]:
        """Of the fresh samples among them, those that have the same true answer, by answer in order."""
        found: dict[str, list[int]] = {}
        for number in self.counted:
            if number < len(self.trial.drawn):
                found.setdefault(self.truth[number], []).append(number)
        return dict(sorted(found.items()))

    @cached_property
    def _true_text_answers(self) -> tuple[str, ...]:
        (found,) = self._asked(["\n".join(self.court.truth.texts)])
        return found.answers if isinstance(found, Said) else self.truth

    @cached_property
    def _ids(self) -> list[Term]:
        return [sample.id for sample in self.samples]

    @cached_property
    def order(self) -> list[int]:
        """The numbers of the samples that are asked, the smallest sample first: that is what a person wants to see."""
        asked = self.trial.asked
        return sorted(range(len(asked)), key=lambda number: self.court.size(asked[number]))

    def witness(self, number: int, learned: str) -> Witness:
        """A sample as the counterexample to a theory."""
        if number not in self._witnesses:
            court, sample = self.court, self.samples[number]
            facts = court.dataset.family.facts(sample)
            self._witnesses[number] = Witness(court.kind, court.describe(sample), self.truth[number], "", facts)
        return replace(self._witnesses[number], learned=learned)

    # The process ------------------------------------------------------------------------------------------------------

    def _opened(self) -> Courtroom:
        if self._room is None:
            room = Courtroom(self.court.dataset, [*self.trial.given, *self.samples], cpu_seconds=_CPU_SECONDS)
            try:
                self._prepare(room)
            except BaseException:
                room.close()
                raise
            self._room = room
        return self._room

    def _prepare(self, room: Courtroom) -> None:
        """Background knowledge of the encoding, and what texts may say."""
        words = self.vocabulary
        calls = tuple(Compound(name, tuple(Var(f"X{at}") for at in range(arity))) for name, arity in words.bodies)
        head = next(iter(words.heads))
        everything = Theory.of([Clause(Compound(head[0], tuple(Var(f"Y{at}") for at in range(head[1]))), calls)])
        definitions = self.court.defined(everything).definitions
        if definitions:
            text = program_text(Theory(definitions))
            room.prolog.load_text(text, MODULE, name="background", strict=False)
        room.prolog.load(resources.prolog("judge", "judge.pl"), "user")
        given = {"Words": self._words(), "Allowed": self._allowed(), "Limits": _pairs(_LIMITS)}
        room.prolog.once("hornbeam_judge:open_court(Words, Allowed, Limits)", given=given)
        if isinstance(self.court, NetworkCourt):
            rows: list[Term] = [list(one) for one in sorted(words.bodies)]
            room.prolog.once("hornbeam_judge:write_out(Predicates)", given={"Predicates": rows})

    def _words(self) -> list[Term]:
        words, dataset = self.vocabulary, self.court.dataset
        own = [*words.heads, *words.bodies, *words.more]
        facts = [
            (name, int(arity)) for name, _, arity in (one.rpartition("/") for one in dataset.family.fact_predicates())
        ]
        secret = [one for one in dict.fromkeys((*_SECRET, *facts)) if one not in own]
        rows: list[list[Term]] = [["head", kind, *one] for one, kind in words.heads.items()]
        rows += [["body", *one] for one in sorted(words.bodies)]
        rows += [["more", *one] for one in sorted(words.more)]
        rows += [["constant", value] for value in sorted(words.constants, key=str)]
        rows += [["secret", *one] for one in secret]
        return list(rows)

    def _allowed(self) -> list[Term]:
        words = self.vocabulary
        flags = [name for name in ("forall", "arithmetic", "lists") if getattr(words, name)]
        return [*flags, Compound("clauses", (words.clauses,))]

    def close(self) -> None:
        """End the process."""
        room, self._room, self._tables = self._room, None, None
        if room is not None:
            room.close()

    def __enter__(self) -> Bench:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Texts ------------------------------------------------------------------------------------------------------------

    def ask(self, programs: Sequence[str]) -> list[Outcome]:
        """What each program answers, or why it is refused."""
        _ = self.truth  # while the process is new
        outcomes: list[Outcome] = []
        for start in range(0, len(programs), _AT_ONCE):
            some = programs[start : start + _AT_ONCE]
            known = self._tables_among(some)
            rest = [program for program in some if program not in known]
            known |= zip(rest, self._asked(rest) if rest else [], strict=True)
            outcomes += [known[program] for program in some]
        return outcomes

    def _tables_among(self, programs: Sequence[str]) -> dict[str, Outcome]:
        """Outcomes of the texts that are tables; without those that only SWI-Prolog can judge."""
        if self._repeated is None:
            return {}
        _ = self.telling  # while the process is new
        try:
            tables = self._opened_tables(self._repeated)
            read = {text: one for text, one in zip(programs, tables.read(programs), strict=True) if one is not None}
            true = {text for text, table in read.items() if tables.is_true(table)}
            known: dict[str, Outcome] = {
                text: Said(self._true_text_answers, len(read[text].facts), len(read[text].facts)) for text in true
            }
            others = [text for text in read if text not in true]
            closed = self._closed(tables, [read[text] for text in others])
            confirmed = zip(others, tables.confirmed(closed), strict=True)
            return known | {text: one for text, one in confirmed if one is not None}
        except HornbeamError:  # what ended the process is found by asking one by one
            self.close()
            return {}

    def _closed(self, tables: Tables, read: Sequence[Written]) -> list[Closed]:
        """What the closure answers, and what SWI-Prolog must confirm of it."""
        found = [Closed(table, answers) for table, answers in zip(read, tables.answers(read), strict=True)]
        return [self._to_confirm(tables, one) for one in found]

    def _to_confirm(self, tables: Tables, closed: Closed) -> Closed:
        """With a counterexample; without one, with all samples on which the table can be wrong."""
        answers, truth, telling = closed.answers, self.truth, self.telling
        wrong = next((at for at in self.order if answers[at] != truth[at] and telling[at]), None)
        if wrong is not None:
            return replace(closed, numbers=(wrong,))
        built = self._told_apart(tables, closed.written)
        if built is not None:
            return replace(closed, built=built)
        return replace(closed, numbers=tuple(tables.concerned(closed.written) or self.order[:1]))

    def _told_apart(self, tables: Tables, written: Written) -> Built | None:
        """A network that was built to tell tables apart and that this one answers wrongly."""
        court = self.court
        assert isinstance(court, NetworkCourt)
        for network, relations in court.telling(written.table):
            key = (network.edges, network.query)
            if key not in self._built:
                self._built[key] = court.built(network)
            sample = self._built[key]
            if sample is not None:  # the family has such samples
                return Built(network, sample, tables.answer(network.answer), tables.answer(relations))
        return None

    def built_witness(self, built: Built) -> Witness:
        """A network that was built to tell theories apart, as the counterexample to one."""
        court = self.court
        facts = court.dataset.family.facts(built.sample)
        return Witness(court.kind, court.describe(built.sample), built.true, built.learned, facts)

    @cached_property
    def _repeated(self) -> Repeated | None:
        """The samples as networks, if they are; None if the true table does not know all their relations."""
        court = self.court
        if not isinstance(court, NetworkCourt):
            return None
        try:
            return Repeated(court.table, [court.network(sample) for sample in self.samples])
        except UsageError:
            return None

    def _opened_tables(self, asked: Repeated) -> Tables:
        assert isinstance(self.court, NetworkCourt)
        if self._tables is not None and self._tables.full:
            self.close()
        room = self._opened()
        if self._tables is None:
            names = [sample.id for sample in self.samples]
            self._tables = Tables(room.prolog, self.court.table, asked, names, self.vocabulary.clauses)
            next(self.court.telling(self.court.table), None)  # what the court keeps is worked out now
        return self._tables

    def _asked(self, programs: Sequence[str], *, again: bool = True) -> list[Outcome]:
        """A program that ends the process costs the others nothing: each is asked again by itself, in a new process."""
        try:
            return self._call(programs)
        except HornbeamError as error:
            self.close()
            if not again:
                return [Failed(error.message)]
            return [outcome for program in programs for outcome in self._asked([program], again=False)]

    def _call(self, programs: Sequence[str]) -> list[Outcome]:
        given: dict[str, Any] = {"Texts": [String(program) for program in programs], "Ids": self._ids}
        answer = self._opened().prolog.once(
            "hornbeam_judge:judge_texts(Texts, Ids, Outcomes)",
            given=given,
            limits=Limits(seconds=_SECONDS * len(programs)),
        )
        rows: Any = answer["Outcomes"] if answer else []
        return [outcome(row) for row in rows]


def _pairs(values: Mapping[str, int]) -> list[Term]:
    return [Compound("-", (name, value)) for name, value in values.items()]
