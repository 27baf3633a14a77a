"""Loops that say what piles cover: which pixels are hidden, what stands behind, what a pile explains."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.reader.compiled import Doubles, Flat, Numbers, Sheets, Wide
from vision.reader.painted import STEPS_PLANE, TOP_HEAD, TOWER_HEAD
from vision.reader.quick import Loop

Mask = NDArray[np.bool_]
Sides = tuple[int, int, int, int, int]


@Loop
def hide(hidden: Mask, index: Numbers) -> None:
    """Mark some places."""
    for at in index:
        hidden[at] = True


@Loop
def lay(part: Flat, box: Sides, index: Numbers, score: Flat) -> None:
    """Write values at places of the whole picture into a box of it, as far as they are in it."""
    left, top, wide, high, stride = box
    for number in range(len(index)):
        row = np.int64(np.uint32(index[number]) // np.uint32(stride))
        y, x = row - top, index[number] - row * stride - left
        if 0 <= x < wide and 0 <= y < high:
            part[y * wide + x] = score[number]


@Loop
def placed(spot: int, box: Sides) -> np.int64:
    """The place in the whole picture of a place in a box."""
    row = np.int64(np.uint32(spot) // np.uint32(box[2]))
    return (box[1] + row) * box[4] + box[0] + spot - row * box[2]


@Loop
def coloured(shelf: Numbers, tops: Wide, sheets: Sheets, hidden: Mask, box: Sides) -> tuple[Doubles, Wide]:
    """How well each paint explains what is in view of some top pieces, and how many pixels that is."""
    sums, seen = np.zeros((len(tops), len(sheets.paints))), np.zeros(len(tops), dtype=np.int64)
    for number in range(len(tops)):
        begin = tops[number] + TOP_HEAD
        for spot in shelf[begin : begin + shelf[tops[number]]]:
            if not hidden[spot]:
                at = placed(spot, box)
                seen[number] += 1
                for paint in range(len(sheets.paints)):
                    sums[number, paint] += sheets.paints[paint, at]
    return sums, seen


@Loop
def explained(
    shelf: Numbers,
    tower: int,
    rows: Wide,
    sheets: Sheets,
    by_bin: Flat,
    surroundings: tuple[Mask, Flat, Flat],
    box: Sides,
) -> tuple[Numbers, Flat, Doubles]:
    """A tower's pixels in view in the whole picture, how well it explains them, each face's size.

    `surroundings` are the box's hidden pixels, how well what is behind explains it, what of it counts.
    """
    hidden, behind, clear = surroundings
    faces, pixels, size = shelf[tower], shelf[tower + 1], len(clear)
    run = tower + TOWER_HEAD + 2 * faces
    index, score = np.empty(pixels, dtype=np.int32), np.empty(pixels, dtype=np.float32)
    sizes, count = np.zeros(faces), 0
    for face in range(faces):
        level = by_bin[1 if shelf[tower + TOWER_HEAD + face] else 0, :, rows[face]]
        for _ in range(shelf[tower + TOWER_HEAD + faces + face]):
            plane, spot = shelf[run] // size, shelf[run] % size
            shift = placed(spot, box) - spot
            for near in range(spot, spot + shelf[run + 1]):
                if hidden[near]:
                    continue
                sizes[face] += clear[near]
                at = shift + near
                if plane < STEPS_PLANE:
                    plain = sheets.ivory[plane * len(sheets.bright) + at]
                elif sheets.anywhere[at] > behind[near]:
                    plain = sheets.anywhere[at] + np.float32(sheets.temper)
                else:
                    # steps are only where they explain more than what is behind them
                    continue
                index[count], score[count] = at, plain + level[sheets.bright[at]]
                count += 1
            run += 2
    return index[:count].copy(), score[:count].copy(), sizes
