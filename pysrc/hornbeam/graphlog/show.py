"""The page of a GraphLog dataset: statistics and the paper's, similarity of worlds, graphs with path and noise."""

from __future__ import annotations

from markupsafe import Markup

from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.graphlog import figures
from hornbeam.graphlog.figures import Known, comparison
from hornbeam.graphlog.record import Read, read
from hornbeam.graphlog.world import jaccard, similarity
from hornbeam.report import svg
from hornbeam.report.page import Macros, Section

_HTML = Macros(__file__, "show.html.j2")
_GRAPHS = 6
_LOOKED_AT = 200
_WIDTH, _HEIGHT, _MARGIN = 460, 340, 34
_NOISE = "#b9c2bc"
_VERDICT = {"unique": ("good", "follows alone"), "ambiguous": ("bad", "another relation follows too"),
            "wrong": ("bad", "another relation follows"), "no": ("bad", "does not follow")}  # fmt: skip


def sections(dataset: Dataset) -> list[Section]:
    """All sections of the page."""
    known = figures.worlds(dataset)
    compared = comparison(dataset)
    samples = dataset.test if len(dataset.test) else dataset.samples
    step = max(1, len(samples) // _GRAPHS)
    shown = [samples[place] for place in range(0, min(len(samples), step * _GRAPHS), step)]
    return [
        Section("Compared with the paper", _HTML.suite(*compared.suite)),
        Section("Worlds", _HTML.worlds(*compared.worlds)),
        Section("Similarity of worlds", _similarity(known)),
        Section("Rules", _HTML.rules(known)),
        Section("Graphs", _HTML.graphs([picture(dataset, sample) for sample in shown])),
    ]


def picture(dataset: Dataset, sample: Sample) -> Markup:
    """A graph with its resolution path and its noise."""
    row = read(sample)
    style, answer = _VERDICT[row.proof["derivable"]] if row.chain else ("soft", "has no stored path")
    return _HTML.graph(graph_svg(row), sample, row, " ".join(map(_short, row.chain)), style, answer)


def typical(dataset: Dataset) -> list[Sample]:
    """The test row with the deepest derivation, among the first."""
    samples = dataset.test[:_LOOKED_AT] if len(dataset.test) else dataset.samples[:_LOOKED_AT]
    return [max(samples, key=lambda sample: read(sample).proof.get("depth") or 0)]


def _similarity(known: dict[str, Known]) -> Markup:
    names, worlds = list(known), [one.world for one in known.values()]
    label = f"similarity of {len(names)} worlds"
    shared = [[similarity(one, other) for other in worlds] for one in worlds]
    even = [[jaccard(one, other) for other in worlds] for one in worlds]
    return _HTML.similarity(svg.heat_map(names, shared, label), svg.heat_map(names, even, label))


def graph_svg(row: Read) -> Markup:
    """A row's graph: the resolution path in colour along the middle, noise in grey around it."""
    ends = {node for u, v, _ in row.edges for node in (u, v)} | {row.source, row.sink}
    step = (_WIDTH - 2 * _MARGIN) / max(1, len(row.path) - 1)
    fixed = {node: (_MARGIN + step * place, _HEIGHT / 2) for place, node in enumerate(row.path)}
    free = sorted(ends - set(fixed))
    links = [(u, v) for u, v, _ in row.edges]
    places = svg.spring_layout(fixed, free, links, (_WIDTH, _HEIGHT), _MARGIN / 2)
    on_path = {(u, v, label) for u, v, label in zip(row.path, row.path[1:], row.chain, strict=False)}
    noise = [(u, v, label) for u, v, label in row.edges if (u, v, label) not in on_path]
    parts = [svg.edge(places[u], places[v], _short(label), "noise", _NOISE, ends=(u, v)) for u, v, label in noise]
    parts += [
        svg.edge(places[u], places[v], _short(label), "path", svg.LEAF, 2.2, (u, v)) for u, v, label in sorted(on_path)
    ]
    parts += [svg.node(places[node], node, _colour(node, row)) for node in sorted(places)]
    return svg.drawing(_WIDTH, _HEIGHT, parts, f"graph of {len(places)} nodes")


def _colour(node: int, row: Read) -> str:
    return svg.BAD if node in (row.source, row.sink) else svg.LEAF if node in row.path else "#fff"


def _short(label: str) -> str:
    """R_3_+ as 3+."""
    return label.removeprefix("R_").replace("_", "")
