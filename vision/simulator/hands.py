"""A hand that reaches in: sleeve, forearm, palm and fingers, with its shadow on the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats
from calibration.solids import cell_centre
from vision.reading import Content, Picture
from vision.simulator.light import Rgb

SHIFT: Final = 4
Limb = tuple[Floats, Floats, tuple[float, float]]
SHADES: Final = ((1.0, 0.7), (0.88, 0.8), (0.74, 0.88), (0.56, 0.96), (0.36, 1.02), (0.16, 1.06))
OVER: Final = 1.0  # how high over the plateau the fingers are, in cells
FINGERS: Final = ((-0.42, 0.62), (-0.15, 0.72), (0.13, 0.68), (0.38, 0.52))


@dataclass(frozen=True)
class Hand:
    """A hand over a cell, coming from a direction in the picture (degrees, 0 right, 90 down).

    `reach` 0 is outside the picture, 1 is there; `slide` is the cell it comes from and how far it has come;
    `holding` is what it carries: a block of a level (its height), a dome or a worker.
    """

    cell: int
    direction: float = 60.0
    reach: float = 1.0
    skin: Rgb = (205, 158, 130)
    sleeve: Rgb = (70, 84, 110)
    slide: tuple[int, float] | None = None
    holding: Content | None = None


@dataclass(frozen=True)
class Place:
    """Where the hand is drawn: the tip, the way back to the shoulder, its left, and its size in pixels."""

    tip: Floats
    back: Floats
    left: Floats
    unit: float

    def at(self, back: float, left: float) -> Floats:
        """A pixel so many hand units back from the tip and to its left."""
        return np.asarray(self.tip + self.unit * (back * self.back + left * self.left))


def over(hand: Hand) -> tuple[float, float]:
    """The place on the board over which the hand is."""
    x, y = cell_centre(hand.cell)
    if hand.slide is None:
        return x, y
    (from_x, from_y), share = cell_centre(hand.slide[0]), hand.slide[1]
    return from_x + share * (x - from_x), from_y + share * (y - from_y)


def place_of(hand: Hand, camera: Camera) -> Place:
    """Find where in the picture a hand has come so far: reach 0 is outside, 1 is over its cell."""
    x, y = over(hand)
    middle = camera.project(np.array([x, y, OVER]))
    across = camera.project(
        np.array([[x - 0.5, y, OVER], [x + 0.5, y, OVER], [x, y - 0.5, OVER], [x, y + 0.5, OVER]])
    )
    unit = 0.5 * float(np.linalg.norm(across[0] - across[1]) + np.linalg.norm(across[2] - across[3]))
    a = np.radians(hand.direction)
    back = np.array([np.cos(a), np.sin(a)])
    out = edge_distance(middle, back, camera.size) + 0.8 * unit
    return Place(middle + back * out * (1.0 - hand.reach), back, np.array([-back[1], back[0]]), unit)


def edge_distance(at: Floats, way: Floats, size: tuple[int, int]) -> float:
    """How many pixels from a place to the picture's edge, going that way."""
    far = [np.inf]
    for axis in (0, 1):
        if abs(way[axis]) > 1e-6:
            edge = size[axis] if way[axis] > 0 else 0.0
            far.append(max(0.0, float((edge - at[axis]) / way[axis])))
    return float(min(far))


def bar(
    layer: Picture, a: Floats, b: Floats, wide: tuple[float, float], colour: tuple[int, int, int]
) -> None:
    """A limb from a to b with round ends and two widths."""
    along = (b - a) / max(float(np.hypot(*(b - a))), 1e-6)
    across = np.array([-along[1], along[0]])
    corners = np.array(
        [a + across * wide[0], b + across * wide[1], b - across * wide[1], a - across * wide[0]]
    )
    cv2.fillConvexPoly(layer, np.rint(corners * 16).astype(np.int32), colour, cv2.LINE_AA, SHIFT)
    for end, radius in ((a, wide[0]), (b, wide[1])):
        x, y = (int(value) for value in np.rint(end * 16))
        cv2.circle(layer, (x, y), max(1, round(radius * 16)), colour, -1, cv2.LINE_AA, SHIFT)


def limbs(place: Place) -> list[tuple[str, list[Limb]]]:
    """Sleeve, arm with palm, thumb and fingers: groups in painting order; widths in pixels."""
    u = place.unit
    sleeve = (place.at(3.3, 0.1), place.at(30, 1.5), (0.74 * u, 1.25 * u))
    arm = (place.at(1.6, 0.03), place.at(3.6, 0.12), (0.4 * u, 0.56 * u))
    palm = (place.at(0.98, 0.0), place.at(1.55, 0.02), (0.5 * u, 0.42 * u))
    thumb = (place.at(1.5, 0.36), place.at(0.42, 0.56), (0.22 * u, 0.14 * u))
    groups = [("skin", [arm, palm]), ("sleeve", [sleeve]), ("skin", [thumb])]
    for left, long in FINGERS:
        knuckle, tip = place.at(0.95, left), place.at(0.95 - 1.25 * long, 0.55 * left)
        groups.append(("skin", [(knuckle, tip, (0.17 * u, 0.12 * u))]))
    return groups


def bgr(colour: Rgb, factor: float) -> tuple[int, int, int]:
    """A colour, lighter or darker."""
    red, green, blue = (int(min(255, value * factor)) for value in colour)
    return blue, green, red


def draw_hand(picture: Picture, camera: Camera, hand: Hand) -> None:
    """Draw one hand and its shadow into a whole camera picture."""
    place = place_of(hand, camera)
    layer, mask = picture.copy(), np.zeros(picture.shape[:2], np.uint8)
    for word, group in limbs(place):
        colour = hand.skin if word == "skin" else hand.sleeve
        for share, factor in SHADES:
            lean = place.unit * 0.12 * (1 - share) * np.array([-0.5, -0.8])
            for a, b, wide in group:
                bar(layer, a + lean, b + lean, (wide[0] * share, wide[1] * share), bgr(colour, factor))
                bar(mask, a, b, wide, (255, 255, 255))
    if mask.any():
        blend(picture, layer, mask, place.unit)


def blend(picture: Picture, layer: Picture, mask: NDArray[np.uint8], unit: float) -> None:
    """Darken what lies in the hand's shadow, then put the hand on top."""
    moved = np.array([[1, 0, 0.35 * unit], [0, 1, 0.5 * unit]])
    fallen = cv2.warpAffine(mask, moved, (mask.shape[1], mask.shape[0]))
    small = cv2.blur(cv2.resize(fallen, None, fx=0.25, fy=0.25), (9, 9))
    soft = cv2.resize(small, (mask.shape[1], mask.shape[0]))
    dark = cv2.addWeighted(soft, -0.45, soft, 0.0, 255.0)
    cv2.multiply(picture, cv2.cvtColor(dark, cv2.COLOR_GRAY2BGR), picture, 1 / 255.0)
    cv2.copyTo(cv2.GaussianBlur(layer, (0, 0), 1.6), mask, picture)
