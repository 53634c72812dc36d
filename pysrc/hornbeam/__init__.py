"""Hornbeam: reasoning benchmarks with a known true theory, learners, and the diff between the two.

>>> import hornbeam as hb
>>> ds = hb.generate("star", "rcc8-small", out=folder / "rcc8", seed=7)    # doctest: +SKIP
>>> ds.query("sample(Id, Task, train, Label, _)")                          # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbeam.version import __version__

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset
    from hornbeam.family import Audit, Check
    from hornbeam.neural.experiment import Trained
    from hornbeam.progress import Progress
    from hornbeam.tasks.scoring import Judged
    from hornbeam.theory import Diff, Theory

__all__ = ["__version__", "audit", "check", "diff", "generate", "import_dataset", "judge", "learn", "load", "train"]


def generate(
    family: str,
    preset: str | Path,
    *,
    out: str | Path,
    seed: int = 0,
    workers: int = 1,
    scheduler: str | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Dataset:
    """Make a dataset from a preset's name or a YAML file; one that is there already is taken as it is."""
    from hornbeam import family as families
    from hornbeam.data.build import Recipe, build

    maker = families.get(family)
    config = maker.configure(preset, {key: str(value) for key, value in (overrides or {}).items()})
    recipe = Recipe(maker, Path(preset).stem, seed, config)
    return build(recipe, Path(out), workers=workers, scheduler=scheduler).dataset


def load(path: str | Path) -> Dataset:
    """Open a dataset on disk."""
    from hornbeam.data.dataset import Dataset

    return Dataset(path)


def import_dataset(
    family: str, files: list[str | Path], *, out: str | Path, options: Mapping[str, str] | None = None
) -> Dataset:
    """The published files of an original as a dataset."""
    from hornbeam import family as families
    from hornbeam.data.build import Recipe, build_imported

    maker = families.get(family)
    config, batches = maker.import_files([Path(file) for file in files], options or {})
    return build_imported(Recipe(maker, "imported", None, config), Path(out), batches)


def check(dataset: Dataset, progress: Progress | None = None) -> Check:
    """Derive every label again with the other reasoner.

    Args:
        dataset: The dataset to check.
        progress: Called with the steps that are done and the number of all.

    Returns:
        How many labels were confirmed, refuted and left undecided, with the ids of those not confirmed.

    Raises:
        DatasetError: if a file was modified.
    """
    from hornbeam.progress import no_progress

    dataset.verify()
    return dataset.family.check(dataset, progress or no_progress)


def audit(dataset: Dataset, progress: Progress | None = None) -> Audit:
    """Grade a dataset: check its labels, and look for leaks, duplicates, shortcuts and imbalance.

    Args:
        dataset: The dataset to audit, ours or an imported one.
        progress: Called with the steps that are done and the number of all.

    Returns:
        The figures of the audit.

    Raises:
        DatasetError: if a file was modified.
    """
    from hornbeam.progress import no_progress

    dataset.verify()
    return dataset.family.audit(dataset, progress or no_progress)


def diff(
    theory: Theory | str | Path,
    learned: Theory | str | Path | None = None,
    dataset: Dataset | None = None,
    *,
    task: str | None = None,
    options: Mapping[str, str] | None = None,
    fresh: int | None = None,
    seed: int | None = None,
    **more: Any,
) -> Diff:
    """How a learned theory differs from the true one: the verdict, rules side by side, and what that does to samples.

    With a dataset, give the learned theory only: the dataset knows the truth. Without one, give both theories.

    Args:
        theory: The learned theory, with `dataset`; else the true one. A Theory, Prolog text or the Path of a file.
        learned: The learned theory, where there is no dataset.
        dataset: The dataset that the theory was learned from.
        task: The task, where the dataset has several; by default the one that the header of a theory file names.
        options: Of the family's tasks, e.g. {"encoding": "natural"}; by default those of the header.
        fresh: How many fresh samples to draw where nothing can be proven; 2,000 by default.
        seed: Of the fresh samples.
        more: See :func:`hornbeam.theory.diff`: facts, examples, background, rename, target, samples, budget; with a
            dataset only rename, samples and budget.

    Returns:
        The difference; its `verdict` says how the theories stand to each other. `print` shows all of it.

    Raises:
        UsageError: if a theory calls a predicate that nobody defines, or the dataset has no such task.
        PrologSyntaxError: if a theory is not Prolog.

    >>> made = diff("ancestor(T, X, Y) :- parent(T, X, Y).", dataset=ds)
    >>> made.verdict.kind, made.verdict.counterexample.true
    ('refuted', 'true')
    >>> diff("p(X) :- q(X).", "p(Y) :- q(Y).").verdict.kind
    'equal'
    """
    from hornbeam import theory as theories
    from hornbeam.errors import UsageError
    from hornbeam.tasks import court, verdicts

    if dataset is None:
        if learned is None:
            raise UsageError("diff needs a dataset, or both the true and the learned theory")
        return theories.diff(theory, learned, **more)
    if learned is not None:
        raise UsageError("a dataset has its own true theory: give the learned one only")
    count = court.FRESH if fresh is None else fresh
    return verdicts.diff_on(dataset, theory, task=task, options=options, fresh=count, seed=seed, **more)


def learn(
    dataset: Dataset,
    learner: str,
    *,
    task: str | None = None,
    timeout: float = 60.0,
    options: Mapping[str, str] | None = None,
    **settings: Any,
) -> Theory:
    """The theory that a learner finds within its time; the best so far where that does not suffice.

    For its status, trace, scores and verdict see :func:`hornbeam.ilp.fit`.

    Args:
        dataset: The dataset to learn from.
        learner: A learner's name, see `hornbeam learners`.
        task: The task, where the dataset has several.
        timeout: CPU seconds of all of the learner's processes.
        options: Go to the family's tasks (encoding, background).
        settings: Go to the learner.

    Returns:
        The theory, with the definitions of the predicates that its encoding made.

    Raises:
        EngineUnavailable: if the learner is not installed.
        UsageError: if the learner cannot take the dataset, or a setting is wrong.
        HornbeamError: if the learner crashed without a theory.

    >>> theory = learn(ds, "mdie", timeout=20)
    >>> diff(theory, dataset=ds).verdict.kind in ("equal", "refuted", "agrees")
    True
    """
    from hornbeam.errors import EngineUnavailable, HornbeamError
    from hornbeam.ilp import fit
    from hornbeam.ilp.runner import CRASHED, UNAVAILABLE

    learned = fit(dataset, learner, task=task, timeout=timeout, options=options, settings=settings, fresh=None)
    if learned.status == UNAVAILABLE:
        raise EngineUnavailable(f"the learner {learner} cannot run here: {learned.message}")
    if learned.status == CRASHED and not len(learned.theory):
        raise HornbeamError(f"the learner {learner} crashed: {learned.message}")
    return learned.theory


def judge(
    dataset: Dataset,
    file: str | Path,
    *,
    task: str | None = None,
    split: str | None = None,
    form: str = "auto",
    dialect: str = "auto",
    options: Mapping[str, str] | None = None,
    fresh: int | None = None,
) -> Judged:
    """Score what was made elsewhere: predictions for samples, or a theory.

    Args:
        dataset: The dataset that it is about.
        file: Predictions as CSV or JSON lines (id, label, optional scores), or a theory in a dialect that
            :func:`hornbeam.theory.read` knows.
        task: Only this task; of a theory, the task that it is about.
        split: Only this split: predictions for other samples are left out.
        form: `predictions` or `theory`; `auto` looks at the file.
        dialect: What printed the theory.
        options: Of the family's tasks: the encoding that the theory is written in.
        fresh: How many fresh samples the verdict on a theory may draw; 2,000 by default.

    Returns:
        Accuracy by split, task and group with confidence intervals; of a theory also the verdict.

    Raises:
        UsageError: if ids are missing, double or unknown (with counts), or the file cannot be read.

    >>> lines = [f"{sample.id},{str(sample.label).lower()}" for sample in ds.test]
    >>> written = (folder / "mine.csv").write_text("id,label\\n" + "\\n".join(lines))
    >>> judge(ds, folder / "mine.csv", split="test").overall.accuracy
    1.0
    """
    from hornbeam.tasks import scoring

    return scoring.judge(
        dataset, Path(file), task=task, split=split, form=form, dialect=dialect, options=options, fresh=fresh
    )


def train(dataset: Dataset, model: str, *, setting: str | None = None, seeds: int = 1, **more: Any) -> Trained:
    """Train a model, from each of the seeds 0, 1, ...; needs the extra ``neural``.

    Runs lie in a folder (`out`) and go on where they stopped. For all options see
    :func:`hornbeam.neural.experiment.train`.

    >>> trained = train(load("data/easy"), "cnn", setting="joint", seeds=3)     # doctest: +SKIP
    >>> trained.accuracy                                                       # doctest: +SKIP
    {'mean': 0.71, 'std': 0.01}
    """
    from hornbeam.neural.installed import need

    need("torch", "training")
    from hornbeam.neural.experiment import train as run

    return run(dataset, model, setting=setting, seeds=seeds, **more)
