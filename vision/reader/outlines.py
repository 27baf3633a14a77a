"""Outlines of known pieces about the origin: a tower's faces as one array of corners, hulls of the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.pieces import PieceProfile
from calibration.solids import Face, Pile, at_height, dome_faces, outline, pile_faces, worker_faces

MIDDLE: Final = 12
# the lowest block's steps reach so high, in pitches
STEPS: Final = 0.42
STEP_CORNERS: Final = 8
CORNERS_OF_PART: Final = 3


@dataclass(frozen=True, eq=False)
class Template:
    """A tower's faces, unturned: corners and each one's block, where faces begin and end and their blocks.

    The last corners are no face: they are the box that holds the lowest block's steps.
    """

    corners: Floats
    level: NDArray[np.intp]
    begins: NDArray[np.intp]
    ends: NDArray[np.intp]
    block: NDArray[np.intp]
    bearing: Floats
    wall: NDArray[np.bool_]
    marks: NDArray[np.uint8]
    recess: bool
    stepped: bool


@lru_cache(maxsize=16)
def template(profile: PieceProfile, height: int, ledges: bool = False) -> Template:
    """The faces of a tower of so many blocks; `ledges`: each side of a foot's counts as a face of its own."""
    faces = pile_faces(profile, Pile(MIDDLE, height))
    if ledges:
        faces = tuple(part for place in range(len(faces)) for part in _parted(faces, place))
    foot = outline("square", profile.blocks[0].base_width)
    corners = np.vstack([*(face.points for face in faces), at_height(foot, 0.0), at_height(foot, STEPS)])
    level = [np.full(len(face.points), face.level - 1) for face in faces]
    bearing = [np.arctan2(face.normal[1], face.normal[0]) if face.normal else 0.0 for face in faces]
    ends = np.cumsum([len(face.points) for face in faces])
    begins = np.concatenate(([0], ends[:-1]))
    return Template(
        corners,
        np.concatenate((*level, np.zeros(STEP_CORNERS, dtype=np.intp))),
        begins,
        ends,
        np.array([face.level - 1 for face in faces]),
        np.array(bearing),
        np.array([face.kind == "side" for face in faces]),
        np.array(_marks(faces), dtype=np.uint8),
        faces[-1].kind == "floor",
        bool(profile.blocks[0].foot_height),
    )


def _marks(faces: Sequence[Face]) -> tuple[int, ...]:
    """A number for every face; rims and floor of one block share theirs."""
    names: dict[tuple[str, int], int] = {}
    for place in range(len(faces)):
        names.setdefault(_name(faces, place), len(names) + 1)
    return tuple(names[_name(faces, place)] for place in range(len(faces)))


def _name(faces: Sequence[Face], place: int) -> tuple[str, int]:
    """What a face counts as: a wall, one side of a ledge, or a part of its block's top."""
    face = faces[place]
    if face.kind == "side" or len(face.points) == CORNERS_OF_PART:
        return ("side", place)
    return ("top", face.level)


def _parted(faces: Sequence[Face], place: int) -> list[Face]:
    """A foot's ledge as four triangles, one for each side; other faces as they are."""
    face = faces[place]
    walled = any(other.kind == "side" and other.level == face.level for other in faces[place + 1 :])
    if face.kind != "rim" or not walled:
        return [face]
    middle = face.points.mean(axis=0)
    return [
        Face("rim", np.array([one, two, middle]), face.normal, face.level)
        for one, two in zip(face.points, np.roll(face.points, -1, axis=0), strict=True)
    ]


@lru_cache(maxsize=8)
def hulls(profile: PieceProfile, dome: bool) -> tuple[Floats, ...]:
    """The points whose hulls outline a dome or a worker standing at the origin."""
    faces = dome_faces(profile, (0.0, 0.0), 0.0) if dome else worker_faces(profile, (0.0, 0.0), 0.0, "")
    return tuple(face.points for face in faces)
