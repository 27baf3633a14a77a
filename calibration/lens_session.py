"""A lens session: pictures of a printed ChArUco board from many sides give the lens and its error."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.camera import Floats
from calibration.lens_profile import LensError, LensProfile

Picture = NDArray[np.uint8]
Verdict = Literal["taken", "no board", "too few corners", "too like another", "other size"]

COLUMNS: Final = 9
ROWS: Final = 6
SQUARE_MM: Final = 28.0
MARKER_MM: Final = 21.0
LEAST_CORNERS: Final = 12
LEAST_VIEWS: Final = 8
MOST_VIEWS: Final = 40
APART: Final = 0.03  # of the picture's width, mean over the corners two views share
PARTS: Final = (4, 3)  # the picture is cut into so many parts, all of which should have seen corners
GOOD_ERROR: Final = 0.8


def board() -> cv2.aruco.CharucoBoard:
    """The board; its markers are of another family than the mat's tags."""
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, MARKER_MM, family)


def board_picture(dots_per_mm: int = 5) -> Picture:
    """The board as a picture, without margin."""
    size = (round(COLUMNS * SQUARE_MM * dots_per_mm), round(ROWS * SQUARE_MM * dots_per_mm))
    return np.asarray(board().generateImage(size), dtype=np.uint8)


def write_board(file: Path) -> None:
    """Write the board as a PDF page (A4, landscape), every module a vector square."""
    wide, high = landscape(A4)
    canvas = Canvas(str(file), pagesize=(wide, high), invariant=1)
    canvas.setTitle("Santorini lens board")
    left, low = (wide - COLUMNS * SQUARE_MM * mm) / 2, (high - ROWS * SQUARE_MM * mm) / 2 + 4 * mm
    # Seven modules to a marker of 21 mm and one to its margin of 3.5 mm: half a millimetre fits them all.
    dots = board_picture(2)
    step = mm / 2
    for row, line in enumerate(dots < 128):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], line.astype(np.int8), [0]))))
        for start, stop in edges.reshape(-1, 2):
            bottom = low + (len(dots) - 1 - row) * step
            canvas.rect(left + start * step, bottom, (stop - start) * step, 1.02 * step, stroke=0, fill=1)
    canvas.setFont("Helvetica", 10)
    words = (
        f"Glue this flat on stiff card. Any scale will do as long as it is flat ({SQUARE_MM:.0f} mm squares)."
    )
    canvas.drawCentredString(wide / 2, 7 * mm, words)
    canvas.save()


@dataclass(frozen=True)
class View:
    """One picture's corners: their numbers on the board and their pixels."""

    numbers: NDArray[np.int32]
    pixels: Floats


@dataclass
class LensSession:
    """Collects views until the lens can be solved."""

    views: list[View] = field(default_factory=list)
    size: tuple[int, int] | None = None

    def add(self, picture: Picture) -> Verdict:
        """Look for the board in a picture and keep its corners when they tell something new."""
        size = (picture.shape[1], picture.shape[0])
        if self.size not in (None, size):
            return "other size"
        view = find_corners(picture)
        if view is None:
            return "no board"
        if len(view.numbers) < LEAST_CORNERS:
            return "too few corners"
        if any(apart(view, other) < APART * size[0] for other in self.views):
            return "too like another"
        self.size = size
        self.views.append(view)
        return "taken"

    @property
    def covered(self) -> tuple[tuple[bool, ...], ...]:
        """Which parts of the picture have seen corners, row by row from the top."""
        seen = np.zeros(PARTS[::-1], dtype=bool)
        if self.size is not None:
            for view in self.views:
                place = np.floor(view.pixels / np.array(self.size) * np.array(PARTS)).astype(int)
                place = np.clip(place, 0, np.array(PARTS) - 1)
                seen[place[:, 1], place[:, 0]] = True
        return tuple(tuple(bool(part) for part in row) for row in seen)

    @property
    def wants(self) -> str:
        """What to do next, or an empty text when there is enough."""
        missing = LEAST_VIEWS - len(self.views)
        if missing > 0:
            return f"tilt the board another way and hold still: {missing} more"
        for row, name in zip(self.covered, ("top", "middle", "bottom"), strict=True):
            if not all(row):
                side = ("far left", "left", "right", "far right")[row.index(False)]
                return f"bring the board to the {name}, {side} of the picture"
        return ""

    def solve(self, name: str) -> LensProfile:
        """Solve for the lens; refuses a session that cannot give a figure to trust."""
        if self.size is None or len(self.views) < LEAST_VIEWS:
            raise LensError(
                f"only {len(self.views)} pictures of the board were usable; {LEAST_VIEWS} are needed"
            )
        profile = solved(self.views[:MOST_VIEWS], self.size, name)
        if profile.error_px is None or profile.error_px > GOOD_ERROR:
            raise LensError(
                f"the lens fits badly ({profile.error_px} px): is the board flat and the focus fixed?"
            )
        return profile


def find_corners(picture: Picture) -> View | None:
    """Find the board's inner corners, to a fraction of a pixel."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture
    # The annotations of OpenCV promise arrays; without a board it returns None.
    found: tuple[Any, ...] = cv2.aruco.CharucoDetector(board()).detectBoard(grey)
    pixels, numbers = found[:2]
    if pixels is None or numbers is None or not len(numbers):
        return None
    flat = np.asarray(pixels, dtype=np.float64).reshape(-1, 2)
    return View(np.asarray(numbers, dtype=np.int32).ravel(), flat)


def apart(one: View, two: View) -> float:
    """How far the shared corners of two views are apart in the picture, on average."""
    shared, a, b = np.intersect1d(one.numbers, two.numbers, return_indices=True)
    if len(shared) < 4:
        return float("inf")
    return float(np.linalg.norm(one.pixels[a] - two.pixels[b], axis=1).mean())


def solved(views: list[View], size: tuple[int, int], name: str) -> LensProfile:
    """Fit one focal length, centre and two bend terms to the views: the pose solver's own model."""
    spots = np.asarray(board().getChessboardCorners(), dtype=np.float32)
    flags = (
        cv2.CALIB_FIX_ASPECT_RATIO
        | cv2.CALIB_ZERO_TANGENT_DIST
        | cv2.CALIB_FIX_K3
        | cv2.CALIB_USE_INTRINSIC_GUESS
    )
    start = np.array(
        [[0.76 * size[0], 0, (size[0] - 1) / 2], [0, 0.76 * size[0], (size[1] - 1) / 2], [0, 0, 1]]
    )
    error, matrix, bend, _, _, spread, _, _ = cv2.calibrateCameraExtended(
        [spots[view.numbers] for view in views],
        [view.pixels.astype(np.float32) for view in views],
        size,
        start,
        np.zeros(5),
        flags=flags,
    )
    k1, k2 = (float(value) for value in np.asarray(bend).ravel()[:2])
    focal = float(matrix[0, 0])
    # With a fixed aspect only one of the two focal lengths is free and has a spread.
    slack = float(np.asarray(spread).ravel()[:2].max()) / focal
    centre = (float(matrix[0, 2]), float(matrix[1, 2]))
    return LensProfile(
        name, size, focal, centre, (k1, k2), round(float(error), 3), len(views), slack, "session"
    )
