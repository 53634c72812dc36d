"""PNG files, fast: pictures whose background is even need no choice of filters, and no work on their empty rows.

Every row stores its difference to the row above (filter 2), which is nothing where the picture is even. Rows that
differ from the row above are compressed at the lowest level; runs of rows that do not are the same bytes in every
picture and are compressed once. The pieces are blocks of one valid deflate stream, because each ends in a full flush.

>>> from PIL import Image
>>> import io
>>> picture = Image.new("RGB", (5, 40), (1, 2, 3))
>>> picture.paste((9, 9, 9), (1, 20, 3, 24))
>>> Image.open(io.BytesIO(encode(picture, [(20, 24)]))).tobytes() == picture.tobytes()
True
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from PIL import Image

Span = tuple[int, int]
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_KINDS = {"RGB": (2, 3), "L": (0, 1)}
_ZLIB_HEADER = b"\x78\x01"
_LAST_BLOCK = b"\x03\x00"
_ADLER = 65521
# A flush costs more than a few empty rows.
_LEAST_GAP = 8


def encode(picture: Image.Image, drawn: Sequence[Span] | None = None) -> bytes:
    """The PNG file of an RGB or grey picture.

    `drawn` are the spans of rows (from, to) on which something was drawn; outside of them every row is the same.
    Without it, all rows are looked at.
    """
    color_type, channels = _KINDS[picture.mode]
    width, height = picture.size
    spans = [(0, height)] if drawn is None else list(_changing(drawn, height))
    packer = zlib.compressobj(1, zlib.DEFLATED, -15, 8, zlib.Z_RLE)
    pieces = []
    low, high = 1, 0  # the two halves of the Adler checksum
    row = 0
    for start, stop in spans:
        if start > row:
            piece, low, high = _even(start - row, width * channels, low, high)
            pieces.append(piece)
        data = _differences(picture, start, stop, width * channels)
        pieces.append(packer.compress(data) + packer.flush(zlib.Z_FULL_FLUSH))
        high, low = divmod(zlib.adler32(data, high << 16 | low), 1 << 16)
        row = stop
    if row < height:
        piece, low, high = _even(height - row, width * channels, low, high)
        pieces.append(piece)
    stream = b"".join((_ZLIB_HEADER, *pieces, _LAST_BLOCK, struct.pack(">I", high << 16 | low)))
    header = struct.pack(">IIBBBBB", width, height, 8, color_type, 0, 0, 0)
    return b"".join((_SIGNATURE, _chunk(b"IHDR", header), _chunk(b"IDAT", stream), _chunk(b"IEND", b"")))


def _changing(drawn: Sequence[Span], height: int) -> Iterator[Span]:
    """The spans of rows that may differ from the row above: the first row, and what was drawn with the row below it."""
    start, stop = 0, 1
    for first, last in sorted(drawn):
        if first - stop >= _LEAST_GAP:
            yield start, stop
            start = first
        stop = max(stop, min(height, last + 1))
    yield start, stop


def _differences(picture: Image.Image, start: int, stop: int, length: int) -> bytes:
    """The filtered rows: each after the number of its filter."""
    above = max(0, start - 1)
    part = picture if (above, stop) == (0, picture.height) else picture.crop((0, above, picture.width, stop))
    pixels = np.frombuffer(part.tobytes(), np.uint8).reshape(stop - above, length)
    rows = np.empty((stop - start, length + 1), np.uint8)
    rows[:, 0] = 2
    if start == 0:
        rows[0, 1:] = pixels[0]
        np.subtract(pixels[1:], pixels[:-1], out=rows[1:, 1:])
    else:
        np.subtract(pixels[1:], pixels[:-1], out=rows[:, 1:])
    return rows.tobytes()


def _even(count: int, length: int, low: int, high: int) -> tuple[bytes, int, int]:
    """Rows that are like the row above: their compressed bytes, and the checksum with them."""
    # A row is the byte 2 and `length` zeros: it adds 2 to the low half, and the low half length + 1 times to the high.
    high = (high + (length + 1) * count * (low + count + 1)) % _ADLER
    return _even_rows(count, length), (low + 2 * count) % _ADLER, high


@lru_cache(maxsize=1024)
def _even_rows(count: int, length: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress((b"\x02" + bytes(length)) * count) + packer.flush(zlib.Z_FULL_FLUSH)


def _chunk(kind: bytes, data: bytes) -> bytes:
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
