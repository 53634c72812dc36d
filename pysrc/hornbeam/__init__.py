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
    from hornbeam.theory import Diff, Theory

__all__ = ["__version__", "audit", "check", "diff", "generate", "import_dataset", "learn", "load", "train"]


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

    made = families.get(family)
    config = made.configure(preset, {key: str(value) for key, value in (overrides or {}).items()})
    recipe = Recipe(made, Path(preset).stem, seed, config)
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

    made = families.get(family)
    config, batches = made.import_files([Path(file) for file in files], options or {})
    return build_imported(Recipe(made, "imported", None, config), Path(out), batches)


def check(dataset: Dataset, progress: Progress | None = None) -> Check:
    """Derive every label again with the other reasoner; a dataset of which a byte was changed is refused."""
    from hornbeam.progress import no_progress

    dataset.verify()
    return dataset.family.check(dataset, progress or no_progress)


def audit(dataset: Dataset, progress: Progress | None = None) -> Audit:
    """Check, and leaks, duplicates, shortcuts, balance; a dataset of which a byte was changed is refused."""
    from hornbeam.progress import no_progress

    dataset.verify()
    return dataset.family.audit(dataset, progress or no_progress)


def diff(true: Theory | str, learned: Theory | str, dataset: Dataset | None = None, **options: Any) -> Diff:
    """How a learned theory differs from the true one: its rules, its meaning, and what that does to a dataset.

    Theories may be given as Prolog text; for all options see :func:`hornbeam.theory.diff`.

    >>> diff("p(X) :- q(X).", "p(X) :- q(X), r(X).").equivalence.verdict
    False
    """
    from hornbeam import theory

    return theory.diff(true, learned, dataset, **options)


def learn(
    dataset: Dataset,
    learner: str,
    *,
    task: str | None = None,
    timeout: float = 60.0,
    options: Mapping[str, str] | None = None,
    **settings: Any,
) -> Theory:
    """The theory that a learner finds within `timeout` CPU seconds; the best so far where that does not suffice.

    `options` go to the family's tasks (encoding, background), `settings` to the learner. For its status, trace and
    scores see :func:`hornbeam.ilp.fit`.

    >>> theory = learn(ds, "lff", task="t0", timeout=60)      # doctest: +SKIP
    >>> print(diff(ds.truth, theory, ds))                     # doctest: +SKIP
    """
    from hornbeam.errors import EngineUnavailable, HornbeamError
    from hornbeam.ilp import fit
    from hornbeam.ilp.runner import CRASHED, UNAVAILABLE

    found = fit(dataset, learner, task=task, timeout=timeout, options=options, settings=settings)
    if found.status == UNAVAILABLE:
        raise EngineUnavailable(f"the learner {learner} cannot run here: {found.message}")
    if found.status == CRASHED and not len(found.theory):
        raise HornbeamError(f"the learner {learner} crashed: {found.message}")
    return found.theory


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
