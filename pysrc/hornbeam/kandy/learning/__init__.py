"""KANDY tasks for learners of theories.

A task gives its labelled training pictures as examples of valid/1. Four encodings say what a picture is:

- ``natural``: a term, ``valid(in([grid([circle_red_small])]))``, with the predicates of kb/kandy/natural;
- ``pointer``: a name that facts explain (sample_is/2, defined_as/3), with those of kb/kandy/pointer;
- ``relational``: a name, and for each predicate of the natural encoding the ground facts over names
  (:mod:`hornbeam.kandy.learning.relational`);
- ``folded``: the same with constants and functions folded into predicates (:mod:`hornbeam.kandy.learning.folded`).

>>> import hornbeam
>>> from hornbeam.kandy.learning import learning_problem
>>> dataset = hornbeam.load(dataset_folder)  # doctest: +SKIP
>>> problem = learning_problem(dataset, "examples", "t00_triangle", {"encoding": "natural"})  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hornbeam.errors import UsageError, unknown_name
from hornbeam.kandy.learning.definitions import Definitions, pointers
from hornbeam.kandy.learning.earlier import EarlierRule, earlier_facts, earlier_rules, earlier_text, with_earlier
from hornbeam.kandy.learning.engine import Knowledge, opened, with_negation
from hornbeam.kandy.learning.folded import FoldedLanguage, folded
from hornbeam.kandy.learning.options import LearningOptions, read_options
from hornbeam.kandy.learning.relational import RelationalLanguage, relational, truth_of
from hornbeam.kandy.tree import Domain, Tree, children, from_json, nodes
from hornbeam.logic.terms import Compound, Term
from hornbeam.tasks.bias import Bias
from hornbeam.tasks.problem import EXAMPLES, ExampleTask, Held, Problem

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset

VIEWS = (EXAMPLES,)
_HELD = ("valid", "test")
# Tables of a picture take some ten megabytes: pictures whose tables are made at once, and at most, for definitions.
_AT_ONCE, _MOST = 10, 200
# Rows of the tables of all splits. Two kilobytes are needed for each while the language is made.
MOST_TABLE_ROWS = 2_000_000


@dataclass(frozen=True, slots=True)
class SplitExamples:
    """The labelled pictures of a split."""

    names: tuple[str, ...]
    trees: tuple[Tree, ...]
    labels: tuple[bool, ...]

    def atoms(self, terms: Sequence[Term], label: bool) -> tuple[Term, ...]:
        """Those of one label, where picture i is terms[i]."""
        return tuple(Compound("valid", (term,)) for term, own in zip(terms, self.labels, strict=True) if own == label)


@dataclass(frozen=True, slots=True)
class Encoded:
    """A split in an encoding: the term of each picture, and the program that they are proved with."""

    terms: tuple[Term, ...]
    background: str


def learning_problem(
    dataset: Dataset, view: str, task: str | None = None, options: Mapping[str, str] | None = None
) -> Problem:
    """A task of a KANDY dataset as a learner takes it; see :class:`LearningOptions` for the options."""
    if view not in VIEWS:
        raise unknown_name("view", view, VIEWS)
    name = dataset.one_task(task)
    chosen = read_options(options)
    splits = {split: _examples(dataset, name, split) for split in ("train", *_HELD)}
    if not splits["train"].names:
        raise UsageError(f"the task {name} has no labelled training samples", file=str(dataset.path))
    knowledge = Knowledge(dataset.config.domain, chosen.background)
    rules = earlier_rules(chosen.earlier, dataset, name) if chosen.earlier is not None else ()
    bias, encoded, names, definitions = _encode(knowledge, chosen, splits, rules)
    train = splits["train"]
    example_task = ExampleTask(
        name=name,
        positive=train.atoms(encoded["train"].terms, True),
        negative=train.atoms(encoded["train"].terms, False),
        background=encoded["train"].background,
        bias=bias,
        facts=chosen.encoding in ("relational", "folded"),
        encoding=chosen.encoding,
    )
    held = {
        split: Held(
            positive=splits[split].atoms(part.terms, True),
            negative=splits[split].atoms(part.terms, False),
            background=part.background,
        )
        for split, part in encoded.items()
        if split in _HELD
    }
    truth = truth_of(dataset, name, knowledge, chosen.encoding, bias, names)
    return Problem(example_task, held, truth, with_earlier(definitions, rules))


def definitions(dataset: Dataset, task: str | None, options: Mapping[str, str]) -> Iterator[Definitions]:
    """What the predicates of an encoding mean, from more and more training pictures: stop when you know enough.

    A predicate means the same wherever it comes up, so the pictures can be read a few at a time, in little memory.
    """
    chosen = read_options(options)
    if chosen.earlier is not None:
        yield with_earlier({}, earlier_rules(chosen.earlier, dataset, dataset.one_task(task)))
    if chosen.encoding == "pointer":
        yield pointers()
    elif chosen.encoding != "natural":
        knowledge = Knowledge(dataset.config.domain, chosen.background)
        encode = relational if chosen.encoding == "relational" else folded
        trees = _examples(dataset, dataset.one_task(task), "train").trees[:_MOST]
        for start in range(0, len(trees), _AT_ONCE):
            tables = knowledge.tables(trees[start : start + _AT_ONCE], chosen.reach)
            language: RelationalLanguage | FoldedLanguage = encode(knowledge, tables, chosen.sizes)
            yield language.definitions


def _examples(dataset: Dataset, task: str, split: str) -> SplitExamples:
    domain: Domain = dataset.config.domain
    samples = [one for one in dataset.samples.task(task).split(split) if one.supervised]
    symbols: list[Any] = [one.symbolic for one in samples]
    return SplitExamples(
        tuple(one.id for one in samples),
        tuple(from_json(symbol["tree"], domain) for symbol in symbols),
        tuple(bool(one.label) for one in samples),
    )


def _encode(
    knowledge: Knowledge,
    options: LearningOptions,
    splits: Mapping[str, SplitExamples],
    rules: Sequence[EarlierRule],
) -> tuple[Bias, dict[str, Encoded], Mapping[str, str], Definitions]:
    """The language, the splits in it, the predicates that have another name there, and what its predicates mean."""
    if rules and options.encoding == "pointer":
        raise UsageError("rules of earlier tasks are about trees: they cannot be used in the pointer encoding")
    if options.encoding in ("natural", "pointer"):
        bias, encoded = _terms(knowledge, options, splits)
        more = earlier_text(rules)
        encoded = {split: replace(part, background=part.background + more) for split, part in encoded.items()}
        return _with_tests(bias, rules), encoded, {}, pointers() if options.encoding == "pointer" else {}
    _refuse_too_many(knowledge, options, splits)
    tables = {split: knowledge.tables(part.trees, options.reach) for split, part in splits.items()}
    encode = relational if options.encoding == "relational" else folded
    language: RelationalLanguage | FoldedLanguage = encode(knowledge, tables["train"], options.sizes)
    encoded = {
        split: Encoded(part.roots, language.text(part) + earlier_facts(rules, part, knowledge.domain))
        for split, part in tables.items()
    }
    names = language.names if isinstance(language, RelationalLanguage) else {}
    return _with_tests(language.bias, rules), encoded, names, language.definitions


def _refuse_too_many(knowledge: Knowledge, options: LearningOptions, splits: Mapping[str, SplitExamples]) -> None:
    """Refuse pictures whose tables would not fit into memory; a few of them tell how many rows each has."""
    pictures, some = sum(len(part.trees) for part in splits.values()), splits["train"].trees[:_AT_ONCE]
    if pictures <= _MOST:
        return
    each = knowledge.tables(some, options.reach).size / len(some)
    if each * pictures > MOST_TABLE_ROWS:
        most = int(MOST_TABLE_ROWS / each) // len(splits)
        raise UsageError(
            f"the {options.encoding} encoding would have tables of some {each * pictures:,.0f} rows for {pictures:,} "
            f"pictures, at most {MOST_TABLE_ROWS:,} fit into memory: draw some of the pictures, e.g. --samples {most}"
        )


def _with_tests(bias: Bias, rules: Sequence[EarlierRule]) -> Bias:
    return replace(bias, body=(*bias.body, *(rule.mode for rule in rules)))


def _terms(
    knowledge: Knowledge, options: LearningOptions, splits: Mapping[str, SplitExamples]
) -> tuple[Bias, dict[str, Encoded]]:
    head, modes = knowledge.modes(options.encoding)
    body = with_negation(opened(modes))
    longest = max((len(children(node)) for tree in splits["train"].trees for node in nodes(tree)), default=0)
    constants = {**knowledge.constants(body), "int": tuple(range(longest + 1))}
    sizes = options.sizes
    bias = Bias((head,), body, constants, sizes.max_body, sizes.max_vars, depth=sizes.depth)
    text = knowledge.text(options.encoding)
    if options.encoding == "natural":
        return bias, {split: Encoded(tuple(map(term, part.trees)), text) for split, part in splits.items()}
    scenes = {split: knowledge.scenes(part.names, part.trees) for split, part in splits.items()}
    return bias, {split: Encoded(part.names, f"{text}\n{scenes[split]}") for split, part in splits.items()}


def term(tree: Tree) -> Term:
    """A tree as the term of the natural encoding."""
    return tree if isinstance(tree, str) else Compound(tree[0], ([term(child) for child in tree[1]],))
