"""Scores many piles of one cell at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from threading import Thread
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.reader import compiled, covering, evidence, filling, shadows, turning
from vision.reader.compiled import Levels, Plot, Sheets
from vision.reader.painted import NOTHING_AT, TOWER_HEAD, Shelf
from vision.reader.shapes import Box, Index

UNPAINTED: Final = -1


# what is to be scored: where on the shelf its tower and its top piece are, and what paint that has
Pile = tuple[int, int, int]
EMPTY: Final[Pile] = (NOTHING_AT, NOTHING_AT, UNPAINTED)


def scored(plot: Plot, levels: Levels, shelf: Shelf, piles: Sequence[Pile]) -> list[float]:
    """How well each pile explains the picture against what is behind it, but for its prices."""
    gains: list[float] = compiled.scored(
        shelf.numbers, np.array(piles, dtype=np.int64), plot, levels
    ).tolist()
    return gains


def levels_of(plot: Plot, levels: Levels, shelf: Shelf, pile: Pile) -> NDArray[np.int64]:
    """The likeliest level of every face of a pile's tower."""
    return compiled.faces_of(shelf.numbers, np.array(pile, dtype=np.int64), plot, levels)


def looks_of(shelf: Shelf, tower: int) -> Index:
    """How every face of a tower looks."""
    return shelf.numbers[tower + TOWER_HEAD : tower + TOWER_HEAD + shelf.numbers[tower]]


@cache
def prime() -> None:
    """Have everything compiled (or loaded from where it is kept) before the first picture is read."""
    one, none = np.zeros(1, dtype=np.float32), np.zeros(1, dtype=np.uint8)
    levels = Levels(np.zeros((2, 2, 1), dtype=np.float32), np.zeros((1, 1), dtype=np.float32))
    sheets = Sheets(np.tile(one, 3), one, none, one[None], 1.0)
    plot = Plot(one, *compiled.laid(sheets, one, one, 2, Box(0, 0, 1, 1, 1)), 1.0)
    looks = np.zeros(256, dtype=np.uint8)
    corners, whole = np.zeros((3, 2), dtype=np.int32), np.zeros(1, dtype=np.int64)
    filling.fill(none[None], corners, 1)
    filling.fill_faces(none[None], corners, (whole, whole, none), np.zeros(1, dtype=np.bool_), whole, 0)
    dots = np.zeros((3, 3))
    turning.turned(dots, whole[[0, 0, 0]], dots[0], 0.0, 0.0, dots)
    turning.faced(dots[:, :2].copy(), (whole, whole, whole), dots[0], np.zeros(1, dtype=np.bool_), dots[0])
    filling.fill_shadows(none[None], dots, np.array([3]), (0.0, 0.0, 0.0), (1, 1.0))
    sheet = np.zeros((1, 1, 3), dtype=np.float32)
    evidence.likeliest_shade(sheet[0], sheet, sheet, one[None], one)
    shadows.explained(one[None], one[None], one[None], 1.0)
    shelf = Shelf(4)
    shelf.put_tower(none[None], looks, (1, 2, 3), (1, 1, 0, 0))
    shelf.put_top(none[None], (1, 1, 0, 0))
    scored(plot, levels, shelf, [EMPTY])
    rows = levels_of(plot, levels, shelf, EMPTY)
    hidden, box = np.zeros(1, dtype=np.bool_), Box(0, 0, 1, 1, 1)
    covering.hide(hidden, shelf.numbers[:1])
    covering.lay(one, box, shelf.numbers[:1], one)
    covering.coloured(shelf.numbers, rows, sheets, hidden, box)
    around = (hidden, one, one)
    covering.explained(shelf.numbers, NOTHING_AT, rows, sheets, levels.by_bin, around, box)


def primed_aside() -> Thread:
    """Prime in a thread of its own, while somebody still sets the camera up: it may take seconds."""
    thread = Thread(target=prime, name="prime", daemon=True)
    thread.start()
    return thread
