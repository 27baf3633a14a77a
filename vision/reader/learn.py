"""Learns this table's colours slowly, from boards that somebody has confirmed and from nothing else."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.build import Palette
from calibration.camera import Floats
from calibration.colours import Colour, robust_mean
from calibration.light import FLOOR
from calibration.view import Light
from vision.reader.search import Search
from vision.reader.shapes import Index
from vision.reading import DOME, Board

# of a face so many pixels at most, of a kind so many at least
PER_FACE: Final = 80
FEW: Final = 12
LEAST: Final = 60
WHOLE: Final = 0.7
INNER: Final = np.ones((5, 5), dtype=np.uint8)
UNSURE: Final = 1
# what was seen fades with every confirmed picture, and counts against what the calibration rests on
FADE: Final = 0.8
MOST: Final = 1500.0
HOLD: Final = 600.0
# so far a colour may be off, in its own deviations, before it is followed; and so far it may go
SLACK: Final = 0.5
FARTHEST: Final = 1.5
# the ground: a step towards what is nearly as it was (a shadow is not), and its bound
STEP: Final = np.float32(0.2)
ALIKE: Final = np.float32(0.15)
DRIFT: Final = np.float32(0.3)

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Memory:
    """What confirmed pictures have shown of one colour: a fading count and a mean."""

    count: float
    mean: Floats

    def with_more(self, values: Floats) -> Memory:
        """One more confirmed picture; the older ones fade."""
        middle, _, inside = robust_mean(values)
        old, new = FADE * self.count, float(inside.sum())
        return Memory(min(old + new, MOST), (old * self.mean + new * middle) / (old + new))


NOTHING_SEEN: Final = Memory(0.0, np.zeros(3))


def held(start: Colour, memory: Memory) -> Colour:
    """The calibrated colour moved towards what was seen since; never far, and not for a trifle."""
    share = memory.count / (memory.count + HOLD + start.samples)
    off = memory.mean - np.array(start.mean)
    wide = np.sqrt(np.diag(np.array(start.cover)))
    off = np.sign(off) * np.clip(np.abs(off) - SLACK * wide, 0.0, FARTHEST * wide)
    g, a, b = (float(v) for v in np.array(start.mean) + share * off)
    return replace(start, mean=(g, a, b))


@dataclass
class Learned:
    """The colours of one table, followed from the calibrated ones through confirmed boards."""

    origin: Palette
    memory: dict[str, Memory] = field(default_factory=dict)
    palette: Palette = field(init=False)

    def __post_init__(self) -> None:
        self.palette = self.origin

    @property
    def named(self) -> tuple[str, ...]:
        """The sides whose calibrated colour rests on its name alone."""
        return tuple(side for side, shade in self.origin.workers.items() if not shade.samples)

    def take(self, found: Mapping[str, Floats]) -> None:
        """Remember one confirmed picture's colours, by kind."""
        for kind, values in found.items():
            self.memory[kind] = self.memory.get(kind, NOTHING_SEEN).with_more(values)
        start = self.origin
        self.palette = replace(
            start,
            top=self._now("top", start.top),
            side=self._now("side", start.side),
            dome=self._now(DOME, start.dome),
            workers={side: self._now(side, shade) for side, shade in start.workers.items()},
        )

    def _now(self, kind: str, start: Colour) -> Colour:
        return held(start, self.memory[kind]) if kind in self.memory else start


def samples(search: Search, board: Board, fair: Mask, named: Collection[str] = ()) -> dict[str, Floats]:
    """The features well inside the faces of confirmed pieces, by kind."""
    evidence = search.ledger.evidence
    features = evidence.features.reshape(-1, 3)
    sheet, kinds = faces(search, board, named)
    wide, high = evidence.size
    picture = sheet.reshape(high, wide)
    inner = (cv2.erode(picture, INNER) == cv2.dilate(picture, INNER)).ravel()
    found: dict[str, list[Floats]] = {}
    for mark, kind in kinds.items():
        index = np.flatnonzero(inner & (sheet == mark))
        # of ivory that is partly burnt out only its darker part is left: that is not its colour
        whole = kind not in ("top", "side") or (len(index) and fair[index].mean() > WHOLE)
        index = index[fair[index]]
        if whole and len(index) >= FEW:
            index = index[:: max(1, len(index) // PER_FACE)]
            found.setdefault(kind, []).append(features[index].astype(np.float64))
    joined = {kind: np.vstack(rows) for kind, rows in found.items()}
    return {kind: rows for kind, rows in joined.items() if len(rows) >= LEAST}


def faces(search: Search, board: Board, named: Collection[str]) -> tuple[NDArray[np.uint16], dict[int, str]]:
    """Which face of which piece every pixel shows, and its kind; a cell read otherwise is unsure.

    Of workers whose colour is known by its name alone (`named`) sight was not to be believed: the board is.
    """
    sheet: NDArray[np.uint16] = np.zeros(search.geometry.shapes.pixels, dtype=np.uint16)
    kinds: dict[int, str] = {}
    for cell in search.geometry.order:
        fit, content = search.fits[cell], board[cell]
        sheet[fit.index] = UNSURE
        if fit.content == content and len(fit.index):
            tower(search, cell, sheet, kinds)
            crown(search, cell, content.top, sheet, kinds)
        elif fit.content.height == content.height and content.top in named:
            crown(search, cell, content.top, sheet, kinds)
    return sheet, kinds


def tower(search: Search, cell: int, sheet: NDArray[np.uint16], kinds: dict[int, str]) -> None:
    """Paint a tower's faces."""
    fit = search.fits[cell]
    if not fit.content.height:
        return
    raster = search.geometry.shapes.tower(cell, fit.content.height, fit.stand)
    first = 2 + len(kinds)
    sheet[raster.skirt] = UNSURE
    sheet[raster.index] = first + raster.slot
    kinds |= {first + slot: "side" if look else "top" for slot, look in enumerate(raster.look)}


def crown(search: Search, cell: int, top: str, sheet: NDArray[np.uint16], kinds: dict[int, str]) -> None:
    """Paint a dome or a worker; what is close around a worker may be its shadow."""
    if not top:
        return
    fit = search.fits[cell]
    height = fit.content.height
    x, y = fit.crown if fit.content.top else (0, 0)
    if height:
        x, y = x + fit.stand.x, y + fit.stand.y
    found = search.geometry.shapes.crown(cell, height, top == DOME, x, y)
    beside: tuple[Index, ...] = (found.ring, found.fringe)
    for index in beside:
        sheet[index] = UNSURE
    kinds[2 + len(kinds)] = top
    sheet[found.index] = 1 + len(kinds)


def followed(level: Light, now: Light, first: Light, free: Mask) -> Light:
    """The bare ground a small step nearer to a confirmed picture, where its light is nearly as it was."""
    old, new, start = (np.log(one.reshape(-1, 3) + np.float32(FLOOR)) for one in (level, now, first))
    off = new - old
    near = free & (np.abs(off).max(axis=1) < ALIKE)
    moved = np.where(near[:, None], np.clip(old + STEP * off, start - DRIFT, start + DRIFT), old)
    return np.asarray((np.exp(moved) - np.float32(FLOOR)).reshape(level.shape), dtype=np.float32)
