"""Shadows on the island: which ground the piles would keep a lamp's light from, on a plan of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats
from calibration.pieces import PieceProfile
from calibration.solids import ROUND, pile_faces
from vision.reader.filling import fill_shadows
from vision.reader.fit import Fit, Spec, pile_of
from vision.reader.quick import Loop

Bytes = NDArray[np.uint8]
Flat = NDArray[np.float32]
Wide = NDArray[np.int64]

# a pitch is so many squares of the plan, whose border is so far from the middle of the island
FINE_PITCH: Final = 24
REACH: Final = 2.52
SIDE: Final = round(2 * REACH * FINE_PITCH)
# so far from piles, in working pixels, the ground is not only theirs
MARGIN: Final = np.ones((5, 5), dtype=np.uint8)
# how far brightness strays from what is expected, logarithm, and how much one square may say
WAVER: Final = 0.12
MOST: Final = 4.0
# how deep shadows can be, logarithm, and of how many squares that is told
FAINTEST: Final = -0.05
DEEPEST: Final = -2.5
FEWEST: Final = 15


class Solids(NamedTuple):
    """Convex solids: their corners, and where those of each end."""

    corners: Floats
    ends: Wide


@dataclass(frozen=True)
class Plan:
    """Where the squares of the island's plan are seen in the working picture."""

    across: Flat
    down: Flat

    def laid(self, sheet: NDArray[np.float32]) -> Flat:
        """A working picture's values on the plan."""
        return np.asarray(cv2.remap(sheet, self.across, self.down, cv2.INTER_LINEAR))


@dataclass(frozen=True)
class OpenGround:
    """How much darker than the empty board the ground is, logarithm, and which of it is known."""

    darker: Flat
    known: Flat

    @property
    def unlit(self) -> float:
        """How well no shadow at all explains it."""
        return explained(self.darker, self.known, np.zeros_like(self.darker), 0.0)[0]


def plan_of(camera: Camera) -> Plan:
    """The plan of the island as a camera sees it."""
    steps = (np.arange(SIDE) + 0.5) / FINE_PITCH - REACH
    x, y = np.meshgrid(steps, steps)
    dots = camera.project(np.stack((x, y, np.zeros_like(x)), axis=-1)).astype(np.float32)
    return Plan(np.ascontiguousarray(dots[..., 0]), np.ascontiguousarray(dots[..., 1]))


def open_ground(plan: Plan, darker: Flat, known: NDArray[np.bool_], fits: list[Fit]) -> OpenGround:
    """The ground in view beside the piles."""
    covered = np.zeros(darker.size, dtype=np.uint8)
    for fit in fits:
        covered[fit.index] = 1
    near = cv2.dilate(covered.reshape(darker.shape), MARGIN)
    free = (known.reshape(darker.shape) & (near == 0)).astype(np.float32)
    # single pixels waver
    calm = cv2.blur(darker, (2, 2))
    return OpenGround(plan.laid(np.asarray(calm)), np.floor(plan.laid(free)))


@lru_cache(maxsize=4096)
def solids_of(profile: PieceProfile, cell: int, spec: Spec) -> Solids:
    """A pile as solids: feet, bodies, a dome or the parts of a worker."""
    pile = pile_of(cell, spec)
    parts: dict[tuple[int, int, float], list[Floats]] = {}
    for number, face in enumerate(pile_faces(profile, pile)):
        if face.kind in ("rim", "floor"):
            continue
        # a block's walls belong together, its foot's apart from its body's
        alone = 0 if face.kind == "side" else number
        points = face.points if face.kind == "side" else thinned(face.points)
        parts.setdefault((face.level, alone, float(face.points[:, 2].min())), []).append(points)
    corners = [np.unique(np.vstack(points), axis=0) for points in parts.values()]
    ends = np.cumsum([len(points) for points in corners], dtype=np.int64)
    return Solids(np.vstack(corners) if corners else np.empty((0, 3)), ends)


def thinned(rings: Floats) -> Floats:
    """Every other corner of every other ring of a round part: its shadow is hardly another."""
    return rings.reshape(-1, ROUND, 3)[::2, ::2].reshape(-1, 3)


def shadows(solids: list[Solids], light: tuple[float, float, float]) -> Bytes:
    """The plan with all ground marked that solids keep the light from (`fill_shadows`)."""
    paper = np.zeros((SIDE, SIDE), dtype=np.uint8)
    for corners, ends in solids:
        if len(ends):
            fill_shadows(paper, corners, ends, light, (FINE_PITCH, REACH))
    return paper


@Loop
def explained(darker: Flat, known: Flat, lost: Flat, depth: float) -> tuple[float, float]:
    """How well shadows explain the ground, and how deep they are; a positive depth: as they look.

    `lost` is the share of the lamp's light that is lost.
    """
    if depth > 0:
        depth = depth_of(darker, known, lost)
    total = 0.0
    for row in range(darker.shape[0]):
        for column in range(darker.shape[1]):
            if known[row, column] > 0:
                off = (darker[row, column] - depth * lost[row, column]) / WAVER
                total -= min(0.5 * off * off, MOST)
    return total, depth


@Loop
def depth_of(darker: Flat, known: Flat, lost: Flat) -> float:
    """How deep shadows are, logarithm, where most of the light is lost."""
    count, total = 0, 0.0
    for row in range(darker.shape[0]):
        for column in range(darker.shape[1]):
            if known[row, column] > 0 and lost[row, column] > 0.5:
                count, total = count + 1, total + darker[row, column]
    return min(max(total / count, DEEPEST), FAINTEST) if count >= FEWEST else FAINTEST
