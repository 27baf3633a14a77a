"""The printed mat for the simulated table: the same squares as in the PDF."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from calibration.camera import Floats
from calibration.mat import MatLayout, black_squares
from vision.simulator.ground import Sheet

DOTS_PER_MM: Final = 3.0
PAPER: Final = (232, 236, 238)
INK: Final = (26, 26, 26)


def mat_sheet(
    layout: MatLayout, pitch_mm: float, shift: tuple[float, float] = (0.0, 0.0), turn: float = 0.0
) -> Sheet:
    """Draw the mat as it lies under the board: moved by so many mm and turned by so many degrees."""
    reach = 1.05 * float(np.hypot(*layout.sheet)) / 2 + max(map(abs, shift))
    side = round(2 * reach * DOTS_PER_MM)
    picture, mask = np.full((side, side, 3), PAPER, np.uint8), np.zeros((side, side), np.uint8)
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))

    def dots(left: float, low: float, right: float, high: float) -> Floats:
        box = np.array([[left, low], [right, low], [right, high], [left, high]])
        flat = box @ np.array([[c, s], [-s, c]]) + shift
        return np.asarray(np.column_stack((flat[:, 0] + reach, reach - flat[:, 1])) * DOTS_PER_MM - 0.5)

    wide, high = layout.sheet[0] / 2, layout.sheet[1] / 2
    cv2.fillConvexPoly(
        mask, np.rint(dots(-wide, -high, wide, high) * 16).astype(np.int32), 255, cv2.LINE_AA, 4
    )
    for box in black_squares(layout):
        cv2.fillConvexPoly(picture, np.rint(dots(*box) * 16).astype(np.int32), INK, cv2.LINE_8, 4)
    return Sheet(picture, mask, reach / pitch_mm)
