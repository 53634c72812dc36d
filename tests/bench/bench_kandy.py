"""KANDY Easy and Hard, milliseconds of CPU a row on one worker, stage by stage, beside the per-sample route.

The per-sample route asks Prolog once for every candidate, draws by pasting bitmaps into bitmaps, and saves PNG files
with Pillow's default settings. The two rows with whole samples have Pillow's PNG files beside ours and nothing else
that differs: ours stay as long as they make a row at least 1.5 times faster. Both routes are measured in the same run,
each stage the best of three rounds. The figures of the original in the last lines are those of its own run elsewhere
and only for orientation.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROUNDS = 3
SEED = 7
ORIGINAL = {"easy": 4.9, "hard": 11.0}
GOAL, GOAL_PROLOG = 1.2, 0.05


def best(work: Callable[[], object]) -> float:
    """CPU seconds of the fastest of some rounds."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def measure(preset: str) -> dict[str, tuple[float, float | None]]:
    """Milliseconds a row by stage: ours, and the per-sample route where it differs."""
    from hornbeam.kandy.config import KandyConfig
    from hornbeam.kandy.generate import make_plan, proofs_of
    from hornbeam.kandy.knowledge import KandyLogic
    from hornbeam.kandy.proving import judge_of
    from hornbeam.kandy.record import annotated, drawn_sample
    from hornbeam.kandy.render import Renderer, encode
    from hornbeam.kandy.search import find_symbols
    from hornbeam.kandy.tree import Tree
    from hornbeam.resources import curricula

    config = KandyConfig.read(curricula("kandy", f"{preset}.yml"))
    curriculum = config.curriculum
    logic = KandyLogic(curriculum.config.domain)
    plans = [make_plan(task, curriculum, SEED) for task in curriculum.tasks]
    rows = [(plan.task, row) for plan in plans for row in plan.rows]
    asked: dict[str, list[Sequence[Tree]]] = {}
    known: dict[str, dict[str, bool | None]] = {}
    for plan in plans:
        judge = judge_of(plan.task, logic)
        batches = asked.setdefault(plan.task.id, [])
        truths = known.setdefault(plan.task.id, {})

        def remember(trees: Sequence[Tree], judge=judge, batches=batches, truths=truths):
            batches.append(trees)
            answers = judge(trees)
            truths.update(zip(map(repr, trees), answers, strict=True))
            return answers

        find_symbols(plan.task, curriculum.config, SEED, remember)

    def sample() -> None:
        for plan in plans:
            truths = known[plan.task.id]
            find_symbols(plan.task, curriculum.config, SEED, lambda trees, t=truths: [t[repr(tree)] for tree in trees])

    def check(batched: bool) -> None:
        for plan in plans:
            for batch in asked[plan.task.id]:
                for trees in [batch] if batched else [[tree] for tree in batch]:
                    logic.labels(plan.task.rule.name, trees)

    renderer = Renderer(curriculum.config)

    def scenes() -> list:
        return [renderer.scene(row.tree, row.rng(task, SEED), laid=row.laid) for task, row in rows]

    drawn = scenes()
    pictures = [scene.picture() for scene in drawn]
    spans = [[(thing.top, thing.box[3]) for thing in scene.objects if thing.mask] for scene in drawn]
    reference = reference_route(curriculum.config)

    def whole() -> None:
        """Every row from its rule to its line of JSON and its picture file."""
        for task in curriculum.tasks:
            plan = make_plan(task, curriculum, SEED)
            proofs, _ = proofs_of(task, plan.rows, curriculum.config.domain)
            for row in plan.rows:
                drawn_sample(renderer, task, SEED, row, proofs[row.symbol])[0].line()

    def proofs() -> None:
        for plan in plans:
            proofs_of(plan.task, plan.rows, curriculum.config.domain)

    def encoded() -> None:
        for picture, rows_of_it in zip(pictures, spans, strict=True):
            encode(picture, rows_of_it)

    def saved() -> None:
        for picture in pictures:
            pillow_png(picture)

    def drawn_and_written() -> None:
        for task, row in rows:
            drawn_sample(renderer, task, SEED, row, {})[0].line()

    count = len(rows)
    stages = {
        "sampling": (best(sample), None),
        "checking": (best(lambda: check(True)), best(lambda: check(False))),
        "proofs, to be stored": (best(proofs), None),
        "noise and layout": (best(scenes), None),
        "drawing": (
            best(lambda: [scene.picture() for scene in drawn]),
            best(lambda: [reference(row.tree, scene) for (_, row), scene in zip(rows, drawn, strict=True)]),
        ),
        "annotations": (best(lambda: [annotated(scene) for scene in drawn]), None),
        "encoding": (best(encoded), best(saved)),
        "a row drawn and written": (best(drawn_and_written), with_pillow(drawn_and_written)),
        "all, with the line of JSON": (best(whole), with_pillow(whole)),
    }
    return {
        name: (1e3 * ours / count, None if other is None else 1e3 * other / count)
        for name, (ours, other) in stages.items()
    }


def pillow_png(picture: Any, *_: object) -> bytes:
    """The file that Pillow writes with its default settings."""
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def with_pillow(work: Callable[[], object]) -> float:
    """CPU seconds of the same work with Pillow's PNG files in place of ours."""
    from hornbeam.kandy import render

    ours, render.encode = render.encode, pillow_png
    try:
        return best(work)
    finally:
        render.encode = ours


def reference_route(config) -> Callable:
    """Draws a scene's tree with its sizes and colours by the plain renderer of the tests."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "kandy"))
    from kandy_reference import Reference

    from hornbeam.kandy.tree import leaves

    def draw(tree, scene):
        sizes = [config.pixels[config.domain.props[name][2]] for name in leaves(tree)]
        return Reference(config, sizes, [thing.color for thing in scene.objects], lambda n: 0).picture(tree)

    return draw


def run() -> None:
    for preset in ("easy", "hard"):
        figures = measure(preset)
        print(f"\nKANDY {preset}, ms of CPU a row{'ours':>20}{'per-sample route':>20}{'ratio':>9}")
        for name, (ours, other) in figures.items():
            beside = f"{other:>20.3f}{other / ours:>8.1f}x" if other is not None else ""
            print(f"  {name:<30}{ours:>19.3f}{beside}")
        total = figures["all, with the line of JSON"][0]
        stages = [figures[name] for name in ("checking", "drawing", "encoding")]
        slower = total + sum(other - ours for ours, other in stages if other is not None)
        print(f"  {'all, by the per-sample route':<30}{'':>19}{slower:>20.3f}{slower / total:>8.1f}x")
        print(f"  aims: {GOAL} ms in all, {GOAL_PROLOG} ms of it Prolog; the original's own run: {ORIGINAL[preset]} ms")


if __name__ == "__main__":
    run()
