"""Damaged folders in the studio: every page of them is a page, and says what is wrong."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hornbeam.data.manifest import NAME, entries
from tests.fuzz.cases import INDEX, SAMPLES, copied, damaged_dataset, replace
from tests.fuzz.mutations import damage_of
from tests.studio.conftest import BASE, TOKEN, visitor_of

_LINK = re.compile(r'(?:href|src|hx-get)="(/[a-z][^"]*)"')
_MOST = 25  # pages that are looked at in one folder


@dataclass
class PageBench:
    """What is damaged: a dataset, or what commands left beside it."""

    dataset: Path
    kept: Path  # training runs, comparisons and theories
    work: Path

    def problems(self, seed: int) -> list[str]:
        """The pages that are no pages, in the damaged folder of a seed."""
        from starlette.testclient import TestClient

        from hornbeam.studio.app import create_app

        rng = random.Random(f"pages {seed}")
        name = self._damage(rng)
        with TestClient(create_app([self.work / "place"], token=TOKEN), base_url=BASE) as client:
            visitor = visitor_of(client)
            return [f"{name}: {problem}" for problem in self._looked_at(visitor, rng)]

    def _damage(self, rng: random.Random) -> str:
        """Put the folder together; the name of what is damaged in it."""
        place = copied(self.kept, self.work / "place")
        files = sorted(str(file.relative_to(place)) for file in place.rglob("*") if file.is_file())
        names = [SAMPLES, SAMPLES, NAME, INDEX, *(one for one in entries(self.dataset) if one.endswith(".pl")), *files]
        name = rng.choice(names)
        if name in files:
            replace(place / name, damage_of(name, rng)((place / name).read_bytes(), rng))
            copied(self.dataset, place / "data")
        else:
            damaged_dataset(self.dataset, place / "data", name, rng)
        return name

    def _looked_at(self, visitor: Any, rng: random.Random) -> list[str]:
        waiting = ["/", "/compare", "/d/data", "/d/data/samples", "/d/data/learn", "/d/data/ask", "/d/data/rule"]
        seen: set[str] = set()
        problems = []
        while waiting and len(seen) < _MOST:
            url = waiting.pop(0)
            seen.add(url)
            answer = visitor.get(url)
            if answer.status_code >= 500 or "Traceback" in answer.text:
                said = " ".join(re.sub("<[^>]*>", " ", answer.text).split())
                problems.append(f"{url}: {answer.status_code} {said[-300:]}")
            links = {link.replace("&amp;", "&") for link in _LINK.findall(answer.text)}
            fresh = sorted(
                link for link in links - seen - {*waiting} if not link.startswith(("/static", "/make", "/theme"))
            )
            waiting += rng.sample(fresh, min(6, len(fresh)))
        return problems
