"""A task as a learner or a judge takes it: the true rules, and the facts of any of the original's files.

>>> rules = true_rules(ds, "CHAIN-XS-3-0")                      # doctest: +SKIP
>>> training = facts(ds, "CHAIN-XS-3-0", "train")               # what to learn from   # doctest: +SKIP
>>> support = facts(ds, "CHAIN-XS-3-0", "eval-support")         # what to score on     # doctest: +SKIP
>>> expected = facts(ds, "CHAIN-XS-3-0", "eval-conseqs")        # what must follow     # doctest: +SKIP
"""

from __future__ import annotations

from hornbeam.data.dataset import Dataset
from hornbeam.errors import unknown_name
from hornbeam.logic import Clause, Compound
from hornbeam.rudas import knowledge
from hornbeam.rudas.record import fact_row
from hornbeam.rudas.theory import theories


def true_rules(dataset: Dataset, task: str) -> list[Clause]:
    """The true theory of a task."""
    found = theories(dataset)
    if task not in found:
        raise unknown_name("task", task, dataset.tasks, file=str(dataset.path))
    return found[task].clauses


def facts(dataset: Dataset, task: str, file: str) -> list[Compound]:
    """The facts of a task that the original's file of this name holds, as terms, in the dataset's order."""
    files = knowledge.original_files()
    if file not in files:
        raise unknown_name("fact file", file, files)
    wanted = files[file]
    chosen = (sample for sample in dataset.task(task) if (sample.split, str(sample.label)) in wanted)
    rows = [fact_row(sample) for sample in chosen]
    return [Compound(row[0], row[1:]) for row in rows]
