"""The exhibit of the tour: theories that are right on every test sample and wrong beyond them."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from hornbeam.demo.lessons import Lesson
from hornbeam.report.page import Section

if TYPE_CHECKING:
    from hornbeam.demo.tour import Visit

_LEAD = (
    "A test split is small, and there is room for impostors in it. The theories here answer every test sample as the "
    "true theory does. Each was refuted all the same: by a sample that is not in the dataset, on which SWI-Prolog "
    "derives one answer from the true theory and another from the learned one."
)


def exhibit(visits: Sequence[Visit]) -> Iterator[Section]:
    """One section with all impostors; none where nothing of the kind was learned."""
    impostors = [(visit, lesson) for visit in visits for lesson in visit.lessons if lesson.is_impostor]
    # What is quickly read comes first.
    impostors.sort(key=lambda one: one[1].learned.theory.literals)
    cases = [_case(visit, lesson) for visit, lesson in impostors]
    if cases:
        yield Section("Right on every test sample, and wrong", f"<p>{_LEAD}</p>\n" + "\n".join(cases))


def _case(visit: Visit, lesson: Lesson) -> str:
    verdict, test = lesson.verdict, lesson.learned.test
    example = verdict.counterexample
    assert example is not None and test is not None
    where = visit.stop.name + (f", {lesson.task}" if lesson.task else "")
    rules = html.escape(str(lesson.learned.theory).strip())
    drawing = f"<figure>{example.html}<figcaption>The {example.kind} that refutes it.</figcaption></figure>"
    answers = (
        f"{html.escape(example.text)}: the true theory says <strong>{html.escape(example.true)}</strong>, "
        f"the learned one <strong>{html.escape(example.learned)}</strong>."
    )
    blamed = f"<p>To blame: <code>{html.escape(verdict.blame)}</code></p>" if verdict.blame else ""
    return (
        f"<h3>{html.escape(where)}</h3><pre>{rules}</pre>"
        f'<p>{test.headline:.2f} on the test split, and <span class="bad">refuted</span>.</p>'
        f"{drawing if example.html else ''}<p>{answers}</p>{blamed}"
    )
