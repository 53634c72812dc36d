"""Table 1 of the KANDY paper, reproduced: average test accuracy of models in the four settings, on Easy.

The dataset is ours (the paper's files were not published with their seeds): the same tasks, generated again and proven,
with near misses among the negatives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from hornbeam import resources
from hornbeam.neural import report
from hornbeam.neural.experiment import Trained
from hornbeam.report.tables import mean_cell
from hornbeam.reproductions.reproduction import PaperComparison, Reproduction, ReproductionPlan, chosen, train_all

CURRICULUM = "easy"
MODELS = ("mlp", "cnn")
FAR = 0.05
"""A mean that differs by more is marked."""


class KandyReproduction(Reproduction):
    """KANDY Easy: mlp and cnn in the four settings, compared with table 1 of the paper."""

    name: ClassVar[str] = "kandy"
    data: ClassVar[Mapping[str, str]] = {}  # changes to the curriculum

    def run(self, plan: ReproductionPlan) -> PaperComparison:
        import hornbeam

        paper = {entry["name"]: _of_curriculum(entry["accuracy"]) for entry in resources.published("kandy")["results"]}
        models = chosen("model", plan.models or MODELS, paper)
        known = list(next(iter(paper.values())))
        settings = chosen("setting", plan.settings or known, known)
        data = plan.out / CURRICULUM
        dataset = hornbeam.generate("kandy", CURRICULUM, out=data, seed=plan.data_seed, overrides=self.data)
        cases = {f"{model}-{setting}": (model, setting) for model in models for setting in settings}
        comparison = _compared(plan, train_all(plan, dataset, cases), paper)
        comparison.save(plan.out)
        return comparison


def _of_curriculum(accuracy: Mapping[str, list[float]]) -> dict[str, list[float]]:
    """Mean and deviation by setting, of groups such as `easy joint`."""
    groups = [(group.split(), figures) for group, figures in accuracy.items()]
    return {setting: figures for (curriculum, setting), figures in groups if curriculum == CURRICULUM}


def _compared(
    plan: ReproductionPlan, done: Sequence[Trained], paper: Mapping[str, Mapping[str, list[float]]]
) -> PaperComparison:
    settings = list(dict.fromkeys(one.setting for one in done))
    rows, figures, far = [], [], []
    for model in dict.fromkeys(one.model for one in done):
        row = [model]
        for one in (one for one in done if one.model == model):
            mean, deviation = paper[model][one.setting]
            differs = abs(one.accuracy["mean"] - mean) > FAR
            means = [outcome.mean() for outcome in one.outcomes]
            row.append(f"{mean_cell(means)} ({mean:.2f} ± {deviation:.2f}){' *' if differs else ''}")
            figure = {"model": model, "setting": one.setting, "accuracy": one.accuracy}
            published = {"mean": mean, "std": deviation}
            figures.append({**figure, "options": one.options.model_dump(), "paper": published})
            far += [f"{model} {one.setting}"] if differs else []
        rows.append(row)
    notes = [f"Ours over {plan.seeds} seeds, preset {plan.preset}; in brackets the paper's. Deviations are over seeds."]
    if far:
        notes.append(f"* differs by more than {FAR}: {', '.join(far)}.")
    plots = report.draw(plan.out / "plots", done)
    title = "KANDY Easy: average balanced accuracy on test"
    return PaperComparison(title, ["model", *settings], rows, {"rows": figures, "seeds": plan.seeds}, notes, plots)
