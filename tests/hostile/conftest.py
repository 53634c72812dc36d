"""What all hostile tests share: canaries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.canaries import Canaries, canaries


@pytest.fixture
def birds(tmp_path: Path) -> Iterator[Canaries]:
    """Canaries that a test watches."""
    with canaries(tmp_path / "outside") as watched:
        yield watched
