"""The work of jobs. Each function runs in a process of its own and calls what the command calls."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from hornbeam.errors import HornbeamError
from hornbeam.studio.jobs import Report
from hornbeam.writing import partial_of

_LOOK_EVERY = 0.2  # seconds between looks at what a learner told


def generate(
    report: Report, family: str, preset: str, out: Path, seed: int, workers: int, overrides: Mapping[str, str]
) -> dict[str, Any]:
    """As `hornbeam generate`."""
    from hornbeam import family as families
    from hornbeam.data.build import Recipe, build

    maker = families.get(family)
    report.line("reading the settings")
    config = maker.configure(preset, overrides)
    report.line("drawing and proving samples")
    recipe = Recipe(maker, Path(preset).stem, seed, config)
    built = build(recipe, out, workers=workers, progress=report.progress)
    count = built.dataset.manifest.counts["samples"]
    report.line(f"{count:,} samples in {built.cpu_seconds:.1f} s of CPU time")
    return {"samples": count, "cpu_seconds": built.cpu_seconds}


def import_files(
    report: Report, family: str, files: Sequence[Path], out: Path, options: Mapping[str, str]
) -> dict[str, Any]:
    """As `hornbeam import`."""
    import hornbeam

    report.line("reading the published files")
    dataset = hornbeam.import_dataset(family, list(files), out=out, options=options)
    count = dataset.manifest.counts["samples"]
    report.line(f"{count:,} samples")
    return {"samples": count}


def remove_partial(out: Path) -> None:
    """Remove what a cancelled job left of a folder that is whole or absent."""
    shutil.rmtree(partial_of(out), ignore_errors=True)


def audit(report: Report, path: Path) -> dict[str, Any]:
    """As `hornbeam audit`; its figures, and the findings with the samples that they are about."""
    import hornbeam
    from hornbeam.studio.findings import findings

    dataset = hornbeam.load(path)
    report.line("deriving every label again")
    result = hornbeam.audit(dataset, report.progress)
    report.line("looking up the samples of each finding")
    found = findings(dataset, result)
    report.line(f"{len(found)} findings")
    return {"audit": asdict(result), "findings": found}


def learn(
    report: Report,
    path: Path,
    learner: str,
    task: str | None,
    timeout: float,
    options: Mapping[str, str],
    settings: Mapping[str, str],
    out: Path | None = None,
) -> dict[str, Any]:
    """As `hornbeam learn`: each better theory is told as it is found, and a learner that is asked to stop has a result.

    Args:
        report: Tells the best theory so far, and an event with `seconds`, `tried` and the learner's figures for each.
        path: The folder of the dataset.
        learner: The name of the learner.
        task: The task.
        timeout: CPU seconds.
        options: Options of the family's tasks, e.g. the encoding.
        settings: Settings of the learner.
        out: The theory file to write.

    Returns:
        What `hornbeam learn --json` prints, with the `curve` of test scores over seconds and the text of the theory
        `file`, with the definitions that it needs.
    """
    import hornbeam
    from hornbeam.ilp import fit
    from hornbeam.ilp.learned import learned_text, save_learned

    # To be asked to stop is as good as Ctrl-C, which a process may have inherited as ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    dataset = hornbeam.load(path)
    folder = Path("learner").absolute()
    folder.mkdir()
    report.line(f"{learner} learns")
    try:
        with _following(report, folder):
            learned = fit(
                dataset,
                learner,
                task=task,
                timeout=timeout,
                options=options,
                settings=settings,
                curve=True,
                keep_interrupted=True,
                folder=folder,
            )
    except KeyboardInterrupt:
        raise HornbeamError("it was stopped before it had a theory") from None
    if out is not None:
        save_learned(learned, dataset, out, options)
    report.theory(str(learned.theory).strip())
    report.line(str(learned.verdict) if learned.verdict is not None else learned.status)
    return {**learned.to_json(), "curve": learned.curve, "file": learned_text(learned, dataset, options)}


@contextlib.contextmanager
def _following(report: Report, folder: Path) -> Any:
    """Tells what a learner writes into its folder while it learns, and interrupts it when the job is asked to stop."""
    over = threading.Event()
    thread = threading.Thread(target=partial(_follow, report, folder, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _follow(report: Report, folder: Path, over: threading.Event) -> None:
    from hornbeam.ilp.jobs import EVENTS
    from hornbeam.ilp.watch import Event

    place, asked = 0, False
    while not over.wait(_LOOK_EVERY):
        with contextlib.suppress(OSError), (folder / EVENTS).open("rb") as stream:
            stream.seek(place)
            for line in stream:
                if not line.endswith(b"\n"):
                    break
                place += len(line)
                with contextlib.suppress(ValueError):
                    _tell(report, Event.read(line.decode("utf-8", "replace")))
        if report.asked_to_stop and not asked:
            asked = True
            report.line("stopping; the best theory so far is judged")
            os.kill(os.getpid(), signal.SIGINT)


def _tell(report: Report, event: Any) -> None:
    if event.kind != "best":
        return
    figures = dict(event.figures)
    report.theory(str(figures.pop("theory", "")))
    report.event(seconds=event.seconds, tried=event.tried, **figures)


def train(
    report: Report, path: Path, model: str, setting: str | None, seeds: int, out: Path, overrides: Mapping[str, str]
) -> dict[str, Any]:
    """As `hornbeam train`."""
    import hornbeam

    report.line(f"{model} is trained")
    dataset = hornbeam.load(path)
    trained = hornbeam.train(
        dataset, model, setting=setting, seeds=seeds, out=out, overrides=overrides, progress=report.progress
    )
    report.line(f"accuracy {trained.accuracy['mean']:.4f}")
    return trained.to_json()
