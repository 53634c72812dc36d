"""How this process holds memory while it trains."""

from __future__ import annotations

import contextlib
import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_MAX = -1, -4  # names of glibc's mallopt(3)


def keep_freed_memory() -> bool:
    """Ask the C library to keep what is freed, where it is glibc; gives whether it agreed.

    By default every large array is mapped anew and its pages are filled by the kernel one by one, which for the
    gradient of a wide layer takes as long as computing it.
    """
    if not sys.platform.startswith("linux"):
        return False
    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL("libc.so.6")
        return bool(library.mallopt(_MMAP_MAX, 0)) and bool(library.mallopt(_TRIM_THRESHOLD, 2**31 - 1))
    return False
