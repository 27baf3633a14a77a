"""The working picture: the part that shows the board and its towers, in linear light, at a fixed grain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats
from calibration.pieces import PieceProfile

Light = NDArray[np.float32]
PITCH_PIXELS: Final = 40.0
BORDER: Final = 0.35
CLIPPED: Final = 250


def _linear_table() -> Light:
    """Linear light of the 256 values of sRGB."""
    value = np.arange(256) / 255.0
    table = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    return table.astype(np.float32)


LINEAR: Final = _linear_table()


@dataclass(frozen=True)
class View:
    """A cut-out of the picture, its scale, and the camera that draws into it."""

    left: int
    top: int
    right: int
    bottom: int
    camera: Camera

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the working picture."""
        return self.camera.size

    @property
    def scale(self) -> float:
        """Working pixels per picture pixel."""
        return self.camera.size[0] / (self.right - self.left)

    def cut(self, picture: NDArray[Any]) -> tuple[Light, Light]:
        """Linear light (H, W, 3; blue, green, red) and the clipped share of each pixel."""
        part = np.ascontiguousarray(picture[self.top : self.bottom, self.left : self.right])
        light = np.asarray(cv2.LUT(part, LINEAR))
        blue, green, red = cv2.split(part)
        full = (np.asarray(cv2.max(cv2.max(blue, green), red)) >= CLIPPED).astype(np.float32)
        small = cv2.resize(light, self.size, interpolation=cv2.INTER_AREA)
        return np.asarray(small), np.asarray(cv2.resize(full, self.size, interpolation=cv2.INTER_AREA))


def view_of(camera: Camera, profile: PieceProfile, pitch_pixels: float = PITCH_PIXELS) -> View:
    """Choose the cut-out that holds the island and every tower on it."""
    reach = profile.board.plateau + BORDER / 2
    spots = [(x, y, z) for x in (-reach, reach) for y in (-reach, reach) for z in (0.0, profile.tallest)]
    dots = camera.project(np.array(spots))
    wide, high = camera.size
    left, top = (int(max(0, v)) for v in np.floor(dots.min(axis=0)))
    right, bottom = int(min(wide, np.ceil(dots[:, 0].max()))), int(min(high, np.ceil(dots[:, 1].max())))
    scale = min(1.0, pitch_pixels / pitch_in_pixels(camera))
    size = (max(8, round((right - left) * scale)), max(8, round((bottom - top) * scale)))
    exact = size[0] / (right - left)
    return View(left, top, right, bottom, camera.cropped(left, top, size, exact))


def pitch_in_pixels(camera: Camera) -> float:
    """How many pixels one cell pitch takes at the board's centre, the larger way."""
    spots = np.array([(-0.5, 0, 0), (0.5, 0, 0), (0, -0.5, 0), (0, 0.5, 0)], dtype=np.float64)
    dots: Floats = camera.project(spots)
    return float(max(np.linalg.norm(dots[1] - dots[0]), np.linalg.norm(dots[3] - dots[2])))
