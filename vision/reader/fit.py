"""Scores one cell's pile against a picture's evidence, given what stands before and behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from vision.reader.evidence import FIRST_SHADING, TEMPER, Evidence, Flat
from vision.reader.levels import BINS, LIT_LEVEL, TABLE, prior
from vision.reader.shapes import BEARINGS, Crown, Raster, Shapes, Stand
from vision.reading import DOME, Content

ROWS: Final = (TABLE * TEMPER).astype(np.float32)
ROOF_T: Final = np.ascontiguousarray(ROWS[0].T)
WALL_T: Final = np.ascontiguousarray(ROWS[1].T)
OFFSET_WIDTH: Final = 1.8
TURN_WIDTH: Final = 2.6
TURN_TAIL: Final = -4.0
CROWN_WIDTH: Final = 2.0
PRICE: Final = {"block": 0.6, "dome": 1.2, "worker": 2.0}
SLIVER: Final = 15.0
SPILL: Final = 0.8
ON_ROOF: Final = 0.5
STEP_SHARE: Final = 0.9
STEP_PRICE: Final = 1.5
CORE: Final = 0.13
ALIKE: Final = 0.25
BARE: Final = -1.0
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


def shaded(shading: Floats) -> NDArray[np.float32]:
    """Log prior of every level for roofs (row 0) and walls by bearing."""
    around = np.arange(BEARINGS) * (2 * np.pi / BEARINGS)
    roof, roof_wide, wall, east, north, wall_wide = (float(v) for v in shading)
    mean = np.concatenate(([roof], wall + east * np.cos(around) + north * np.sin(around)))
    wide = np.concatenate(([roof_wide], np.full(BEARINGS, wall_wide)))
    return prior(mean, wide).astype(np.float32)


@dataclass
class Veil:
    """Pixels that nearer piles hide, and (1 or 0) those that count: neither hidden nor on their seams."""

    hidden: NDArray[np.bool_]
    clear: Flat


@dataclass
class Ledger:
    """A picture's evidence with the light as it is understood so far."""

    evidence: Evidence
    shapes: Shapes
    prices: NDArray[np.float32] = field(default_factory=lambda: shaded(FIRST_SHADING))

    def tower(
        self, raster: Raster, veil: Veil, behind: Flat
    ) -> tuple[float, NDArray[np.int32], Flat, Floats]:
        """Gain of a tower's visible pixels, those pixels, their scores, and each face's level."""
        seen = np.flatnonzero(~veil.hidden.take(raster.index))
        index, slot = raster.index.take(seen), raster.slot.take(seen)
        clear = veil.clear.take(index)
        faces = len(raster.look)
        bins = slot * BINS + self.evidence.bins.take(index)
        counts = np.bincount(bins, weights=clear, minlength=faces * BINS)
        table = counts.reshape(faces, BINS).astype(np.float32)
        wall = raster.look > 0
        total = np.where(wall[:, None], table @ WALL_T, table @ ROOF_T)
        total += self.prices.take(raster.look, axis=0)
        row = total.argmax(axis=1)
        size = table.sum(axis=1)
        best = np.where(size > 0, total.max(axis=1), 0.0)
        plain = self.evidence.ivory.take(raster.code.take(seen))
        gain = float(best.sum() + (plain - behind.take(index)) @ clear)
        score = plain + ROWS[wall.astype(np.intp), row].ravel().take(bins)
        if len(raster.skirt):
            more, steps, own = self._steps(raster.skirt, veil, behind)
            gain, index, score = gain + more, np.concatenate((index, steps)), np.concatenate((score, own))
        return gain, index, score, np.column_stack((raster.look, LIT_LEVEL[row], size))

    def _steps(
        self, skirt: NDArray[np.int32], veil: Veil, behind: Flat
    ) -> tuple[float, NDArray[np.int32], Flat]:
        """What the lowest block's steps explain better than what is behind them."""
        seen = skirt[~veil.hidden.take(skirt)]
        over = self.evidence.ivory_any.take(seen) - behind.take(seen)
        owned = over > 0
        own = seen[owned]
        clear = veil.clear.take(own)
        # the steps are a face of their own, with a brightness of their own
        bins = self.evidence.bins.take(own)
        total = ROWS[1] @ np.bincount(bins, weights=clear, minlength=BINS).astype(np.float32)
        row = int(total.argmax())
        score = self.evidence.ivory_any.take(own) + np.float32(TEMPER) + ROWS[1, row].take(bins)
        gain = STEP_SHARE * float((score - behind.take(own)) @ clear) - STEP_PRICE
        return max(gain, 0.0), own, score

    def crown(self, crown: Crown, top: str, veil: Veil, under: Flat) -> tuple[float, Flat]:
        """Gain of a dome's or worker's visible pixels over what is under them, and their scores."""
        paint = self.evidence.dome if top == DOME else self.evidence.workers[top]
        own = paint.take(crown.index)
        clear = veil.clear.take(crown.index)
        gain = float((own - under.take(crown.index)) @ clear)
        # slivers beside a nearer pile are bought too easily
        gain -= SLIVER * (1.0 - float(clear.sum()) / max(len(clear), 1)) ** 2
        if len(crown.fringe):
            below, mine = under.take(crown.fringe), paint.take(crown.fringe)
            either = np.logaddexp(mine, below) - HALF * TEMPER - below
            gain += float(either.clip(min=-0.3) @ veil.clear.take(crown.fringe))
        return gain, own

    def spill(self, crown: Crown, top: str, veil: Veil, under: Flat) -> float:
        """How much a figure's colour also fits the ground around it, as it does in some shadows."""
        clear = veil.clear.take(crown.ring)
        total = float(clear.sum())
        if total < 20:
            return 0.0
        over = (self.evidence.workers[top].take(crown.ring) - under.take(crown.ring)).clip(min=0.0)
        return SPILL * float(over @ clear) / total * float(veil.clear.take(crown.index).sum())


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
    """One cell's surroundings: what nearer piles hide of it, and what stands behind."""

    ledger: Ledger
    cell: int
    veil: Veil
    behind: Flat

    def fit(self, content: Content, stand: Stand, place: tuple[int, int]) -> Fit:
        """Score one content standing so."""
        if not content.top:
            return self._bare(content, stand) if content.height else NOTHING
        shapes = self.ledger.shapes
        x, y = (stand.x + place[0], stand.y + place[1]) if content.height else place
        crown = shapes.crown(self.cell, content.height, content.top == DOME, x, y)
        gain = -content_price(content) - crown_price(place)
        if not content.height:
            more, own = self.ledger.crown(crown, content.top, self.veil, self.behind)
            if content.top != DOME:
                more -= self.ledger.spill(crown, content.top, self.veil, self.behind)
            return Fit(content, stand, place, gain + more, crown.index, own)
        # the tower leaves the crown's pixels out; the crown's fringe lies on the tower
        kept = self.veil.hidden.take(crown.index)
        self.veil.hidden[crown.index] = True
        raster = shapes.tower(self.cell, content.height, stand)
        most, index, score, levels = self.ledger.tower(raster, self.veil, self.behind)
        self.veil.hidden[crown.index] = kept
        below = self.behind.take(index)
        self.behind[index] = score
        more, own = self.ledger.crown(crown, content.top, self.veil, self.behind)
        if content.top != DOME:
            more -= ON_ROOF * self.ledger.spill(crown, content.top, self.veil, self.behind)
        self.behind[index] = below
        gain += most + more - stand_price(stand)
        covered = np.concatenate((index, crown.index))
        return Fit(content, stand, place, gain, covered, np.concatenate((score, own)), levels)

    def _bare(self, content: Content, stand: Stand) -> Fit:
        raster = self.ledger.shapes.tower(self.cell, content.height, stand)
        gain, index, score, levels = self.ledger.tower(raster, self.veil, self.behind)
        gain -= content_price(content) + stand_price(stand)
        return Fit(content, stand, (0, 0), gain, index, score, levels)

    def likeliest(self, height: int, stand: Stand, sides: Sequence[str]) -> list[str]:
        """The sides whose colour a worker on such a tower may have: the likeliest and those close to it."""
        if len(sides) < 2:
            return list(sides)
        crown = self.ledger.shapes.crown(self.cell, height, False, stand.x, stand.y)
        seen = crown.index[~self.veil.hidden.take(crown.index)]
        totals = [float(self.ledger.evidence.workers[side].take(seen).sum()) for side in sides]
        bound = max(totals) - ALIKE * TEMPER * len(seen)
        return [side for side, total in zip(sides, totals, strict=True) if total >= bound]

    def surely_bare(self) -> bool:
        """Whether the middle of the cell is in view and looks like its ground."""
        middle = self.ledger.shapes.square(self.cell, CORE)
        seen = middle[~self.veil.hidden.take(middle)]
        if len(seen) < 0.5 * len(middle) or not len(seen):
            return False
        evidence = self.ledger.evidence
        return float((evidence.upper.take(seen) - evidence.ground.take(seen)).sum()) < BARE
