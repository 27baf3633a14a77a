"""What the faces of a pile look like from one camera, before light falls on them; kept between pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats
from calibration.pieces import PieceProfile
from calibration.solids import Face, Pile, pile_faces
from vision.simulator.light import IVORY, Light, linear

UP: Final = np.array([0.0, 0.0, 1.0])
GRAIN: Final = 7  # steps across a face at which the shadows on it are worked out
WINDOW: Final = (0.30, 0.30, 0.32)
FINE: Final = 4  # bits of a pixel that OpenCV's outlines carry
KEPT: Final = 256  # piles; some 30 kB each
PLASTIC: Final = linear(IVORY)
PANE: Final = 0.3 * np.array(WINDOW)


@dataclass(frozen=True)
class Stroke:
    """An outline of one colour, in parts of a pixel, and the share of the face's directed light on it."""

    outline: NDArray[np.int32]
    colour: Floats
    share: float = 1.0


@dataclass(frozen=True)
class Sketch:
    """A face that turns to the camera: its outline and what is painted on it, the lowest first."""

    camera: Camera
    face: Face
    outline: Floats
    strokes: tuple[Stroke, ...]

    @cached_property
    def normal(self) -> Floats:
        """Where a flat face looks."""
        return np.array(self.face.normal if self.face.normal is not None else UP)

    @cached_property
    def around(self) -> Floats:
        """Points at which it is asked how much light arrives: corners and middle, or the middle alone."""
        middle = self.face.points.mean(axis=0)
        return np.vstack((self.face.points, middle)) if self.face.normal is not None else middle[None]

    @cached_property
    def window(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom of the pixels that it reaches; nothing of it may be in the picture."""
        low, high = np.floor(self.outline.min(axis=0)), np.ceil(self.outline.max(axis=0)) + 1
        (left, top), (right, bottom) = np.maximum(low, 0), np.minimum(high, self.camera.size)
        return int(left), int(top), int(right), int(bottom)

    @cached_property
    def spots(self) -> Floats:
        """Where a grid of pixels over the window meets the face's plane: (GRAIN * GRAIN, 3)."""
        left, top, right, bottom = self.window
        u = left + (np.arange(GRAIN) + 0.5) * (right - left) / GRAIN - 0.5
        v = top + (np.arange(GRAIN) + 0.5) * (bottom - top) / GRAIN - 0.5
        rays = self.camera.rays(np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2))
        eye = self.camera.place
        reach = float((self.face.points[0] - eye) @ self.normal) / (rays @ self.normal)
        return np.asarray(eye + rays * reach[:, None])


@lru_cache(maxsize=KEPT)
def sketched(camera: Camera, profile: PieceProfile, light: Light, pile: Pile) -> tuple[Sketch, ...]:
    """Sketch the faces of a pile that turn to the camera, in painting order."""
    eye = camera.place
    return tuple(
        sketch(camera, profile, light, pile, face) for face in pile_faces(profile, pile) if face.faces(eye)
    )


def sketch(camera: Camera, profile: PieceProfile, light: Light, pile: Pile, face: Face) -> Sketch:
    """Sketch one face."""
    dots = camera.project(face.points)
    if face.normal is None:
        hull = cv2.convexHull(dots.astype(np.float32)).reshape(-1, 2)
        return Sketch(camera, face, hull.astype(np.float64), ())
    if face.kind == "floor":
        return Sketch(camera, face, dots, tuple(_recess(camera, profile, light, face, dots)))
    details = _details(camera, pile, face) if face.kind == "side" else ()
    return Sketch(camera, face, dots, (Stroke(sixteenths(dots), PLASTIC), *details))


def sixteenths(dots: NDArray[np.floating]) -> NDArray[np.int32]:
    """Write pixels as OpenCV wants outlines with corners between pixels."""
    return np.asarray(np.rint(dots * (1 << FINE)), dtype=np.int32)


def _details(camera: Camera, pile: Pile, face: Face) -> Iterator[Stroke]:
    """Walls are darker at their foot and have windows."""
    tall = float(face.points[2, 2] - face.points[0, 2])
    wide = float(np.hypot(*(face.points[1, :2] - face.points[0, :2])))
    quads = [_quad(face.points, 0.0, 1.0, 0.0, 0.22)]
    if tall >= 0.2 and wide >= 0.2 and face.normal is not None:
        seed = (pile.cell, face.level, round(1000 * face.normal[0]) % 9999, 7)
        quads.extend(_windows(face.points, tall, wide, np.random.default_rng(seed)))
    foot, *holes = sixteenths(camera.project(np.array(quads)))
    yield Stroke(foot, 0.86 * PLASTIC)
    for hole in holes:
        yield Stroke(hole, PANE)


def _windows(wall: Floats, tall: float, wide: float, random: np.random.Generator) -> Iterator[Floats]:
    """Where the windows of a wall are, if it has any."""
    for middle in (0.28, 0.72) if wide > 0.5 else (0.5,):
        if random.random() < 0.75:
            half, bottom = 0.055 / wide, float(random.uniform(0.35, 0.5))
            yield _quad(wall, middle - half, middle + half, bottom, bottom + 0.13 / tall)


def _quad(wall: Floats, left: float, right: float, low: float, high: float) -> Floats:
    """A part of an upright wall, in shares of its width and height."""
    along, up = wall[1] - wall[0], wall[3] - wall[0]
    shares = ((left, low), (right, low), (right, high), (left, high))
    return np.array([wall[0] + a * along + b * up for a, b in shares])


def _recess(
    camera: Camera, profile: PieceProfile, light: Light, face: Face, dots: Floats
) -> Iterator[Stroke]:
    """The opening in a roof: its inner walls, and the sunk floor as far as it is seen and lit."""
    block = profile.blocks[face.level - 1]
    deep = (block.rim - block.floor) * UP
    opening = dots.astype(np.float32)
    yield Stroke(sixteenths(opening), 0.8 * PLASTIC, 0.35)
    seen = _common(opening, camera.project(face.points - deep).astype(np.float32))
    if seen is None:
        return
    yield Stroke(sixteenths(seen), 0.97 * PLASTIC, 0.35)
    sun = light.towards
    bright = camera.project(face.points - deep - deep[2] * (sun / sun[2] - UP)).astype(np.float32)
    sunny = _common(np.asarray(seen, np.float32), bright)
    if sunny is not None:
        yield Stroke(sixteenths(sunny), 0.97 * PLASTIC)


def _common(one: NDArray[np.float32], two: NDArray[np.float32]) -> Floats | None:
    area, shape = cv2.intersectConvexConvex(one, two)
    return None if area <= 0 or shape is None else np.asarray(shape, np.float64).reshape(-1, 2)
