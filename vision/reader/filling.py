"""Fills convex outlines, pixel for pixel as OpenCV does, without leaving the compiled loops."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.reader.quick import Loop

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]
Wide = NDArray[np.int64]
Doubles = NDArray[np.float64]
Mask = NDArray[np.bool_]
Dot = tuple[int, int]

# corners are given in sixteenths of a pixel; lines are followed in 65536ths
FINE: Final = 4
DEEP: Final = 16
HALF: Final = 1 << (DEEP - 1)
ONE: Final = 1 << DEEP


@Loop
def fill(paper: Bytes, corners: Numbers, mark: int) -> None:
    """Paint a convex outline, its border included, as far as it is on the paper."""
    high, wide = paper.shape
    count = len(corners)
    first, last = row_of(corners[0]), row_of(corners[0])
    for corner in range(1, count):
        first, last = min(first, row_of(corners[corner])), max(last, row_of(corners[corner]))
    first, last = max(first, 0), min(last, high - 1)
    if first > last:
        return
    span = np.empty((2, last - first + 1), dtype=np.int64)
    for row in range(last - first + 1):
        span[0, row], span[1, row] = wide, -1
    for corner in range(count):
        x, y = deep(corners[corner - 1])
        u, v = deep(corners[corner])
        trace(span, first, (x, y), (u, v))
        slide(span, first, (x, row_of(corners[corner - 1])), (u, row_of(corners[corner])))
    for row in range(last - first + 1):
        for column in range(max(span[0, row], 0), min(span[1, row], wide - 1) + 1):
            paper[first + row, column] = mark


@Loop
def hull(corners: Numbers) -> Numbers:
    """The corners that are on the hull of them all, in order."""
    count = len(corners)
    found, size = np.empty((count + 1, 2), dtype=np.int32), 0
    order = sorted_places(corners)
    for way in range(2):
        base = size
        for place in range(count):
            corner = corners[order[place if way == 0 else count - 1 - place]]
            while size - base >= 2 and turn(found[size - 2], found[size - 1], corner) <= 0:
                size -= 1
            found[size, 0], found[size, 1] = corner[0], corner[1]
            size += 1
        # the last of one half is the first of the other
        size -= 1
    return found[: max(size, 1)]


@Loop
def sorted_places(corners: Numbers) -> Wide:
    """The numbers of a few corners by column, then by row."""
    order = np.arange(len(corners))
    for place in range(1, len(corners)):
        corner, at = corners[place], place
        while at > 0 and precedes(corner, corners[order[at - 1]]):
            order[at] = order[at - 1]
            at -= 1
        order[at] = place
    return order


@Loop
def precedes(one: Numbers, two: Numbers) -> bool:
    """Whether a corner is left of another, or above it in the same column."""
    return bool(one[0] < two[0] or (one[0] == two[0] and one[1] < two[1]))


@Loop
def turn(one: Numbers, two: Numbers, three: Numbers) -> int:
    """The area that three corners enclose, up to a factor, its sign telling which way they turn."""
    (x, y), (u, v), (w, z) = deep(one), deep(two), deep(three)
    return (u - x) * (z - y) - (v - y) * (w - x)


@Loop
def fill_faces(
    paper: Bytes, corners: Numbers, faces: tuple[Wide, Wide, Bytes], shows: Mask, look: Wide, skirt: int
) -> Bytes:
    """Paint a tower's faces that show over the hull of the corners that are no face's.

    `faces` are where the corners of each begin and end, and their marks; gives how each mark looks.
    """
    begins, ends, marks = faces
    looks = np.zeros(256, dtype=np.uint8)
    if skirt:
        fill(paper, hull(corners[ends[-1] :]), skirt)
    for face in range(len(shows)):
        if shows[face]:
            fill(paper, corners[begins[face] : ends[face]], marks[face])
            looks[marks[face]] = look[face]
    return looks


@Loop
def fill_shadows(
    paper: Bytes, corners: Doubles, ends: Wide, light: tuple[float, float, float], scale: tuple[int, float]
) -> None:
    """Paint the shadows of convex solids on a plan.

    `corners` are in space, those of each solid up to its end. `light`: how far aside a corner's shadow
    falls a unit of its height, east and north of it in the middle of the plan, and what a unit of height
    takes from the lamp's distance. `scale`: pixels a unit, half the plan's side.
    """
    (east, north, near), (unit, reach) = light, scale
    begin = 0
    for end in ends:
        outline = np.empty((end - begin, 2), dtype=np.int32)
        for place in range(begin, end):
            x, y, z = corners[place]
            far = z / (1.0 - near * z)
            x, y = x + far * (east + near * x), y + far * (north + near * y)
            outline[place - begin, 0] = np.rint(((x + reach) * unit - 0.5) * (1 << FINE))
            outline[place - begin, 1] = np.rint(((y + reach) * unit - 0.5) * (1 << FINE))
        fill(paper, hull(outline), 1)
        begin = end


@Loop
def row_of(corner: Numbers) -> int:
    """The row of pixels in which a corner is."""
    return (int(corner[1]) + (1 << (FINE - 1))) >> FINE


@Loop
def deep(corner: Numbers) -> Dot:
    """A corner in 65536ths of a pixel."""
    return int(corner[0]) << (DEEP - FINE), int(corner[1]) << (DEEP - FINE)


@Loop
def widen(span: Wide, row: int, x: int) -> None:
    """Let a row's span reach to a place."""
    if 0 <= row < span.shape[1]:
        span[0, row] = min(span[0, row], x)
        span[1, row] = max(span[1, row], x)


@Loop
def ratio(over: int, under: int) -> int:
    """A quotient, rounded towards zero."""
    return over // under if over >= 0 else -(-over // under)


@Loop
def trace(span: Wide, first: int, start: Dot, end: Dot) -> None:
    """Let spans reach to all pixels of a line, a pixel a step of its longer way."""
    (x, y), (u, v) = start, end
    flat = abs(u - x) > abs(v - y)
    if (u < x) if flat else (v < y):
        x, y, u, v = u, v, x, y
    widen(span, ((v + HALF) >> DEEP) - first, (u + HALF) >> DEEP)
    if flat:
        slope = ratio((v - y) * ONE, (u - x) | 1)
        for step in range(((u - x) >> DEEP) + 1):
            widen(span, ((y + HALF + step * slope) >> DEEP) - first, ((x + HALF) >> DEEP) + step)
    else:
        slope = ratio((u - x) * ONE, (v - y) | 1)
        for step in range(((v - y) >> DEEP) + 1):
            widen(span, ((y + HALF) >> DEEP) + step - first, (x + HALF + step * slope) >> DEEP)


@Loop
def slide(span: Wide, first: int, start: Dot, end: Dot) -> None:
    """Let spans reach to a side that runs from the row of its upper end to that of its lower one."""
    (x, row), (u, stop) = (start, end) if start[1] < end[1] else (end, start)
    slope = ratio(2 * (u - x) + stop - row, 2 * max(stop - row, 1))
    for step in range(stop - row):
        widen(span, row + step - first, (x + step * slope + HALF) >> DEEP)
