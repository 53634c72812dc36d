"""What :mod:`hornbeam` offers about language models: prompts, and the judge of answers, theories and steps."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbeam.language.judging import Judge, judge_answer, judge_theory
from hornbeam.language.prompts import prompts as make_prompts
from hornbeam.language.steps import judge_steps as judge_claims

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset
    from hornbeam.language.item import Item
    from hornbeam.language.prompts import Asker
    from hornbeam.language.steps import StepsRuling

__all__ = ["Judge", "judge_answer", "judge_steps", "judge_theory", "prompts"]


def prompts(
    dataset: Dataset,
    *,
    kind: str = "answer",
    level: int | tuple[int, int] | None = None,
    shots: int = 0,
    style: str = "natural",
    split: str | None = None,
    task: str | None = None,
    seed: int = 0,
    templates: str | Path | None = None,
    **more: Any,
) -> Asker:
    """Samples as prompts for language models, in an order that the seed decides.

    Nothing in a prompt tells the answer: ids are hashes, facts are shuffled, names of tasks are left out.

    Args:
        dataset: The dataset.
        kind: ``answer`` asks for the label of each sample, ``induce`` for the theory of each task.
        level: Only this level of difficulty, 1 to 20, or the lowest and the highest; see docs/language.md.
        shots: Solved training samples in front of each question.
        style: ``natural`` (sentences), ``formal`` (facts) or ``symbols`` (facts with meaningless names).
        split: Only samples of this split.
        task: Only this task.
        seed: The seed of the order, the names and the shots.
        templates: A folder with templates that replace those of curricula/prompts.
        more: Further settings, see :class:`hornbeam.language.prompts.settings.PromptSettings`.

    Returns:
        A sequence of :class:`hornbeam.language.item.Item`. An item is made when it is accessed.

    Raises:
        UsageError: if a setting is unknown or out of range, or the family has no prompts.

    >>> import hornbeam
    >>> regions = hornbeam.generate("star", "rcc8-small", out=folder / "regions", seed=7)
    >>> item = prompts(regions, split="test", level=(1, 10))[0]
    >>> item.form, item.target in item.options, item.meta["sample"] in item.text
    ('answer', True, False)
    """
    settings = {"kind": kind, "shots": shots, "style": style, "seed": seed, **more}
    return make_prompts(dataset, level=level, split=split, task=task, templates=templates, **settings)


def judge_steps(dataset: Dataset, sample_id: str, text: str, *, item: Item | None = None) -> StepsRuling:
    """Judge each step of a solution, where it can be read.

    Claims are found in the text, such as ``Bob is the brother of Ann``, ``X9 DC or EC X4`` or ``p2(c1,c7)``. Prolog
    says of each, in order, whether it is given, follows by one rule from what is known so far, or is unsupported.

    Args:
        dataset: The dataset.
        sample_id: The sample, by its id or its opaque id.
        text: The solution.
        item: The item that was asked; without it, names are those of the dataset.

    Returns:
        The verdict on each claim, and whether what was asked was reached.

    Raises:
        UsageError: if there is no such sample, or the family has no solutions in words.

    >>> import hornbeam
    >>> stories = hornbeam.generate("clutrr", "tiny", out=folder / "stories", seed=7)
    >>> names, label = stories.train[0].input["names"], stories.train[0].label
    >>> one, other = (names[place] for place in stories.train[0].input["query"])
    >>> judge_steps(stories, stories.train[0].id, f"{other} is the {label} of {one}.").complete
    True
    """
    return judge_claims(dataset, sample_id, text, item=item)
