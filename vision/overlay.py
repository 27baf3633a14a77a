"""Draws what was read over the picture: outlines of towers, tops in their colours, doubt."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from calibration.camera import Camera
from calibration.colours import NAMED, UNNAMED
from calibration.pieces import PieceProfile
from calibration.solids import Pile, cell_centre, outline_of, scene
from vision.reading import DOME, Picture, Reading, cell_name

Bgr = tuple[int, int, int]
LEVEL: Final[tuple[Bgr, ...]] = ((0, 0, 0), (90, 220, 255), (60, 150, 255), (60, 60, 255))
DOME_INK: Final[Bgr] = (255, 60, 20)
DOUBT_INK: Final[Bgr] = (255, 0, 255)
HIDDEN_INK: Final[Bgr] = (160, 160, 160)
DOUBT: Final = 0.9
IN_VIEW: Final = 0.25


def ink(colours: dict[str, str], top: str) -> Bgr:
    """The drawing colour of a top piece."""
    if top == DOME:
        return DOME_INK
    red, green, blue = NAMED.get(colours.get(top, "").lower(), UNNAMED)
    return (blue, green, red)


def overlay(
    picture: Picture, reading: Reading, camera: Camera, profile: PieceProfile, colours: dict[str, str]
) -> Picture:
    """A copy of the picture with the reading drawn on it, everything where it was found to stand."""
    drawn = picture.copy()
    straight = [Pile(cell, content.height, content.top) for cell, content in enumerate(reading.best)]
    piles = reading.piles or straight
    for pile, face in scene(profile, piles, camera):
        shade = ink(colours, pile.top) if face.kind in ("dome", "worker") else LEVEL[min(face.level, 3)]
        dots = np.rint(outline_of(face, camera) * 16).astype(np.int32)
        cv2.polylines(drawn, [dots], True, shade, 1, cv2.LINE_AA, 4)
    for cell in range(25):
        _label(drawn, reading, cell, camera, profile)
    head = f"{reading.status}, camera {reading.camera}"
    cv2.putText(drawn, head, (12, 26), cv2.FONT_HERSHEY_SIMPLEX, 0.7, DOUBT_INK, 2, cv2.LINE_AA)
    return drawn


def _label(drawn: Picture, reading: Reading, cell: int, camera: Camera, profile: PieceProfile) -> None:
    """Write a cell's height and top, and its doubt."""
    content = reading.best[cell]
    x, y = cell_centre(cell)
    spot = camera.project(np.array([(x, y, profile.rim(content.height))]))[0]
    doubt = 1.0 - reading.confidence(cell)
    hidden = reading.visible[cell] < IN_VIEW
    if content.height == 0 and not content.top and doubt < 1 - DOUBT and not hidden:
        return
    top = {"": "", DOME: "^"}.get(content.top, content.top)
    text = f"{content.height}{top}" + (f" {doubt:.0%}?" if doubt > 1 - DOUBT else "")
    shade = DOUBT_INK if doubt > 1 - DOUBT else HIDDEN_INK if hidden else (255, 255, 255)
    at = (int(spot[0]) - 8, int(spot[1]) + 5)
    cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, shade, 1, cv2.LINE_AA)


def mark(drawn: Picture, cell: int, camera: Camera) -> Picture:
    """Ring a cell and name it, for reports of what went wrong."""
    x, y = cell_centre(cell)
    square = [(x + a, y + b, 0.0) for a, b in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))]
    dots = np.rint(camera.project(np.array(square)) * 16).astype(np.int32)
    cv2.polylines(drawn, [dots], True, DOUBT_INK, 2, cv2.LINE_AA, 4)
    at = (int(dots[:, 0].min() / 16), int(dots[:, 1].max() / 16) + 14)
    cv2.putText(drawn, cell_name(cell), at, cv2.FONT_HERSHEY_SIMPLEX, 0.55, DOUBT_INK, 2, cv2.LINE_AA)
    return drawn
