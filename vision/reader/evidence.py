"""Per-pixel evidence: how well ground, ivory, dome and each worker's colour explain every pixel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.colours import Colour, gaussian
from calibration.light import BURNT, FLOOR, PALE, highest, normalised
from calibration.noise import Noise
from calibration.view import Light
from vision.reader.levels import binned
from vision.reader.quick import Loop

Flat = NDArray[np.float32]
# one look sees thousands of pixels whose errors go together: each counts for a fraction
TEMPER: Final = 0.10
STRAY: Final = -4.0
# lit, in a patch of sun, six depths of this table's shadow, and (0) a gap between blocks, which light it up
SHADES: Final = (1.0, 1.35, 1.8, 0.75, 0.55, 0.38, 0.25, 0.15, 0.08, 0.0)
SHADE_PRICE: Final = (0.0, 2.0, 2.2, 1.4, 1.6, 1.8, 2.0, 2.2, 2.4, 2.2)
SHADE_WIDTH: Final = (0.05, 0.13, 0.14, 0.10, 0.10, 0.12, 0.14, 0.16, 0.20, 0.35)
TINT_WIDTH: Final = (0.03, 0.08, 0.11, 0.05, 0.08, 0.11, 0.15, 0.18, 0.25, 0.35)
# white in a patch of sun is as bright as ivory: what may be either is rather ivory
RATHER_IVORY: Final = np.float32(3.0)
# where shadows are tinted, those of a second lamp are not
TINTED: Final = 0.3
GAP_GROUND: Final = np.float32(0.20)
GAP_IVORY: Final = 0.06
SLIP: Final = 0.35
CLIP_WIDTH: Final = 0.25
# the best a face's level can add to an ivory pixel
PEAK: Final = 2.3
# ivory that is so far from its colour is less likely a stray, down to so much less
LOUD: Final = 0.7
LOUDEST: Final = 1.0
EDGE_SHARE: Final = 0.5
# of two colours that a wall may have each is as likely
EITHER: Final = np.float32(0.7)
SHAKE: Final = np.float32(11.0)


@dataclass(frozen=True)
class Ground:
    """The empty board, pixel by pixel, lit and in growing shadow: expected features and precisions.

    `shaded` is the best that any shade but the first can score.
    """

    expected: Light
    precision: Light
    constant: Light
    shaded: Light


def ground_of(level: Light, noise: Noise, shadow: tuple[float, float] = (0.0, 0.0)) -> Ground:
    """Prepare the ground from the empty picture's colours against white."""
    plain = features_of(level)
    slope = sum(np.abs(cv2.Sobel(plain, cv2.CV_32F, dx, 1 - dx, ksize=3)) for dx in (0, 1)) / 8.0
    smear = (SLIP * np.asarray(slope, dtype=np.float32)) ** 2
    pale = np.abs(plain[..., 1]) + np.abs(plain[..., 2]) < PALE
    expected, precision, constant = [], [], []
    for shade, price, wide, tint, hue in branches(shadow):
        dim = level * dimmed(shade, hue) if shade else GAP_GROUND * level + np.float32(GAP_IVORY)
        waver = noise.of(dim)
        # both pictures waver: the empty one and the one compared with it
        spread = 2 * of_features(waver) + smear + np.array([wide, tint, tint], dtype=np.float32) ** 2
        expected.append(features_of(dim))
        precision.append((0.5 / spread).astype(np.float32))
        dear = price + (RATHER_IVORY * pale if shade > 1.0 else 0.0)
        constant.append(
            (-0.5 * np.log(spread).sum(axis=-1) - 1.5 * np.log(2 * np.pi) - dear).astype(np.float32)
        )
    return Ground(np.stack(expected), np.stack(precision), np.stack(constant), np.max(constant[1:], axis=0))


def branches(shadow: tuple[float, float]) -> list[tuple[float, float, float, float, tuple[float, float]]]:
    """The ways in which light may fall on the ground: depth, price, widths, tint."""
    found = [(*row, shadow) for row in zip(SHADES, SHADE_PRICE, SHADE_WIDTH, TINT_WIDTH, strict=True)]
    if max(abs(v) for v in shadow) > TINTED:
        found += [(0.7, 1.8, 0.13, 0.08, (0.0, 0.0)), (0.4, 2.0, 0.16, 0.13, (0.0, 0.0))]
        found.append((0.28, 2.2, 0.18, 0.16, (0.5 * shadow[0], 0.5 * shadow[1])))
    return found


def dimmed(shade: float, shadow: tuple[float, float]) -> Light:
    """What is left of blue, green, red in a shadow, by how its two colour ratios shift with depth."""
    lost = float(np.log(shade))
    red, blue = shadow
    logs = np.array([lost * (1 + blue), lost, lost * (1 + red)])
    return np.asarray(np.exp(logs), dtype=np.float32)


def features_of(level: Light) -> Light:
    """Features of colours that are already divided by white."""
    return normalised(level)


def of_features(waver: Light) -> Light:
    """The variances of a picture's features from those of its blue, green and red."""
    green = waver[..., 1]
    return np.stack((green, waver[..., 2] + green, waver[..., 0] + green), axis=-1)


def ground_score(features: Light, ground: Ground) -> Flat:
    """Log density of every pixel under the best shade of the ground."""
    shades, pixels = len(ground.constant), features.size // 3
    expected, precision = (sheet.reshape(shades, pixels, 3) for sheet in (ground.expected, ground.precision))
    constant, shaded = ground.constant.reshape(shades, pixels), ground.shaded.ravel()
    plain = np.ascontiguousarray(features).reshape(pixels, 3)
    return likeliest_shade(plain, expected, precision, constant, shaded)


@Loop
def likeliest_shade(
    features: Light, expected: Light, precision: Light, constant: Light, shaded: Light
) -> Flat:
    """Every pixel's best score under any shade; most are lit, and those that fit well are looked at once."""
    best = np.empty(len(features), dtype=np.float32)
    for pixel in range(len(best)):
        score, shade = np.float32(STRAY), 0
        while shade < len(constant) and (shade == 0 or score < shaded[pixel]):
            said = constant[shade, pixel]
            for axis in range(3):
                off = features[pixel, axis] - expected[shade, pixel, axis]
                said -= off * off * precision[shade, pixel, axis]
            score, shade = max(score, said), shade + 1
        best[pixel] = score
    return best


def ivory_score(features: Light, shade: Colour, waver: Light, clipped: Light) -> Flat:
    """Log density of every pixel's two colour ratios under ivory; brightness is judged by face."""
    total = np.zeros(features.shape[:2], dtype=np.float32)
    for axis, noise in ((1, waver[..., 1]), (2, waver[..., 2])):
        base = float(shade.cover[axis][axis])
        spread = noise + np.float32(base) + clipped * np.float32(CLIP_WIDTH**2)
        off = features[..., axis] - np.float32(shade.mean[axis])
        total -= np.float32(0.5) * (off * off / spread + np.asarray(cv2.log(spread)))
    total -= np.float32(np.log(2 * np.pi))
    # windows, glints and mixed pixels stray a little; what is strongly coloured is no ivory
    loud = np.abs(features[..., 1] - np.float32(shade.mean[1])) + np.abs(
        features[..., 2] - np.float32(shade.mean[2])
    )
    floor = np.float32(STRAY + 1.2) - np.clip(loud - np.float32(LOUD), 0.0, np.float32(LOUDEST))
    return np.asarray(np.maximum(total, floor).ravel(), dtype=np.float32)


def relief(brightness: Light, waver: Light) -> Light:
    """Log odds of a figure's modelled surface against a flat roof, from the local slope of brightness."""
    plain = np.ascontiguousarray(brightness)
    east, north = (cv2.Sobel(plain, cv2.CV_32F, dx, 1 - dx) for dx in (1, 0))
    slope = np.asarray(cv2.magnitude(east, north)) / np.float32(8)
    steep = np.asarray(cv2.log(slope / (1 + SHAKE * np.sqrt(waver)) + np.float32(0.01)))
    figure, roof = (steep - np.float32(-2.1)) / np.float32(0.8), (steep - np.float32(-3.0))
    odds = 0.5 * (roof * roof - figure * figure) + np.float32(0.22)
    return np.asarray(np.clip(odds, -1.2, 1.0), dtype=np.float32)


class Burnt:
    """Pixels with a burnt-out channel: that channel may be brighter than it could be shown."""

    def __init__(self, level: Light, white: Light) -> None:
        full = np.float32(BURNT) / np.asarray(white, dtype=np.float32)
        self.place = np.flatnonzero(highest(level >= full))
        self.level = level.reshape(-1, 3)[self.place]
        self.full = self.level >= full.reshape(-1, 3)[self.place]

    def seen(self, features: Light, shade: Colour) -> Light:
        """The features as a surface of this colour would have caused them."""
        if not len(self.place):
            return features
        green, red, blue = shade.mean
        likely = np.exp(np.array([green + blue, green, green + red])) - FLOOR
        level = np.where(self.full, np.maximum(self.level, likely.astype(np.float32)), self.level)
        changed = features.reshape(-1, 3).copy()
        changed[self.place] = features_of(np.asarray(level[None], dtype=np.float32))[0]
        return changed.reshape(features.shape)


@dataclass(frozen=True)
class Evidence:
    """Flat, tempered log densities; `ivory` holds roof, wall and roof edge, to be joined by levels."""

    size: tuple[int, int]
    ground: Flat
    ivory: Flat
    dome: Flat
    workers: Mapping[str, Flat]
    bins: NDArray[np.uint8]
    ivory_any: Flat
    anything: Flat
    upper: Flat
    features: Light


def evidence_of(
    level: Light, white: Light, clipped: Light, bare: Flat, palette: Mapping[str, Colour], noise: Noise
) -> Evidence:
    """Weigh every pixel's colour; `bare` is the ground's score, the palette has all the rest."""
    features = features_of(level)
    waver = noise.of(level)
    ratios = of_features(waver)
    temper = np.float32(TEMPER)
    burnt = Burnt(level, white)
    roof = ivory_score(burnt.seen(features, palette["top"]), palette["top"], ratios, clipped)
    steep = relief(features[..., 0], waver[..., 1])
    rough = steep.ravel()
    # where a roof's floor drops from its rim an edge is expected, give or take a pixel
    around = cv2.dilate(steep, np.ones((3, 3), dtype=np.uint8))
    edge = (roof + np.float32(EDGE_SHARE) * np.asarray(around).ravel()) * temper
    side = palette["side"]
    wall = ivory_score(burnt.seen(features, side), side, ratios, clipped)
    # near the ground walls take its colour on, high above it they have that of the roofs
    wall = np.maximum(wall, roof - EITHER) * temper
    roof = (roof - rough) * temper
    dome = gaussian(burnt.seen(features, palette["dome"]), palette["dome"], STRAY) * temper
    workers = {
        name: gaussian(burnt.seen(features, shade), shade, STRAY) * temper
        for name, shade in palette.items()
        if name not in ("top", "side", "dome")
    }
    bare = bare * temper
    broad = np.float32(TEMPER * -1.0)
    ivory = np.maximum(roof, wall)
    painted = np.maximum.reduce([dome, *workers.values()])
    anything = np.maximum.reduce([bare, ivory + broad, painted])
    upper = np.maximum(ivory + np.float32(TEMPER * PEAK), painted)
    bins = binned(features[..., 0]).ravel()
    return Evidence(
        (level.shape[1], level.shape[0]),
        bare,
        np.concatenate((roof, wall, edge)),
        dome,
        workers,
        bins,
        ivory + broad,
        anything,
        upper,
        features,
    )


def against_white(light: Light, white: Light) -> Light:
    """Colours divided by white."""
    return np.asarray(light / white, dtype=np.float32)


# roof, its spread, wall, wall towards x, wall towards y, its spread
FIRST_SHADING: Final = np.array([0.05, 0.18, -0.45, 0.0, 0.0, 0.5])
