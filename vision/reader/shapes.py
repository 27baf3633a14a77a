"""Pixel lists of known piles: which working pixels each face of a pile covers, kept for reuse."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats
from calibration.pieces import PieceProfile
from calibration.solids import cell_centre
from vision.reader import filling, turning
from vision.reader.filling import FINE
from vision.reader.outlines import Template, hulls, template
from vision.reader.painted import EDGE_PLANE, STEPS_PLANE, TOP_HEAD, TOWER_HEAD, Shelf
from vision.reader.turning import BEARINGS as BEARINGS
from vision.reader.turning import Bounds

Index = NDArray[np.int32]
Value = TypeVar("Value", bound=np.generic)
# so many numbers of pixel lists are kept for one camera, 30 MB; room that is not used takes no memory
KEPT: Final = 7_500_000
ROOM: Final = 8_000_000
OFFSET_STEP: Final = 0.025
TURN_STEP: Final = 0.0436332
# what a face looks like: 0 for roofs, 1 + a bearing for walls, and last the lowest block's steps
STEPPED: Final = 1 + BEARINGS
SKIRT: Final = 255
EDGE: Final = 254
RING: Final = 1.35
# how far from a cell's middle its pile can reach, in pitches
REACH: Final = 0.8


class Stand(NamedTuple):
    """How a tower stands, on a grid: offset in fortieths of a pitch, turns in steps of 2.5 degrees."""

    x: int = 0
    y: int = 0
    turns: tuple[int, ...] = ()


class Box(NamedTuple):
    """The part of the working picture in which a cell's pile can show."""

    left: int
    top: int
    wide: int
    high: int
    stride: int

    @property
    def size(self) -> int:
        """Pixels of the box."""
        return self.wide * self.high

    @property
    def limits(self) -> Bounds:
        """Left, top, right, bottom."""
        return self.left, self.top, self.left + self.wide, self.top + self.high

    def flat(self, spot: Index) -> Index:
        """Places in the whole picture of places in the box."""
        rows = spot // self.wide
        return spot + rows * (self.stride - self.wide) + (self.top * self.stride + self.left)

    def cut(self, sheet: NDArray[Value]) -> NDArray[Value]:
        """The box out of flat pictures: the last axis holds all pixels and becomes two."""
        whole = sheet.reshape(*sheet.shape[:-1], -1, self.stride)
        return whole[..., self.top : self.top + self.high, self.left : self.left + self.wide]


@dataclass(frozen=True, eq=False)
class Raster:
    """Pixels of a tower, face after face, and how each face looks: where on the shelf they are."""

    box: Box
    shelf: Shelf
    at: int

    @property
    def look(self) -> Index:
        """How each face looks."""
        begin = self.at + TOWER_HEAD
        return self.shelf.numbers[begin : begin + self.shelf.numbers[self.at]]

    @property
    def counts(self) -> Index:
        """How many runs of pixels each face has."""
        begin, faces = self.at + TOWER_HEAD, self.shelf.numbers[self.at]
        return self.shelf.numbers[begin + faces : begin + 2 * faces]

    @property
    def runs(self) -> Index:
        """The code of every run's first pixel, and how many pixels of one row it has."""
        begin = self.at + TOWER_HEAD + 2 * int(self.shelf.numbers[self.at])
        return self.shelf.numbers[begin : begin + 2 * int(self.counts.sum())].reshape(-1, 2)

    @property
    def code(self) -> Index:
        """Every pixel's place in the cell's box plus the box's size times a plane.

        The planes are roof, wall, the edge of a roof's recess, and where the lowest block's steps may be.
        """
        first, length = self.runs.T
        ends = np.cumsum(length)
        return np.repeat(first - ends + length, length) + np.arange(
            ends[-1] if len(ends) else 0, dtype=np.int32
        )

    @property
    def index(self) -> Index:
        """The tower's sure pixels in the whole picture: all but its steps."""
        return self.box.flat(self.spot[self.sure])

    @property
    def skirt(self) -> Index:
        """Where the lowest block's steps may or may not be, in the whole picture."""
        return self.box.flat(self.spot[~self.sure])

    @property
    def slot(self) -> NDArray[np.intp]:
        """The face of every sure pixel."""
        return self.face[self.sure]

    @property
    def ledge(self) -> Index:
        """The pixels along the recess of the uppermost roof, in the whole picture."""
        return self.box.flat(self.spot[self.code // self.box.size == EDGE_PLANE])

    @property
    def sure(self) -> NDArray[np.bool_]:
        """Which pixels are the tower's for sure."""
        return np.asarray(self.code < STEPS_PLANE * self.box.size)

    @property
    def spot(self) -> Index:
        """Every pixel's place in the box."""
        return self.code % self.box.size

    @property
    def face(self) -> NDArray[np.intp]:
        """Every pixel's face."""
        return np.repeat(np.repeat(np.arange(len(self.look)), self.counts), self.runs[:, 1])


@dataclass(frozen=True, eq=False)
class Crown:
    """Pixels of a dome or a worker: the sure ones, the fringe that may be either, a ring around both."""

    box: Box
    shelf: Shelf
    at: int

    @property
    def parts(self) -> tuple[Index, Index, Index]:
        """The three as places in the cell's box."""
        begin = self.at + TOP_HEAD
        ends = np.cumsum(self.shelf.numbers[self.at : begin]).tolist()
        own, fringe, ring = (self.shelf.numbers[begin + a : begin + b] for a, b in pairwise((0, *ends)))
        return own, fringe, ring

    @property
    def own(self) -> Index:
        """The sure pixels in the cell's box."""
        return self.parts[0]

    @property
    def index(self) -> Index:
        """The sure pixels in the whole picture."""
        return self.box.flat(self.parts[0])

    @property
    def fringe(self) -> Index:
        """The pixels that may be either, in the whole picture."""
        return self.box.flat(self.parts[1])

    @property
    def ring(self) -> Index:
        """The pixels around both, in the whole picture."""
        return self.box.flat(self.parts[2])


TowerKey = tuple[int, int, Stand]
CrownKey = tuple[int, int, bool, int, int]


@dataclass
class Shapes:
    """Rasters for one camera and one set of pieces."""

    camera: Camera
    profile: PieceProfile
    ledges: bool = False
    """Whether the ledges of feet count as faces of their own, with a light of their own."""
    towers: dict[TowerKey, Raster] = field(default_factory=dict)
    crowns: dict[CrownKey, Crown] = field(default_factory=dict)
    shelf: Shelf = field(default_factory=lambda: Shelf(ROOM))
    squares: dict[tuple[int, float], Index] = field(default_factory=dict)
    boxes: dict[int, Box] = field(default_factory=dict)

    @property
    def pixels(self) -> int:
        """Pixels of the working picture."""
        return self.camera.size[0] * self.camera.size[1]

    def box(self, cell: int) -> Box:
        """Where a cell's pile can show, whatever it is and however carelessly it stands."""
        if cell not in self.boxes:
            u, v = cell_centre(cell)
            wide, high = self.camera.size
            ways, levels = (-REACH, REACH), (0.0, self.profile.tallest)
            dots = self.camera.project([(u + x, v + y, z) for x in ways for y in ways for z in levels])
            left, top, right, bottom = _bounds(dots, (0, 0, wide, high))
            self.boxes[cell] = Box(left, top, max(1, right - left), max(1, bottom - top), wide)
        return self.boxes[cell]

    def tidy(self) -> None:
        """Begin a new shelf when this one is full; shapes that somebody still holds keep the old one."""
        if self.shelf.used > KEPT:
            self.shelf = Shelf(ROOM)
            self.towers.clear()
            self.crowns.clear()

    def tower(self, cell: int, height: int, stand: Stand) -> Raster:
        """The pixels of a tower without its top piece."""
        return self.all_towers([(cell, height, stand)])[0]

    def all_towers(self, keys: Sequence[TowerKey]) -> list[Raster]:
        """The pixels of many towers; those not known yet are projected together."""
        missing = [key for key in dict.fromkeys(keys) if key not in self.towers]
        if missing:
            self._build(missing)
        return [self.towers[key] for key in keys]

    def _build(self, keys: Sequence[TowerKey]) -> None:
        """Paint towers that are not known yet."""
        plans = [template(self.profile, height, self.ledges) for _, height, _ in keys]
        turns = [TURN_STEP * np.array(stand.turns, dtype=np.float64) for _, _, stand in keys]
        parts = list(pairwise(itertools.accumulate((len(plan.corners) for plan in plans), initial=0)))
        spots = np.empty((parts[-1][1], 3))
        for (cell, _, stand), plan, turn, (begin, end) in zip(keys, plans, turns, parts, strict=True):
            x, y = cell_centre(cell)
            x, y = OFFSET_STEP * stand.x + x, OFFSET_STEP * stand.y + y
            turning.turned(plan.corners, plan.level, turn, x, y, spots[begin:end])
        dots = self.camera.project(spots)
        for key, plan, turn, (begin, end) in zip(keys, plans, turns, parts, strict=True):
            self.towers[key] = self._tower(self.box(key[0]), plan, dots[begin:end], turn)

    def _tower(self, box: Box, plan: Template, dots: Floats, turns: Floats) -> Raster:
        """One tower's raster from where its corners are seen."""
        faces = plan.begins, plan.ends, plan.block
        fine, shows, look, bounds = turning.faced(dots, faces, plan.bearing, plan.wall, turns)
        sheet = Sheet(box, _clamped(box.limits, *bounds))
        fine -= np.array(sheet.shift, dtype=np.int32)
        outlines = plan.begins, plan.ends, plan.marks
        looks = filling.fill_faces(sheet.paper, fine, outlines, shows, look, SKIRT if plan.stepped else 0)
        looks[SKIRT] = STEPPED
        if plan.recess:
            # the uppermost roof's floor, which no camera above the board misses
            sheet.line(fine[plan.begins[-1] : plan.ends[-1]], EDGE)
        at = self.shelf.put_tower(sheet.paper, looks, (int(plan.marks[-1]), EDGE, SKIRT), sheet.shape)
        return Raster(box, self.shelf, at)

    def crown(self, cell: int, height: int, dome: bool, x: int = 0, y: int = 0) -> Crown:
        """The pixels of a dome or a worker on so many blocks; offset on the grid."""
        return self.all_crowns([(cell, height, dome, x, y)])[0]

    def all_crowns(self, keys: Sequence[CrownKey]) -> list[Crown]:
        """The pixels of many domes and workers; those not known yet are projected together."""
        missing: dict[bool, list[CrownKey]] = {}
        for key in dict.fromkeys(keys):
            if key not in self.crowns:
                missing.setdefault(key[2], []).append(key)
        for dome, new in missing.items():
            for key, crown in zip(new, self._crowns(dome, new), strict=True):
                self.crowns[key] = crown
        return [self.crowns[key] for key in keys]

    def _crowns(self, dome: bool, keys: Sequence[CrownKey]) -> list[Crown]:
        parts = hulls(self.profile, dome)
        level = self.profile.rim if dome else self.profile.floor
        at = [
            (u + x * OFFSET_STEP, v + y * OFFSET_STEP, level(height))
            for cell, height, _, x, y in keys
            for u, v in (cell_centre(cell),)
        ]
        spots = np.vstack(parts)[None] + np.array(at)[:, None]
        dots = self.camera.project(spots).astype(np.float32)
        spans = list(pairwise((0, *np.cumsum([len(part) for part in parts]).tolist())))
        return [
            self._crown(self.box(key[0]), [_hull(one[begin:end]) for begin, end in spans], dome)
            for key, one in zip(keys, dots, strict=True)
        ]

    def _crown(self, box: Box, outlines: list[Floats], dome: bool) -> Crown:
        """A top piece's raster from the hulls of its parts."""
        marks = [1] * len(outlines)
        if not dome:
            hull = _hull(np.concatenate(outlines)).astype(np.float64)
            middle = hull.mean(axis=0)
            outlines, marks = [middle + (hull - middle) * RING, hull, *outlines], [3, 2, *marks]
        corners = _fine(np.concatenate(outlines))
        sheet = Sheet(box, _frames(box, corners[None])[0])
        corners -= np.array(sheet.shift, dtype=np.int32)
        spans = pairwise(itertools.accumulate(map(len, outlines), initial=0))
        for mark, (begin, end) in zip(marks, spans, strict=True):
            sheet.fill(corners[begin:end], mark)
        return Crown(box, self.shelf, self.shelf.put_top(sheet.paper, sheet.shape))

    def square(self, cell: int, half: float = 0.42) -> Index:
        """The pixels of a square on a cell's ground, in the whole picture."""
        key = (cell, half)
        if key not in self.squares:
            u, v = cell_centre(cell)
            ways = ((-half, -half), (half, -half), (half, half), (-half, half))
            fine = _fine(self.camera.project([(u + a, v + b, 0.0) for a, b in ways]))
            sheet = Sheet(self.box(cell), _frames(self.box(cell), fine[None])[0])
            sheet.fill(fine - np.array(sheet.shift, dtype=np.int32), 1)
            crown = Crown(self.box(cell), self.shelf, self.shelf.put_top(sheet.paper, sheet.shape))
            self.squares[key] = crown.index
        return self.squares[key]


class Sheet:
    """A small sheet to paint outlines on, in a cell's box; corners are in sixteenths of a pixel of it."""

    def __init__(self, box: Box, frame: Bounds) -> None:
        self.box = box
        self.left, self.top, right, bottom = frame
        self.shift = self.left << FINE, self.top << FINE
        self.paper = np.zeros((max(0, bottom - self.top), max(0, right - self.left)), dtype=np.uint8)

    def fill(self, corners: Index, mark: int) -> None:
        """Paint a convex outline."""
        filling.fill(self.paper, corners, mark)

    def line(self, corners: Index, mark: int) -> None:
        """Paint the border of an outline."""
        if self.paper.size:
            cv2.polylines(self.paper, [corners], True, mark, 2, cv2.LINE_8, FINE)

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """The box's size and width, and the sheet's first row and column in it."""
        return self.box.size, self.box.wide, self.top - self.box.top, self.left - self.box.left


def _frames(box: Box, fine: Index) -> list[Bounds]:
    """The parts of a box in which some shapes are, each given by its corners in sixteenths: (M, P, 2)."""
    ends = np.concatenate((fine.min(axis=1), fine.max(axis=1)), axis=1)
    return [_clamped(box.limits, *row) for row in np.trunc(ends / (1 << FINE)).astype(np.intp).tolist()]


def _bounds(dots: NDArray[Any], limits: Bounds) -> Bounds:
    """The smallest box that holds some places with a margin, within limits: left, top, right, bottom."""
    return _clamped(limits, *dots.min(axis=0).astype(int).tolist(), *dots.max(axis=0).astype(int).tolist())


def _clamped(limits: Bounds, left: int, top: int, right: int, bottom: int) -> Bounds:
    """A box with a margin, within limits."""
    low = max(limits[0], left - 1), max(limits[1], top - 1)
    return *low, min(limits[2], right + 3), min(limits[3], bottom + 3)


def _fine(dots: Floats) -> Index:
    """Places in sixteenths of a pixel."""
    return np.rint(dots * (1 << FINE)).astype(np.int32)


def _hull(dots: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(cv2.convexHull(dots), dtype=dots.dtype).reshape(-1, 2)
