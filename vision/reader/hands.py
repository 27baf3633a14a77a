"""Finds hands: change anywhere in the picture that neither pieces nor their shadows explain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.light import FLOOR, TERMS, Lamp, common_gain, fit_terms, highest, terms
from calibration.noise import Noise
from calibration.view import LINEAR, Light
from vision.reader.evidence import Flat, Ground, features_of, ground_of, ground_score

SHRINK: Final = 0.25
CHANGED: Final = -2.5
USUAL: Final = 3.0
EVERY: Final = 4
EDGE: Final = 5
BESIDE: Final = np.ones((9, 9), dtype=np.uint8)
# an arm ends where the table begins, within a pixel or two; a lamp's gloss fades away
CROSS: Final = np.ones((3, 3), dtype=np.uint8)
MARGIN: Final = 2
STEP: Final = 0.12
STEPPED: Final = 0.22
# colours so far apart (logarithms, lit that much more) are not the same thing any more
OTHER: Final = 0.25
UNLIT: Final = 0.02


@dataclass(frozen=True, eq=False)
class Backdrop:
    """The whole empty picture, small, against the board's white; the island left out."""

    ground: Ground
    level: Light
    logs: Light
    terms: Floats
    outside: NDArray[np.bool_]
    white: Floats


def small_level(picture: NDArray[np.uint8], white: Floats) -> Light:
    """The whole picture, small, in linear light against one white."""
    small = cv2.resize(picture, None, fx=SHRINK, fy=SHRINK, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.LUT(small, LINEAR) / white.astype(np.float32), dtype=np.float32)


def backdrop_of(
    empty: NDArray[np.uint8], white: Floats, island: NDArray[np.bool_], shadow: tuple[float, float]
) -> Backdrop:
    """Prepare the whole empty picture."""
    level = small_level(empty, white)
    high, wide = island.shape
    y, x = np.mgrid[0:high:EVERY, 0:wide:EVERY]
    places = terms(5.0 * x / wide - 2.5, 5.0 * y / high - 2.5)
    ground = ground_of(level, Noise(3e-5, 8e-4), shadow)
    return Backdrop(ground, level, logs_of(level), places, ~island, white)


def logs_of(level: Light) -> Light:
    """Logarithms at the sparse places where the light is compared."""
    return np.asarray(np.log(level[::EVERY, ::EVERY] + np.float32(FLOOR)), dtype=np.float32)


def evened(level: Light, backdrop: Backdrop) -> Light:
    """A small picture with the light's slow change over the room taken out."""
    ratio = (logs_of(level) - backdrop.logs).astype(np.float64)
    use = backdrop.outside[::EVERY, ::EVERY]
    start = np.zeros((TERMS, 3))
    start[0] = common_gain(ratio[use])
    curve = fit_terms(backdrop.terms[use], ratio[use], start, 0.12)
    high, wide = level.shape[:2]
    gain = np.exp(-(backdrop.terms @ curve)).astype(np.float32)
    return np.asarray(
        level * cv2.resize(gain, (wide, high), interpolation=cv2.INTER_LINEAR), dtype=np.float32
    )


def changed(backdrop: Backdrop, level: Light) -> NDArray[np.uint8]:
    """Where the room is neither as it was nor in shadow; the island left out."""
    score: Flat = ground_score(features_of(evened(level, backdrop)), backdrop.ground)
    # where the empty picture itself is dark and noisy even its own likeness scores low
    limit = np.minimum(backdrop.ground.constant[0] - USUAL, CHANGED)
    mask = (score.reshape(backdrop.outside.shape) < limit) & backdrop.outside
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))


def largest(mask: NDArray[np.uint8]) -> int:
    """Pixels of the largest connected patch."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    return int(stats[1:, cv2.CC_STAT_AREA].max()) if len(stats) > 1 else 0


class Patch(NamedTuple):
    """A changed patch: its pixels; is it on the picture's border; is it near the island; where it is."""

    size: int
    border: bool
    island: bool
    where: NDArray[np.bool_]


def patches(mask: NDArray[np.uint8], island: NDArray[np.bool_], least: float) -> list[Patch]:
    """The patches of change larger than that, and where each reaches."""
    count, sheet, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    edge = np.bincount(np.concatenate((sheet[0], sheet[-1], sheet[:, 0], sheet[:, -1])), minlength=count)
    near = np.asarray(cv2.dilate(island.view(np.uint8), BESIDE), dtype=np.bool_)
    beside = np.bincount(sheet[near], minlength=count)
    sizes = stats[:, cv2.CC_STAT_AREA]
    return [
        Patch(int(sizes[place]), bool(edge[place] > EDGE), bool(beside[place]), sheet == place)
        for place in range(1, count)
        if sizes[place] > least
    ]


def stayed(patch: Patch, room: Light, before: Light) -> int:
    """How much in and around a patch of change looks other than in the picture before."""
    off = np.abs(np.log((room + UNLIT) / (before + UNLIT))).max(axis=2) > OTHER
    off &= np.asarray(cv2.dilate(patch.where.astype(np.uint8), BESIDE), dtype=np.bool_)
    return largest(
        np.asarray(cv2.morphologyEx(off.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))
    )


def sharp(backdrop: Backdrop, level: Light, where: NDArray[np.bool_]) -> bool:
    """Whether the picture changes in a step along a patch's outline, as it does around an arm."""
    patch = where.astype(np.uint8)
    rim = np.asarray(cv2.dilate(patch, CROSS) - cv2.erode(patch, CROSS), dtype=np.bool_)
    # the island's own edge is a step, and what lies beyond the picture's border is not known
    rim &= ~np.asarray(cv2.dilate((~backdrop.outside).astype(np.uint8), BESIDE), dtype=np.bool_)
    inner = np.zeros_like(rim)
    inner[MARGIN:-MARGIN, MARGIN:-MARGIN] = True
    steps = steepness(backdrop, level)[rim & inner]
    return not len(steps) or float((steps > STEP).mean()) >= STEPPED


def steepness(backdrop: Backdrop, level: Light) -> Light:
    """How steeply a small picture's change against the backdrop goes up or down, around every pixel."""
    now, then = (np.log(light + np.float32(FLOOR)) for light in (evened(level, backdrop), backdrop.level))
    ratio = cv2.GaussianBlur(now - then, (0, 0), 0.8)
    east, north = (cv2.Sobel(ratio, cv2.CV_32F, dx, 1 - dx) / 8 for dx in (1, 0))
    slope = highest(np.sqrt(east * east + north * north))
    return np.asarray(cv2.dilate(slope, CROSS), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Room:
    """One picture's surroundings of the island, small, and how bright they are against the backdrop."""

    level: Light
    lamp: Lamp
    backdrop: Backdrop

    @property
    def gain(self) -> Floats:
        """The median change of the room's light, per channel, logarithm."""
        use = self.backdrop.outside[::EVERY, ::EVERY]
        ratio = (logs_of(self.level) - self.backdrop.logs)[use]
        if not len(ratio):
            return np.zeros(3)
        return np.asarray(np.median(ratio, axis=0) + np.log(self.lamp.middle / self.backdrop.white))

    def change(self, before: Floats) -> float:
        """How far the room's light is from what it was before."""
        return float(np.abs(self.gain - before).max())
