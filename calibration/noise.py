"""How much a working pixel's colour wavers: read and shot noise, measured between two pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from calibration.camera import Floats
from calibration.light import FLOOR
from calibration.view import Light

LEAST_READ: Final = 2e-6
LEAST_SHOT: Final = 3e-5


@dataclass(frozen=True)
class Noise:
    """Variance of a colour against white: read + shot * level."""

    read: float = 1.5e-5
    shot: float = 3e-4

    def of(self, level: Light | Floats) -> Light:
        """Variance of the logarithm (level + floor) at each level."""
        return np.asarray((self.read + self.shot * level) / (level + FLOOR) ** 2, dtype=np.float32)

    def to_json(self) -> dict[str, Any]:
        """A dictionary for the calibration file."""
        return {"read": self.read, "shot": self.shot}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Noise:
        """Read back what to_json wrote."""
        return Noise(float(data["read"]), float(data["shot"]))


def measure_noise(one: Light, two: Light) -> Noise:
    """Fit the noise to the differences of two pictures (levels against white) of the same things."""
    level, off = 0.5 * (one + two).ravel(), np.abs(one - two).ravel()
    edges = np.quantile(level, np.linspace(0, 1, 13))
    middles, spreads = [], []
    for low, high in pairwise(edges):
        inside = (level >= low) & (level <= high)
        if inside.sum() > 50:
            middles.append(float(level[inside].mean()))
            # half the squared difference, from the median against outliers
            spreads.append(0.5 * (1.4826 * float(np.median(off[inside]))) ** 2)
    if len(middles) < 3:
        return Noise()
    x, y = np.array(middles), np.array(spreads)
    weight = 1.0 / (y + 1e-7)
    matrix = np.column_stack((np.ones_like(x), x)) * weight[:, None]
    read, shot = np.linalg.lstsq(matrix, y * weight, rcond=None)[0]
    return Noise(max(float(read), LEAST_READ), max(float(shot), LEAST_SHOT))
