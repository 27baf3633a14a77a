"""A picture at the camera's own grain: does it have lines where a tower's roof would end (decision 0237)?

Colours are compared at a coarse grain, where rounded edges matter less. Ivory before ivory then leaves
heights open that lines a pixel wide tell: the border of a roof, the edge of its recess, its even floor.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats
from calibration.pieces import RIM_WIDTH, PieceProfile
from calibration.solids import cell_centre, outline
from calibration.view import LINEAR, Light, view_of
from vision.reader.fit import Spec
from vision.reader.shapes import OFFSET_STEP, TURN_STEP

Mask = NDArray[np.bool_]

# so many pixels a pitch, if the camera has as many
GRAIN: Final = 90.0
SMOOTH: Final = 0.8
DARK: Final = 0.02
LOG_LIGHT: Final = np.log(LINEAR + np.float32(DARK))
# how many places along a line, and how far off, in pixels, it is looked for
ALONG: Final = (np.arange(20) + 0.5) / 20
ACROSS: Final = np.arange(-3.0, 3.01, 0.5)
# brightness is compared over so many steps across a line
STEP: Final = 4
# a line of which so many pixels are in view, a floor of which so many places are, tells something
LEAST: Final = 6.0
FEWEST: Final = 20
FLOOR: Final = np.linspace(-0.36, 0.36, 16)
# slopes as small as that are even
EVEN: Final = 0.005
PEAK: Final = 95


class Roof(NamedTuple):
    """Places on a roof, about its middle: along its border, along its recess, and on its floor."""

    lines: Floats
    ways: Floats
    border: Mask
    floor: Floats


@lru_cache(maxsize=64)
def roof_of(profile: PieceProfile, height: int) -> Roof:
    """The lines and the floor of a tower's roof."""
    block = profile.blocks[height - 1]
    sunk = block.floor < block.rim
    plans = [outline(block.shape, block.top_width)]
    if sunk:
        plans.append(outline(block.shape, block.top_width - 2 * RIM_WIDTH))
    starts = np.concatenate(plans)
    ends = np.concatenate([np.roll(plan, -1, axis=0) for plan in plans])
    lines = starts[:, None] + ALONG[None, :, None] * (ends - starts)[:, None]
    border = np.arange(len(starts)) < len(plans[0])
    side = block.top_width * FLOOR
    floor = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    return Roof(lines, 0.5 * (starts + ends), border, floor)


@dataclass(frozen=True, eq=False)
class Crisp:
    """The brightness of one picture's board, logarithm, and the camera that draws there."""

    camera: Camera
    brightness: Light
    slope: Light
    calm: float

    def lines(self, profile: PieceProfile, cell: int, spec: Spec, covered: Mask) -> Floats:
        """How clear the lines of a tower's roof are where it would stand; NaN what is out of sight.

        The border before what is behind, the border before its walls, the edge of the recess, then how uneven
        its floor is, on the whole and at its worst. `covered`: working pixels that something nearer covers.
        """
        content, stand, _ = spec
        roof = roof_of(profile, content.height)
        turn = TURN_STEP * stand.turns[content.height - 1]
        turned = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        middle = np.array(cell_centre(cell)) + OFFSET_STEP * np.array([stand.x, stand.y])
        flat = np.concatenate((roof.lines.reshape(-1, 2), roof.floor)) @ turned + middle
        dots = self.camera.project(np.column_stack((flat, np.full(len(flat), profile.rim(content.height)))))
        shown = ~self._of(covered, dots)
        count = roof.lines.shape[0] * roof.lines.shape[1]
        lines = dots[:count].reshape(roof.lines.shape)
        clear = self._clear(lines, shown[:count].reshape(lines.shape[:2]))
        near = (self.camera.place[:2] - middle - roof.ways @ turned) * (roof.ways @ turned)
        facing = near.sum(axis=1) > 0
        kinds = (roof.border & ~facing, roof.border & facing, ~roof.border)
        floor = self._floor(dots[count:][shown[count:]])
        return np.array([*(mean_of(clear, kind) for kind in kinds), *floor])

    def _of(self, covered: Mask, dots: Floats) -> Mask:
        """Which places something nearer covers, or the picture does not show."""
        high, wide = covered.shape
        scale = np.array([wide, high]) / np.array(self.camera.size)
        x, y = np.rint((dots + 0.5) * scale - 0.5).astype(np.intp).T
        inside = (x >= 0) & (x < wide) & (y >= 0) & (y < high)
        return np.asarray(~inside | covered[y.clip(0, high - 1), x.clip(0, wide - 1)])

    def _clear(self, lines: Floats, shown: Mask) -> Floats:
        """How clear each line is, and how many pixels of it are in view: (E, 2)."""
        along = lines[:, -1] - lines[:, 0]
        length = np.hypot(along[:, 0], along[:, 1])[:, None] + 1e-6
        across = np.stack((-along[:, 1], along[:, 0]), axis=1) / length
        at = lines[:, :, None] + ACROSS[:, None] * across[:, None, None]
        seen = self._seen(self.brightness, at) * shown[..., None]
        mean = seen.sum(axis=1) / np.maximum(shown.sum(axis=1), 1)[:, None]
        step = np.abs(mean[:, STEP:] - mean[:, :-STEP]).max(axis=1) / 2
        return np.column_stack((np.log1p(step / self.calm), length[:, 0] * shown.mean(axis=1)))

    def _floor(self, dots: Floats) -> tuple[float, float]:
        """How uneven a roof's floor is, on the whole and at its worst."""
        if len(dots) < FEWEST:
            return np.nan, np.nan
        slope = self._seen(self.slope, dots[None]) / self.calm
        return float(np.log1p(slope.mean())), float(np.log1p(np.percentile(slope, PEAK)))

    @staticmethod
    def _seen(sheet: Light, at: Floats) -> Light:
        """What a sheet shows at places of the picture."""
        x, y = np.moveaxis(at.reshape(-1, at.shape[-2], 2).astype(np.float32), -1, 0)
        seen = cv2.remap(sheet, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen, dtype=np.float32).reshape(at.shape[:-1])


def mean_of(clear: Floats, kind: Mask) -> float:
    """How clear the lines of one kind are on the whole; NaN out of sight."""
    weight = clear[kind, 1]
    return float(clear[kind, 0] @ weight / weight.sum()) if weight.sum() > LEAST else np.nan


def crisp_of(picture: NDArray[np.uint8], camera: Camera, profile: PieceProfile) -> Crisp:
    """Prepare a picture's board at the camera's own grain."""
    view = view_of(camera, profile, GRAIN)
    grey = cv2.cvtColor(picture[view.top : view.bottom, view.left : view.right], cv2.COLOR_BGR2GRAY)
    if view.scale < 1:
        grey = cv2.resize(grey, view.size, interpolation=cv2.INTER_AREA)
    light = np.asarray(cv2.GaussianBlur(cv2.LUT(grey, LOG_LIGHT), (0, 0), SMOOTH), dtype=np.float32)
    east, south = (cv2.Sobel(light, cv2.CV_32F, way, 1 - way, scale=1 / 8) for way in (1, 0))
    slope = np.asarray(cv2.magnitude(east, south), dtype=np.float32)
    return Crisp(view.camera, light, slope, float(np.median(slope[::3, ::3])) + EVEN)
