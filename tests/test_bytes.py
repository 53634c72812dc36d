"""Same preset and seed, same bytes: today's datasets against the recorded digests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recorded_bytes import PRESETS, digests, generate, recorded


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_has_the_bytes_that_were_recorded(preset: str, tmp_path: Path) -> None:
    assert digests(generate(preset, tmp_path)) == recorded()[preset]
