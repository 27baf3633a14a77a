"""Pixel lists of known piles: which working pixels each face of a pile covers, kept for reuse."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats
from calibration.pieces import PieceProfile
from calibration.solids import Face, Pile, cell_centre, dome_faces, outline_of, pile_faces, worker_faces

Index = NDArray[np.int32]
TOP: Final = 0
SIDE: Final = 1
KEPT: Final = 6000
OFFSET_STEP: Final = 0.025
TURN_STEP: Final = 0.0436332


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
    """Pixels of a pile's faces: flat index, and the face each belongs to (its kind and bearing)."""

    index: Index
    slot: NDArray[np.uint8]
    kinds: NDArray[np.uint8]
    bearings: Floats
    code: NDArray[np.int64]


@dataclass(frozen=True)
class Crown:
    """Pixels of a dome or a worker: the sure ones and the fringe that may be either."""

    index: Index
    fringe: Index


@dataclass
class Shapes:
    """Rasters for one camera and one set of pieces."""

    camera: Camera
    profile: PieceProfile
    towers: OrderedDict[tuple[int, int, Stand], Raster] = field(default_factory=OrderedDict)
    crowns: OrderedDict[tuple[int, int, bool, int, int], Crown] = field(default_factory=OrderedDict)

    @property
    def pixels(self) -> int:
        """Pixels of the working picture."""
        return self.camera.size[0] * self.camera.size[1]

    def tower(self, cell: int, height: int, stand: Stand) -> Raster:
        """The pixels of a tower without its top piece."""
        key = (cell, height, stand)
        found = self.towers.get(key)
        if found is None:
            turns = [TURN_STEP * t for t in stand.turns] + [0.0] * 3
            pile = Pile(cell, height, "", stand.offset, (turns[0], turns[1], turns[2]))
            found = self.towers[key] = self._tower(pile_faces(self.profile, pile), height)
            if len(self.towers) > KEPT:
                self.towers.popitem(last=False)
        return found

    def _tower(self, faces: tuple[Face, ...], height: int) -> Raster:
        eye = self.camera.place
        shown = [face for face in faces if face.faces(eye)]
        kinds = np.array([SIDE if f.kind == "side" else TOP for f in shown], dtype=np.uint8)
        bearings = np.array([np.arctan2(f.normal[1], f.normal[0]) if f.normal else 0.0 for f in shown])
        # rim and floor of the roof are one face; so are all rims of one level
        names = [("top", f.level) if f.kind != "side" else ("side", i) for i, f in enumerate(shown)]
        first = {name: i for i, name in reversed(list(enumerate(names)))}
        marks = [first[name] + 1 for name in names]
        index, mark = self._paint([outline_of(f, self.camera) for f in shown], marks)
        slot = (mark - 1).astype(np.uint8)
        code = kinds[slot].astype(np.int64) * self.pixels + index
        return Raster(index, slot, kinds, bearings, code)

    def _paint(
        self, outlines: list[NDArray[np.float32]], marks: list[int]
    ) -> tuple[Index, NDArray[np.uint8]]:
        """Paint outlines in order on a small sheet; the pixels painted and their marks."""
        wide, high = self.camera.size
        dots = np.vstack(outlines)
        low = np.floor(dots.min(axis=0)).astype(int) - 1
        left, top = max(0, int(low[0])), max(0, int(low[1]))
        right, bottom = min(wide, int(dots[:, 0].max()) + 3), min(high, int(dots[:, 1].max()) + 3)
        if right <= left or bottom <= top:
            return np.empty(0, dtype=np.int32), np.empty(0, dtype=np.uint8)
        sheet = np.zeros((bottom - top, right - left), dtype=np.uint8)
        for outline, mark in zip(outlines, marks, strict=True):
            points = np.rint((outline - (left, top)) * 16).astype(np.int32)
            cv2.fillConvexPoly(sheet, points, mark, cv2.LINE_8, 4)
        rows, columns = np.nonzero(sheet)
        index = ((rows + top) * wide + (columns + left)).astype(np.int32)
        return index, sheet[rows, columns]

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
        at = (u + offset[0], v + offset[1])
        z = self.profile.rim(height) if dome else self.profile.floor(height)
        faces = dome_faces(self.profile, at, z) if dome else worker_faces(self.profile, at, z, "")
        outlines = [outline_of(face, self.camera) for face in faces]
        index, _ = self._paint(outlines, [1] * len(outlines))
        if dome:
            return Crown(index, np.empty(0, dtype=np.int32))
        hull = np.asarray(cv2.convexHull(np.vstack(outlines)), dtype=np.float32).reshape(-1, 2)
        around, _ = self._paint([hull], [1])
        return Crown(index, np.setdiff1d(around, index, assume_unique=True).astype(np.int32))

    def square(self, cell: int, at: tuple[float, float], half: float = 0.42) -> Index:
        """The pixels of a cell's ground square."""
        u, v = at
        corners = [
            (u + a, v + b, 0.0) for a, b in ((-half, -half), (half, -half), (half, half), (-half, half))
        ]
        outline = self.camera.project(np.array(corners)).astype(np.float32)
        return self._paint([outline], [1])[0]
