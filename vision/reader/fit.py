"""Scores one cell's pile against a picture's evidence, given what stands before and behind it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from vision.reader.evidence import FIRST_SHADING, TEMPER, Evidence, Flat, bearing_prior
from vision.reader.levels import BINS, LIT, TABLE, prior
from vision.reader.shapes import Crown, Raster, Shapes, Stand
from vision.reading import DOME, Content

ROWS: Final = (TABLE * TEMPER).astype(np.float32)
ROWS_T: Final = np.ascontiguousarray(ROWS.T)
OFFSET_WIDTH: Final = 1.8
TURN_WIDTH: Final = 2.6
TURN_TAIL: Final = -4.0
CROWN_WIDTH: Final = 2.0
PRICE: Final = {"block": 0.6, "dome": 1.2, "worker": 2.0}
HALF: Final = np.float32(np.log(2.0))


@dataclass(frozen=True)
class Fit:
    """One pile as it explains the picture: content, stand, crown's offset, gain over an empty cell."""

    content: Content
    stand: Stand
    crown: tuple[int, int]
    gain: float
    index: NDArray[np.int32]
    score: Flat
    levels: Floats = field(default_factory=lambda: np.empty((0, 3)))


NOTHING: Final = Fit(
    Content(0), Stand(), (0, 0), 0.0, np.empty(0, dtype=np.int32), np.empty(0, dtype=np.float32)
)


@dataclass
class Ledger:
    """A picture's evidence with the light as it is understood so far."""

    evidence: Evidence
    shapes: Shapes
    shading: Floats = field(default_factory=FIRST_SHADING.copy)

    def tower(
        self, raster: Raster, hidden: NDArray[np.bool_], behind: Flat
    ) -> tuple[float, NDArray[np.int32], Flat, Floats]:
        """Gain of a tower's visible pixels, those pixels, their scores, and each face's level."""
        seen = np.flatnonzero(~hidden.take(raster.index))
        index, slot, code = raster.index[seen], raster.slot[seen], raster.code[seen]
        faces = len(raster.kinds)
        bins = self.evidence.bins.take(index)
        counts = np.bincount(slot.astype(np.intp) * BINS + bins, minlength=faces * BINS)
        table = counts.reshape(faces, BINS).astype(np.float32)
        mean, wide = bearing_prior(raster.kinds, raster.bearings, self.shading)
        total = table @ ROWS_T + prior(mean, wide).astype(np.float32)
        row = total.argmax(axis=1)
        size = table.sum(axis=1)
        best = np.where(size > 0, total[np.arange(faces), row], 0.0)
        plain = self.evidence.ivory.take(code)
        gain = float(best.sum() + plain.sum() - behind.take(index).sum())
        score = plain + ROWS[row[slot], bins]
        levels = np.column_stack((raster.kinds, LIT_LEVEL[row], size, raster.bearings))
        return gain, index, score, levels

    def crown(self, crown: Crown, top: str, hidden: NDArray[np.bool_], under: Flat) -> tuple[float, Flat]:
        """Gain of a dome's or worker's visible pixels over what is under them, and their scores."""
        field_ = self.evidence.dome if top == DOME else self.evidence.workers[top]
        seen = ~hidden.take(crown.index)
        own = field_.take(crown.index)
        gain = float(((own - under.take(crown.index)) * seen).sum())
        if len(crown.fringe):
            free = ~hidden.take(crown.fringe)
            below, mine = under.take(crown.fringe), field_.take(crown.fringe)
            gain += float(((np.logaddexp(mine, below) - HALF * TEMPER - below) * free).clip(min=-0.3).sum())
        return gain, own


LIT_LEVEL: Final = np.asarray(-2.2 + 0.14 * LIT, dtype=np.float64)


def stand_price(stand: Stand) -> float:
    """How unlikely a hand puts a tower down so."""
    price = 0.5 * (stand.x**2 + stand.y**2) / OFFSET_WIDTH**2
    for turn in stand.turns:
        price -= float(np.logaddexp(-0.5 * (turn / TURN_WIDTH) ** 2, TURN_TAIL))
    return price


def crown_price(place: tuple[int, int]) -> float:
    """How unlikely a dome or worker stands so far from the middle of its tower."""
    return 0.5 * (place[0] ** 2 + place[1] ** 2) / CROWN_WIDTH**2


def content_price(content: Content) -> float:
    """A small price on every piece, so that a piece must be worth its pixels."""
    top = 0.0 if not content.top else PRICE["dome"] if content.top == DOME else PRICE["worker"]
    return PRICE["block"] * content.height + top


@dataclass
class Site:
    """One cell's surroundings: which pixels nearer piles hide, and what stands behind."""

    ledger: Ledger
    cell: int
    hidden: NDArray[np.bool_]
    behind: Flat

    def fit(self, content: Content, stand: Stand, place: tuple[int, int]) -> Fit:
        """Score one content standing so."""
        hidden, gain = self.hidden, -content_price(content)
        crown: Crown | None = None
        if content.top:
            x, y = (stand.x + place[0], stand.y + place[1]) if content.height else place
            crown = self.ledger.shapes.crown(self.cell, content.height, content.top == DOME, x, y)
            gain -= crown_price(place)
        index, score = NOTHING.index, NOTHING.score
        levels = NOTHING.levels
        under = self.behind
        if content.height:
            raster = self.ledger.shapes.tower(self.cell, content.height, stand)
            if crown is not None:
                hidden = hidden.copy()
                hidden[crown.index] = True
            more, index, score, levels = self.ledger.tower(raster, hidden, self.behind)
            gain += more - stand_price(stand)
        if crown is not None:
            if content.height:
                under = self.behind.copy()
                under[index] = score
            # under the crown's own pixels lies what is behind the pile: the tower left them out
            more, own = self.ledger.crown(crown, content.top, self.hidden, under)
            gain += more
            index, score = np.concatenate((index, crown.index)), np.concatenate((score, own))
        return Fit(content, stand, place, gain, index, score, levels)
