"""Every label derived by SWI-Prolog, through the text of the files that a dataset ships: theory.pl and background.pl.

>>> from hornbeam.data.sample import Sample
>>> given = {"edges": [[0, "NTPP", 1], [1, "NTPP", 2]], "query": [0, 2]}
>>> derived_labels("rcc8", [Sample("s", "t", "test", "NTPP", given)])
['NTPP']
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from hornbeam import resources
from hornbeam.data.sample import Sample
from hornbeam.errors import DatasetError
from hornbeam.logic import Prolog
from hornbeam.star.calculus import calculus_file, load_calculus

# A calculus that states no property: the theory asks for them all the same.
_NO_PROPERTY = "\n%   Nothing further is known of this calculus.\n\nproperty(none).\n"


def prolog_texts(calculus: str) -> tuple[str, str]:
    """The background knowledge and the theory of a dataset, as they stand in background.pl and theory.pl."""
    theory = resources.kb("star", "theory.pl").read_text(encoding="utf-8")
    theory += "\n" + resources.prolog("star", "deciding.pl").read_text(encoding="utf-8")
    if not load_calculus(calculus).patchwork:
        theory += _NO_PROPERTY
    return calculus_file(calculus).read_text(encoding="utf-8"), theory


@lru_cache(maxsize=8)
def _loaded(calculus: str) -> tuple[Prolog, str]:
    """The dataset's Prolog in a module of its own; `load_calculus` has seen that the calculus holds only facts."""
    background, theory = prolog_texts(calculus)
    facts = re.sub(r"^:- module\(.*?\)\.\s*$", "", background, count=1, flags=re.MULTILINE | re.DOTALL)
    text = f":- dynamic sample/5, edge/4.\n{facts}\n{theory}"
    module = f"hornbeam_star_proof_{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    prolog = Prolog()
    prolog.load_text(text, module, name="theory.pl")
    return prolog, module


def derived_labels(calculus: str, samples: Sequence[Sample]) -> list[str]:
    """What SWI-Prolog derives for each sample from its edges and its query, in one call."""
    prolog, module = _loaded(calculus)
    answer = prolog.once("network_answers(_Codes, Labels)", given={"_Codes": _coded(samples)}, module=module)
    assert answer is not None
    labels: Any = answer["Labels"]
    return [str(label) for label in labels]


def prove(calculus: str, samples: Sequence[Sample]) -> int:
    """How many labels SWI-Prolog derived: all of them, or DatasetError names the first sample that it contradicts."""
    for sample, derived in zip(samples, derived_labels(calculus, samples), strict=True):
        if derived != sample.label:
            raise DatasetError(
                f"sample {sample.id} is labelled {sample.label}, but SWI-Prolog derives {derived} from theory.pl and "
                "background.pl: this is a fault of the generator"
            )
    return len(samples)


def _coded(samples: Sequence[Sample]) -> list[Any]:
    """The networks as one flat list, which crosses fastest: see network_answers/2 of kb/star/theory.pl."""
    codes: list[Any] = []
    for sample in samples:
        given: Any = sample.input
        edges = given["edges"]
        codes += given["query"]
        codes.append(1 + max(max(source, target) for source, _, target in edges))
        codes.append(len(edges))
        for source, label, target in edges:
            codes += (source, target, label)
    return codes
