"""Paints the known pieces in the light of the room, far to near, and their shadows on the grass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats
from calibration.pieces import PieceProfile
from calibration.solids import (
    DOME,
    Face,
    Pile,
    block_faces,
    cell_centre,
    dome_faces,
    outline_of,
    pile_faces,
    scene,
    worker_faces,
)
from vision.reading import Content, Picture
from vision.simulator.ground import fill
from vision.simulator.light import DOME_BLUE, IVORY, Light, Rgb, linear, to_bgr

UP: Final = np.array([0.0, 0.0, 1.0])
REACH: Final = 0.38  # half a block, for "does this pile stand between here and the lamp"
BALL: Final = 32  # width of the small picture of a ball
GRAIN: Final = 7  # steps across a face at which the shadows on it are worked out
WINDOW: Final = (0.30, 0.30, 0.32)
GLOSS: Final = {"dome": 0.55, "worker": 0.12}


@dataclass(frozen=True)
class Scene:
    """What is to be painted: camera, pieces, light, colours of the sides."""

    camera: Camera
    profile: PieceProfile
    light: Light
    colours: Mapping[str, Rgb]


def tops_of(profile: PieceProfile, piles: Sequence[Pile]) -> Floats:
    """Middle (x, y) and height of every pile, for the shadows on other pieces: (N, 3)."""
    rows = [
        (*np.add(cell_centre(p.cell), p.offset), profile.rim(p.height) + 0.5 * bool(p.top), p.cell)
        for p in piles
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, 4)


def share_lit(points: Floats, cell: int, tops: Floats, light: Light) -> Floats:
    """How much of the directed light reaches points (N, 3) past the other piles: 0 to 1 each."""
    others = tops[tops[:, 3] != cell]
    if not len(others):
        return np.ones(len(points))
    sun = light.towards
    level = float(np.hypot(sun[0], sun[1])) or 1e-9
    ahead = sun[:2] / level
    away = others[None, :, :2] - points[:, None, :2]
    along = away @ ahead
    aside = np.abs(away @ np.array([-ahead[1], ahead[0]]))
    clear = points[:, 2:3] + (along - REACH) * sun[2] / level - others[None, :, 2]
    covers = np.clip((REACH + 0.04 - aside) / 0.08, 0, 1) * np.clip(-clear / 0.08, 0, 1) * (along > REACH)
    return np.asarray(1.0 - covers.max(axis=1))


def cast(points: Floats, light: Light) -> Floats:
    """Where the shadows of points fall on the plateau."""
    sun = light.towards
    fallen = points - points[:, 2:3] * (sun / sun[2])
    return np.column_stack((fallen[:, :2], np.zeros(len(points))))


def draw_shadows(mask: NDArray[np.uint8], view: Scene, piles: Sequence[Pile]) -> NDArray[np.uint8]:
    """Shadows of the piles on the grass: 255 where no directed light arrives."""
    contact = mask.copy()
    for pile in piles:
        levels: dict[int, list[Floats]] = {}
        for face in pile_faces(view.profile, pile):
            levels.setdefault(face.level, []).append(face.points)
        for parts in levels.values():
            fallen = view.camera.project(cast(np.vstack(parts), view.light)).astype(np.float32)
            fill(mask, cv2.convexHull(fallen).reshape(-1, 2), (255, 255, 255))
        ground = np.vstack(next(iter(levels.values())))
        foot = (ground - ground.mean(axis=0)) * np.array([1.14, 1.14, 0.0]) + ground.mean(axis=0) * [1, 1, 0]
        hull = cv2.convexHull(view.camera.project(foot).astype(np.float32)).reshape(-1, 2)
        fill(contact, hull, (90, 90, 90))
    scale = view.camera.focal[0] / float(np.linalg.norm(view.camera.place))
    soft = cv2.blur(mask, (odd(scale * view.light.softness * 2),) * 2)
    near = cv2.blur(contact, (odd(scale * 0.12),) * 2)
    return np.asarray(cv2.max(soft, near), dtype=np.uint8)


def odd(size: float) -> int:
    """The next odd number, as filters want it."""
    return 2 * round(size / 2) + 1


def paint(picture: Picture, view: Scene, piles: Sequence[Pile]) -> None:
    """Paint all piles into a picture of the view's camera."""
    tops = tops_of(view.profile, piles)
    for pile, face in scene(view.profile, piles, view.camera):
        if face.kind in ("dome", "worker"):
            middle = face.points.mean(axis=0, keepdims=True)
            paint_round(picture, view, face, float(share_lit(middle, pile.cell, tops, view.light)[0]))
            continue
        around = np.vstack((face.points, face.points.mean(axis=0)))
        dark = np.dot(face.normal or UP, view.light.towards) <= 0
        share = np.ones(1) if dark else share_lit(around, pile.cell, tops, view.light)
        if np.ptp(share) < 0.02:
            paint_flat(picture, view, pile, face, float(share[0]))
        else:
            paint_flat(picture, view, pile, face, 1.0)
            paint_shaded(picture, view, pile, face, tops)


def paint_flat(picture: Picture, view: Scene, pile: Pile, face: Face, lit: float) -> None:
    """A wall, a rim or a recess of ivory plastic."""
    if face.kind == "floor":
        paint_recess(picture, view, face, lit)
        return
    normal = np.array(face.normal)
    fill(picture, view.camera.project(face.points), to_bgr(linear(IVORY) * view.light.on(normal, lit)))
    if face.kind == "side":
        paint_details(picture, view, pile, face, lit)


def paint_details(picture: Picture, view: Scene, pile: Pile, face: Face, lit: float) -> None:
    """Walls are darker at their foot and have windows."""
    normal, ivory = np.array(face.normal), linear(IVORY)
    lamp = view.light.on(normal, lit)
    tall = float(face.points[2, 2] - face.points[0, 2])
    wide = float(np.hypot(*(face.points[1, :2] - face.points[0, :2])))
    quads = [_quad(face.points, 0.0, 1.0, 0.0, 0.22)]
    if tall >= 0.2 and wide >= 0.2:
        seed = (pile.cell, face.level, round(1000 * normal[0]) % 9999, 7)
        quads.extend(_windows(face.points, tall, wide, np.random.default_rng(seed)))
    foot, *holes = view.camera.project(np.array(quads))
    fill(picture, foot, to_bgr(0.86 * ivory * lamp))
    for hole in holes:
        fill(picture, hole, to_bgr(0.3 * np.array(WINDOW) * lamp))


def _windows(wall: Floats, tall: float, wide: float, random: np.random.Generator) -> Iterator[Floats]:
    """Where the windows of a wall are, if it has any."""
    for middle in (0.28, 0.72) if wide > 0.5 else (0.5,):
        if random.random() < 0.75:
            half, bottom = 0.055 / wide, float(random.uniform(0.35, 0.5))
            yield _quad(wall, middle - half, middle + half, bottom, bottom + 0.13 / tall)


def paint_shaded(picture: Picture, view: Scene, pile: Pile, face: Face, tops: Floats) -> None:
    """Lay other piles' shadows on a flat face: its look without the directed light, by shares."""
    outline = view.camera.project(face.points)
    low = np.maximum(np.floor(outline.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + 1, (picture.shape[1], picture.shape[0]))
    if (high <= low).any():
        return
    part = picture[low[1] : high[1], low[0] : high[0]]
    near = view.camera.cropped(int(low[0]), int(low[1]), (part.shape[1], part.shape[0]))
    dark = part.copy()
    paint_flat(dark, replace(view, camera=near), pile, face, 0.0)
    share = share_lit(_spots(face, near), pile.cell, tops, view.light).reshape(GRAIN, GRAIN)
    lit = cv2.resize(share.astype(np.float32), (part.shape[1], part.shape[0]), interpolation=cv2.INTER_LINEAR)
    mask = np.zeros(part.shape[:2], np.uint8)
    fill(mask, outline - low, (255, 255, 255))
    mixed = cv2.blendLinear(part, dark, lit, 1.0 - lit)
    cv2.copyTo(mixed, mask, part)


def _spots(face: Face, near: Camera) -> Floats:
    """Where a grid of pixels over a small picture meets the face's plane: (GRAIN * GRAIN, 3)."""
    wide, high = near.size
    u = (np.arange(GRAIN) + 0.5) * wide / GRAIN - 0.5
    v = (np.arange(GRAIN) + 0.5) * high / GRAIN - 0.5
    rays = near.rays(np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2))
    normal, eye = np.array(face.normal), near.place
    reach = float((face.points[0] - eye) @ normal) / (rays @ normal)
    return np.asarray(eye + rays * reach[:, None])


def _quad(wall: Floats, left: float, right: float, low: float, high: float) -> Floats:
    """A part of an upright wall, in shares of its width and height."""
    along, up = wall[1] - wall[0], wall[3] - wall[0]
    shares = ((left, low), (right, low), (right, high), (left, high))
    return np.array([wall[0] + a * along + b * up for a, b in shares])


def paint_recess(picture: Picture, view: Scene, face: Face, lit: float) -> None:
    """The opening in a roof: its inner walls, and the sunk floor as far as it is seen and lit."""
    block = view.profile.blocks[face.level - 1]
    deep = (block.rim - block.floor) * UP
    opening = view.camera.project(face.points).astype(np.float32)
    inside = view.light.on(UP, 0.35 * lit) * linear(IVORY)
    fill(picture, opening, to_bgr(0.8 * inside))
    floor = view.camera.project(face.points - deep).astype(np.float32)
    seen = _common(opening, floor)
    if seen is None:
        return
    fill(picture, seen, to_bgr(0.97 * view.light.on(UP, 0.35 * lit) * linear(IVORY)))
    sun = view.light.towards
    bright = view.camera.project(face.points - deep - deep[2] * (sun / sun[2] - UP)).astype(np.float32)
    sunny = _common(np.asarray(seen, np.float32), bright)
    if sunny is not None:
        fill(picture, sunny, to_bgr(0.97 * view.light.on(UP, lit) * linear(IVORY)))


def _common(one: NDArray[np.float32], two: NDArray[np.float32]) -> Floats | None:
    area, shape = cv2.intersectConvexConvex(one, two)
    return None if area <= 0 or shape is None else np.asarray(shape, np.float64).reshape(-1, 2)


def paint_round(picture: Picture, view: Scene, face: Face, lit: float) -> None:
    """A dome or a part of a figure, shaded as if it were a ball as large as its outline."""
    hull = outline_of(face, view.camera).astype(np.float64)
    low, high = np.floor(hull.min(axis=0)).astype(int), np.ceil(hull.max(axis=0)).astype(int) + 1
    (x0, y0), (x1, y1) = np.maximum(low, 0), np.minimum(high, (picture.shape[1], picture.shape[0]))
    if x1 <= x0 or y1 <= y0:
        return
    colour = DOME_BLUE if face.kind == "dome" else view.colours[face.side]
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    shade = cv2.resize(ball(view, colour, lit, GLOSS[face.kind]), size, interpolation=cv2.INTER_LINEAR)
    mask = np.zeros(shade.shape[:2], np.uint8)
    fill(mask, hull - low, (255, 255, 255))
    window = (slice(y0 - low[1], y1 - low[1]), slice(x0 - low[0], x1 - low[0]))
    cv2.copyTo(shade[window], mask[window], picture[y0:y1, x0:x1])


def paint_held(picture: Picture, view: Scene, content: Content, at: tuple[float, float], z: float) -> None:
    """A piece in the air, between fingers."""
    profile = view.profile
    if content.top == DOME:
        faces = dome_faces(profile, at, z)
    elif content.top:
        faces = worker_faces(profile, at, z, content.top)
    else:
        thick = profile.rim(content.height) - profile.rim(content.height - 1)
        block = profile.blocks[content.height - 1]
        faces = block_faces(block, content.height, (z, z + thick), at, 0.35)
    for face in faces:
        if face.kind in ("dome", "worker"):
            paint_round(picture, view, face, 1.0)
        elif face.faces(view.camera.place):
            paint_flat(picture, view, Pile(0, content.height), face, 1.0)


def ball(view: Scene, colour: Rgb, lit: float, gloss: float) -> Picture:
    """A small picture of a ball that fills it; it is stretched over an outline."""
    across = (np.arange(BALL) + 0.5) * (2 / BALL) - 1
    u, v = np.meshgrid(across, across)
    depth = np.sqrt(np.maximum(0.03, 1 - u * u - v * v))
    normal = np.stack((u, v, -depth), axis=-1)
    normal = (normal / np.linalg.norm(normal, axis=-1, keepdims=True)) @ view.camera.turn
    sun = view.light.towards
    facing = normal @ sun
    room = (0.6 + 0.4 * normal[..., 2])[..., None] * np.array(view.light.sky)
    falls = room + np.maximum(0, facing)[..., None] * np.array(view.light.sun) * lit
    eye = view.camera.place / np.linalg.norm(view.camera.place)
    mirror = (2 * facing[..., None] * normal - sun) @ eye
    shine = gloss * np.maximum(0, mirror) ** 30 * lit
    seen = np.clip(linear(colour) * falls + shine[..., None], 0, 1) ** (1 / 2.2)
    return np.asarray(np.rint(255 * seen[..., ::-1]), dtype=np.uint8)
