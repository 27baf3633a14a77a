"""Turns towers and tells which of their faces show, in compiled loops; in between the camera draws them."""

from __future__ import annotations

from math import cos, sin
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from vision.reader.filling import FINE
from vision.reader.quick import Loop

Numbers = NDArray[np.int32]
Wide = NDArray[np.int64]
Mask = NDArray[np.bool_]
Bounds = tuple[int, int, int, int]

BEARINGS: Final = 72


@Loop
def turned(corners: Floats, level: Wide, turns: Floats, x: float, y: float, spots: Floats) -> None:
    """Write down where a tower's corners are when each of its blocks is turned and all stands at a place."""
    c, s = np.empty_like(turns), np.empty_like(turns)
    for block in range(len(turns)):
        c[block], s[block] = cos(turns[block]), sin(turns[block])
    for corner in range(len(corners)):
        block, (u, v, z) = level[corner], corners[corner]
        spots[corner, 0] = c[block] * u - s[block] * v + x
        spots[corner, 1] = s[block] * u + c[block] * v + y
        spots[corner, 2] = z


@Loop
def faced(
    dots: Floats, faces: tuple[Wide, Wide, Wide], bearing: Floats, wall: Mask, turns: Floats
) -> tuple[Numbers, Mask, Wide, Bounds]:
    """A tower's corners in sixteenths of a pixel, which faces show, how each looks, and all corners' bounds.

    `faces` are where the corners of each begin and end, and its block.
    """
    begins, ends, block = faces
    fine = np.empty(dots.shape, dtype=np.int32)
    low, high = fine[0].copy(), fine[0].copy()
    for corner in range(len(dots)):
        for axis in range(2):
            value = np.int32(np.rint(dots[corner, axis] * (1 << FINE)))
            fine[corner, axis] = value
            low[axis] = min(low[axis], value) if corner else value
            high[axis] = max(high[axis], value) if corner else value
    shows, look = np.empty(len(begins), dtype=np.bool_), np.zeros(len(begins), dtype=np.int64)
    for face in range(len(begins)):
        area, last = 0.0, ends[face] - 1
        for corner in range(begins[face], ends[face]):
            area += dots[last, 0] * dots[corner, 1] - dots[corner, 0] * dots[last, 1]
            last = corner
        # corners run the other way round when a face's front is seen, for y runs down
        shows[face] = area < 0
        if wall[face]:
            turn = bearing[face] + turns[block[face]]
            look[face] = 1 + np.int64(np.rint(turn * (BEARINGS / (2 * np.pi)))) % BEARINGS
    # towards zero: what is left of the picture or above it is cut off anyway
    pixel = 1 << FINE
    bounds = int(low[0] / pixel), int(low[1] / pixel), int(high[0] / pixel), int(high[1] / pixel)
    return fine, shows, look, bounds
