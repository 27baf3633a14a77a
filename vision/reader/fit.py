"""One cell's pile as it explains the picture, and how likely a hand puts it down so."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import exp, log1p
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.solids import Pile
from vision.reader.compiled import Levels, Sheets
from vision.reader.evidence import FIRST_SHADING, TEMPER, Evidence, Flat
from vision.reader.levels import TABLE, prior
from vision.reader.shapes import BEARINGS, OFFSET_STEP, STEPPED, TURN_STEP, Shapes, Stand
from vision.reading import DOME, Content

OFFSET_WIDTH: Final = 1.8
QUARTER: Final = 36
CROWN_WIDTH: Final = 2.0
PRICE: Final = {"block": 0.6, "dome": 1.2, "worker": 2.0}


def wrapped(turn: int) -> int:
    """A turn of a square, between -45 and 45 degrees in steps of 2.5."""
    return (turn + QUARTER // 2) % QUARTER - QUARTER // 2


def turn_prices(width: float, tail: float) -> tuple[float, ...]:
    """How unlikely each turn of a block is: narrowly around none, or by any angle."""
    narrow = [-0.5 * (wrapped(turn) / width) ** 2 for turn in range(QUARTER)]
    return tuple(-max(near, tail) - log1p(exp(-abs(near - tail))) for near in narrow)


# a block on the ground, and one that the recess of another holds
ON_GROUND: Final = turn_prices(2.6, -4.0)
ON_ANOTHER: Final = turn_prices(1.3, -5.5)
# roofs and walls, by bin, the last of which is for pixels that do not count; then by level
BY_BIN: Final = np.ascontiguousarray(
    np.pad((TABLE * TEMPER).astype(np.float32), ((0, 0), (0, 0), (0, 1))).transpose(0, 2, 1)
)
Place = tuple[int, int]
Spec = tuple[Content, Stand, Place]


class Trial(NamedTuple):
    """A content, its stand, its crown's offset, its gain over an empty cell."""

    content: Content
    stand: Stand
    crown: Place
    gain: float

    @property
    def spec(self) -> Spec:
        """What was tried."""
        return self.content, self.stand, self.crown


@dataclass(frozen=True, eq=False)
class Fit:
    """A trial taken for true: the pixels it covers, how well it explains them, its faces' levels."""

    trial: Trial
    index: NDArray[np.int32]
    score: Flat
    levels: Floats = field(default_factory=lambda: np.empty((0, 3)))

    @property
    def content(self) -> Content:
        """What stands there."""
        return self.trial.content

    @property
    def stand(self) -> Stand:
        """How its tower stands."""
        return self.trial.stand

    @property
    def crown(self) -> Place:
        """How far from the middle of its tower its top piece stands."""
        return self.trial.crown

    @property
    def gain(self) -> float:
        """Its gain over an empty cell."""
        return self.trial.gain


BARE: Final = Trial(Content(0), Stand(), (0, 0), 0.0)
NOTHING: Final = Fit(BARE, np.empty(0, dtype=np.int32), np.empty(0, dtype=np.float32))


def pile_of(cell: int, spec: Spec) -> Pile:
    """A content as it stands in a cell: its pieces in space."""
    content, stand, (x, y) = spec
    one, two, three = (TURN_STEP * turn for turn in (*stand.turns, 0, 0, 0)[:3])
    return Pile(
        cell,
        content.height,
        content.top,
        (stand.x * OFFSET_STEP, stand.y * OFFSET_STEP),
        (one, two, three),
        top_shift=(x * OFFSET_STEP, y * OFFSET_STEP),
    )


def shaded(shading: Floats) -> NDArray[np.float32]:
    """Log prior of every level for roofs (row 0), walls by bearing, and (flat) the lowest block's steps."""
    around = np.arange(BEARINGS) * (2 * np.pi / BEARINGS)
    roof, roof_wide, wall, east, north, wall_wide = (float(v) for v in shading)
    mean = np.concatenate(([roof], wall + east * np.cos(around) + north * np.sin(around)))
    wide = np.concatenate(([roof_wide], np.full(BEARINGS, wall_wide)))
    rows = prior(mean, wide).astype(np.float32)
    return np.concatenate((rows, np.zeros((1 + STEPPED - len(rows), rows.shape[1]), dtype=np.float32)))


@dataclass
class Veil:
    """Pixels of the whole picture that nearer piles hide."""

    hidden: NDArray[np.bool_]


@dataclass
class Ledger:
    """A picture's evidence with the light as it is understood so far."""

    evidence: Evidence
    shapes: Shapes
    levels: Levels = field(default_factory=lambda: Levels(BY_BIN, shaded(FIRST_SHADING)))

    @cached_property
    def paints(self) -> dict[str, int]:
        """Which sheet of paint each top piece has."""
        return {top: place for place, top in enumerate((DOME, *self.evidence.workers))}

    @cached_property
    def sheets(self) -> Sheets:
        """The evidence as the compiled loops take it."""
        evidence = self.evidence
        paints = np.stack((evidence.dome, *evidence.workers.values()))
        return Sheets(evidence.ivory, evidence.ivory_any, evidence.bins, paints, TEMPER)

    def relight(self, shading: Floats) -> None:
        """Expect faces to be as bright as others turned to the light in the same way."""
        self.levels = Levels(BY_BIN, shaded(shading))


@lru_cache(maxsize=50_000)
def price(height: int, top: str, stand: Stand, place: Place) -> float:
    """How unlikely such a pile is before the picture is looked at."""
    total = content_price(Content(height, top))
    if height:
        total += stand_price(stand)
    return total + crown_price(*place) if top else total


def stand_price(stand: Stand) -> float:
    """How unlikely a hand puts a tower down so."""
    total, below, prices = 0.5 * (stand.x**2 + stand.y**2) / OFFSET_WIDTH**2, 0, ON_GROUND
    for turn in stand.turns:
        total += prices[(turn - below) % QUARTER]
        below, prices = turn, ON_ANOTHER
    return total


def crown_price(x: int, y: int) -> float:
    """How unlikely a dome or worker stands so far from the middle of its tower."""
    return 0.5 * (x**2 + y**2) / CROWN_WIDTH**2


def content_price(content: Content) -> float:
    """A small price on every piece, so that a piece must be worth its pixels."""
    top = 0.0 if not content.top else PRICE["dome"] if content.top == DOME else PRICE["worker"]
    return PRICE["block"] * content.height + top
