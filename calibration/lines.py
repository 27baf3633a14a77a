"""Finds the printed lines of the board: the white outer wall and the steps between light and dark cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats
from calibration.pieces import BoardPrint

STEP: Final = 0.0125
PER_CELL: Final = 9
MARGIN: Final = 0.12
WALL_CONTRAST: Final = 0.22
STEP_CONTRAST: Final = 0.10
PEAK: Final = 1.15


@dataclass(frozen=True)
class Marks:
    """Places on the board, and where in the picture each was found: pixel and unit normal."""

    spots: Floats
    pixels: Floats
    normals: Floats

    def __len__(self) -> int:
        return len(self.spots)


@dataclass(frozen=True)
class Probe:
    """Sample places along the printed lines, the direction across, and what is to be found there."""

    spots: Floats
    across: Floats
    wall: NDArray[np.bool_]
    sign: Floats


def probes(board: BoardPrint) -> Probe:
    """Where to look: along the four outer walls and the eight lines between cells."""
    along = np.concatenate([c + np.linspace(-0.5 + MARGIN, 0.5 - MARGIN, PER_CELL) for c in range(-2, 3)])
    spots: list[Floats] = []
    across: list[Floats] = []
    wall: list[bool] = []
    sign: list[float] = []
    for axis in (0, 1):
        for at in (-board.wall_at, -1.5, -0.5, 0.5, 1.5, board.wall_at):
            outer = abs(at) > 2
            for u in along:
                spot = (at, u, 0.0) if axis == 0 else (u, at, 0.0)
                spots.append(np.array(spot))
                across.append(np.array((1.0, 0.0, 0.0) if axis == 0 else (0.0, 1.0, 0.0)))
                wall.append(outer)
                # a1 is light: the cell before the line is light when its column + row is even
                parity = round(at - 0.5) + round(float(u))
                sign.append(0.0 if outer else -1.0 if parity % 2 == 0 else 1.0)
    return Probe(np.array(spots), np.array(across), np.array(wall), np.array(sign))


def _profiles(picture: NDArray[Any], camera: Camera, probe: Probe, reach: float) -> tuple[Floats, Floats]:
    """Colours (in logarithm, N x S x 3) across each probe, and the offsets sampled."""
    offsets = np.arange(-reach, reach + STEP / 2, STEP)
    places = probe.spots[:, None, :] + offsets[None, :, None] * probe.across[:, None, :]
    dots = camera.project(places).astype(np.float32)
    colours = cv2.remap(
        picture, dots[..., 0], dots[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(np.log(colours.astype(np.float64) + 8.0)), offsets


def _box(values: Floats, half: int) -> Floats:
    """Running mean over 2 * half + 1 samples along the second axis."""
    kernel = np.full((1, 2 * half + 1), 1.0 / (2 * half + 1))
    return np.asarray(cv2.filter2D(values, cv2.CV_64F, kernel, borderType=cv2.BORDER_REPLICATE))


def _shift(values: Floats, by: int) -> Floats:
    """The samples `by` places further along the second axis, ends repeated."""
    index = np.clip(np.arange(values.shape[1]) + by, 0, values.shape[1] - 1)
    return values[:, index]


def _peak(score: Floats, edge: int) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Sub-sample place and height of each row's best score, and whether it stands away from the ends."""
    inner = score[:, edge : score.shape[1] - edge]
    best = inner.argmax(axis=1) + edge
    rows = np.arange(len(score))
    left, mid, right = score[rows, best - 1], score[rows, best], score[rows, best + 1]
    bend = left - 2 * mid + right
    step = np.where(np.abs(bend) > 1e-9, 0.5 * (left - right) / np.where(bend == 0, 1, bend), 0.0)
    clear = (best > edge) & (best < score.shape[1] - edge - 1)
    return best + np.clip(step, -1, 1), mid, clear


def _responses(colours: Floats, probe: Probe, board: BoardPrint) -> tuple[Floats, Floats, int]:
    """Scores of a white strip and of a light-dark step at every sample."""
    white = 0.5 * (colours[..., 0] + colours[..., 2]) - 0.25 * colours[..., 1]
    half = max(1, round(0.5 * board.wall_width / STEP * 0.8))
    side = max(1, round(0.35 * board.wall_width / STEP))
    gap = half + side + max(1, round(0.1 * board.wall_width / STEP))
    middle, flank = _box(white, half), _box(white, side)
    strip = middle - np.maximum(_shift(flank, gap), _shift(flank, -gap))
    bright = colours[..., 1]
    reach = max(2, round(0.06 / STEP))
    step = (_shift(_box(bright, reach), reach + 1) - _shift(_box(bright, reach), -reach - 1)) * probe.sign[
        :, None
    ]
    return strip, step, max(gap + side, 2 * reach + 1)


def find_marks(picture: NDArray[Any], camera: Camera, board: BoardPrint, reach: float) -> Marks:
    """Look for every printed line within `reach` cell pitches of where the camera expects it."""
    probe = probes(board)
    colours, offsets = _profiles(picture, camera, probe, reach + 0.2)
    strip, step, edge = _responses(colours, probe, board)
    edge = max(edge, round(0.2 / STEP))
    strip_at, strip_high, strip_clear = _peak(strip, edge)
    step_at, step_high, step_clear = _peak(step, edge)
    is_strip = strip_clear & (strip_high > WALL_CONTRAST)
    is_step = ~probe.wall & step_clear & (step_high > STEP_CONTRAST) & (strip_high < 0.5 * WALL_CONTRAST)
    use = is_strip | is_step
    index = np.where(is_strip, strip_at, step_at)
    delta = np.interp(index, np.arange(len(offsets)), offsets)
    return _marks(camera, probe, delta, use & inside(camera, probe.spots))


def inside(camera: Camera, spots: Floats) -> NDArray[np.bool_]:
    """Which board points lie in the picture."""
    dots = camera.project(spots)
    wide, high = camera.size
    return np.asarray((dots[:, 0] > 2) & (dots[:, 1] > 2) & (dots[:, 0] < wide - 3) & (dots[:, 1] < high - 3))


def _marks(camera: Camera, probe: Probe, delta: Floats, use: NDArray[np.bool_]) -> Marks:
    spots, across = probe.spots[use], probe.across[use]
    found = camera.project(spots + delta[use, None] * across)
    along = np.column_stack((-across[:, 1], across[:, 0], np.zeros(len(across))))
    run = camera.project(spots + 0.05 * along) - camera.project(spots - 0.05 * along)
    normals = np.column_stack((-run[:, 1], run[:, 0]))
    lengths = np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    return Marks(spots, found, normals / lengths)
