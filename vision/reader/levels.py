"""Brightness of flat ivory faces: each face has one level, or two where a shadow crosses it."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats

LOW: Final = -3.4
WIDTH: Final = 0.1
BINS: Final = 41
LEVELS: Final = np.arange(-3.0, 0.46, 0.2)
SPREAD: Final = 0.14
STRAY: Final = 0.16
ROOF_STRAY: Final = 0.07
SHADOW_GAP: Final = 2
DEEPEST: Final = 9
SHADOW_PRICE: Final = 4.0


def binned(brightness: NDArray[np.float32]) -> NDArray[np.uint8]:
    """The bin of every pixel's brightness."""
    index = (brightness - np.float32(LOW)) * np.float32(1 / WIDTH)
    return np.asarray(np.clip(index, 0, BINS - 1).astype(np.uint8))


def _single(stray: float) -> Floats:
    """Density of each bin under each level, with a share of strays."""
    middle = LOW + WIDTH * (np.arange(BINS) + 0.5)
    off = (middle[None, :] - LEVELS[:, None]) / SPREAD
    dense = np.exp(-0.5 * off**2) / (SPREAD * np.sqrt(2 * np.pi))
    # windows, doors and steps are darker than their wall
    darker = (middle[None, :] < LEVELS[:, None] + 0.3) / 2.5
    return np.asarray((1 - stray) * dense + stray * (0.85 * darker + 0.15 / 3.3))


def _rows() -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The lit and the dark level of every table row: single levels, then lit-and-shadowed pairs."""
    count = len(LEVELS)
    pairs = [(k, m) for k in range(count) for m in range(k - SHADOW_GAP, max(-1, k - DEEPEST), -1)]
    lit = np.array([*range(count), *(k for k, _ in pairs)])
    return lit, np.array([*range(count), *(m for _, m in pairs)])


LIT, DARK = _rows()


def _table(stray: float) -> Floats:
    """Log density of every bin under every row."""
    single = _single(stray)
    return np.asarray(np.log(0.5 * single[LIT] + 0.5 * single[DARK]))


# walls have windows, doors and steps; roofs are plain
TABLE: Final = np.stack((_table(ROOF_STRAY), _table(STRAY)))
PAIRED: Final = LIT != DARK
LIT_LEVEL: Final = LEVELS[LIT]
# nearly black ivory is rare: dark tables are not towers in deep shadow
DARKNESS: Final = 8.0 * np.maximum(0.0, -1.9 - LIT_LEVEL)


def prior(mean: Floats, deviation: Floats) -> Floats:
    """Log prior of every table row for faces of expected brightness (F,) and spread (F,)."""
    off = (LIT_LEVEL[None, :] - mean[:, None]) / deviation[:, None]
    # a face wholly in shadow is a level far below the expected one: a broad second branch
    below = np.where(LIT_LEVEL[None, :] < mean[:, None], -2.0, -6.0) - DARKNESS[None, :]
    base = np.logaddexp(-0.5 * off**2, below)
    return np.asarray(base - np.where(PAIRED, SHADOW_PRICE, 0.0)[None, :])
