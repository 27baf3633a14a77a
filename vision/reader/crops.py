"""Cuts every cell out of the working picture, upright and at one grain, as the network knows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats
from calibration.solids import cell_centre
from calibration.view import Light
from vision.reader.evidence import TEMPER, Evidence
from vision.reader.search import Geometry, Search
from vision.reader.shapes import Stand
from vision.reading import CELLS

Bytes = NDArray[np.uint8]
WIDE: Final = 40
HIGH: Final = 72
# crop pixels per pitch, and the lowest row in which a cell's middle can be
GRAIN: Final = 30.0
FOOT: Final = 68
FOOT_RISE: Final = 17.0
LEAN: Final = 0.15
SEATS: Final = 3
PLANES: Final = 21
HALF_BURNT: Final = 0.3
NEARER: Final = 1
FARTHER: Final = 2
BURNT: Final = 32
# as they are in the last byte: nearer piles, those behind, three nominal roofs, burnt out
BITS: Final = (NEARER, FARTHER, 4, 8, 16, BURNT)
FEATURE_RANGE: Final = ((-3.5, 0.7), (-1.5, 1.5), (-1.5, 1.5))
CHANGE_RANGE: Final = ((-2.0, 2.0), (-1.2, 1.2), (-1.2, 1.2))
SCORE_RANGE: Final = (-4.0, 6.0)
IVORY_RANGE: Final = (-3.0, 4.0)
STEEPEST: Final = 2.0


@dataclass(frozen=True, eq=False)
class Window:
    """One cell's cut-out: the affine map, how steeply height rises in it, the view's slope, nominal roofs."""

    warp: Floats
    rise: float
    slope: float
    roofs: Bytes


@dataclass(frozen=True, eq=False)
class Windows:
    """The windows of one camera."""

    geometry: Geometry

    @cached_property
    def cells(self) -> tuple[Window, ...]:
        """One window a cell."""
        return tuple(window(self.geometry, cell) for cell in range(CELLS))


def window(geometry: Geometry, cell: int) -> Window:
    """Cut so that the cell's middle is at the foot, height goes up and a pitch has its fixed size."""
    shapes = geometry.shapes
    warp, rise, slope = upright(shapes.camera, cell)
    wide, high = shapes.camera.size
    bits = np.zeros(wide * high, dtype=np.uint8)
    for height in (1, 2, 3):
        raster = shapes.tower(cell, height, Stand(0, 0, (0,) * height))
        bits[raster.index[raster.look[raster.slot] == 0]] |= 2 << height
    return Window(warp, rise, slope, cut_bits(bits.reshape(high, wide), warp))


def upright(camera: Camera, cell: int) -> tuple[Floats, float, float]:
    """A cell's affine map, how long a pitch of height is against one across, the sine of the view's slope."""
    spot = np.array([*cell_centre(cell), 0.0])
    across = np.array([*camera.turn[0][:2], 0.0])
    across /= np.linalg.norm(across)
    away = camera.place - spot
    slope = float(away[2] / np.linalg.norm(away))
    up = np.array([0.0, 0.0, 0.5])
    dots = camera.project(np.array([spot, spot + up, spot - across / 2, spot + across / 2]))
    middle = camera.project(np.array([np.zeros(3), up]))
    pitch = np.linalg.norm(dots[3] - dots[2])
    rise = (dots[1] - dots[0]) * 2 / pitch
    # seen from right above, a tower has no way up of its own
    way = rise + LEAN * (middle[1] - middle[0]) / np.linalg.norm(middle[1] - middle[0])
    way /= np.linalg.norm(way)
    turn = np.array([[-way[1], way[0]], [-way[0], -way[1]]]) * (GRAIN / pitch)
    shift = np.array([WIDE / 2 - 0.5, FOOT - FOOT_RISE * slope]) - turn @ dots[0]
    return np.column_stack((turn, shift)), float(np.linalg.norm(rise)), slope


def cut_bits(bits: Bytes, warp: Floats) -> Bytes:
    """A plane of bits in a window."""
    return np.asarray(cv2.warpAffine(bits, warp, (WIDE, HIGH), flags=cv2.INTER_NEAREST), dtype=np.uint8)


def as_bytes(sheet: Light, limits: tuple[float, float]) -> Bytes:
    """Values in 256 steps between two limits."""
    low, high = limits
    return np.asarray(np.clip((sheet - low) * (255 / (high - low)), 0, 255).astype(np.uint8))


def sheets(evidence: Evidence, bare: Light, sides: Sequence[str]) -> list[Bytes]:
    """Twelve planes of the working picture, four to a sheet: colours, their change, what explains them."""
    wide, high = evidence.size
    features = evidence.features
    change = features - bare
    planes = [as_bytes(features[..., k], FEATURE_RANGE[k]) for k in range(3)]
    planes += [as_bytes(change[..., k], CHANGE_RANGE[k]) for k in range(3)]
    planes.append(as_bytes(evidence.ground / TEMPER, SCORE_RANGE))
    planes.append(as_bytes(evidence.ivory_any / TEMPER + 1, IVORY_RANGE))
    planes.append(as_bytes(evidence.dome / TEMPER, SCORE_RANGE))
    planes += [as_bytes(evidence.workers[side] / TEMPER, SCORE_RANGE) for side in sides]
    planes += [np.zeros(wide * high, dtype=np.uint8)] * (SEATS - len(sides))
    whole = [plane.reshape(high, wide) for plane in planes]
    return [np.asarray(cv2.merge(whole[at : at + 4]), dtype=np.uint8) for at in (0, 4, 8)]


def cut(
    windows: Windows, cells: Sequence[int], search: Search, bare: Light, clipped: Light
) -> tuple[Bytes, Light]:
    """Thirteen planes of bytes (the last one of bits) and the view's two numbers, for some cells."""
    evidence = search.ledger.evidence
    whole = sheets(evidence, bare, search.sides)
    burnt = np.where(clipped > HALF_BURNT, np.uint8(BURNT), np.uint8(0)).ravel()
    found = np.empty((len(cells), 13, HIGH, WIDE), dtype=np.uint8)
    views = np.empty((len(cells), 2), dtype=np.float32)
    for place, cell in enumerate(cells):
        seen = windows.cells[cell]
        for part, sheet in enumerate(whole):
            bent = cv2.warpAffine(sheet, seen.warp, (WIDE, HIGH), borderMode=cv2.BORDER_REPLICATE)
            found[place, 4 * part : 4 * part + 4] = np.asarray(bent).transpose(2, 0, 1)
        found[place, 12] = seen.roofs | cut_bits(known_piles(search, cell, burnt), seen.warp)
        views[place] = seen.rise, seen.slope
    return found, views


def known_piles(search: Search, cell: int, burnt: Bytes) -> Bytes:
    """Where nearer piles and those behind are read, and what is burnt out, in the whole picture."""
    wide, high = search.ledger.evidence.size
    bits = burnt.copy()
    for mark, others in ((NEARER, search.geometry.nearer), (FARTHER, search.geometry.farther)):
        for other in others[cell]:
            bits[search.fits[other].index] |= mark
    return bits.reshape(high, wide)


def planes_of(crops: Bytes, views: Light) -> Light:
    """What the network is given: 21 planes of small numbers."""
    count = len(crops)
    found = np.empty((count, PLANES, HIGH, WIDE), dtype=np.float32)
    found[:, :12] = crops[:, :12] * np.float32(1 / 255) - np.float32(0.5)
    for place, bit in enumerate(BITS):
        found[:, 12 + place] = (crops[:, 12] & bit) > 0
    rise, slope = views[:, :1], views[:, 1:]
    row = np.arange(HIGH, dtype=np.float32)
    lift = (FOOT - FOOT_RISE * slope - row) / GRAIN / np.maximum(rise, np.float32(LEAN))
    found[:, 18] = np.clip(lift / 2, -1.0, STEEPEST)[:, :, None]
    found[:, 19] = rise[:, :, None]
    found[:, 20] = slope[:, :, None]
    return found
