"""What is printed or grows on the flat surfaces: the plateau, the sea, the table."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.pieces import BoardPrint
from vision.reading import Picture

DOTS: Final = 160  # texture pixels per cell
LIGHT_GRASS: Final = (44, 194, 98)
DARK_GRASS: Final = (44, 150, 26)
EDGE_GRASS: Final = (32, 130, 36)
WALL: Final = (228, 232, 232)
PEBBLE: Final = (222, 226, 224)
EARTH: Final = (88, 158, 178)
GATE: Final = (30, 40, 96)
MOSS: Final = (24, 84, 20)
GROOVE: Final = (172, 176, 174)
SEA: Final = (205, 128, 28)
FOAM: Final = (232, 190, 92)
MASK = NDArray[np.uint8]


def clouds(shape: tuple[int, int], grain: int, random: np.random.Generator) -> NDArray[np.float32]:
    """Soft random spots between -1 and 1, so many pixels wide."""
    small = random.standard_normal((shape[0] // grain + 3, shape[1] // grain + 3)).astype(np.float32)
    wide = cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(wide / 2, -1, 1), dtype=np.float32)


def mottled(picture: Picture, grain: int, strength: float, random: np.random.Generator) -> Picture:
    """The picture with soft lighter and darker spots."""
    factor = 1 + strength * clouds((picture.shape[0], picture.shape[1]), grain, random)
    return np.clip(picture * factor[..., None], 0, 255).astype(np.uint8)


def wavy_square(half: float, extent: float, wave: float, random: np.random.Generator) -> MASK:
    """A mask (255 inside) of a square whose edge wanders, as cut cardboard and printed coasts do."""
    side = round(2 * extent * DOTS)
    steps = np.linspace(-half, half, 60)[:-1]
    edge = np.column_stack((steps, np.full(59, -half)))
    quarter = np.array([[0.0, 1.0], [-1.0, 0.0]])
    ring = np.vstack([edge @ np.linalg.matrix_power(quarter, k) for k in range(4)])
    ring = ring * (1 + wave / half * random.uniform(-1, 1, (len(ring), 1)))
    mask = np.zeros((side, side), np.uint8)
    cv2.fillPoly(mask, [to_dots(ring, extent)], 255, cv2.LINE_AA, 4)
    return mask


def to_dots(points: Floats, extent: float, shift: int = 4) -> NDArray[np.int32]:
    """Board coordinates as texture pixels (row 5 on top), with so many fractional bits."""
    x, y = points[:, 0] + extent, extent - points[:, 1]
    dots = np.column_stack((x, y)) * DOTS - 0.5
    return np.rint(dots * (1 << shift)).astype(np.int32)


def line(
    picture: Picture, a: Floats, b: Floats, width: float, colour: tuple[int, int, int], extent: float
) -> None:
    """Draw a bar with square ends from a to b, so many cells wide."""
    along = (b - a) / max(float(np.hypot(*(b - a))), 1e-9)
    across = np.array([-along[1], along[0]]) * width / 2
    corners = np.array([a - across, b - across, b + across, a + across])
    cv2.fillPoly(picture, [to_dots(corners, extent)], colour, cv2.LINE_AA, 4)


def wall(picture: Picture, a: Floats, b: Floats, width: float, extent: float) -> None:
    """Draw a printed wall: a dark seam around it, white stone, and the joints between the stones."""
    along = (b - a) / max(float(np.hypot(*(b - a))), 1e-9)
    across = np.array([-along[1], along[0]])
    line(picture, a - 0.018 * along, b + 0.018 * along, width + 0.036, MOSS, extent)
    line(picture, a, b, width, WALL, extent)
    for side in (-0.2, 0.2):
        line(picture, a + side * width * across, b + side * width * across, 0.012, GROOVE, extent)


def checker(extent: float) -> Picture:
    """Grass in two greens, a1 light, and the plain rim around it."""
    side = round(2 * extent * DOTS)
    picture = np.full((side, side, 3), EDGE_GRASS, np.uint8)
    for cell in range(25):
        x, y = cell % 5 - 2.0, cell // 5 - 2.0
        corners = np.array([[x - 0.5, y - 0.5], [x + 0.5, y - 0.5], [x + 0.5, y + 0.5], [x - 0.5, y + 0.5]])
        colour = LIGHT_GRASS if cell % 2 == 0 else DARK_GRASS
        cv2.fillPoly(picture, [to_dots(corners, extent)], colour, cv2.LINE_8, 4)
    return picture


def scatter(picture: Picture, extent: float, random: np.random.Generator) -> None:
    """Pebbles and bare earth here and there."""
    for _ in range(28):
        x, y = random.uniform(-2.4, 2.4, 2)
        axes = (int(random.uniform(5, 13)), int(random.uniform(4, 9)))
        at = to_dots(np.array([[x, y]]), extent, 0)[0]
        cv2.ellipse(
            picture, (int(at[0]), int(at[1])), axes, random.uniform(0, 180), 0, 360, EARTH, -1, cv2.LINE_AA
        )
    for _ in range(70):
        x, y = random.uniform(-2.4, 2.4, 2)
        w, h = random.uniform(0.02, 0.045, 2)
        a, b = np.array([x - w, y]), np.array([x + w, y])
        line(picture, a + 0.012, b + np.array([0.03, 0.012]), float(2 * h) + 0.02, MOSS, extent)
        line(picture, a, b, float(2 * h), PEBBLE, extent)


def inner_walls(picture: Picture, width: float, extent: float, random: np.random.Generator) -> None:
    """Broken walls on the lines between the cells."""
    for step in (-1.5, -0.5, 0.5, 1.5):
        for start in range(5):
            begin = start - 2.5
            for across in (False, True):
                if random.random() > 0.42:
                    continue
                ends = np.array([[begin + 0.05, step], [begin + random.uniform(0.35, 1.0), step]])
                a, b = ends[:, ::-1] if across else ends
                wall(picture, a, b, 0.56 * width, extent)


def outer_wall(picture: Picture, board: BoardPrint, extent: float) -> None:
    """The white wall around the field, with a gate in the middle of each side."""
    at, wide = board.wall_at, board.wall_width
    corners = np.array([[-at, -at], [at, -at], [at, at], [-at, at]])
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = (b - a) / float(np.hypot(*(b - a)))
        wall(picture, a - along * wide / 2, b + along * wide / 2, 0.84 * wide, extent)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        middle, step = (a + b) / 2, (b - a) / float(np.hypot(*(b - a))) * 0.3
        line(picture, middle - step, middle + step, 0.8 * wide, GATE, extent)


def plateau(board: BoardPrint, seed: int) -> tuple[Picture, MASK, float]:
    """The playing surface: colours, mask, and how far (in cells) the texture reaches from the centre."""
    random = np.random.default_rng((seed, 1))
    extent = board.plateau + 0.12
    picture = mottled(checker(extent), 60, 0.16, random)
    scatter(picture, extent, random)
    inner_walls(picture, board.wall_width, extent, random)
    outer_wall(picture, board, extent)
    picture = mottled(picture, 9, 0.05, random)
    return cv2_blur(picture), wavy_square(board.plateau, extent, 0.03, random), extent


def sea(board: BoardPrint, seed: int) -> tuple[Picture, MASK, float]:
    """The printed sea around the island's foot."""
    random = np.random.default_rng((seed, 2))
    extent = board.base + 0.12
    side = round(2 * extent * DOTS)
    picture = mottled(np.full((side, side, 3), SEA, np.uint8), 90, 0.25, random)
    foam = (clouds((side, side), 130, random) > 0.45).astype(np.float32)[..., None]
    soft = cv2.GaussianBlur(foam, (0, 0), 24)[..., None]
    picture = (picture * (1 - 0.5 * soft) + np.array(FOAM) * 0.5 * soft).astype(np.uint8)
    for _ in range(160):
        x, y = random.uniform(-extent, extent, 2)
        at = to_dots(np.array([[x, y]]), extent, 0)[0]
        centre = (int(at[0]), int(at[1]))
        cv2.ellipse(picture, centre, (14, 4), random.uniform(-20, 20), 200, 340, FOAM, 2, cv2.LINE_AA)
    return picture, wavy_square(board.base, extent, 0.05, random), extent


def table(seed: int) -> Picture:
    """A wooden table top that repeats without a seam: boards with long grain."""
    random = np.random.default_rng((seed, 3))
    side, boards = 1024, 4
    picture = np.zeros((side, side, 3), np.float32)
    wide = side // boards
    for board in range(boards):
        tone = np.array([62, 98, 146]) * random.uniform(0.86, 1.1)
        grain = cv2.resize(random.standard_normal((wide // 4, 9)).astype(np.float32), (side, wide))
        fine = cv2.resize(random.standard_normal((wide, 24)).astype(np.float32), (side, wide))
        picture[board * wide : (board + 1) * wide] = tone * (1 + 0.09 * grain + 0.04 * fine)[..., None]
        picture[board * wide : board * wide + 3] *= 0.55
    return np.clip(picture, 0, 255).astype(np.uint8)


def cv2_blur(picture: Picture) -> Picture:
    """Print is never sharper than this."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0), dtype=np.uint8)
