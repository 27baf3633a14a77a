"""A closer look at a picture in doubt: read once more at the camera's own grain, where slivers show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision.reader.evidence import ground_of
from vision.reader.fit import content_price
from vision.reader.search import Search
from vision.reader.setting import Setting, setting_of
from vision.reading import Board

FINE_PITCH: Final = 90.0
"""So many pixels a cell, if the camera has as many."""
FINER: Final = 1.3
"""With fewer times the pixels there is nothing more to be seen."""


@dataclass(frozen=True)
class Closer:
    """One picture at two grains; errors of the two go together, so their mean counts, not their sum."""

    usual: Search
    fine: Search
    grain: float
    """How many times the pixels are looked at."""

    def best(self, rivals: Sequence[Board]) -> Board:
        """Of the two boards that were read and some rivals, the one that explains the picture best."""
        boards = [*(tuple(fit.content for fit in search.fits) for search in (self.usual, self.fine)), *rivals]
        return max(zip(self.weigh(boards), boards, strict=True), key=lambda pair: pair[0])[1]

    def weigh(self, boards: Sequence[Board]) -> tuple[float, ...]:
        """Joint log-likelihoods of whole boards; a pixel says the less the more there are."""
        return tuple(
            0.5 * (self.usual.joint(board) + self.fine.joint(board) / self.grain)
            + 0.5 * (1 + 1 / self.grain) * sum(map(content_price, board))
            for board in boards
        )


def finer(setting: Setting) -> Setting | None:
    """Prepare the same calibration at a finer grain; None where the camera shows no more than is used."""
    found = setting_of(setting.calibration, FINE_PITCH)
    return found if grain_of(found, setting) >= FINER else None


def grain_of(fine: Setting, usual: Setting) -> float:
    """How many times the pixels one setting has."""
    (wide, high), (less_wide, less_high) = fine.base.view.size, usual.base.view.size
    return wide * high / (less_wide * less_high)


def updated(fine: Setting, usual: Setting) -> Setting:
    """Take over what has been learned of the island's surroundings since the calibration."""
    changed = usual.around & (usual.base.level != usual.first).any(axis=2).ravel()
    if not changed.any() and not usual.unknown.any():
        return fine
    size, shape = fine.base.view.size, usual.base.level.shape[:2]
    wide = cv2.resize(usual.base.level, size, interpolation=cv2.INTER_LINEAR)
    anew, unknown = (
        cv2.resize(mask.reshape(shape).astype(np.uint8), size, interpolation=cv2.INTER_NEAREST).ravel() > 0
        for mask in (changed, usual.unknown)
    )
    level = np.where((anew & fine.around).reshape(*fine.base.level.shape[:2], 1), wide, fine.base.level)
    calibration = fine.calibration
    ground = ground_of(np.asarray(level, dtype=np.float32), calibration.noise, calibration.palette.shadow)
    return replace(fine, base=replace(fine.base, level=level), ground=ground, unknown=unknown)
