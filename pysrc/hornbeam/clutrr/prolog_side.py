"""The Prolog of a dataset: its theory as one file, and the reasoner and the English of prolog/clutrr beside it."""

from __future__ import annotations

from collections.abc import Sequence

from hornbeam import resources
from hornbeam.clutrr.record import Record, atom, member_term
from hornbeam.clutrr.theory import Packs, engine, load
from hornbeam.data.sample import Sample
from hornbeam.family import PrologSide
from hornbeam.logic.terms import Compound, Var
from hornbeam.tasks import network_files

PREDICATES = ("sample/5", "story/2", "fact/4", "noise/5", "person/3", "family/2")

QUERIES = (
    ("sample(Id, Task, test, Label, query(X, Y))", "the questions of the test stories, with their answers"),
    ("story(Id, Text), fact(Id, Word, X, Y)", "what a story says"),
    ("kin(Id, Word, X, Y)", "every relation that follows from a story"),
    ("sample(Id, _, test, _, _), true_answer(Id, Word)", "the answers that follow from the stories"),
    ("explain_kin(Id, X-Y)", "why a person is what they are to another, in English"),
    ("family_tree(Id)", "the family behind a story"),
    ("derives(theory, [parent,sibling], Whole)", "what a chain of relations composes to"),
)


def side(packs: Packs) -> PrologSide:
    """The files of a dataset whose theory has these packs."""
    goal = "theory_text(T, Theory), theory_clauses(T, Rules)"
    answer = engine().once(goal, given={"T": list(packs)}, module="clutrr_theory")
    assert answer is not None
    theory, rules = (str(getattr(answer[name], "value", answer[name])) for name in ("Theory", "Rules"))
    words = load(packs).labels()
    modules = {name: _text(name) for name in ("reasoning.pl", "english.pl", "network.pl")} | {"rules.pl": rules}
    modules |= network_files.modules()
    modules["relations.pl"] = network_files.relations_file(words, [(word,) for word in words], edge_goal)
    return PrologSide(theory, _text("background.pl"), QUERIES, modules, network_files.INCLUDED)


def edge_goal(story: Var, person: Var, words: Sequence[str], other: Var) -> Compound:
    """What the predicate of a word means: the story says so."""
    return Compound("fact", (story, words[0], person, other))


def _text(name: str) -> str:
    return resources.prolog("clutrr", name).read_text(encoding="utf-8")


def facts(sample: Sample) -> str:
    """The clauses of a sample."""
    record = Record.of(sample)
    name = atom(sample.id)
    person, other = record.query
    story = sample.input["story"]  # type: ignore[index,call-overload]
    label = atom(str(sample.label))
    lines = [
        f"sample({name},{atom(sample.task)},{sample.split},{label},query({atom(person)},{atom(other)})).",
        f"story({name},{string(str(story))}).",
    ]
    said = [f"{atom(word)},{atom(one)},{atom(two)}" for word, one, two in record.facts]
    lines += [f"fact({name},{terms})." for terms in said]
    start = record.length
    for kind, size in record.noise.items():
        lines += [f"noise({name},{atom(kind)},{terms})." for terms in said[start : start + size]]
        start += size
    lines += [f"person({name},{atom(n)},{g})." for n, g in zip(record.names, record.genders, strict=True)]
    if record.family:
        persons = ",".join(member_term(member, record.family) for member in record.family)
        lines.append(f"family({name},[{persons}]).")
    return "\n".join([*lines, ""])


def string(text: str) -> str:
    """A Prolog string literal.

    >>> string('say "no"')
    '"say \\\\"no\\\\""'
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
