"""The known pieces as polygons in space: what a pile in a cell looks like, bottom to top."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats
from calibration.pieces import RIM_WIDTH, Block, PieceProfile

FaceKind = Literal["side", "rim", "floor", "dome", "worker"]
DOME: Final = "dome"
OCTAGON: Final = 0.4142135623730951
ROUND: Final = 16


@dataclass(frozen=True)
class Pile:
    """What stands in one cell: blocks, and a dome or a worker of a side; how a hand has put it down."""

    cell: int
    height: int
    top: str = ""
    offset: tuple[float, float] = (0.0, 0.0)
    turns: tuple[float, float, float] = (0.0, 0.0, 0.0)
    shifts: tuple[tuple[float, float], ...] = ()
    lifts: tuple[float, ...] = ()
    top_shift: tuple[float, float] = (0.0, 0.0)
    top_turn: float = 0.0
    female: bool = False


@dataclass(frozen=True)
class Face:
    """One outline: a flat polygon with a normal, or (normal None) the convex hull of its points."""

    kind: FaceKind
    points: Floats
    normal: tuple[float, float, float] | None
    level: int
    side: str = ""

    def faces(self, eye: Floats) -> bool:
        """Whether a flat face turns its front to the eye."""
        if self.normal is None:
            return True
        return float(np.dot(eye - self.points[0], self.normal)) > 0


def cell_centre(cell: int) -> tuple[float, float]:
    """The middle of a cell in the board frame."""
    return (cell % 5 - 2.0, cell // 5 - 2.0)


def outline(shape: str, width: float) -> Floats:
    """A block's plan, (N, 2), counter-clockwise, so wide across its flats."""
    half = width / 2
    if shape == "square":
        return half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], dtype=np.float64)
    if shape == "octagon":
        cut = OCTAGON
        corners = [(-cut, -1), (cut, -1), (1, -cut), (1, cut), (cut, 1), (-cut, 1), (-1, cut), (-1, -cut)]
        return half * np.array(corners, dtype=np.float64)
    around = np.arange(ROUND) * (2 * np.pi / ROUND)
    return half * np.column_stack((np.cos(around), np.sin(around)))


def turned(plan: Floats, turn: float, at: Sequence[float]) -> Floats:
    """A plan turned by radians and moved to a place."""
    c, s = np.cos(turn), np.sin(turn)
    return np.asarray(plan @ np.array([[c, s], [-s, c]]) + np.asarray(at))


def at_height(plan: Floats, z: float) -> Floats:
    """A plan lifted to a height: (N, 3)."""
    return np.column_stack((plan, np.full(len(plan), z)))


def walls(plan: Floats, low: float, high: float, level: int) -> Iterator[Face]:
    """The upright faces over a plan."""
    for (x0, y0), (x1, y1) in zip(plan, np.roll(plan, -1, axis=0), strict=True):
        length = float(np.hypot(x1 - x0, y1 - y0)) or 1.0
        points = np.array([(x0, y0, low), (x1, y1, low), (x1, y1, high), (x0, y0, high)])
        yield Face("side", points, (float(y1 - y0) / length, float(x0 - x1) / length, 0.0), level)


UP: Final = (0.0, 0.0, 1.0)


def block_faces(
    block: Block, level: int, span: tuple[float, float], at: Sequence[float], turn: float
) -> Iterator[Face]:
    """One block between two heights: its foot or flange, body, rim and the opening of its recess."""
    low, high = span
    foot = low + block.foot_height
    if block.foot_height:
        plan = turned(outline("square", block.base_width), turn, at)
        yield from walls(plan, low, foot, level)
        yield Face("rim", at_height(plan, foot), UP, level)
    yield from walls(turned(outline(block.shape, block.body_width), turn, at), foot, high, level)
    crown = turned(outline(block.shape, block.top_width), turn, at)
    yield Face("rim", at_height(crown, high), UP, level)
    if block.floor < block.rim:
        opening = turned(outline(block.shape, block.top_width - 2 * RIM_WIDTH), turn, at)
        yield Face("floor", at_height(opening, high), UP, level)


def ring(at: Sequence[float], radius: float, z: float, count: int = ROUND) -> Floats:
    """Points on a level circle."""
    around = np.arange(count) * (2 * np.pi / count)
    x, y = at[0] + radius * np.cos(around), at[1] + radius * np.sin(around)
    return np.column_stack((x, y, np.full(count, z)))


def dome_faces(profile: PieceProfile, at: Sequence[float], z: float) -> Iterator[Face]:
    """The dome's outline: the hull of a few rings of the cap."""
    dome, rings = profile.dome, []
    for part in (0.0, 0.35, 0.6, 0.8, 0.93, 1.0):
        radius = dome.radius * float(np.sqrt(max(0.0, 1 - part * part)))
        rings.append(ring(at, max(radius, 1e-3), z + part * dome.height))
    yield Face("dome", np.vstack(rings), None, 4)


def worker_faces(profile: PieceProfile, at: Sequence[float], z: float, side: str) -> Iterator[Face]:
    """A worker's outline as three hulls: foot, body, head."""
    figure = profile.worker
    foot, neck = z + 0.12 * figure.height, z + figure.height - 1.9 * figure.head_radius
    middle = z + figure.height - figure.head_radius
    base = np.vstack((ring(at, figure.base_radius, z), ring(at, 0.92 * figure.base_radius, foot)))
    body = np.vstack((ring(at, 1.25 * figure.body_radius, foot), ring(at, 0.8 * figure.body_radius, neck)))
    balls = [(0.0, 1.0), (0.6, 0.8), (-0.6, 0.8), (0.97, 0.25), (-0.97, 0.25)]
    head = np.vstack(
        [ring(at, wide * figure.head_radius, middle + up * figure.head_radius) for up, wide in balls]
    )
    for points in (base, body, head):
        yield Face("worker", points, None, 4, side)


def pile_faces(profile: PieceProfile, pile: Pile) -> tuple[Face, ...]:
    """All faces of a pile, bottom to top, in the order in which they are painted."""
    x, y = cell_centre(pile.cell)
    at, lift = (x + pile.offset[0], y + pile.offset[1]), 0.0
    faces: list[Face] = []
    for level, block in enumerate(profile.blocks[: pile.height], start=1):
        shift = pile.shifts[level - 1] if level <= len(pile.shifts) else (0.0, 0.0)
        lift += pile.lifts[level - 1] if level <= len(pile.lifts) else 0.0
        span = (profile.rim(level - 1) + lift, block.rim + lift)
        place = (at[0] + shift[0], at[1] + shift[1])
        faces.extend(block_faces(block, level, span, place, pile.turns[level - 1]))
    crown = (at[0] + pile.top_shift[0], at[1] + pile.top_shift[1])
    if pile.top == DOME:
        faces.extend(dome_faces(profile, crown, profile.rim(pile.height) + lift))
    elif pile.top:
        faces.extend(worker_faces(profile, crown, profile.floor(pile.height) + lift, pile.top))
    return tuple(faces)


def outline_of(face: Face, camera: Camera) -> NDArray[np.float32]:
    """A face's outline in pixels: flat faces as they are, others as the hull of their points."""
    dots = camera.project(face.points).astype(np.float32)
    if face.normal is not None:
        return dots
    return np.asarray(cv2.convexHull(dots), dtype=np.float32).reshape(-1, 2)


def far_to_near(camera: Camera, cells: Iterable[int] = range(25)) -> tuple[int, ...]:
    """Cells in the order in which their piles are painted: the farthest from the camera first."""
    x, y, _ = camera.place

    def distance(cell: int) -> float:
        u, v = cell_centre(cell)
        return float(np.hypot(u - x, v - y))

    return tuple(sorted(cells, key=distance, reverse=True))


def scene(profile: PieceProfile, piles: Iterable[Pile], camera: Camera) -> Iterator[tuple[Pile, Face]]:
    """Every face that turns to the camera, in painting order."""
    eye = camera.place
    at = {pile.cell: pile for pile in piles if pile.height or pile.top}
    for cell in far_to_near(camera, at):
        for face in pile_faces(profile, at[cell]):
            if face.faces(eye):
                yield at[cell], face
