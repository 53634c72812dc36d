"""How samples look: small ones for a page of many, and a large one whose parts can be marked.

What can be marked has `data-node`: an object or a group of a picture by its place in the tree, a person by name, a node
by number. The drawings are those of the families.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape
from PIL import Image

from hornbeam.characters import visible
from hornbeam.data.dataset import Dataset
from hornbeam.data.sample import Sample
from hornbeam.errors import DatasetError, HornbeamError
from hornbeam.kandy import cropping
from hornbeam.kandy.cropping import Place, node_box
from hornbeam.kandy.geometry import Box
from hornbeam.report.markup import harmless
from hornbeam.report.svg import element

_THUMB = (240, 160)  # pixels of a picture among many
_NAME = re.compile(r"\[([^\[\]]+)\]")


@dataclass(frozen=True, slots=True)
class View:
    """The drawings of a family: of many samples, small, and of one, large.

    Both get the URL of the dataset, for what a browser loads by itself.
    """

    small: Callable[[str, Dataset, Sequence[Sample]], list[Markup]]
    large: Callable[[str, Dataset, Sample], Markup]


def small(url: str, dataset: Dataset, samples: Sequence[Sample]) -> list[Markup]:
    """Each sample as a small drawing."""
    return _view(dataset).small(url, dataset, samples)


def large(url: str, dataset: Dataset, sample: Sample) -> Markup:
    """A sample with all that is to be seen of it."""
    return _view(dataset).large(url, dataset, sample)


def _view(dataset: Dataset) -> View:
    return _VIEWS.get(dataset.family.name, _OTHER)


def _figure(drawing: Markup, caption: str = "") -> Markup:
    below = element("figcaption", caption) if caption else Markup()
    return element("figure", drawing, below, class_="drawing")


# KANDY ------------------------------------------------------------------------------------------------------------


def picture(dataset: Dataset, sample: Sample) -> bytes:
    """The part of a KANDY picture that has objects, as PNG; a browser enlarges it.

    Raises:
        DatasetError: if there is no picture, or it cannot be read.
    """
    return cropping.png(_cropped(dataset, sample)[0])


def _cropped(dataset: Dataset, sample: Sample) -> tuple[Image.Image, Box]:
    found = cropping.cropped(dataset, sample)
    if found is None:
        raise DatasetError(f"the sample {sample.id} has no picture: it was imported without")
    return found


def _symbols(sample: Sample) -> str:
    known: Any = sample.symbolic
    return visible(known.get("prolog", ""))


def _image(url: str, sample: Sample, size: tuple[int, int] = _THUMB) -> Markup:
    address, (width, height) = f"{url}/s/{sample.id}/picture.png", size
    looks = {"class_": "picture", "loading": "lazy", "alt": _symbols(sample)}
    return element("img", **looks, src=address, width=width, height=height)


def _kandy_small(url: str, dataset: Dataset, samples: Sequence[Sample]) -> list[Markup]:
    return [
        _image(url, sample) if _has_picture(sample) else element("code", _symbols(sample), class_="fact")
        for sample in samples
    ]


def _has_picture(sample: Sample) -> bool:
    given: Any = sample.input
    return given["image"] is not None


def _kandy_large(url: str, dataset: Dataset, sample: Sample) -> Markup:
    if not _has_picture(sample):
        return element("pre", _symbols(sample))
    _, (left, top, right, bottom) = _cropped(dataset, sample)
    boxes = cropping.boxes_of(sample)
    given: Any = sample.input
    places = [tuple(thing["path"]) for thing in (*given["groups"], *given["objects"])]
    outlines = [
        _outline(place, box, inner=place in boxes) for place in places if (box := node_box(place, boxes)) is not None
    ]
    size = (right - left, bottom - top)
    view = f"{left} {top} {size[0]} {size[1]}"
    over = element("svg", *outlines, viewBox=view, class_="over", aria_hidden="true")
    return element("div", element("div", _image(url, sample, size), over, class_="canvas"), class_="drawing") + element(
        "p", element("code", _symbols(sample)), class_="symbols"
    )


def mark_of(place: Place) -> str:
    """The name of a node of a tree in `data-node`.

    >>> mark_of((0, 2)), mark_of(())
    ('t.0.2', 't')
    """
    return ".".join(("t", *map(str, place)))


def _outline(place: Place, box: Box, *, inner: bool) -> Markup:
    room = 1 if inner else 3
    left, top, right, bottom = box
    size = {"x": left - room, "y": top - room, "width": right - left + 2 * room, "height": bottom - top + 2 * room}
    return element("rect", **size, data_node=mark_of(place), class_="outline")


# CLUTRR -----------------------------------------------------------------------------------------------------------


def _named(story: str) -> Markup:
    """A story whose persons, in brackets, can be marked."""
    parts, end = [], 0
    for found in _NAME.finditer(story):
        parts += [escape(visible(story[end : found.start()])), element("b", visible(found[1]), data_node=found[1])]
        end = found.end()
    return Markup().join([*parts, escape(visible(story[end:]))])


def _story(sample: Sample) -> Markup:
    given: Any = sample.input
    person, other = (given["names"][node] for node in given["query"])
    question = given["question"] or f"What is [{other}] to [{person}]?"
    return element("p", _named(given["story"]), class_="story") + element("p", _named(question), class_="question")


def _clutrr_small(url: str, dataset: Dataset, samples: Sequence[Sample]) -> list[Markup]:
    return [_story(sample) for sample in samples]


def _clutrr_large(url: str, dataset: Dataset, sample: Sample) -> Markup:
    from hornbeam.clutrr.record import Record
    from hornbeam.clutrr.show import family_svg

    drawing = family_svg(Record.of(sample))
    caption = "The part of the family that the story is about. Coloured: in the story. Red border: asked about."
    return element("div", _story(sample), class_="told") + (_figure(drawing, caption) if drawing else Markup())


# GraphLog and STaR ------------------------------------------------------------------------------------------------

_GRAPH = "Red: the two nodes that are asked about. Green: the path that resolves them. Grey: noise. 3+ is R_3_+."


def drawings(dataset: Dataset, sample: Sample) -> list[tuple[Markup, str]]:
    """The drawings of a graph or a network, each with what it shows; none for other families."""
    match dataset.family.name:
        case "graphlog":
            return _graph(sample)
        case "star":
            return _network(dataset, sample)
    return []


def _graph(sample: Sample) -> list[tuple[Markup, str]]:
    from hornbeam.graphlog.record import read
    from hornbeam.graphlog.show import graph_svg

    return [(graph_svg(read(sample)), _GRAPH)]


def _network(dataset: Dataset, sample: Sample) -> list[tuple[Markup, str]]:
    """The network, and regions or intervals that realise it, where the calculus has such."""
    from hornbeam.star.record import calculus_of, network_of
    from hornbeam.star.show import graph_svg, regions_svg, timeline_svg
    from hornbeam.star.solving import MODELS, witnesses

    calculus = calculus_of(dataset)
    network = network_of(calculus, sample)
    drawn = [(graph_svg(calculus, network, str(sample.label)), "The network; the dashed edge is asked about.")]
    model: Any = witnesses(calculus, [network])[0] if calculus.name in MODELS else None
    if model is not None:
        line = calculus.name == "allen"
        draw, what = (timeline_svg, "Intervals") if line else (regions_svg, "Regions")
        drawn.append((draw(model, network.query), f"{what} that realise it."))
    return drawn


def _drawn_small(url: str, dataset: Dataset, samples: Sequence[Sample]) -> list[Markup]:
    """Drawings are made when a browser comes to them: a page of many would wait for all."""
    return [Markup().join(_lazy(url, sample, number) for number in range(_count(dataset))) for sample in samples]


def _count(dataset: Dataset) -> int:
    if dataset.family.name != "star":
        return 1
    from hornbeam.star.record import calculus_of
    from hornbeam.star.solving import MODELS

    return 2 if calculus_of(dataset).name in MODELS else 1


def _lazy(url: str, sample: Sample, number: int) -> Markup:
    given: Any = sample.input
    words = f"{'realised' if number else 'graph'} of {len(given['edges'])} edges"
    return element("img", class_="lazy", loading="lazy", src=f"{url}/s/{sample.id}/drawing-{number}.svg", alt=words)


def _drawn_large(url: str, dataset: Dataset, sample: Sample) -> Markup:
    return Markup().join(_figure(drawing, caption) for drawing, caption in drawings(dataset, sample))


# RuDaS, and families of other packages ------------------------------------------------------------------------------


def _fact_small(url: str, dataset: Dataset, samples: Sequence[Sample]) -> list[Markup]:
    return [element("code", _symbols(sample) or sample.id, class_="fact") for sample in samples]


def _fact_large(url: str, dataset: Dataset, sample: Sample) -> Markup:
    from hornbeam.rudas.show import picture as drawn

    return element("div", drawn(dataset, sample), class_="drawing wide")


def _family_large(url: str, dataset: Dataset, sample: Sample) -> Markup:
    return element("div", harmless(dataset.family.picture(dataset, sample)), class_="drawing wide")


def _other_small(url: str, dataset: Dataset, samples: Sequence[Sample]) -> list[Markup]:
    drawn = []
    for sample in samples:
        try:
            html = dataset.family.picture(dataset, sample)
        except HornbeamError as error:
            html = str(escape(str(error)))
        drawn.append(
            element("div", harmless(html), class_="drawing") if html else _fact_small(url, dataset, [sample])[0]
        )
    return drawn


_VIEWS = {
    "kandy": View(_kandy_small, _kandy_large),
    "clutrr": View(_clutrr_small, _clutrr_large),
    "graphlog": View(_drawn_small, _drawn_large),
    "star": View(_drawn_small, _drawn_large),
    "rudas": View(_fact_small, _fact_large),
}
_OTHER = View(_other_small, _family_large)
