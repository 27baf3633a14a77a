"""Everything that never moves: table, mat, sea, cliff and plateau as the camera sees them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.camera import Camera, Floats
from calibration.pieces import BoardPrint
from vision.reading import Picture
from vision.simulator import textures
from vision.simulator.light import ROCK, Light, linear, to_bgr

COARSE: Final = 8
TABLE_CELLS: Final = 14.0  # how far the table's texture goes before it repeats
Maps = tuple[NDArray[np.float32], NDArray[np.float32]]


@dataclass(frozen=True)
class Sheet:
    """Something flat on the table: colours, mask, reach from the centre in cells, over the table."""

    picture: Picture
    mask: NDArray[np.uint8]
    extent: float


@dataclass(frozen=True)
class Ground:
    """The empty scene, once in full light and once without the directed light, and where the plateau is."""

    lit: Picture
    shaded: Picture
    plateau: NDArray[np.uint8]


def ways(camera: Camera) -> NDArray[np.float32]:
    """The direction of every pixel: exact on a coarse grid, straight lines in between."""
    width, height = camera.size
    # Enlarging puts the coarse place k on the pixel COARSE * k + 3.5; one more on each side, cut off again.
    columns = np.arange(-1, width // COARSE + 2) * COARSE + (COARSE - 1) / 2
    rows = np.arange(-1, height // COARSE + 2) * COARSE + (COARSE - 1) / 2
    rays = camera.rays(np.stack(np.meshgrid(columns, rows), axis=-1)).astype(np.float32)
    size = (len(columns) * COARSE, len(rows) * COARSE)
    wide = cv2.resize(rays, size, interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(wide[COARSE : COARSE + height, COARSE : COARSE + width], dtype=np.float32)


def meet(camera: Camera, rays: NDArray[np.float32], z: float) -> Maps:
    """Where the pixels' rays meet a level plane; far outside where they look above the horizon."""
    eye = camera.place
    down = np.minimum(rays[..., 2], -1e-4)
    reach = ((z - eye[2]) / down).astype(np.float32)
    return eye[0].astype(np.float32) + rays[..., 0] * reach, eye[1].astype(np.float32) + rays[..., 1] * reach


def sample(texture: Picture, extent: float, at: Maps, border: int = cv2.BORDER_CONSTANT) -> Picture:
    """Look a square texture up at board coordinates."""
    dots = texture.shape[0] / (2 * extent)
    u = ((at[0] + extent) * dots - 0.5).astype(np.float32)
    v = ((extent - at[1]) * dots - 0.5).astype(np.float32)
    return np.asarray(cv2.remap(texture, u, v, cv2.INTER_LINEAR, borderMode=border), dtype=np.uint8)


def lay(under: Picture, over: Picture, mask: NDArray[np.uint8]) -> Picture:
    """Put one picture over another where the mask says so."""
    share = (mask.astype(np.float32) / 255.0)[..., None]
    return np.asarray(np.rint(under + (over.astype(np.float32) - under) * share), dtype=np.uint8)


def shadow_of_island(board: BoardPrint, light: Light, at: Maps) -> NDArray[np.uint8]:
    """Where the island keeps the directed light off the table: 255 in full shadow."""
    drop = -light.towards[:2] / light.towards[2] * board.height
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], dtype=np.float64)
    hull = cv2.convexHull(
        np.vstack((square * board.plateau + drop, square * (board.plateau - 0.25))).astype(np.float32)
    ).reshape(-1, 2)
    extent = 6.5
    mask = np.zeros((520, 520), np.uint8)
    dots = np.column_stack((hull[:, 0] + extent, extent - hull[:, 1])) * 40 - 0.5
    cv2.fillConvexPoly(mask, np.rint(dots * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(mask, (0, 0), max(1.0, 40 * light.softness * 3))
    return sample(np.asarray(soft, dtype=np.uint8), extent, at)


@lru_cache(maxsize=8)
def printed(board: BoardPrint, seed: int) -> tuple[Sheet, Sheet, Picture]:
    """The plateau, the sea and the table of a board; drawn once."""
    return Sheet(*textures.plateau(board, seed)), Sheet(*textures.sea(board, seed)), textures.table(seed)


def draw_cliff(picture: Picture, camera: Camera, board: BoardPrint, light: Light, seed: int) -> None:
    """Rock between the plateau's edge and the sea, in ragged upright strips."""
    random = np.random.default_rng((seed, 4))
    eye, rock = camera.place, linear(ROCK)
    for side in range(4):
        c, s = np.cos(side * np.pi / 2), np.sin(side * np.pi / 2)
        normal = np.array([s, -c, 0.0])
        if float(np.dot(eye[:2], normal[:2])) < board.plateau:
            continue
        feet = np.clip(-0.8 + np.cumsum(random.uniform(-0.09, 0.09, 61)), -1.0, -0.55)
        for step in range(60):
            tone = rock * float(random.uniform(0.6, 1.1))
            strip = _strip(board, step / 30 - 1, feet[step : step + 2])
            points = strip @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
            fill(picture, camera.project(points), to_bgr(tone * light.on(normal)))


def _strip(board: BoardPrint, left: float, feet: Floats) -> Floats:
    """One upright strip of rock, from the plateau's edge down to the sea, on the side of row 1."""
    (x0, x1), top, low = (left, left + 1 / 30), board.plateau - 0.04, board.plateau + feet
    upper = [(x0 * top, -top, 0.0), (x1 * top, -top, 0.0)]
    lower = [(x1 * low[1], -low[1], -board.height), (x0 * low[0], -low[0], -board.height)]
    return np.array(upper + lower)


def fill(picture: Picture, dots: ArrayLike, colour: tuple[int, int, int]) -> None:
    """Fill an outline given in pixels with sub-pixel corners."""
    cv2.fillConvexPoly(picture, np.rint(np.multiply(dots, 16)).astype(np.int32), colour, cv2.LINE_8, 4)


def draw_ground(
    camera: Camera, board: BoardPrint, light: Light, seed: int, mat: Sheet | None = None
) -> Ground:
    """Draw the empty scene for one camera (or a cut-out of one)."""
    top, sea, table = printed(board, seed)
    rays = ways(camera)
    low, high = meet(camera, rays, -board.height), meet(camera, rays, 0.0)
    albedo = sample(table, TABLE_CELLS / 2, low, cv2.BORDER_WRAP)
    for sheet in (mat, sea):
        if sheet is not None:
            albedo = lay(
                albedo, sample(sheet.picture, sheet.extent, low), sample(sheet.mask, sheet.extent, low)
            )
    bright, dim = light.curve(1.0), light.curve(0.0)
    shaded = np.asarray(cv2.LUT(albedo, dim), dtype=np.uint8)
    lit = lay(
        np.asarray(cv2.LUT(albedo, bright), dtype=np.uint8), shaded, shadow_of_island(board, light, low)
    )
    for picture in (lit, shaded):
        draw_cliff(picture, camera, board, light, seed)
    grass, mask = sample(top.picture, top.extent, high), sample(top.mask, top.extent, high)
    lit = lay(lit, np.asarray(cv2.LUT(grass, bright), dtype=np.uint8), mask)
    return Ground(lit, lay(shaded, np.asarray(cv2.LUT(grass, dim), dtype=np.uint8), mask), mask)
