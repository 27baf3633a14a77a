"""Colours of the pieces under this table's light: Gaussians over brightness and two colour ratios."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.light import FLOOR
from calibration.view import LINEAR, Light

# plain colours as people name them, sRGB
NAMED: Final[Mapping[str, tuple[int, int, int]]] = {
    "blue": (55, 150, 220),
    "cream": (234, 228, 196),
    "grey": (140, 142, 142),
    "gray": (140, 142, 142),
    "brown": (150, 98, 66),
    "orange": (232, 116, 32),
    "purple": (112, 48, 160),
    "red": (196, 32, 34),
    "green": (60, 158, 66),
    "white": (240, 240, 236),
    "black": (38, 38, 40),
    "yellow": (240, 205, 50),
    "pink": (232, 130, 170),
}
UNNAMED: Final = (128, 128, 128)


@dataclass(frozen=True)
class Colour:
    """A Gaussian over (brightness, red over green, blue over green), in logarithms against white."""

    mean: tuple[float, float, float]
    cover: tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]
    samples: int = 0

    def to_json(self) -> dict[str, Any]:
        """A dictionary for the calibration file."""
        return {"mean": list(self.mean), "cover": [list(row) for row in self.cover], "samples": self.samples}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Colour:
        """Read back what to_json wrote."""
        return colour(data["mean"], np.array(data["cover"], dtype=np.float64), int(data["samples"]))


def colour(mean: Sequence[float] | Floats, cover: Floats, samples: int = 0) -> Colour:
    """A colour from a mean and a covariance matrix."""
    g, a, b = (float(v) for v in mean)
    one, two, three = ((float(x), float(y), float(z)) for x, y, z in cover)
    return Colour((g, a, b), (one, two, three), samples)


def spread(*deviations: float) -> Floats:
    """A diagonal covariance."""
    return np.diag(np.square(deviations))


# what pieces of this game look like against the printed wall on any table
TOP_PRIOR: Final = colour((0.04, 0.10, -0.13), spread(0.3, 0.065, 0.065))
SIDE_PRIOR: Final = colour((-0.5, 0.00, -0.23), spread(0.6, 0.10, 0.11))
# domes differ most from table to table in how blue they are
DOME_PRIOR: Final = colour((-2.75, -0.4, 2.05), spread(0.85, 0.48, 0.9))


def named(name: str) -> Colour:
    """What a colour's name promises; broad, for it is only a name."""
    red, green, blue = (float(LINEAR[v]) for v in NAMED.get(name.lower(), UNNAMED))
    g, r, b = (float(np.log(v / 0.9 + FLOOR)) for v in (green, red, blue))
    wide = 0.35 if name.lower() in NAMED else 1.0
    tight = 0.5 if name.lower() in ("cream", "white", "grey", "gray") else 1.0
    return colour((g - 0.25, r - g, b - g), spread(0.6, wide * tight, wide * tight))


def apart(one: Colour, other: Colour) -> float:
    """How far apart two colours are, spread and all (Bhattacharyya): 0 is the same, 2 hardly overlaps."""
    off = np.array(one.mean) - np.array(other.mean)
    covers = np.array([one.cover, other.cover])
    middle = covers.mean(axis=0)
    sizes = np.linalg.slogdet(np.array([middle, *covers]))[1]
    return float(off @ np.linalg.solve(middle, off) / 8 + (sizes[0] - sizes[1:].mean()) / 2)


def robust_mean(
    values: Floats, start: Floats | None = None, keep: float = 0.7
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Mean and covariance of the closest share of samples, and which those are."""
    middle = np.median(values, axis=0) if start is None else start
    scale = 1.4826 * np.median(np.abs(values - middle), axis=0) + 0.05
    inside = np.ones(len(values), dtype=bool)
    cover = np.diag(scale**2)
    for _ in range(6):
        away = values - middle
        reach = np.einsum("ij,jk,ik->i", away, np.linalg.inv(cover), away)
        inside = reach <= np.quantile(reach, keep)
        middle = values[inside].mean(axis=0)
        # the inner share of a Gaussian is narrower than the whole: 1.5 widens it again
        cover = 1.5 * np.cov(values[inside].T) + 1e-4 * np.eye(values.shape[1])
    return middle, cover, inside


def blend(prior: Colour, values: Floats, weight: float = 60.0, widen: Floats | None = None) -> Colour:
    """A colour learned from samples, held to a prior worth so many samples."""
    if len(values) < 12:
        return prior
    middle, cover, inside = robust_mean(values)
    count = float(inside.sum())
    share = count / (count + weight)
    mean = share * middle + (1 - share) * np.array(prior.mean)
    full = share * cover + (1 - share) * np.array(prior.cover)
    if widen is not None:
        full = full + widen
    return colour(mean, full, int(count))


def gaussian(features: Light, shade: Colour, floor: float) -> Light:
    """Log density of every pixel's features under a colour, never below an outlier's."""
    precision = np.linalg.inv(np.array(shade.cover))
    upper = np.linalg.cholesky(precision).T
    # OpenCV's transform: no BLAS threads for a 3x3 product over a picture
    shift = -(upper @ np.array(shade.mean))
    white = cv2.transform(features, np.column_stack((upper, shift)).astype(np.float32))
    away = cv2.transform(white * white, np.full((1, 3), -0.5, dtype=np.float32))
    constant = 0.5 * float(np.linalg.slogdet(precision)[1]) - 1.5 * float(np.log(2 * np.pi))
    dense = np.asarray(away, dtype=np.float32).ravel() + np.float32(constant)
    return np.asarray(np.maximum(dense, np.float32(floor)), dtype=np.float32)
