"""Scores many piles of one cell at once."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cache
from threading import Thread
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.reader import compiled
from vision.reader.compiled import Levels, Plot, Sheets, Tops, Towers
from vision.reader.shapes import NONE, Box, Crown, Index, Raster

Places = NDArray[np.int64]
NO_PLACES: Final[Places] = np.empty(0, dtype=np.int64)
NOWHERE: Final = Raster(Box(0, 0, 1, 1, 1), NONE, NO_PLACES, NO_PLACES)
NO_TOP: Final = (NONE, NONE, NONE)


class Pile(NamedTuple):
    """What is to be scored: a tower, perhaps none, and the top piece on it, perhaps none, in some paint."""

    tower: Raster
    crown: Crown | None = None
    paint: int = -1


class Score(NamedTuple):
    """What a pile's pixels gain over what is behind them, and the level chosen for each face."""

    gain: float
    rows: Places


def scored(plot: Plot, levels: Levels, piles: Sequence[Pile]) -> list[Score]:
    """How well each pile explains the picture against what is behind it, but for its prices."""
    number: dict[Raster, int] = {}
    tower, paint = [], []
    parts: list[Index] = []
    for pile in piles:
        tower.append(number.setdefault(pile.tower, len(number)))
        paint.append(pile.paint)
        parts += pile.crown.parts if pile.crown else NO_TOP
    towers = Towers(
        np.concatenate([raster.code for raster in number]),
        np.concatenate([raster.lengths for raster in number]),
        np.concatenate([raster.look for raster in number]),
        np.array([len(raster.look) for raster in number]),
        np.array([len(raster.code) for raster in number]),
    )
    ends = np.cumsum([len(part) for part in parts])
    faces = [0, *itertools.accumulate(len(pile.tower.look) for pile in piles)]
    tops = Tops(np.array(tower), np.array(paint), np.concatenate(parts), ends, np.array(faces))
    gains, rows = compiled.scored(towers, tops, plot, levels)
    return [Score(gain, rows[a:b]) for gain, (a, b) in zip(gains.tolist(), itertools.pairwise(faces))]


@cache
def prime() -> None:
    """Have everything compiled (or loaded from where it is kept) before the first picture is read."""
    one, none = np.zeros(1, dtype=np.float32), np.zeros(1, dtype=np.uint8)
    levels = Levels(np.zeros((2, 2, 1), dtype=np.float32), np.zeros((1, 1), dtype=np.float32))
    sheets = Sheets(np.tile(one, 3), one, none, one[None], 1.0)
    plot = Plot(one, *compiled.laid(sheets, one, one, 2, Box(0, 0, 1, 1, 1)), 1.0)
    looks = np.zeros(256, dtype=np.uint8)
    compiled.numbered(none[None], looks, (1, 2, 3), (1, 1, 0, 0))
    compiled.sorted_out(none[None], looks, looks, 3, (1, 1, 0, 0))
    scored(plot, levels, [Pile(NOWHERE)])


def primed_aside() -> Thread:
    """Prime in a thread of its own, while somebody still sets the camera up: it may take seconds."""
    thread = Thread(target=prime, name="prime", daemon=True)
    thread.start()
    return thread
