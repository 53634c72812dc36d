"""Noise that the renderer does not have: pictures are degraded to see how far a reading holds.

Each kind has three strengths. The same picture, kind, strength and seed give the same pixels.

>>> grey = np.full((8, 8, 3), 127, np.uint8)
>>> bool((corrupted(grey, "gaussian", 2, seed=3) == corrupted(grey, "gaussian", 2, seed=3)).all())
True
>>> corrupted(grey, "fog", 1)
Traceback (most recent call last):
...
hornbeam.errors.UsageError: unknown corruption 'fog'. Known: blur, brightness, gaussian, hue, jpeg, patch
"""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFilter

from hornbeam.errors import UsageError, unknown_name
from hornbeam.seeds import rng

Pixels = npt.NDArray[np.uint8]
STRENGTHS = (1, 2, 3)


def gaussian(pixels: Pixels, strength: int, draw: np.random.Generator) -> Pixels:
    """Normal noise on each channel of each pixel, with deviation 6, 16 or 32 of 255."""
    deviation = (6.0, 16.0, 32.0)[strength - 1]
    return _bytes(pixels + draw.normal(0.0, deviation, pixels.shape))


def jpeg(pixels: Pixels, strength: int, draw: np.random.Generator) -> Pixels:
    """Compressed as JPEG with quality 80, 40 or 15."""
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "JPEG", quality=(80, 40, 15)[strength - 1])
    with Image.open(stream) as picture:
        return np.asarray(picture.convert("RGB")).copy()


def blur(pixels: Pixels, strength: int, draw: np.random.Generator) -> Pixels:
    """Blurred with a radius of 0.6, 1.2 or 2 pixels."""
    radius = (0.6, 1.2, 2.0)[strength - 1]
    return np.asarray(Image.fromarray(pixels).filter(ImageFilter.GaussianBlur(radius))).copy()


def brightness(pixels: Pixels, strength: int, draw: np.random.Generator) -> Pixels:
    """All values times 1.1, 1.25 or 1.5, or divided by it; which of the two is drawn."""
    factor = (1.1, 1.25, 1.5)[strength - 1]
    return _bytes(pixels * (factor if draw.random() < 0.5 else 1 / factor))


def hue(pixels: Pixels, strength: int, draw: np.random.Generator) -> Pixels:
    """All hues turned by 6, 12 or 20 degrees, in a direction that is drawn; KANDY's colours are 60 degrees apart."""
    degrees = (6, 12, 20)[strength - 1] * (1 if draw.random() < 0.5 else -1)
    parts = np.asarray(Image.fromarray(pixels).convert("HSV")).copy()
    parts[..., 0] = (parts[..., 0].astype(int) + round(degrees * 256 / 360)) % 256
    return np.asarray(Image.fromarray(parts, "HSV").convert("RGB")).copy()


def patch(pixels: Pixels, strength: int, draw: np.random.Generator) -> Pixels:
    """A black square of 16, 32 or 56 pixels somewhere, which may cover objects."""
    side = (16, 32, 56)[strength - 1]
    height, width = pixels.shape[:2]
    top, left = (int(draw.integers(0, max(1, room - side + 1))) for room in (height, width))
    covered = pixels.copy()
    covered[top : top + side, left : left + side] = 0
    return covered


def _bytes(values: npt.NDArray[np.floating]) -> Pixels:
    rounded: Pixels = np.clip(np.rint(values), 0, 255).astype(np.uint8)
    return rounded


CORRUPTIONS: dict[str, Callable[[Pixels, int, np.random.Generator], Pixels]] = {
    "gaussian": gaussian,
    "jpeg": jpeg,
    "blur": blur,
    "brightness": brightness,
    "hue": hue,
    "patch": patch,
}


def corrupted(pixels: Pixels, kind: str, strength: int, *, seed: int = 0, name: str = "") -> Pixels:
    """The picture with noise of a kind.

    Args:
        pixels: Height x width x 3 bytes.
        kind: A key of :data:`CORRUPTIONS`.
        strength: 1, 2 or 3.
        seed: The seed of what is drawn.
        name: The picture's id, so that pictures of one run have different noise.

    Raises:
        UsageError: if the kind or the strength is unknown.
    """
    if kind not in CORRUPTIONS:
        raise unknown_name("corruption", kind, list(CORRUPTIONS))
    if strength not in STRENGTHS:
        raise UsageError(f"the strength of a corruption is 1, 2 or 3, not {strength}")
    return CORRUPTIONS[kind](pixels, strength, rng(seed, "corruption", kind, strength, name))
