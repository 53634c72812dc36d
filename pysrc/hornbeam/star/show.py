"""Pictures of networks: the graph with its paths, and a concrete model that realises every edge."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import islice
from typing import Any

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.networks.network import ConstraintNetwork
from hornbeam.report.page import Section
from hornbeam.star.bundles import paths
from hornbeam.star.drawings import graph_svg, regions_svg, timeline_svg
from hornbeam.star.explain import edge_text, path_mask
from hornbeam.star.knowledge import Calculus
from hornbeam.star.record import calculus_of, network_of
from hornbeam.star.solving import MODELS, witnesses

_PER_TASK = 1
_TASKS = 12
_PATHS = 8


def sections(dataset: Dataset) -> list[Section]:
    calculus = calculus_of(dataset)
    chosen = [sample for task in dataset.tasks[:_TASKS] for sample in islice(iter(dataset.task(task)), _PER_TASK)]
    lead = {
        "rcc8": "<p>Each graph with regions that realise all of its edges. A region may have several pieces of its "
        "colour; pieces at different places of a row are apart.</p>",
        "allen": "<p>Each graph with intervals on a time line that realise all of its edges.</p>",
    }.get(calculus.name, "<p>Each graph with what its paths say.</p>")
    return [Section("Networks", lead + "\n".join(_cards(calculus, chosen))), _cells(dataset)]


def picture(dataset: Dataset, sample: Sample) -> str:
    """A network, and regions or intervals that realise it."""
    return _cards(calculus_of(dataset), [sample])[0]


def typical(dataset: Dataset) -> list[Sample]:
    """The sample with most paths, and of these the one with fewest edges; a tangle where there is no bundle."""
    return [max(dataset.samples, key=_paths_then_edges)]


def _paths_then_edges(sample: Sample) -> tuple[int, int]:
    known: Any = sample.symbolic
    given: Any = sample.input
    return known.get("b", 0), -len(given["edges"])


def _cards(calculus: Calculus, samples: Sequence[Sample]) -> list[str]:
    networks = [network_of(calculus, sample) for sample in samples]
    models = witnesses(calculus, networks) if calculus.name in MODELS else [None] * len(networks)
    return [_card(calculus, *card) for card in zip(samples, networks, models, strict=True)]


def _card(calculus: Calculus, sample: Sample, network: ConstraintNetwork, model: Any) -> str:
    pictures = [(graph_svg(calculus, network, str(sample.label)), "the network; the dashed edge is asked about")]
    if model is not None and calculus.name == "allen":
        pictures.append((timeline_svg(model, network.query), "intervals that realise it"))
    elif model is not None:
        pictures.append((regions_svg(model, network.query), "regions that realise it"))
    figures = "".join(f"<figure>{svg}<figcaption>{text}</figcaption></figure>" for svg, text in pictures)
    return f"<h3>{escape(sample.id)}: {escape(str(sample.label))}</h3>{figures}{_paths(calculus, network)}"


def _paths(calculus: Calculus, network: ConstraintNetwork) -> str:
    found = list(islice(paths(network), _PATHS + 1))
    if not found:
        return ""
    rows = "".join(
        f"<tr><td>{escape(_steps(calculus, network, path))}</td>"
        f"<td>{escape(calculus.text(path_mask(calculus, network, path)).replace('|', ' or '))}</td></tr>"
        for path in found[:_PATHS]
    )
    more = f"<p class='soft'>Further paths are not shown after {_PATHS}.</p>" if len(found) > _PATHS else ""
    return (
        "<details><summary>what each path says</summary><div class='scroll'><table>"
        f"<tr><th>path</th><th>composition</th></tr>{rows}</table></div>{more}</details>"
    )


def _steps(calculus: Calculus, network: ConstraintNetwork, path: Sequence[int]) -> str:
    return ", ".join(edge_text(calculus, network, number) for number in path)


def _cells(dataset: Dataset) -> Section:
    """What the dataset says of cells that have no graphs, or too few."""
    import json

    path = dataset.path / "cells.json"
    content = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    rows = [(name, text) for group in ("impossible", "short") for name, text in content.get(group, {}).items()]
    if not rows:
        return Section("Cells", "<p>Every cell has all the graphs that were asked for.</p>")
    body = "".join(f"<tr><td>{escape(name)}</td><td>{escape(text)}</td></tr>" for name, text in rows)
    return Section(
        "Cells",
        f"<details><summary>{len(rows)} cells are empty or short, for these reasons</summary><div class='scroll'>"
        f"<table><tr><th>cell</th><th>why</th></tr>{body}</table></div></details>",
    )
