"""CLUTRR from its text: rules learned from what readers read, the story models, and `gat` on the true graphs.

One table by k, for one preset: ``hornbeam reproduce clutrr --from stories --set preset=robust-irrelevant``. Readers are
`grammar`, and `neural` with the facts of all training stories, of 200, of 20, and with answers alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from hornbeam.config import validated
from hornbeam.data.dataset import Dataset
from hornbeam.errors import HornbeamError
from hornbeam.ilp.perceived import Sight, SightSettings, fit_seen
from hornbeam.neural.runs import as_text
from hornbeam.perception.perceiver import STORIES
from hornbeam.perception.readings import Perception
from hornbeam.perception.stories.scores import fact_scores
from hornbeam.reproductions.relational import SETTING, result_of
from hornbeam.reproductions.reproduction import PaperComparison, Reproduction, ReproductionPlan, chosen, train_all
from hornbeam.reproductions.results import Cell, Result, Results, cell_of, with_mean
from hornbeam.writing import write_atomic

READERS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "grammar": ("grammar", {}),
    "neural-all": ("neural", {"annotated": "all"}),
    "neural-200": ("neural", {"annotated": 200}),
    "neural-20": ("neural", {"annotated": 20}),
    "neural-answers": ("neural", {"annotated": 0}),
}
TEXT_MODELS = ("bilstm-mean", "bilstm-attention", "rn", "mac", "rmc")
PRETRAINED = ("bert", "bert-lstm")
GRAPH_MODELS = ("gat",)
KNOWN = (*READERS, *TEXT_MODELS, *PRETRAINED, *GRAPH_MODELS)


class StoriesOptions(BaseModel):
    """Options of the command's ``--set``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    preset: str = Field(
        default="generalization-k23", description="the preset of the data, e.g. long or robust-supporting"
    )
    learner: str = Field(default="algebra", description="the learner of rules")
    timeout: float = Field(default=120.0, gt=0, description="CPU seconds of the learner")
    epochs: int | None = Field(default=None, ge=1, description="epochs of the models; by default those of the preset")
    weights: str | None = Field(default=None, description="the folder of a pretrained encoder, for bert and bert-lstm")


class ClutrrStories(Reproduction):
    """CLUTRR's stories: readers with rules, story models, and `gat` on the true graphs."""

    name: ClassVar[str] = "clutrr-stories"

    def run(self, plan: ReproductionPlan) -> PaperComparison:
        import hornbeam

        options = validated(StoriesOptions, plan.overrides, kind="option", option="--set")
        default = [name for name in KNOWN if name not in PRETRAINED or options.weights]
        subjects = chosen("model", plan.models or default, KNOWN)
        chosen("setting", plan.settings, (SETTING,))
        out = plan.out / options.preset
        dataset = hornbeam.generate("clutrr", options.preset, out=out / "data", seed=plan.data_seed)
        told = [_learned(out, dataset, name, options, plan) for name in subjects if name in READERS]
        models = [name for name in subjects if name not in READERS]
        more = {name: str(value) for name in ("epochs", "weights") if (value := getattr(options, name)) is not None}
        models_plan = ReproductionPlan(out, plan.seeds, plan.preset, overrides=more, progress=plan.progress)
        trained = train_all(models_plan, dataset, {model: (model, SETTING) for model in models}) if models else []
        results = Results([*(result for result, _ in told), *map(result_of, trained)])
        title = f"CLUTRR {options.preset}, data seed {plan.data_seed}: accuracy on test"
        notes = [
            f"NAME+{options.learner}: rules learned from what the reader NAME read of the stories, 1 run. "
            f"Models: seeds 0 to {plan.seeds - 1}, preset {plan.preset}; gat is given the true graphs.",
            *(f"{result.name}: {note}." for result, note in told),
        ]
        figures = {"rows": results.to_json(), "seeds": plan.seeds, "preset": options.preset}
        comparison = PaperComparison(title, results.header(), results.table(), figures, notes)
        comparison.save(out)
        write_atomic(out / "comparison.csv", results.csv().encode())
        return comparison


def _learned(
    out: Path, dataset: Dataset, subject: str, options: StoriesOptions, plan: ReproductionPlan
) -> tuple[Result, str]:
    """The accuracy of rules learned from what a reader read, and how well it read the test stories."""
    name, settings = READERS[subject]
    perception = Perception.of(STORIES, name, settings, out / "readings")
    sight = Sight.of(dataset, None, perception, plan.progress)
    learned = fit_seen(sight, options.learner, SightSettings(timeout=options.timeout, fresh=None))
    if learned.test is None:
        raise HornbeamError(f"{options.learner} found nothing that can be judged: {learned.status}, {learned.message}")
    with suppress(OSError):
        write_atomic(out / "readings" / f"{subject}.json", as_text(learned.to_json()).encode())
    groups: Any = learned.test.details["by_group"]
    cells: dict[Cell, Sequence[float]] = {cell_of(group): (one["accuracy"],) for group, one in groups.items()}
    held = [sample for sample in sight.samples if sample.split == "test"]
    facts = fact_scores(held, sight.readings)
    figures = f"precision {facts.precision:.3f}, recall {facts.recall:.3f}, {facts.unread} stories unread"
    note = f"of the facts of the test stories {figures}"
    return Result(f"{subject}+{options.learner}", with_mean(cells)), note
