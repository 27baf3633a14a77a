"""How soft a picture is, told by the edges of the white printed wall, without another picture to compare."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.lines import STEP, inside, probes
from calibration.pieces import BoardPrint
from calibration.view import LINEAR

# so far to both sides of the wall, in pitches; wide enough for grass and wall, narrow enough for one line
REACH: Final = 0.16
# edges of less contrast, or burnt out, tell nothing
CONTRAST: Final = 0.25
BURNT: Final = 0.95
FEWEST: Final = 40
RED: Final = 2
ROOT: Final = float(np.sqrt(2 * np.pi))


def edge_width(picture: NDArray[np.uint8], camera: Camera, board: BoardPrint) -> float:
    """How wide the edges of the outer wall are, as a Gaussian's deviation in pixels; 0 if none can tell."""
    probe = probes(board)
    wall = probe.wall & inside(camera, probe.spots)
    offsets = np.arange(-REACH, REACH + STEP / 4, STEP / 2)
    places = probe.spots[wall][:, None] + offsets[None, :, None] * probe.across[wall][:, None]
    dots = camera.project(places).astype(np.float32)
    # grass is dark in red, the wall is bright
    light = np.asarray(
        cv2.remap(LINEAR[picture[..., RED]], dots[..., 0], dots[..., 1], cv2.INTER_LINEAR), dtype=np.float32
    )
    steps = np.linalg.norm(np.diff(dots, axis=1), axis=2)
    half = len(offsets) // 2
    found = [*widths(light[:, : half + 1], steps[:, :half]), *widths(light[:, half:], steps[:, half:])]
    return float(np.median(found)) if len(found) >= FEWEST else 0.0


def widths(light: NDArray[np.float32], steps: NDArray[np.float32]) -> NDArray[np.float64]:
    """The width of the one edge in each row of samples, from its contrast and its steepest place."""
    bright = light.max(axis=1)
    contrast = bright - light.min(axis=1)
    steepest = (np.abs(np.diff(light, axis=1)) / np.maximum(steps, 1e-6)).max(axis=1)
    fair = (contrast > CONTRAST * bright) & (bright < BURNT) & (steepest > 0)
    return np.asarray(contrast[fair] / steepest[fair] / ROOT, dtype=np.float64)
