"""Printed surfaces: board, ocean, tag mat, tables (numpy and OpenCV, sRGB bytes)."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Rng = np.random.Generator
BOARD_MM, SCALE = 250.0, 6.0  # the painted square under the plateau's outline; pixels a mm
TAG_MM, TAG_AT, MAT_MM = 40.0, 170.0, 420.0


def clouds(rng: Rng, size: int, grain: float) -> NDArray[np.float64]:
    """Return soft noise with mean 0 and deviation 1."""
    small = rng.normal(size=(max(3, int(size / grain)),) * 2)
    big = cv2.resize(small, (size, size), interpolation=cv2.INTER_CUBIC)
    return (big - big.mean()) / big.std()


def mix(image: Image, noise: NDArray[np.float64], amount: float) -> Image:
    """Brighten and darken a picture by noise."""
    return np.clip(image * (1 + amount * noise[..., None]), 0, 255).astype(np.uint8)


def px(mm: float) -> int:
    """Return the board-picture pixel of a coordinate in mm (either axis, y not yet flipped)."""
    return round((mm + BOARD_MM / 2) * SCALE)


def rect(image: Image, box: tuple[float, float, float, float], colour: tuple[int, int, int]) -> None:
    """Fill a rectangle given in mm."""
    x0, y0, x1, y1 = (px(v) for v in box)
    image[min(y0, y1) : max(y0, y1), min(x0, x1) : max(x0, x1)] = colour


def walls(rng: Rng) -> list[tuple[float, float, float, float]]:
    """Return the white walls: the closed outer one and broken inner ones on the grid's lines."""
    o, i = 112.7, 106.0
    boxes = [(-o, -o, o, -i), (-o, i, o, o), (-o, -o, -i, o), (i, -o, o, o)]
    thick = 1.9
    lines = (-64.5, -21.5, 21.5, 64.5)
    for line in lines:
        for start in (-107.5, -64.5, -21.5, 21.5, 64.5):
            for a, b in stretches(rng, start):
                boxes += [(a, line - thick, b, line + thick)] if rng.random() < 0.7 else []
                boxes += [(line - thick, a, line + thick, b)] if rng.random() < 0.7 else []
    return boxes


def stretches(rng: Rng, start: float) -> list[tuple[float, float]]:
    """Return which parts of one cell's side carry a wall."""
    kind = rng.random()
    if kind < 0.12:
        return [(start, start + 43)]
    if kind < 0.3:
        return [(start, start + rng.uniform(14, 26))]
    stub = rng.uniform(4.5, 8)
    return [(start - stub / 2, start + stub), (start + 43 - stub, start + 43 + stub / 2)]


def grass(rng: Rng, tone: float) -> Image:
    """Paint the checker of light and dark grass, a1 light, darker green outside."""
    size = int(BOARD_MM * SCALE)
    image = np.full((size, size, 3), (38, 150, 40), np.uint8)
    for col in range(5):
        for row in range(5):
            x, y = (col - 2.5) * 43, (row - 2.5) * 43
            light = (col + row) % 2 == 0
            colour = np.array((92, 182, 58) if light else (16, 142, 52)) * tone
            rect(image, (x, y, x + 43, y + 43), tuple(np.clip(colour, 0, 255).astype(int)))
    image = cv2.GaussianBlur(image, (0, 0), 4)
    return mix(mix(image, clouds(rng, size, 60), 0.05), clouds(rng, size, 7), 0.04)


def board(rng: Rng, tone: float) -> Image:
    """Paint the plateau: grass, earth spots, pebbles, walls with a printed shadow, doors."""
    image = grass(rng, tone)
    for _ in range(12):
        x, y = rng.uniform(-100, 100, 2)
        axes = (int(rng.uniform(3, 6) * SCALE), int(rng.uniform(2, 4) * SCALE))
        cv2.ellipse(image, (px(x), px(y)), axes, rng.uniform(0, 180), 0, 360, (176, 150, 70), -1)
    stones = [
        (x, y, x + rng.uniform(2, 3.4), y + rng.uniform(2, 2.8)) for x, y in rng.uniform(-104, 101, (55, 2))
    ]
    boxes = walls(rng)
    shade = np.zeros(image.shape[:2], np.uint8)
    for x0, y0, x1, y1 in boxes + stones:
        shade[px(y0 - 1) : px(y1 + 0.2), px(x0 - 0.2) : px(x1 + 1)] = 255
    soft = cv2.GaussianBlur(shade, (0, 0), 3)[..., None] / 255.0
    image = (image * (1 - 0.6 * soft)).astype(np.uint8)
    stone = np.zeros_like(image)
    for box in boxes + stones:
        rect(stone, box, (222, 226, 228))
    bricks = mix(np.full_like(image, (222, 226, 228)), clouds(rng, image.shape[0], 9), 0.05)
    image = np.where(stone > 0, bricks, image)
    for a in (-110.9, -107.8):
        for box in (
            (-111, a, 111, a + 0.5),
            (a, -111, a + 0.5, 111),
            (-111, -a, 111, -a + 0.5),
            (-a, -111, 0.5 - a, 111),
        ):
            rect(image, box, (188, 194, 200))
    for s in (-1, 1):
        rect(image, (-9, s * 109.35 - 2.4, 9, s * 109.35 + 2.4), (104, 34, 20))
        rect(image, (s * 109.35 - 2.4, -9, s * 109.35 + 2.4, 9), (104, 34, 20))
    return image[::-1].copy()


def ocean(rng: Rng) -> Image:
    """Paint the water with light arcs."""
    image = np.full((900, 900, 3), (18, 96, 190), np.uint8)
    for _ in range(150):
        at, wide = rng.uniform(0, 900, 2).astype(int), int(rng.uniform(8, 26))
        cv2.ellipse(
            image, tuple(int(v) for v in at), (wide, wide // 3), 0, 200, 340, (120, 180, 230), 1, cv2.LINE_AA
        )
    return mix(mix(image, clouds(rng, 900, 150), 0.13), clouds(rng, 900, 30), 0.06)


def mat() -> Image:
    """Paint the printed mat: four 36h11 tags, upright towards row 5, and a thin outline."""
    size, scale = 1680, 1680 / MAT_MM
    image = np.full((size, size, 3), 238, np.uint8)
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    cells = int(TAG_MM * scale)
    for tag, (x, y) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
        print_ = cv2.aruco.generateImageMarker(book, tag, cells)
        left = int((x * TAG_AT - TAG_MM / 2 + MAT_MM / 2) * scale)
        top = int((MAT_MM / 2 - (y * TAG_AT + TAG_MM / 2)) * scale)
        image[top : top + cells, left : left + cells] = np.maximum(print_, 22)[..., None]
    a, b = int((MAT_MM / 2 - 134) * scale), int((MAT_MM / 2 + 134) * scale)
    cv2.rectangle(image, (a, a), (b, b), (190, 190, 195), 2)
    return image


def wood(rng: Rng, dark: bool) -> Image:
    """Paint long planks with grain."""
    base = np.array((62, 38, 26) if dark else (150, 100, 58))
    grain = cv2.resize(rng.normal(size=(220, 9)), (1200, 1200), interpolation=cv2.INTER_CUBIC)
    fine = cv2.resize(rng.normal(size=(900, 30)), (1200, 1200), interpolation=cv2.INTER_CUBIC)
    image = np.clip(base * (1 + 0.12 * grain + 0.05 * fine)[..., None], 0, 255).astype(np.uint8)
    for y in range(0, 1200, 150):
        image[y : y + 2] = (image[y : y + 2] * 0.5).astype(np.uint8)
    return image


def cloth(rng: Rng) -> Image:
    """Paint a striped or checked cloth."""
    one, two = rng.integers(60, 230, (2, 3))
    line = np.arange(1200) // int(rng.integers(30, 80))
    stripes = (line[:, None] + (line[None] if rng.random() < 0.5 else 0)) % 2
    weave = (np.indices((1200, 1200)).sum(0) % 4 < 2) * 0.06
    image = np.where(stripes[..., None] == 1, one, two) * (1 - weave[..., None])
    return mix(np.clip(image, 0, 255).astype(np.uint8), clouds(rng, 1200, 200), 0.05)


def plain(rng: Rng, colour: tuple[int, int, int]) -> Image:
    """Paint a nearly even surface."""
    image = np.full((1200, 1200, 3), colour, np.uint8)
    return mix(mix(image, clouds(rng, 1200, 8), 0.03), clouds(rng, 1200, 200), 0.04)


def stone(rng: Rng) -> Image:
    """Paint a speckled slab."""
    image = plain(rng, (128, 124, 120))
    spots = clouds(rng, 1200, 9)
    image[spots > 0.9] = (78, 76, 74)
    image[spots < -1.1] = (176, 170, 164)
    return image


def grassy(rng: Rng) -> Image:
    """Paint a green baize much like the board's own green."""
    return plain(rng, (34, 112, 46))


def table(kind: str, rng: Rng) -> Image:
    """Paint the named table."""
    match kind:
        case "wood" | "dark":
            return wood(rng, kind == "dark")
        case "cloth":
            return cloth(rng)
        case "stone":
            return stone(rng)
        case "green":
            return grassy(rng)
        case "white":
            return plain(rng, (226, 224, 220))
        case _:
            return plain(rng, tuple(int(v) for v in rng.integers(30, 200, 3)))
