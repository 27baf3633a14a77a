"""What pictures are compared with: everything derived from one calibration, and how it looks out of focus."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.build import Calibration, Prepared, prepare
from calibration.camera import Floats
from calibration.light import BURNT, FLOOR, PALE, Reference, common_gain, highest, reference_of
from calibration.view import PITCH_PIXELS, Light
from calibration.watch import Watch, watch_of
from vision.reader.evidence import Flat, Ground, ground_of, ground_score
from vision.reader.focus import Focus, focus_of, softened
from vision.reader.geometry import Geometry
from vision.reader.hands import SHRINK, Backdrop, backdrop_of
from vision.reader.otherlight import under_other_light
from vision.reader.shapes import Shapes

GRASS_SHIFT: Final = 0.04
# no light changes the grass's own colours further; what is built on it does
BUILT_OVER: Final = 0.5
LEAST_GRASS: Final = 200
SOME_BURNT: Final = 0.1


@dataclass(frozen=True, eq=False)
class Setting:
    """Everything derived from a calibration that pictures are compared with."""

    calibration: Calibration
    base: Prepared
    reference: Reference
    ground: Ground
    geometry: Geometry
    backdrop: Backdrop
    watch: Watch
    grass: NDArray[np.bool_]
    around: NDArray[np.bool_]
    unknown: NDArray[np.bool_]
    focus: Focus
    first: Light

    def bare(self, features: Light) -> Flat:
        """How well every pixel shows the bare island, its grass followed through changes of the light."""
        plain = self.ground.expected[0].reshape(-1, 3)
        index = self.reference.index[~self.reference.white]
        off = (features.reshape(-1, 3)[index] - plain[index]).astype(np.float64)
        shift = grass_shift(off)
        if np.abs(shift).max() > GRASS_SHIFT:
            features = features - self.grass.reshape(*features.shape[:2], 1) * shift.astype(np.float32)
        return ground_score(features, self.ground)

    def in_other_light(self, features: Light, asked: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which of the pixels asked for show the bare ground in other light."""
        index = np.flatnonzero(asked)
        seen, bare = (one.reshape(-1, 3)[index] for one in (features, self.ground.expected[0]))
        found = np.zeros(len(asked), dtype=np.bool_)
        found[index] = under_other_light(seen, bare, self.grass[index])
        return found

    def softness(self, light: Light) -> float:
        """How much further out of focus than the empty one a picture is, in working pixels."""
        white = light.reshape(-1, 3)[self.reference.index[self.reference.white]]
        # what is burnt out has lost its detail without any blur
        if len(white) and float((highest(white) >= BURNT).mean()) > SOME_BURNT:
            return 0.0
        return self.focus.softness(light)


def grass_shift(off: Floats) -> Floats:
    """How the light has changed the grass: what most of it agrees on that may still be grass."""
    shift = _common(off)
    if np.abs(shift[1:]).max() <= BUILT_OVER:
        return shift
    # on a crowded board most of it is built over, and the pieces would be taken for its new colour
    return _common(off[np.abs(off[:, 1:]).max(axis=1) <= BUILT_OVER])


def _common(off: Floats) -> Floats:
    return common_gain(off[:, [1, 0, 2]])[[1, 0, 2]] if len(off) > LEAST_GRASS else np.zeros(3)


def setting_of(calibration: Calibration, pitch_pixels: float = PITCH_PIXELS) -> Setting:
    """Prepare a calibration for reading."""
    base = prepare(calibration.empty, calibration.camera, calibration.profile, pitch_pixels)
    light, _ = base.view.cut(calibration.empty)
    reference = reference_of(light, base.view, calibration.profile.board)
    shapes = Shapes(base.view.camera, calibration.profile)
    backdrop = backdrop_of(
        calibration.empty, base.lamp.middle, island_mask(calibration), calibration.palette.shadow
    )
    ground = ground_of(base.level, calibration.noise, calibration.palette.shadow)
    geometry, watch = Geometry(shapes), watch_of(calibration)
    plateau = plateau_mask(base, calibration)
    plain = ground.expected[0].reshape(-1, 3)
    grass = plateau & (np.abs(plain[:, 1]) + np.abs(plain[:, 2]) > PALE)
    nowhere, focus = np.zeros(len(plateau), dtype=bool), focus_of(light, plateau)
    picture = (base, reference, ground, geometry, backdrop, watch, grass, ~plateau, nowhere, focus)
    return Setting(calibration, *picture, base.level)


def defocused(setting: Setting, sigma: float) -> Setting:
    """The empty board as a camera out of focus by so much would show it."""
    calibration, base = setting.calibration, setting.base
    level = softened(base.level, sigma)
    # thin white lines measure the lamp: out of focus the grass mixes with them
    light = softened(np.asarray(base.level * base.white(base.lamp)), sigma)
    logs = np.log(light.reshape(-1, 3)[setting.reference.index] + FLOOR * 0.5)
    return replace(
        setting,
        base=replace(base, level=level),
        reference=replace(setting.reference, logs=logs),
        ground=ground_of(level, calibration.noise, calibration.palette.shadow),
    )


def plateau_mask(base: Prepared, calibration: Calibration) -> NDArray[np.bool_]:
    """Where the working picture shows the island's upper side."""
    reach = calibration.profile.board.plateau
    corners = np.array([(-reach, -reach, 0), (reach, -reach, 0), (reach, reach, 0), (-reach, reach, 0)])
    sheet = np.zeros((base.view.size[1], base.view.size[0]), dtype=np.uint8)
    cv2.fillConvexPoly(sheet, np.rint(base.view.camera.project(corners)).astype(np.int32), 1)
    return np.asarray(sheet.ravel() > 0)


def island_mask(calibration: Calibration) -> NDArray[np.bool_]:
    """Where the island and its tallest towers can be, in the small whole picture."""
    camera, profile = calibration.camera, calibration.profile
    reach = profile.board.plateau + 0.1
    spots = [(x, y, z) for x in (-reach, reach) for y in (-reach, reach) for z in (-0.3, profile.tallest)]
    hull = cv2.convexHull(camera.project(np.array(spots)).astype(np.float32)) * SHRINK
    wide, high = camera.size
    mask = np.zeros((round(high * SHRINK), round(wide * SHRINK)), dtype=np.uint8)
    cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 1)
    return np.asarray(mask > 0)
