from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from pydantic import Field

from hornbeam.ilp.learner import Learner, Settings, Space
from hornbeam.ilp.lff.coverage import PROGRAM, HeadExamples, Tester, load_background
from hornbeam.ilp.lff.generate import Generator, Implied, Source
from hornbeam.ilp.lff.language import RuleLanguage
from hornbeam.ilp.lff.programs import PartPool, ProgramSearch
from hornbeam.ilp.lff.search import RuleSearch
from hornbeam.ilp.lff.vocabulary import (
    BodySymbol,
    PredicateTables,
    TargetHead,
    call,
    fanouts,
    heads,
    symbols,
    tabulate,
    useful_symbols,
)
from hornbeam.ilp.watch import Watch, WatchOfPart
from hornbeam.logic import Clause, Prolog
from hornbeam.tasks.bias import Bias, Place
from hornbeam.tasks.problem import EXAMPLES, ExampleTask
from hornbeam.theory import Theory


class LFFSettings(Settings):
    """Settings of `lff`. Sizes of rules and theories, recursion and invention are the bias's."""

    noise: bool = Field(False, description="allow errors: minimise size + missed positives + covered negatives")
    repeats: bool = Field(False, description="allow a variable twice in one literal, e.g. reverse(L, L)")
    loose_head: bool = Field(False, description="input variables of the head need not occur in the body")
    single_types: tuple[str, ...] = Field((), description="types of which a rule has no variable beside the head's")
    invented: int = Field(1, ge=1, le=3, description="invented predicates of each arity, where the bias allows them")
    invented_arities: tuple[int, ...] = Field((1, 2), description="arities of invented predicates")
    inferences: int = Field(5_000_000, ge=1000, description="limit of one test of a rule, in Prolog inferences")
    example_inferences: int = Field(
        5_000, ge=100, description="limit for one example where rules call one another, in Prolog inferences"
    )


class LFF(Learner):
    """Learning from failures."""

    name: ClassVar[str] = "lff"
    title: ClassVar[str] = "learning from failures (clingo and Prolog)"
    views: ClassVar[tuple[str, ...]] = (EXAMPLES,)
    settings_type: ClassVar[type[Settings]] = LFFSettings

    def fit(self, task: ExampleTask, settings: LFFSettings, watch: Watch) -> Theory:
        pl = Prolog()
        predicates = [mode.indicator for mode in task.bias.body]
        load_background(pl, task.background, [*predicates, *task.bias.targets])
        tables = tabulate(pl, PROGRAM, predicates)
        learned: list[Clause] = []
        optimal = True
        wanted = heads(task.bias, task.positive, loose=settings.loose_head)
        for head in wanted:
            heard = watch if len(wanted) == 1 else WatchOfPart(watch, tuple(learned))
            theory, proved = Workbench(pl, task, settings, heard, tables).learn(head)
            learned += theory.clauses
            optimal = optimal and proved
        if optimal:
            watch.finished()
        return Theory.of(learned)

    def space(self, bias: Bias, settings: LFFSettings) -> Space:
        arities = ", ".join(map(str, settings.invented_arities))
        return Space(
            bias,
            repeated_variables=settings.repeats,
            repeated_head_variables=False,
            unused_head_variables=settings.loose_head,
            unconnected=False,
            note=f"a clause calls learned predicates twice at most; arities of invented ones: {arities}"
            if bias.recursion or bias.invention
            else "",
        )


@dataclass(frozen=True)
class Workbench:
    """What the searches for all heads of a task share."""

    pl: Prolog
    task: ExampleTask
    settings: LFFSettings
    watch: Watch
    tables: PredicateTables

    def learn(self, head: TargetHead) -> tuple[Theory, bool]:
        """The rules for one head, and whether no others are better."""
        examples = HeadExamples.of(head, self.task.positive, self.task.negative)
        if self.task.bias.recursion or self.task.bias.invention:
            return self._programs(head, examples)
        return self._rules(head, examples)

    def _rules(self, head: TargetHead, examples: HeadExamples) -> tuple[Theory, bool]:
        source = self._source(head, examples, pieces=True)
        language = source.language
        search = RuleSearch(
            source,
            Tester(self.pl, [language], examples, inferences=self.settings.inferences),
            self.watch,
            noise=self.settings.noise,
            most=self.task.bias.max_clauses,
            finite=all(symbol.negated or symbol.indicator in self.tables.rows for symbol in language.symbols),
            pieces=language.divisible,
        )
        search.run()
        self.watch.note("searched", forbidden=source.generator.forbidden, **search.counts)
        return search.theory(), search.optimal

    def _programs(self, head: TargetHead, examples: HeadExamples) -> tuple[Theory, bool]:
        bias, settings = self.task.bias, self.settings
        invented = self._invented() if bias.invention else []
        fitting = [head, *(each for each in invented if each.arity <= bias.max_vars)]
        sources: list[Source] = []
        for number, each in enumerate(fitting):
            # Under recursion rules may call all heads, else only those after their own.
            calls = [call(other) for index, other in enumerate(fitting) if bias.recursion or index > number]
            offset = sum(len(source.language.literals) for source in sources)
            sources.append(replace(self._source(each, examples, calls), head=number, offset=offset))
        tester = Tester(self.pl, [source.language for source in sources], examples, inferences=settings.inferences)
        pairs = bias.max_clauses == 2 and not invented
        pool = PartPool(sources, tester, self.watch, recursion=bias.recursion, noise=settings.noise, pairs=pairs)
        search = ProgramSearch(
            pool, tester, self.watch, noise=settings.noise, most=bias.max_clauses, limit=settings.example_inferences
        )
        return search.run(bias.max_body), search.optimal

    def _invented(self) -> list[TargetHead]:
        """New predicates. Their arguments have any type and any direction."""
        taken = {mode.name for mode in (*self.task.bias.head, *self.task.bias.body)}
        invented: list[TargetHead] = []
        for number in range(1, self.settings.invented + 1):
            for arity in self.settings.invented_arities:
                name = f"inv{number}" if arity == 2 else f"inv{number}_{arity}"
                while name in taken:
                    name = f"{name}_"
                invented.append(TargetHead(name, (None,) * arity, (Place("?"),) * arity))
        return invented

    def _source(
        self, head: TargetHead, examples: HeadExamples, calls: Sequence[BodySymbol] = (), *, pieces: bool = False
    ) -> Source:
        """The language of the rules for one head, and what makes them."""
        bias, settings, tables = self.task.bias, self.settings, self.tables
        known = useful_symbols(symbols(bias, tables.values()), tables)
        language = RuleLanguage(
            head, [*known, *calls], bias, repeats=settings.repeats, single_types=settings.single_types
        )
        facts = Implied(language, tables, examples).facts()
        generator = Generator(language, facts, undivided=pieces and language.divisible, seed=settings.seed)
        return Source(0, language, generator, fanouts(language.symbols, tables))


LEARNER = LFF
