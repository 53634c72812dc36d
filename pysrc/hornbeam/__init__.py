"""Hornbeam: reasoning benchmarks with a known true theory, learners, and the diff between the two.

>>> import hornbeam as hb
>>> regions = hb.generate("star", "rcc8-small", out=folder / "regions", seed=7)
>>> regions.query("sample(Id, Task, train, Label, _)")[0].keys()
dict_keys(['Id', 'Task', 'Label'])
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbeam.version import __version__

if TYPE_CHECKING:
    from hornbeam.data.dataset import Dataset
    from hornbeam.family import Audit, Check
    from hornbeam.language.api import Judge, judge_answer, judge_steps, judge_theory, prompts
    from hornbeam.neural.experiment import Trained
    from hornbeam.progress import Progress
    from hornbeam.tasks.scoring import Judged
    from hornbeam.theory import Diff, Theory

__all__ = [
    "Judge",
    "__version__",
    "audit",
    "check",
    "diff",
    "generate",
    "import_dataset",
    "judge",
    "judge_answer",
    "judge_steps",
    "judge_theory",
    "learn",
    "load",
    "prompts",
    "train",
]


_LANGUAGE = frozenset({"Judge", "judge_answer", "judge_steps", "judge_theory", "prompts"})


def __getattr__(name: str) -> Any:
    """What is about language models, and what needs torch, is loaded when it is used."""
    if name == "torch":
        return import_module("hornbeam.export.loaders")
    if name not in _LANGUAGE:
        raise AttributeError(f"module 'hornbeam' has no attribute '{name}'")
    from hornbeam.language import api

    return getattr(api, name)


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
    """Generate a dataset from a preset or a YAML file.

    If `out` already holds the same dataset, it is opened and nothing is generated. An interrupted run resumes. The
    bytes depend only on the family, the settings and the seed, not on the number of workers.

    Args:
        family: The name of a family, see `hornbeam list`.
        preset: The name of a preset, or the path of a YAML file.
        out: The folder to write.
        seed: The seed of all random choices.
        workers: The number of processes.
        scheduler: The address of a Dask scheduler, e.g. ``tcp://host:8786``; it replaces local processes.
        overrides: Settings that replace those of the preset, e.g. ``{"samples": 20}``.

    Returns:
        The finished dataset.

    Raises:
        UsageError: if the family, the preset or a setting is unknown, or `out` holds something else.

    >>> regions = generate("star", "rcc8-small", out=folder / "regions", seed=7)
    >>> regions.manifest.seed, regions.train[0].input["query"]
    (7, [0, 2])
    """
    from hornbeam import family as families
    from hornbeam.data.build import Recipe, build

    maker = families.get(family)
    config = maker.configure(preset, {key: str(value) for key, value in (overrides or {}).items()})
    recipe = Recipe(maker, Path(preset).stem, seed, config)
    return build(recipe, Path(out), workers=workers, scheduler=scheduler).dataset


def load(path: str | Path) -> Dataset:
    """Open a dataset on disk.

    Args:
        path: The folder of the dataset.

    Returns:
        The dataset. Its samples are read when they are used.

    Raises:
        NoDataset: if there is no dataset at `path`.
        DatasetError: if a file is missing or has another size than recorded, or the format is of another version.

    >>> load(dataset_folder).train[0].split
    'train'
    """
    from hornbeam.data.dataset import Dataset

    return Dataset(path)


def import_dataset(
    family: str, files: list[str | Path], *, out: str | Path, options: Mapping[str, str] | None = None
) -> Dataset:
    """Convert the published files of an original benchmark into a dataset.

    Args:
        family: The family that the files belong to.
        files: The published files or folders, as the family's importer expects them, or archives (zip, tar) of them.
        out: The folder to write.
        options: Options of the family's importer, as for `hornbeam import --set`.

    Returns:
        The dataset, without a seed. `check` and `audit` work on it.

    Raises:
        UsageError: if the family has no importer, a file is not in the published format, or an archive is unsafe.

    >>> regions = generate("star", "rcc8-small", out=folder / "regions", seed=7)
    >>> file = regions.file("data/rcc8/test_rcc8_k_4_b_1.csv")    # in the format of the original
    >>> import_dataset("star", [file], out=folder / "imported").splits
    ['test']
    """
    from hornbeam import family as families
    from hornbeam.data.archives import unpacked
    from hornbeam.data.build import Recipe, build_imported

    maker = families.get(family)
    with unpacked([Path(file) for file in files]) as paths:
        config, batches = maker.import_files(paths, options or {})
        return build_imported(Recipe(maker, "imported", None, config), Path(out), batches)


def check(dataset: Dataset, progress: Progress | None = None) -> Check:
    """Derive every label again with a second reasoner.

    Args:
        dataset: The dataset to check.
        progress: Called with the number of finished steps and of all steps.

    Returns:
        How many labels were confirmed, refuted and left undecided, with the ids of those not confirmed.

    Raises:
        DatasetError: if a file was modified, or a sample is damaged.

    >>> checked = check(ds)
    >>> checked.ok, checked.confirmed == len(ds.samples)
    (True, True)
    """
    from hornbeam.progress import no_progress

    dataset.verify()
    return dataset.family.check(dataset, progress or no_progress)


def audit(dataset: Dataset, progress: Progress | None = None) -> Audit:
    """Grade a dataset: check its labels, and look for leaks, duplicates, shortcuts and imbalance.

    Args:
        dataset: The dataset to audit, generated or imported.
        progress: Called with the number of finished steps and of all steps.

    Returns:
        The figures of the audit.

    Raises:
        DatasetError: if a file was modified, or a sample is damaged.

    >>> audit(ds).samples == len(ds.samples)
    True
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
    """Compare a learned theory with the true one: the verdict, the rules side by side, and the samples that differ.

    With a dataset, give only the learned theory: the dataset has the true one. Without a dataset, give both theories.

    Args:
        theory: With `dataset`, the learned theory; without, the true one. A Theory, Prolog text or the Path of a file.
        learned: The learned theory, if there is no dataset.
        dataset: The dataset that the theory was learned from.
        task: The task, if the dataset has several. Default: the one named in the header of the theory file.
        options: Options of the family's tasks, e.g. {"encoding": "natural"}. Default: those in the header.
        fresh: How many fresh samples to draw if nothing can be proven. Default: 2,000.
        seed: The seed of the fresh samples.
        more: See :func:`hornbeam.theory.diff`: facts, examples, background, rename, target, samples, budget; with a
            dataset only rename, samples and budget.

    Returns:
        The difference. Its `verdict` says whether the theories are equal; `print` shows everything.

    Raises:
        UsageError: if a theory calls an undefined predicate, or the dataset has no such task.
        PrologSyntaxError: if a theory is not valid Prolog.

    >>> difference = diff("ancestor(T, X, Y) :- parent(T, X, Y).", dataset=ds)
    >>> difference.verdict.kind, difference.verdict.counterexample.true
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
        raise UsageError("the dataset has its own true theory: give only the learned one")
    count = court.FRESH if fresh is None else fresh
    return verdicts.diff_on(dataset, theory, task=task, options=options, fresh=count, seed=seed, **more)


def learn(
    dataset: Dataset,
    learner: str,
    *,
    task: str | None = None,
    timeout: float = 60.0,
    options: Mapping[str, str] | None = None,
    source: str = "symbols",
    perceiver: str | None = None,
    perceiver_settings: Mapping[str, Any] | None = None,
    readings: str | Path | None = None,
    **settings: Any,
) -> Theory:
    """Learn a theory from a dataset.

    :func:`hornbeam.ilp.fit` also returns the status, trace, scores and verdict.

    Args:
        dataset: The dataset to learn from.
        learner: The name of a learner, see `hornbeam learners`.
        task: The task, if the dataset has several.
        timeout: CPU seconds for all processes of the learner. At the limit, the best theory so far is the result.
        options: Options of the family's tasks (encoding, background).
        source: What to learn from: ``symbols`` (the true ones), ``pictures``, which are seen as pixels only, or
            ``stories``, which are seen as text only.
        perceiver: The name of the perceiver that reads them. Default: ``inverse`` (pictures), ``grammar`` (stories).
        perceiver_settings: Its settings, e.g. ``{"annotated": 20}``.
        readings: The folder that keeps what was read; by default it is not kept.
        settings: Settings of the learner.

    Returns:
        The theory, with definitions of the predicates that its encoding added.

    Raises:
        EngineUnavailable: if the learner is not installed.
        UsageError: if the learner does not support the dataset, or a setting is invalid.
        HornbeamError: if the learner crashed without a theory.

    >>> theory = learn(ds, "mdie", timeout=20)
    >>> diff(theory, dataset=ds).verdict.kind in ("equal", "refuted", "agrees")
    True
    """
    import tempfile

    from hornbeam.errors import EngineUnavailable, HornbeamError
    from hornbeam.ilp import fit
    from hornbeam.ilp.perceived import Sight, SightSettings, fit_seen
    from hornbeam.ilp.runner import CRASHED, UNAVAILABLE
    from hornbeam.perception.readings import SYMBOLS, Perception
    from hornbeam.progress import no_progress

    if source == SYMBOLS:
        learned = fit(dataset, learner, task=task, timeout=timeout, options=options, settings=settings, fresh=None)
    else:
        given = SightSettings(timeout=timeout, options=options or {}, settings=settings, fresh=None)
        with tempfile.TemporaryDirectory(prefix="hornbeam-") as folder:
            perception = Perception.of(source, perceiver, perceiver_settings or {}, Path(readings or folder))
            sight = Sight.of(dataset, task, perception, no_progress)
        learned = fit_seen(sight, learner, given)
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
    """Score predictions or a theory from another program.

    Args:
        dataset: The dataset that the file is about.
        file: Predictions as CSV or JSON lines (id, label, optional scores), or a theory in a dialect that
            :func:`hornbeam.theory.read` knows.
        task: Score only this task; for a theory, the task that it is about.
        split: Score only this split; predictions for other samples are ignored.
        form: `predictions` or `theory`; `auto` detects it from the file.
        dialect: The program that printed the theory; `auto` detects it.
        options: Options of the family's tasks, such as the encoding of the theory.
        fresh: How many fresh samples the verdict on a theory may draw. Default: 2,000.

    Returns:
        Accuracy by split, task and group with confidence intervals; for a theory also the verdict.

    Raises:
        UsageError: if ids are missing, duplicate or unknown (with counts), or the file cannot be read.

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
    """Train a model on a dataset, once for each seed 0, 1, ... Needs the extra ``neural``.

    The runs are stored in a folder (`out`). An interrupted run resumes.

    Args:
        dataset: The dataset to train on. Its family decides which models are available.
        model: The name of the model.
        setting: The learning setting, e.g. ``joint``. Default: that of the model's domain.
        seeds: The number of seeds.
        more: See :func:`hornbeam.neural.experiment.train`: preset, out, overrides, habits, device, precision,
            progress.

    Returns:
        The accuracy and other metrics of all seeds, and the trained models.

    Raises:
        UsageError: if a name or an option is unknown, or `out` holds another experiment.
        EngineUnavailable: if torch or pretrained weights are missing; the message says how to install them.

    >>> trained = train(load("data/easy"), "cnn", setting="joint", seeds=3)     # doctest: +SKIP
    >>> trained.accuracy                                                       # doctest: +SKIP
    {'mean': 0.71, 'std': 0.01}
    """
    from hornbeam.extras import need

    need("torch", "training")
    from hornbeam.neural.experiment import train as run

    return run(dataset, model, setting=setting, seeds=seeds, **more)
