"""Paints the known pieces in the light of the room, far to near, and their shadows on the grass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats
from calibration.pieces import PieceProfile
from calibration.solids import (
    DOME,
    Pile,
    block_faces,
    cell_centre,
    dome_faces,
    far_to_near,
    pile_faces,
    worker_faces,
)
from vision.reading import Content, Picture
from vision.simulator.ground import fill
from vision.simulator.light import DOME_BLUE, Light, Rgb, linear, to_bgr
from vision.simulator.sketch import FINE, GRAIN, Sketch, sketch, sketched

REACH: Final = 0.38  # half a block, for "does this pile stand between here and the lamp"
BALL: Final = 32  # width of the small picture of a ball
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


def share_lit(points: Floats, cells: NDArray[np.int_], tops: Floats, light: Light) -> Floats:
    """How much of the directed light reaches points (N, 3) of piles in cells (N) past other piles: 0 to 1."""
    sun = light.towards
    level = float(np.hypot(sun[0], sun[1])) or 1e-9
    ahead = sun[:2] / level
    away = tops[None, :, :2] - points[:, None, :2]
    along = away @ ahead
    aside = np.abs(away @ np.array([-ahead[1], ahead[0]]))
    clear = points[:, 2:3] + (along - REACH) * sun[2] / level - tops[None, :, 2]
    others = (along > REACH) & (tops[None, :, 3] != cells[:, None])
    covers = np.clip((REACH + 0.04 - aside) / 0.08, 0, 1) * np.clip(-clear / 0.08, 0, 1) * others
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
    at = {pile.cell: pile for pile in piles if pile.height or pile.top}
    order = far_to_near(view.camera, at)
    shown = [
        (cell, one) for cell in order for one in sketched(view.camera, view.profile, view.light, at[cell])
    ]
    if not shown:
        return
    tops = tops_of(view.profile, piles)
    counts = [len(one.around) for _, one in shown]
    cells = np.repeat([cell for cell, _ in shown], counts)
    lit = share_lit(np.vstack([one.around for _, one in shown]), cells, tops, view.light)
    for (cell, one), share in zip(shown, np.split(lit, np.cumsum(counts)[:-1]), strict=True):
        if one.face.normal is None:
            paint_round(picture, view, one, float(share[0]))
        elif one.normal @ view.light.towards <= 0 or np.ptp(share) < 0.02:
            paint_flat(picture, view, one, float(share[0]))
        else:
            paint_flat(picture, view, one, 1.0)
            paint_shaded(picture, view, one, cell, tops)


def paint_flat(picture: Picture, view: Scene, one: Sketch, lit: float, low: tuple[int, int] = (0, 0)) -> None:
    """A wall, a rim or a recess of ivory plastic; `low` is where a part of a picture begins."""
    shift = np.array(low) << FINE
    for stroke in one.strokes:
        colour = to_bgr(stroke.colour * view.light.on(one.normal, stroke.share * lit))
        cv2.fillConvexPoly(picture, stroke.outline - shift, colour, cv2.LINE_8, FINE)


def paint_shaded(picture: Picture, view: Scene, one: Sketch, cell: int, tops: Floats) -> None:
    """Lay other piles' shadows on a flat face: its look without the directed light, by shares."""
    left, top, right, bottom = one.window
    if right <= left or bottom <= top:
        return
    part = picture[top:bottom, left:right]
    dark = part.copy()
    paint_flat(dark, view, one, 0.0, (left, top))
    share = share_lit(one.spots, np.full(GRAIN * GRAIN, cell), tops, view.light).reshape(GRAIN, GRAIN)
    lit = cv2.resize(share.astype(np.float32), (right - left, bottom - top), interpolation=cv2.INTER_LINEAR)
    mask = np.zeros(part.shape[:2], np.uint8)
    fill(mask, one.outline - (left, top), (255, 255, 255))
    mixed = cv2.blendLinear(part, dark, lit, 1.0 - lit)
    cv2.copyTo(mixed, mask, part)


def paint_round(picture: Picture, view: Scene, one: Sketch, lit: float) -> None:
    """A dome or a part of a figure, shaded as if it were a ball as large as its outline."""
    hull, face = one.outline, one.face
    low, high = np.floor(hull.min(axis=0)).astype(int), np.ceil(hull.max(axis=0)).astype(int) + 1
    x0, y0, x1, y1 = one.window
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
        one = sketch(view.camera, profile, view.light, Pile(0, content.height), face)
        if face.normal is None:
            paint_round(picture, view, one, 1.0)
        elif face.faces(view.camera.place):
            paint_flat(picture, view, one, 1.0)


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
