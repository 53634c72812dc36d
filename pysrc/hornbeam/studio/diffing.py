"""The diff against the truth, or of two theories, as a job: its verdict may take many fresh samples."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hornbeam.studio.jobs import Report


def against_truth(
    report: Report, path: Path, text: str, task: str | None, options: Mapping[str, str] | None, fresh: int
) -> dict[str, Any]:
    """As `hornbeam diff FILE --dataset DIR`.

    Args:
        report: Tells what is done.
        path: The folder of the dataset.
        text: The theory.
        task: The task; None for the one that the header of the text names, or for all.
        options: Options of the family's tasks; None for those of the header.
        fresh: How many fresh samples to draw where nothing can be proven.

    Returns:
        The page in parts, and what `--json` prints.
    """
    import hornbeam
    from hornbeam.tasks.verdicts import diff_on

    report.line("the court looks for a proof, then for a counterexample")
    return _shown(diff_on(hornbeam.load(path), text, task=task, options=options, fresh=fresh))


def of_two(report: Report, true: str, learned: str, names: tuple[str, str]) -> dict[str, Any]:
    """As `hornbeam diff TRUE.pl LEARNED.pl`."""
    from hornbeam import theory

    report.line("the rules are put side by side")
    return _shown(theory.diff(theory.read(true, name=names[0]), theory.read(learned, name=names[1])))


def _shown(difference: Any) -> dict[str, Any]:
    from hornbeam.report.diff_page import lead, sections

    parts = [(section.title, str(section.html)) for section in sections(difference)]
    verdict = difference.verdict
    return {
        "lead": str(lead(difference)),
        "sections": parts,
        "verdict": str(verdict) if verdict is not None else "",
        "kind": verdict.kind if verdict is not None else "",
    }
