"""Pixel lists of known piles: which working pixels each face of a pile covers, kept for reuse."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats
from calibration.pieces import PieceProfile
from calibration.solids import (
    Face,
    Pile,
    at_height,
    cell_centre,
    dome_faces,
    outline,
    pile_faces,
    turned,
    worker_faces,
)

Index = NDArray[np.int32]
TOP: Final = 0
SIDE: Final = 1
KEPT: Final = 5000
MIDDLE: Final = 12
OFFSET_STEP: Final = 0.025
TURN_STEP: Final = 0.0436332
BEARINGS: Final = 72
SKIRT: Final = 255
EDGE: Final = 254
RING: Final = 1.35
NONE: Final[Index] = np.empty(0, dtype=np.int32)
STEPS: Final = 0.42


@dataclass(frozen=True)
class Stand:
    """How a tower stands, on a grid: offset in fortieths of a pitch, turns in steps of 2.5 degrees."""

    x: int = 0
    y: int = 0
    turns: tuple[int, ...] = ()

    @property
    def offset(self) -> tuple[float, float]:
        """The offset in cell pitches."""
        return (self.x * OFFSET_STEP, self.y * OFFSET_STEP)


@dataclass(frozen=True)
class Raster:
    """Pixels of a tower: flat index, the face each belongs to, and each face's kind and bearing.

    A face's `look` is 0 for roofs and 1 + a bearing in steps of 5 degrees for walls. The `skirt` is
    where the lowest block's steps may or may not be.
    """

    index: Index
    slot: NDArray[np.intp]
    look: NDArray[np.intp]
    code: NDArray[np.intp]
    skirt: Index


@dataclass(frozen=True)
class Crown:
    """Pixels of a dome or a worker: the sure ones, the fringe that may be either, a ring around both."""

    index: Index
    fringe: Index
    ring: Index


@dataclass(frozen=True)
class Template:
    """A tower's faces about the origin, unturned: corners, their blocks, and where each face begins."""

    corners: Floats
    level: NDArray[np.intp]
    ends: NDArray[np.intp]
    bearing: Floats
    wall: NDArray[np.bool_]
    mark: tuple[int, ...]
    recess: bool


@lru_cache(maxsize=16)
def template(profile: PieceProfile, height: int) -> Template:
    """The faces of a tower of so many blocks."""
    faces = pile_faces(profile, Pile(MIDDLE, height))
    corners = np.vstack([face.points for face in faces])
    level = np.concatenate([np.full(len(face.points), face.level - 1) for face in faces])
    bearing = [np.arctan2(face.normal[1], face.normal[0]) if face.normal else 0.0 for face in faces]
    wall = np.array([face.kind == "side" for face in faces])
    ends = np.cumsum([len(face.points) for face in faces])
    recess = faces[-1].kind == "floor"
    return Template(corners, level, ends, np.array(bearing), wall, _marks(faces), recess)


def _marks(faces: Sequence[Face]) -> tuple[int, ...]:
    """A number for every face; rims and floor of one block share theirs."""
    names: dict[tuple[str, int], int] = {}
    for place, face in enumerate(faces):
        names.setdefault(("side", place) if face.kind == "side" else ("top", face.level), len(names) + 1)
    return tuple(
        names[("side", place) if face.kind == "side" else ("top", face.level)]
        for place, face in enumerate(faces)
    )


@dataclass
class Shapes:
    """Rasters for one camera and one set of pieces."""

    camera: Camera
    profile: PieceProfile
    towers: OrderedDict[tuple[int, int, Stand], Raster] = field(default_factory=OrderedDict)
    crowns: OrderedDict[tuple[int, int, bool, int, int], Crown] = field(default_factory=OrderedDict)

    squares: dict[tuple[int, float], Index] = field(default_factory=dict)

    @property
    def pixels(self) -> int:
        """Pixels of the working picture."""
        return self.camera.size[0] * self.camera.size[1]

    def tower(self, cell: int, height: int, stand: Stand) -> Raster:
        """The pixels of a tower without its top piece."""
        key = (cell, height, stand)
        found = self.towers.get(key)
        if found is None:
            found = self.towers[key] = self._tower(cell, height, stand)
            if len(self.towers) > KEPT:
                self.towers.popitem(last=False)
        return found

    def _tower(self, cell: int, height: int, stand: Stand) -> Raster:
        plan = template(self.profile, height)
        turns = TURN_STEP * np.array(stand.turns, dtype=np.float64)
        c, s = np.cos(turns)[plan.level], np.sin(turns)[plan.level]
        x, y, z = plan.corners.T
        u, v = cell_centre(cell)
        spots = np.column_stack((c * x - s * y + u + stand.offset[0], s * x + c * y + v + stand.offset[1], z))
        dots = self.camera.project(spots)
        outlines, marks, look = [], [], np.zeros(max(plan.mark) + 1, dtype=np.intp)
        if self.profile.blocks[0].foot_height:
            outlines.append(self._steps((u + stand.offset[0], v + stand.offset[1]), float(turns[0])))
            marks.append(SKIRT)
        begin = 0
        for face, end in enumerate(plan.ends):
            corners = dots[begin:end]
            if _front(corners):
                outlines.append(corners)
                marks.append(plan.mark[face])
                if plan.wall[face]:
                    turn = plan.bearing[face] + turns[plan.level[begin]]
                    look[plan.mark[face]] = 1 + round(turn * BEARINGS / (2 * np.pi)) % BEARINGS
            begin = end
        top = plan.mark[-1] if plan.recess else 0
        index, mark = self._paint(outlines, marks, EDGE if top else 0)
        solid = mark != SKIRT
        skirt, index, mark = index[~solid], index[solid], mark[solid]
        edge = mark == EDGE
        mark[edge] = top
        present, slot = np.unique(mark, return_inverse=True)
        chosen = look[present]
        code = np.where(edge, 2, (chosen > 0)[slot]) * self.pixels + index
        return Raster(index, slot.astype(np.intp), chosen, code.astype(np.intp), skirt)

    def _steps(self, at: tuple[float, float], turn: float) -> Floats:
        """The outline of the box that holds the lowest block's steps."""
        plan = turned(outline("square", self.profile.blocks[0].base_width), turn, at)
        corners = np.vstack((at_height(plan, 0.0), at_height(plan, STEPS)))
        return _hull(self.camera.project(corners).astype(np.float32))

    def _paint(
        self, outlines: Sequence[Floats], marks: Sequence[int], edge: int = 0
    ) -> tuple[Index, NDArray[np.uint8]]:
        """Paint outlines in order on a small sheet, the last one edged: pixels painted and their marks."""
        wide, high = self.camera.size
        dots = np.vstack(outlines)
        (low_x, low_y), (high_x, high_y) = dots.min(axis=0), dots.max(axis=0)
        left, top = max(0, int(low_x) - 1), max(0, int(low_y) - 1)
        right, bottom = min(wide, int(high_x) + 3), min(high, int(high_y) + 3)
        if right <= left or bottom <= top:
            return np.empty(0, dtype=np.int32), np.empty(0, dtype=np.uint8)
        sheet = np.zeros((bottom - top, right - left), dtype=np.uint8)
        for corners, mark in zip(outlines, marks, strict=True):
            points = np.rint((corners - (left, top)) * 16).astype(np.int32)
            cv2.fillConvexPoly(sheet, points, mark, cv2.LINE_8, 4)
        if edge:
            cv2.polylines(sheet, [points], True, edge, 2, cv2.LINE_8, 4)
        place = np.flatnonzero(sheet)
        rows, columns = np.divmod(place, right - left)
        return ((rows + top) * wide + (columns + left)).astype(np.int32), sheet.ravel()[place]

    def crown(self, cell: int, height: int, dome: bool, x: int = 0, y: int = 0) -> Crown:
        """The pixels of a dome or a worker on so many blocks; offset on the grid."""
        key = (cell, height, dome, x, y)
        found = self.crowns.get(key)
        if found is None:
            found = self.crowns[key] = self._crown(cell, height, dome, (x * OFFSET_STEP, y * OFFSET_STEP))
            if len(self.crowns) > KEPT:
                self.crowns.popitem(last=False)
        return found

    def _crown(self, cell: int, height: int, dome: bool, offset: tuple[float, float]) -> Crown:
        u, v = cell_centre(cell)
        z = self.profile.rim(height) if dome else self.profile.floor(height)
        parts = hulls(self.profile, dome)
        where = np.array([u + offset[0], v + offset[1], z])
        dots = self.camera.project(np.vstack(parts) + where).astype(np.float32)
        ends = np.cumsum([len(part) for part in parts])[:-1]
        outlines = [_hull(part) for part in np.split(dots, ends)]
        if dome:
            return Crown(self._paint(outlines, [1] * len(outlines))[0], NONE, NONE)
        hull = _hull(dots)
        middle = hull.mean(axis=0)
        wide = middle + (hull - middle) * RING
        index, mark = self._paint([wide, hull, *outlines], [3, 2] + [1] * len(outlines))
        return Crown(index[mark == 1], index[mark == 2], index[mark == 3])

    def square(self, cell: int, half: float = 0.42) -> Index:
        """The pixels of a square on a cell's ground."""
        key = (cell, half)
        if key not in self.squares:
            self.squares[key] = self._square(cell, half)
        return self.squares[key]

    def _square(self, cell: int, half: float) -> Index:
        u, v = cell_centre(cell)
        corners = [
            (u + a, v + b, 0.0) for a, b in ((-half, -half), (half, -half), (half, half), (-half, half))
        ]
        return self._paint([self.camera.project(np.array(corners))], [1])[0]


@lru_cache(maxsize=8)
def hulls(profile: PieceProfile, dome: bool) -> tuple[Floats, ...]:
    """The points whose hulls outline a dome or a worker standing at the origin."""
    faces = dome_faces(profile, (0.0, 0.0), 0.0) if dome else worker_faces(profile, (0.0, 0.0), 0.0, "")
    return tuple(face.points for face in faces)


def _hull(dots: NDArray[np.float32]) -> Floats:
    return np.asarray(cv2.convexHull(dots), dtype=np.float64).reshape(-1, 2)


def _front(corners: Floats) -> bool:
    """Whether a face's corners run the way they do when its front is seen (y down)."""
    x, y = corners[:, 0], corners[:, 1]
    area = float(x[-1] * y[0] - x[0] * y[-1] + (x[:-1] * y[1:] - x[1:] * y[:-1]).sum())
    return area < 0
