"""The page of a GraphLog dataset: figures beside the paper's, similarity of worlds, graphs with path and noise."""

from __future__ import annotations

import html

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.graphlog import figures
from hornbeam.graphlog.drawing import graph_svg, heat_map, short
from hornbeam.graphlog.figures import Known, comparison
from hornbeam.graphlog.record import read
from hornbeam.graphlog.world import jaccard, similarity
from hornbeam.report.page import Section, table

_GRAPHS = 6
_LOOKED_AT = 200
LEGEND = (
    '<p class="soft">Red: the two nodes that are asked about. Green: the path that resolves them. Grey: noise. '
    "R_3_+ is written 3+.</p>"
)
_VERDICT = {"unique": ("good", "follows alone"), "ambiguous": ("bad", "follows beside another"),
            "wrong": ("bad", "another relation follows"), "no": ("bad", "does not follow")}  # fmt: skip


def sections(dataset: Dataset) -> list[Section]:
    """All sections of the page."""
    known = figures.worlds(dataset)
    compared = comparison(dataset)
    return [
        Section("Beside the paper", _beside(compared.suite)),
        Section("Worlds", _worlds(compared.worlds)),
        Section("Similarity of worlds", _similarity(known)),
        Section("Rules", _rules(known)),
        Section("Graphs", _graphs(dataset)),
    ]


def _beside(figures: tuple[tuple[str, ...], list[tuple[str | int | float, ...]]]) -> str:
    return (
        '<p class="soft">Tables 3 and 6 of the paper. The published worlds were drawn from another seed, and seeds '
        "differ: over seeds the mean number of descriptors runs from 360 to 500.</p>" + table(*figures)
    )


def _worlds(figures: tuple[tuple[str, ...], list[tuple[str | int | float, ...]]]) -> str:
    return (
        '<p class="soft">Derivable is the share of test labels that follow from the rules, depth how many rules stand '
        "on top of each other, shortcut how often the ends of the path alone give the label away. Difficulty ranks the "
        "worlds by depth, descriptors and shortcut; the paper's goes by a model's accuracy.</p>" + table(*figures)
    )


def _similarity(known: dict[str, Known]) -> str:
    worlds = [found.world for found in known.values()]
    names = list(known)
    paper = [[similarity(one, other) for other in worlds] for one in worlds]
    even = [[jaccard(one, other) for other in worlds] for one in worlds]
    return (
        f"<figure>{heat_map(names, paper)}<figcaption>Which share of a world's rules (row) another has (column)."
        f"</figcaption></figure><figure>{heat_map(names, even)}<figcaption>Shared rules as a share of the rules of "
        "both (Jaccard).</figcaption></figure>"
    )


def _rules(known: dict[str, Known]) -> str:
    parts = []
    for name, found in known.items():
        lines = [f"{rule.head}(X,Z) if {rule.first}(X,Y) and {rule.second}(Y,Z)" for rule in found.world.rules]
        parts.append(
            f"<details><summary>{html.escape(name)}</summary><pre>{html.escape(chr(10).join(lines))}</pre>"
            f"<p>{html.escape(_confluence(found))}</p></details>"
        )
    return "".join(parts)


def _confluence(found: Known) -> str:
    clash = found.confluence
    if clash["chain"] is None:
        return f"clingo: no chain of up to {clash['searched_up_to']} edges links its ends by two relations."
    one, other = clash["relations"]
    return f"clingo: the chain {', '.join(clash['chain'])} links its ends by {one} and by {other}."


def picture(dataset: Dataset, sample: Sample) -> str:
    """A graph with its resolution path and its noise."""
    row = read(sample)
    kind, text = _VERDICT[row.proof["derivable"]] if row.chain else ("soft", "has no path of its own")
    path = f", path {html.escape(' '.join(map(short, row.chain)))}" if row.chain else ""
    return (
        f"<figure>{graph_svg(row)}<figcaption>{html.escape(sample.id)}: {html.escape(row.label)} from {row.source} "
        f'to {row.sink}{path}. <span class="{kind}">It {text}.</span></figcaption></figure>'
    )


def typical(dataset: Dataset) -> list[Sample]:
    """The test row with the deepest derivation, among the first."""
    samples = dataset.test[:_LOOKED_AT] if len(dataset.test) else dataset.samples[:_LOOKED_AT]
    return [max(samples, key=lambda sample: read(sample).proof.get("depth") or 0)]


def _graphs(dataset: Dataset) -> str:
    """Some test rows, over all worlds."""
    samples = dataset.test if len(dataset.test) else dataset.samples
    step = max(1, len(samples) // _GRAPHS)
    places = range(0, min(len(samples), step * _GRAPHS), step)
    return LEGEND + "".join(picture(dataset, samples[place]) for place in places)
