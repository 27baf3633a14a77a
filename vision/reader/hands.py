"""Finds hands: change anywhere in the picture that neither pieces nor their shadows explain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.noise import Noise
from calibration.view import LINEAR, Light
from vision.reader.evidence import Flat, Ground, features_of, ground_of, ground_score

SHRINK: Final = 0.25
CHANGED: Final = -2.0


@dataclass(frozen=True, eq=False)
class Backdrop:
    """The whole empty picture, small, against the board's white."""

    ground: Ground
    island: NDArray[np.bool_]


def small_level(picture: NDArray[np.uint8], white: NDArray[np.float64]) -> Light:
    """The whole picture, small, in linear light against one white."""
    small = cv2.resize(picture, None, fx=SHRINK, fy=SHRINK, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.LUT(small, LINEAR) / white.astype(np.float32), dtype=np.float32)


def backdrop_of(empty: NDArray[np.uint8], white: NDArray[np.float64], island: NDArray[np.bool_]) -> Backdrop:
    """Prepare the whole empty picture."""
    return Backdrop(ground_of(small_level(empty, white), Noise(3e-5, 8e-4)), island)


def changed(backdrop: Backdrop, picture: NDArray[np.uint8], white: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Where the whole picture is neither as it was nor in shadow; the island left out."""
    score: Flat = ground_score(features_of(small_level(picture, white)), backdrop.ground)
    mask = (score.reshape(backdrop.island.shape) < CHANGED) & ~backdrop.island
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))


def largest(mask: NDArray[np.uint8]) -> int:
    """Pixels of the largest connected patch."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    return int(stats[1:, cv2.CC_STAT_AREA].max()) if len(stats) > 1 else 0
