"""Reading the task directory of Popper: exs.pl, bk.pl and bias.pl."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hornbeam.errors import UsageError
from hornbeam.ilp.popper.bias_file import NotUnderstood, read_bias
from hornbeam.logic.terms import Clause, Compound, Term, variables
from hornbeam.tasks.problem import ExampleTask
from hornbeam.theory.reading import file_text, read_text
from hornbeam.theory.theory import arguments, indicator

EXAMPLES, BACKGROUND, BIAS = "exs.pl", "bk.pl", "bias.pl"


@dataclass(frozen=True, slots=True)
class PopperTask:
    """A task from a directory, and what of its bias.pl the task does not hold."""

    task: ExampleTask
    non_datalog: bool = False  # head variables need not occur in the body
    single_types: tuple[str, ...] = ()  # types of which each clause has one variable
    not_understood: tuple[NotUnderstood, ...] = ()


def read_task(folder: str | Path) -> PopperTask:
    """The task of a directory; UsageError names the file and the line of what is wrong."""
    folder = Path(folder)
    missing = [name for name in (EXAMPLES, BACKGROUND, BIAS) if not (folder / name).is_file()]
    if missing:
        raise UsageError(f"expected a Popper task, with {EXAMPLES}, {BACKGROUND} and {BIAS}: there is no {missing[0]}",
                         file=str(folder))  # fmt: skip
    said = read_bias(file_text(folder / BIAS), folder / BIAS)
    positive, negative = _examples(folder / EXAMPLES)
    background = file_text(folder / BACKGROUND)
    # Not strict: a library may define operators that only Prolog knows once it has loaded it.
    program = read_text(background, name=str(folder / BACKGROUND), strict=False)
    task = ExampleTask(
        name=folder.resolve().name,
        positive=positive,
        negative=negative,
        background=background,
        bias=said.bias,
        facts=not program.rejected and all(map(_is_ground_fact, program.clauses)),
    )
    return PopperTask(task, said.non_datalog, said.single_types, said.not_understood)


def _examples(file: Path) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    found: dict[str, list[Term]] = {"pos": [], "neg": []}
    for statement in read_text(file_text(file), name=str(file)).statements:
        head = statement.clause.head
        if statement.clause.body or indicator(head) not in {("pos", 1), ("neg", 1)}:
            raise UsageError("expected pos(Atom). or neg(Atom).", file=str(file), line=statement.line)
        assert isinstance(head, Compound)
        found[head.functor].append(head.args[0])
    return tuple(found["pos"]), tuple(found["neg"])


def _is_ground_fact(clause: Clause) -> bool:
    return not clause.body and not variables(clause) and all(not _is_compound(arg) for arg in arguments(clause.head))


def _is_compound(term: Term) -> bool:
    return isinstance(term, (Compound, list))
