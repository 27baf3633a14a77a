"""The printed mat under the island: four AprilTags, the island's outline, a ruler to check the print."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import cv2
import numpy as np
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

FAMILY: Final = "36h11"
MODULES: Final = 8  # a tag of this family is so many modules wide, black edge included
RULER: Final = 150
CORNERS: Final = (("a1", -1, -1), ("e1", 1, -1), ("e5", 1, 1), ("a5", -1, 1))
FRAME: Final = (
    "mat frame: origin under the nominal board centre, x along columns a->e, y along rows 1->5, z up; "
    "the board stands on the mat by hand, up to 6 mm and 3 degrees off"
)
ORDER: Final = (
    "same order as cv2.aruco.ArucoDetector: top-left, top-right, bottom-right, bottom-left "
    "of the tag as printed (top of the print towards row 5)"
)

Paper = Literal["a3", "a4", "a3x2"]
Box = tuple[float, float, float, float]  # left, low, right, high in mm of the mat frame


@dataclass(frozen=True)
class MatLayout:
    """Where the tags lie: half the distance between their centres, their black edge, the whole sheet (mm)."""

    across: float
    along: float
    size: float
    sheet: tuple[float, float]
    outline: float = 262.0

    def centres(self) -> dict[int, tuple[float, float]]:
        """The middle of every tag: 0 near a1, then round by e1 and e5."""
        x, y = self.across, self.along
        return {0: (-x, -y), 1: (x, -y), 2: (x, y), 3: (-x, y)}

    def corners(self) -> dict[int, tuple[tuple[float, float], ...]]:
        """The corners of every tag in the order in which a detector returns them."""
        half = self.size / 2
        around = ((-half, half), (half, half), (half, -half), (-half, -half))
        return {number: tuple((x + u, y + v) for u, v in around) for number, (x, y) in self.centres().items()}

    def to_json(self) -> dict[str, Any]:
        """The layout as picture games write it (`tag_layout`)."""
        return {
            "family": FAMILY,
            "size_mm": self.size,
            "frame": FRAME,
            "centres_mm": {str(number): list(at) for number, at in self.centres().items()},
            "corners_mm": {str(number): [list(at) for at in four] for number, four in self.corners().items()},
            "corners_order": ORDER,
        }


# On A3 the tags fit beside two sides of the island only; the square layout needs two sheets of A3.
NARROW: Final = MatLayout(120.0, 180.0, 40.0, (297.0, 420.0))
SQUARE: Final = MatLayout(170.0, 170.0, 40.0, (420.0, 594.0))
LAYOUTS: Final[dict[Paper, MatLayout]] = {"a3": NARROW, "a4": NARROW, "a3x2": SQUARE}
PAPERS: Final[tuple[Paper, ...]] = ("a3", "a4", "a3x2")


def tag_layout(paper: Paper) -> dict[str, Any]:
    """The tag layout of a paper, as picture games write it."""
    return LAYOUTS[paper].to_json()


def pages(paper: Paper) -> tuple[Box, ...]:
    """The part of the mat on each page: one sheet, or two that are laid edge to edge along row 3."""
    wide, high = (side / 2 for side in LAYOUTS[paper].sheet)
    if paper == "a3":
        return ((-wide, -high, wide, high),)
    return ((-wide, 0.0, wide, high), (-wide, -high, wide, 0.0))


def black_squares(layout: MatLayout) -> Iterator[Box]:
    """The black modules of all tags; neighbours in a row joined to one bar."""
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    module = layout.size / MODULES
    for number, (x, y) in layout.centres().items():
        dots = np.asarray(cv2.aruco.generateImageMarker(family, number, MODULES)) == 0
        for row in range(MODULES):
            top = y + layout.size / 2 - row * module
            for start, stop in _runs([bool(dot) for dot in dots[row]]):
                left = x - layout.size / 2
                yield left + start * module, top - module, left + stop * module, top


def _runs(row: list[bool]) -> Iterator[tuple[int, int]]:
    start: int | None = None
    for place, black in enumerate([*row, False]):
        if black and start is None:
            start = place
        elif not black and start is not None:
            yield start, place
            start = None


def write_mat(file: Path, paper: Paper) -> MatLayout:
    """Write the mat as a PDF and return its layout."""
    layout = LAYOUTS[paper]
    sheets = pages(paper)
    canvas = Canvas(str(file), pageCompression=0, invariant=1)
    canvas.setTitle("Santorini mat")
    for number, (left, low, right, high) in enumerate(sheets):
        canvas.setPageSize(((right - left) * mm, (high - low) * mm))
        canvas.translate(-left * mm, -low * mm)
        _draw(canvas, layout)
        if len(sheets) > 1:
            _seam(canvas, layout, number)
        canvas.showPage()
    canvas.save()
    return layout


def _draw(canvas: Canvas, layout: MatLayout) -> None:
    canvas.setFillGray(0)
    for left, low, right, high in black_squares(layout):
        canvas.rect(left * mm, low * mm, (right - left) * mm, (high - low) * mm, stroke=0, fill=1)
    _island(canvas, layout)
    _ruler(canvas, layout)
    _words(canvas, layout)


def _island(canvas: Canvas, layout: MatLayout) -> None:
    """The thin outline in which the island stands, and the names of its corners."""
    half = layout.outline / 2
    canvas.setStrokeGray(0.55)
    canvas.setLineWidth(0.3 * mm)
    canvas.rect(-half * mm, -half * mm, layout.outline * mm, layout.outline * mm, stroke=1, fill=0)
    canvas.setFillGray(0.35)
    canvas.setFont("Helvetica-Bold", 22)
    for name, x, y in CORNERS:
        canvas.drawCentredString(x * (half - 14) * mm, (y * (half - 14) - 2.5) * mm, name)
    canvas.setFont("Helvetica", 13)
    canvas.drawCentredString(0, 40 * mm, "The island stands here, each named corner on its name.")
    canvas.drawCentredString(0, 32 * mm, "A few millimetres or a slight turn do no harm.")


def _ruler(canvas: Canvas, layout: MatLayout) -> None:
    """A ruler between the two lower tags."""
    low = -layout.along - 8
    canvas.setStrokeGray(0)
    canvas.setFillGray(0)
    canvas.setLineWidth(0.2 * mm)
    canvas.line(-RULER / 2 * mm, low * mm, RULER / 2 * mm, low * mm)
    canvas.setFont("Helvetica", 8)
    for step in range(RULER + 1):
        long = 5.0 if step % 10 == 0 else 3.5 if step % 5 == 0 else 2.0
        x = (step - RULER / 2) * mm
        canvas.line(x, low * mm, x, (low + long) * mm)
        if step % 10 == 0:
            canvas.drawCentredString(x, (low - 3.8) * mm, str(step))
    canvas.setFont("Helvetica", 11)
    line = f"Print at 100 % (no fitting to the page). This ruler must measure {RULER} mm."
    canvas.drawCentredString(0, (low + 16) * mm, line)


def _words(canvas: Canvas, layout: MatLayout) -> None:
    """Between the two upper tags: what this is, and from where the camera sees all four tags."""
    canvas.setFillGray(0)
    canvas.setFont("Helvetica-Bold", 16)
    canvas.drawCentredString(0, (layout.along + 4) * mm, "Santorini mat")
    canvas.setFont("Helvetica", 11)
    lines = ["Keep the black squares free; two in view are enough, four are better."]
    if layout.across < layout.along:
        lines.append("Best with the camera on the side of column a or e.")
    for number, line in enumerate(lines):
        canvas.drawCentredString(0, (layout.along - 6 - 6 * number) * mm, line)


def _seam(canvas: Canvas, layout: MatLayout, number: int) -> None:
    """On two pages: lay the paper edges together, this is how to check it."""
    gap = 2 * layout.along - layout.size
    canvas.setFillGray(0.35)
    canvas.setFont("Helvetica", 11)
    words = "upper" if number == 0 else "lower"
    other = "below" if number == 0 else "above"
    text = f"{words} half: lay the other page edge to edge {other}; from square to square {gap:.0f} mm"
    canvas.drawCentredString(0, (12 if number == 0 else -16) * mm, text)
