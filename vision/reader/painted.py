"""Pixel lists of painted shapes, one after the other on one shelf, so that loops are told where to look."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.reader.quick import Loop

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]
Wide = NDArray[np.int64]

# the planes of a raster's code
ROOF_PLANE, WALL_PLANE, EDGE_PLANE, STEPS_PLANE = range(4)
PLANES: Final = 4
MARKS: Final = 256
# a tower: its faces, its pixels; each face's look; how many runs each face has; then these, face after face:
# the code of a run's first pixel, and how many pixels of one row it has
TOWER_HEAD: Final = 2
# a top piece: its own pixels, its fringe, its ring; then their places in the box
TOP_HEAD: Final = 3
# where a shelf keeps what has neither faces nor pixels
NOTHING_AT: Final = 0


class Shelf:
    """One array with the pixel lists of many shapes; what was put there stays where it is."""

    def __init__(self, room: int) -> None:
        # not filled: the whole of it would be touched, which takes longer than a picture
        self.numbers: Numbers = np.empty(room, dtype=np.int32)
        self.numbers[:TOP_HEAD] = 0
        self.used = TOP_HEAD

    def hold(self, more: int) -> Numbers:
        """The array, with room for so many more numbers."""
        if self.used + more > len(self.numbers):
            wider = np.empty(len(self.numbers) + max(more, len(self.numbers)), dtype=np.int32)
            wider[: self.used] = self.numbers[: self.used]
            self.numbers = wider
        return self.numbers

    def put_tower(
        self, paper: Bytes, looks: Bytes, marks: tuple[int, int, int], shape: tuple[int, int, int, int]
    ) -> int:
        """Keep a painted tower; tells where."""
        at = self.used
        self.used = put_tower(paper, looks, marks, shape, self.hold(2 * paper.size + 3 * MARKS), at)
        return at

    def put_top(self, paper: Bytes, shape: tuple[int, int, int, int]) -> int:
        """Keep a painted top piece, whose own pixels, fringe and ring are marked 1, 2, 3; tells where."""
        at = self.used
        self.used = put_top(paper, shape, self.hold(paper.size + TOP_HEAD), at)
        return at


@Loop
def put_tower(
    paper: Bytes,
    looks: Bytes,
    marks: tuple[int, int, int],
    shape: tuple[int, int, int, int],
    shelf: Numbers,
    at: int,
) -> int:
    """Write down a tower's pixels face by face, as runs, and how each face looks; tells where that ends.

    `marks` are the topmost roof's, that of the edge of its recess, which is a part of it, and the steps'.
    """
    top, edge, skirt = marks
    owner, planes = np.arange(MARKS), np.zeros(MARKS, dtype=np.int64)
    owner[edge] = top
    runs, place = np.zeros(MARKS, dtype=np.int64), np.zeros(MARKS, dtype=np.int64)
    count_runs(paper, owner, runs)
    faces = 0
    for mark in range(1, MARKS):
        faces += runs[mark] > 0
    face, code = at + TOWER_HEAD, at + TOWER_HEAD + 2 * faces
    for mark in range(1, MARKS):
        planes[mark] = WALL_PLANE if looks[mark] > 0 else ROOF_PLANE
        if runs[mark]:
            shelf[face], shelf[face + faces], place[mark] = looks[mark], runs[mark], code
            face, code = face + 1, code + 2 * runs[mark]
    planes[edge], planes[skirt] = EDGE_PLANE, STEPS_PLANE
    shelf[at], shelf[at + 1] = faces, spread_runs(paper, owner, planes, place, shape, shelf)
    return code


@Loop
def count_runs(paper: Bytes, owner: Wide, runs: Wide) -> None:
    """Count every owner's runs of equal marks."""
    for y in range(paper.shape[0]):
        line, last = paper[y], 0
        for x in range(len(line)):
            mark = line[x]
            if mark != last:
                runs[owner[mark]] += 1
                last = mark


@Loop
def spread_runs(
    paper: Bytes, owner: Wide, planes: Wide, place: Wide, shape: tuple[int, int, int, int], shelf: Numbers
) -> int:
    """Write down every run where its owner's next one belongs; tells how many pixels that are."""
    (size, wide, row, column), pixels = shape, 0
    for y in range(paper.shape[0]):
        start, line, x = (row + y) * wide + column, paper[y], 0
        while x < len(line):
            mark, begin = line[x], x
            while x < len(line) and line[x] == mark:
                x += 1
            if mark:
                at = place[owner[mark]]
                shelf[at], shelf[at + 1] = planes[mark] * size + start + begin, x - begin
                place[owner[mark]], pixels = at + 2, pixels + x - begin
    return pixels


@Loop
def put_top(paper: Bytes, shape: tuple[int, int, int, int], shelf: Numbers, at: int) -> int:
    """Write down the places of the pixels marked 1, 2 and 3; tells where that ends."""
    count = np.zeros(MARKS, dtype=np.int64)
    for painted in paper.ravel():
        count[painted] += 1
    place, code = np.zeros(MARKS, dtype=np.int64), at + TOP_HEAD
    for mark in range(1, TOP_HEAD + 1):
        shelf[at + mark - 1], place[mark] = count[mark], code
        code += count[mark]
    spread(paper, place, shape, shelf)
    return code


@Loop
def spread(paper: Bytes, place: Wide, shape: tuple[int, int, int, int], shelf: Numbers) -> None:
    """Write down every painted pixel's place in the box where its mark's next one belongs."""
    _, wide, row, column = shape
    for y in range(paper.shape[0]):
        start, line = (row + y) * wide + column, paper[y]
        for x in range(len(line)):
            mark = line[x]
            if mark:
                shelf[place[mark]] = start + x
                place[mark] += 1
