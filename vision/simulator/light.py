"""Light of the simulated room: a sun or lamp, the sky, and the camera's tone curve."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from calibration.camera import Floats
from vision.reading import Picture

GAMMA: Final = 2.2
Rgb = tuple[int, int, int]
Bgr = tuple[int, int, int]

IVORY: Final[Rgb] = (240, 234, 218)
DOME_BLUE: Final[Rgb] = (20, 26, 215)
ROCK: Final[Rgb] = (128, 92, 66)
COLOURS: Final[dict[str, Rgb]] = {
    "blue": (52, 155, 225),
    "cream": (233, 226, 200),
    "grey": (136, 124, 124),
    "brown": (149, 111, 87),
    "orange": (229, 114, 34),
    "purple": (125, 60, 160),
    "red": (190, 34, 44),
    "green": (58, 146, 60),
}


def linear(rgb: Rgb) -> Floats:
    """Linear reflectance of a colour, red first."""
    return np.asarray((np.array(rgb, np.float64) / 255.0) ** GAMMA)


def to_bgr(radiance: Floats) -> Bgr:
    """The camera's answer to linear light, red first: a colour as OpenCV wants it."""
    red, green, blue = (255.0 * np.clip(radiance, 0.0, 1.0) ** (1 / GAMMA)).round().astype(int)
    return int(blue), int(green), int(red)


@dataclass(frozen=True)
class Light:
    """A directed light (azimuth from the x axis, elevation, degrees) and the light of the whole room."""

    azimuth: float = 200.0
    elevation: float = 52.0
    sun: tuple[float, float, float] = (0.66, 0.62, 0.56)
    sky: tuple[float, float, float] = (0.40, 0.42, 0.45)
    softness: float = 0.06

    @cached_property
    def towards(self) -> Floats:
        """The unit vector to the directed light, in the board frame."""
        a, e = np.radians(self.azimuth), np.radians(self.elevation)
        return np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])

    def on(self, normal: Floats, lit: float = 1.0) -> Floats:
        """Light that falls on a surface, red first; `lit` is the share of the directed light that arrives."""
        facing = max(0.0, float(normal @ self.towards))
        # Half the room's light comes from below the horizon of an upright wall, off the table.
        room = 0.6 + 0.4 * float(normal[2])
        return np.asarray(np.array(self.sky) * room + np.array(self.sun) * facing * lit)

    def curve(self, lit: float) -> Picture:
        """Table that turns the printed colours of a level surface (BGR) into what the camera sees."""
        falls = self.on(np.array([0.0, 0.0, 1.0]), lit)[::-1]
        steps = (np.arange(256)[:, None] / 255.0) ** GAMMA * falls[None, :]
        seen = np.asarray(255.0 * np.clip(steps, 0.0, 1.0) ** (1 / GAMMA), dtype=np.float64)
        table: Picture = seen.round().astype(np.uint8).reshape(256, 1, 3)
        return table


def noise_picture(size: tuple[int, int], sigma: float, seed: int) -> Picture:
    """Camera noise around 128, larger than the picture so that a random cut-out differs every time."""
    random = np.random.default_rng(seed)
    width, height = size[0] + 64, size[1] + 64
    grain = random.standard_normal((height, width, 3), np.float32) * sigma + 128.0
    return np.asarray(np.clip(np.rint(grain), 0, 255), dtype=np.uint8)
