"""The two functions for one reply: :func:`judge_answer` and :func:`judge_theory`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hornbeam.errors import UsageError
from hornbeam.language.item import RULE, Item
from hornbeam.language.judging.bench import FRESH
from hornbeam.language.judging.judge import Judge, question_of
from hornbeam.language.judging.ruling import Ruling

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset


def judge_answer(dataset: Dataset, sample_id: str, text: str, *, lenient: bool = False) -> Ruling:
    """Judge a reply in words to the question about a sample. For many replies use :class:`hornbeam.Judge`.

    Args:
        dataset: The dataset.
        sample_id: The id of the sample, or its opaque id of an export.
        text: What was replied. The answer is what stands in the last pair of `<answer>` tags.
        lenient: Also accept other forms of an answer. Not for rewards in training.

    Returns:
        The ruling. Its score is 1 only if the answer names the right option and no other.

    Raises:
        UsageError: if there is no such sample, or nothing is asked about it.

    >>> sample = ds.test[0]
    >>> judge_answer(ds, sample.id, f"I think <answer>{sample.label}</answer>").score
    1.0
    >>> judge_answer(ds, sample.id, "<answer>true or false</answer>").shortcut
    'several options'
    """
    with Judge(dataset, lenient=lenient) as judge:
        return judge.answers([(sample_id, text)])[0]


def judge_item(item: Item, text: str, *, lenient: bool = False) -> Ruling:
    """Judge a reply in words to an item of :func:`hornbeam.prompts`; no dataset is needed.

    Args:
        item: What was asked.
        text: What was replied.
        lenient: Also accept other forms of an answer. Not for rewards in training.

    Returns:
        The ruling.

    Raises:
        UsageError: if the item asks for a program: that takes the dataset, see :func:`judge_theory`.

    >>> from hornbeam.language.item import Item, Part
    >>> item = Item("9f", "star", "answer", 1, (Part("Which?"),), options=("DC", "EC"), target="DC")
    >>> judge_item(item, "<answer>DC</answer>").score, judge_item(item, "DC or EC").score
    (1.0, 0.0)
    """
    if item.form == RULE:
        raise UsageError("the item asks for a program: judge it with judge_theory(dataset, text, task=...)")
    return question_of(item).judge(text, lenient=lenient)


def judge_theory(
    dataset: Dataset,
    text: str,
    *,
    task: str | None = None,
    prove: bool = True,
    fresh: int = FRESH,
    seed: int | None = None,
    options: Mapping[str, str] | None = None,
) -> Ruling:
    """Judge a theory that comes as text, from anywhere, on fresh samples. For many texts use :class:`hornbeam.Judge`.

    Args:
        dataset: The dataset that the theory is about.
        text: A program, or a reply with a program in a code fence. Only clauses over the predicates and constants of
            the task are allowed, and predicates that the text itself defines.
        task: The task, if each has its own true theory.
        prove: Whether a theory that no fresh sample refutes goes to the family's court, which proves it equal to the
            true one or looks for a difference.
        fresh: How many fresh samples it is asked.
        seed: Of the fresh samples; default: derived from the dataset's own.
        options: Of the family's tasks, e.g. ``{"target": "p1"}`` for RuDaS.

    Returns:
        The ruling: 1 if the theory is right, 0 if it is wrong or not allowed, None if it could not be judged.

    Raises:
        UsageError: if the dataset has no such task.

    >>> ruling = judge_theory(ds, "ancestor(T, X, Y) :- parent(T, X, Y).")
    >>> ruling.score, ruling.verdict, ruling.counterexample is not None
    (0.0, 'refuted', True)
    >>> judge_theory(ds, "\\n".join(ds.truth.texts)).score
    1.0
    >>> judge_theory(ds, "ancestor(T, X, Y) :- sample(T, _, _, true, _).").shortcut
    'label'
    """
    with Judge(dataset, prove=prove, fresh=fresh, seed=seed, options=options) as judge:
        return judge.theories([text], task=task)[0]
