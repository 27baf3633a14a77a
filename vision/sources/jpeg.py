"""Decodes JPEG pictures of unknown origin: truncated, foreign or huge data gives None."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.reading import Picture

MOST_BYTES: Final = 20_000_000
MOST_PIXELS: Final = 50_000_000
START: Final = b"\xff\xd8"
END: Final = b"\xff\xd9"
# Start-of-frame markers carry the size; C4, C8 and CC in their range are tables, not frames.
SIZE_MARKERS: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def size_of(data: bytes) -> tuple[int, int] | None:
    """Read width and height from the headers, without decoding; None when it is no JPEG."""
    if not data.startswith(START):
        return None
    at = 2
    while at + 9 <= len(data):
        if data[at] != 0xFF:
            return None
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if marker in SIZE_MARKERS:
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 1 if marker == 0xFF else 2 + max(length, 2)
    return None


def whole(data: bytes) -> bool:
    """Tell whether the data has a JPEG's beginning, a sane size and its end, which cameras pad with zeros."""
    size = size_of(data)
    if size is None or len(data) > MOST_BYTES or not 0 < size[0] * size[1] <= MOST_PIXELS:
        return False
    return data.rstrip(b"\0\r\n").endswith(END)


def decode(data: bytes) -> Picture | None:
    """Decode one JPEG to a BGR picture, or None when it is not a whole one."""
    if not whole(data):
        return None
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if picture is None else picture.astype(np.uint8, copy=False)
