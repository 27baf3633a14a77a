"""The reader: one picture in, likelihoods for every cell out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.build import Calibration, Prepared, prepare
from calibration.light import Lamp, Reference, lamp_now, reference_of
from calibration.pose import PoseError
from calibration.watch import Motion, Watch, follow, motion, moved_calibration, watch_of
from vision.reader.evidence import Evidence, Ground, against_white, evidence_of, ground_of
from vision.reader.figures import settle
from vision.reader.fit import Fit, Ledger
from vision.reader.hands import SHRINK, Backdrop, backdrop_of, changed, largest
from vision.reader.search import Geometry, Search
from vision.reader.shapes import Shapes
from vision.reading import (
    CELLS,
    DOME,
    EMPTY_BOARD,
    Board,
    CameraState,
    Content,
    Picture,
    Reading,
    alternatives,
)

LIGHT_JUMP: Final = 0.10
ARM: Final = 99.0
BLOB: Final = 0.10
UNLIKELY: Final = -30.0


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


def setting_of(calibration: Calibration) -> Setting:
    """Prepare a calibration for reading."""
    base = prepare(calibration.empty, calibration.camera, calibration.profile)
    light, _ = base.view.cut(calibration.empty)
    reference = reference_of(light, base.view, calibration.profile.board)
    shapes = Shapes(base.view.camera, calibration.profile)
    backdrop = backdrop_of(calibration.empty, base.lamp.middle, island_mask(calibration))
    ground = ground_of(base.level, calibration.noise)
    geometry = Geometry(shapes)
    return Setting(calibration, base, reference, ground, geometry, backdrop, watch_of(calibration))


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


@dataclass
class Look:
    """One picture on its way through the reader."""

    evidence: Evidence
    search: Search
    lamp: Lamp


class Reader:
    """Reads still pictures of one table; keeps only the camera's pose and the lamp between pictures."""

    def __init__(self, calibration: Calibration) -> None:
        self.origin = calibration
        self.setting = setting_of(calibration)
        self.sides = tuple(calibration.palette.workers)
        self.lamp = self.setting.base.lamp
        self.last: Board = EMPTY_BOARD
        self.seen: Look | None = None
        self.looked: Picture | None = None

    def look(self, picture: Picture) -> Reading:
        """Read one picture for itself."""
        self.looked, self.seen = picture, None
        state = self._follow(picture)
        if state is None:
            return self._blank("busy", "moved")
        light, clipped = self.setting.base.view.cut(picture)
        lamp, _ = lamp_now(light, self.setting.base.lamp, self.setting.reference)
        if self._arm(picture, lamp) > ARM:
            return self._blank("busy", state)
        if state == "ok" and jump(lamp, self.lamp) > LIGHT_JUMP:
            state = "light"
        self.lamp = lamp
        self.seen = self._read(light, clipped, lamp)
        reading = self._reading(self.seen, state)
        self.last = reading.best
        return reading

    def _follow(self, picture: Picture) -> CameraState | None:
        """Notice a knock and solve the pose anew; None when that fails."""
        moved: Motion = motion(self.setting.watch, picture)
        if moved.homography is None:
            return "ok"
        try:
            solution = follow(self.setting.calibration, picture, moved)
        except PoseError:
            return None
        self.setting = setting_of(moved_calibration(self.origin, solution.camera))
        return "moved"

    def _arm(self, picture: Picture, lamp: Lamp) -> float:
        """The largest unexplained patch off the island, in cells."""
        mask = changed(self.setting.backdrop, picture, lamp.middle)
        return largest(mask) / self._cell_pixels(SHRINK)

    def _cell_pixels(self, scale: float) -> float:
        """How many pixels one cell's square takes at a scale of the whole picture."""
        square = np.array([(-0.5, -0.5, 0), (0.5, -0.5, 0), (0.5, 0.5, 0), (-0.5, 0.5, 0)], dtype=np.float64)
        outline = self.setting.calibration.camera.project(square).astype(np.float32)
        return float(cv2.contourArea(outline)) * scale**2

    def _read(self, light: NDArray[np.float32], clipped: NDArray[np.float32], lamp: Lamp) -> Look:
        setting, calibration = self.setting, self.setting.calibration
        palette = calibration.palette
        colours = {"top": palette.top, "side": palette.side, "dome": palette.dome, **palette.workers}
        level = against_white(light, setting.base.white(lamp))
        evidence = evidence_of(level, clipped, setting.ground, colours, calibration.noise)
        search = Search(Ledger(evidence, setting.geometry.shapes), setting.geometry, self.sides)
        search.run()
        settle(search, calibration.figures)
        return Look(evidence, search, lamp)

    def _reading(self, look: Look, state: CameraState) -> Reading:
        search = look.search
        contents = alternatives(self.sides)
        rows = tuple(tuple(search.scores(cell, contents)) for cell in range(CELLS))
        visible = tuple(self.visible(search, cell) for cell in range(CELLS))
        best = tuple(fit.content for fit in search.fits)
        busy = (
            search.stray(self.setting.base.view.size) / self._cell_pixels(self.setting.base.view.scale) > BLOB
        )
        return Reading(self.sides, contents, rows, visible, best, "busy" if busy else "stable", state)

    def visible(self, search: Search, cell: int) -> float:
        """The share of a cell's top piece that nearer piles leave in view."""
        fit = search.fits[cell]
        shapes = self.setting.geometry.shapes
        if fit.content.top:
            x, y = fit.stand.x + fit.crown[0], fit.stand.y + fit.crown[1]
            index = shapes.crown(cell, fit.content.height, fit.content.top == DOME, x, y).index
        elif fit.content.height:
            raster = shapes.tower(cell, fit.content.height, fit.stand)
            index = raster.index
        else:
            index = shapes.square(cell)
        if not len(index):
            return 0.0
        return 1.0 - float(search.site(cell).veil.hidden[index].mean())

    def _blank(self, status: str, state: CameraState) -> Reading:
        """Nothing read: the last board with flat scores."""
        contents = alternatives(self.sides)
        flat = (tuple(0.0 for _ in contents),) * CELLS
        assert status == "busy"
        return Reading(self.sides, contents, flat, (0.0,) * CELLS, self.last, "busy", state)

    def weigh(self, picture: Picture, boards: Sequence[Board]) -> tuple[float, ...]:
        """Joint log-likelihoods of whole boards for this picture."""
        if self.looked is not picture:
            self.look(picture)
        if self.seen is None:
            return (0.0,) * len(boards)
        return tuple(self.seen.search.joint(board) for board in boards)


def jump(lamp: Lamp, last: Lamp) -> float:
    """How far the light has changed: the largest change of white at the middle, logarithm."""
    return float(np.abs(np.array(lamp.curve[0]) - np.array(last.curve[0])).max())


_ = (field, Fit, Content)
