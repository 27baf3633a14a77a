"""The steps of setting a camera up, one after the other: for the terminal and for the web pages alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.build import Calibration, Known, Position, calibrate
from calibration.camera import Camera
from calibration.colours import NAMED, UNNAMED
from calibration.lens_profile import LensError, LensProfile
from calibration.pieces import PieceProfile
from calibration.pose import find_tags
from calibration.quality import Quality
from calibration.solids import Pile, outline_of, scene

Picture = NDArray[np.uint8]
Step = Literal["empty", "corners", "tableau", "placed", "done"]
Verdict = Literal["good", "usable", "poor"]
CORNERS: Final = ("a1", "e1", "e5", "a5")
POOR_LINES: Final = 150
POOR_ERROR: Final = 1.2
GOOD_HEIGHT_MM: Final = 2.0


class StepError(ValueError):
    """A step that cannot be taken with what was given: one sentence for the user, and its code for others."""

    def __init__(self, sentence: str, code: str, space: str = "") -> None:
        super().__init__(sentence)
        self.code = code
        self.space = space


@dataclass(frozen=True)
class Table:
    """What is known before the first picture: pieces, worker colours by side, mat and lens if any."""

    profile: PieceProfile
    colours: Mapping[str, str]
    tag_layout: Mapping[str, Any] | None = None
    lens: LensProfile | None = None


def tableau_position(sides: Sequence[str]) -> Position:
    """The set-up for learning: 0, 1, 2, 3 blocks and a complete tower on row 3, workers on row 1."""
    cells: list[tuple[int, str]] = [(0, "")] * 25
    for column, content in enumerate([(0, ""), (1, ""), (2, ""), (3, ""), (3, "dome")]):
        cells[10 + column] = content
    places = {1: ((0, 1),), 2: ((0, 1), (3, 4))}.get(len(sides), ((0,), (2,), (4,)))
    for side, columns in zip(sides, places):
        for column in columns:
            cells[column] = (0, side)
    return tuple(cells)


def verdict(quality: Quality) -> Verdict:
    """One word for a calibration's figures."""
    if quality.lines < POOR_LINES or quality.reprojection_px > POOR_ERROR:
        return "poor"
    return "usable" if quality.warnings or quality.height_error_mm > GOOD_HEIGHT_MM else "good"


class CalibrationSession:
    """Takes pictures step by step; every step may be taken again, the empty board only from the start."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.empty: Picture | None = None
        self.taps: tuple[tuple[float, float], ...] | None = None
        self.tags = 0
        self._known: dict[Step, Known] = {}
        self._skipped: set[Step] = set()

    @property
    def step(self) -> Step:
        """What is to be done next; only `tableau` and `placed` may be left out."""
        if self.empty is None:
            return "empty"
        if self.taps is None and self.tags < 2:
            return "corners"
        for step in ("tableau", "placed"):
            if step not in self._known and step not in self._skipped:
                return step
        return "done"

    def take_empty(self, picture: Picture) -> int:
        """Take the picture of the empty board; returns how many tags of the mat were found.

        Corners and known pictures of before were seen by a camera that may have stood elsewhere: they go.
        """
        self.taps = None
        self._known.clear()
        self._skipped.clear()
        found = find_tags(picture, self.table.tag_layout, self.table.profile.pitch_mm)
        self.empty = picture
        self.tags = 0 if found is None else len(found.spots) // 4
        return self.tags

    def take_corners(self, taps: Sequence[Sequence[float]]) -> None:
        """Take the four outer corners of the grid, in pixels: a1, e1, e5, a5."""
        if self.empty is None:
            raise StepError("take the picture of the empty board first", "empty")
        spots = tuple((float(x), float(y)) for x, y in taps)
        checked_taps(spots, (self.empty.shape[1], self.empty.shape[0]))
        self.taps = spots

    def take_known(self, step: Step, picture: Picture, position: Position) -> None:
        """Take a picture whose position somebody has confirmed."""
        if self.empty is None or picture.shape != self.empty.shape:
            raise StepError("this picture has another size than that of the empty board", "size")
        self._known[step] = Known(picture, position)

    @property
    def tableau(self) -> Known | None:
        """The picture of the tableau, if it was taken."""
        return self._known.get("tableau")

    def skip(self, step: Step) -> None:
        """Leave `tableau` or `placed` out."""
        self._skipped.add(step)

    def solve(self) -> Calibration:
        """Build the calibration from what there is; raises PoseError when no pose fits."""
        if self.empty is None or self.step == "corners":
            raise StepError("the empty board and its corners (or two tags) are needed first", "corners")
        table = self.table
        known = tuple(self._known.values())
        layout = table.tag_layout if self.tags else None
        size = (self.empty.shape[1], self.empty.shape[0])
        try:
            lens = None if table.lens is None else table.lens.lens(size)
        except LensError as error:
            raise StepError(str(error), "lens") from error
        return calibrate(self.empty, table.profile, table.colours, self.taps, layout, known, lens)


def checked_taps(taps: Sequence[tuple[float, float]], size: tuple[int, int]) -> None:
    """Refuse corners that no camera above the board can see in this order."""
    if len(taps) != 4:
        raise StepError(f"four corners are needed, {len(taps)} were given", "corners")
    outside = [
        name for name, (x, y) in zip(CORNERS, taps) if not (-50 < x < size[0] + 50 and -50 < y < size[1] + 50)
    ]
    if outside:
        raise StepError(f"corner {outside[0]} lies far outside the picture", "outside", outside[0])
    dots = np.array(taps, np.float32)
    # Signed area: y runs down in the picture, so a1, e1, e5, a5 go round with a negative sign from above.
    area = float(cv2.contourArea(dots, oriented=True))
    if not cv2.isContourConvex(dots):
        raise StepError("the corners cross over: go round the board, a1, e1, e5, a5", "crossed")
    if area > 0:
        raise StepError("the corners go round the wrong way: a1, e1, e5, a5 is against the clock", "mirrored")
    if abs(area) < 0.01 * size[0] * size[1]:
        raise StepError("the corners are too close together", "close")


def draw_pieces(
    picture: Picture,
    camera: Camera,
    profile: PieceProfile,
    position: Position,
    colours: Mapping[str, str],
) -> Picture:
    """The picture with the outlines of pieces that stand there or should, workers in their colours."""
    drawn = draw_grid(picture, camera)
    piles = [Pile(cell, height, top) for cell, (height, top) in enumerate(position)]
    for pile, face in scene(profile, piles, camera):
        dots = np.rint(outline_of(face, camera) * 16).astype(np.int32)
        red, green, blue = NAMED.get(colours.get(pile.top, ""), UNNAMED)
        ink = (blue, green, red) if face.kind == "worker" else (255, 60, 255)
        cv2.polylines(drawn, [dots], True, (255, 255, 255), 4, cv2.LINE_AA, 4)
        cv2.polylines(drawn, [dots], True, ink, 2, cv2.LINE_AA, 4)
    return drawn


def draw_grid(picture: Picture, camera: Camera) -> Picture:
    """The picture with the solved grid and the names of the corner cells over it, to check by eye."""
    drawn = picture.copy()
    steps = np.linspace(-2.5, 2.5, 31)
    for at in (-2.5, -1.5, -0.5, 0.5, 1.5, 2.5):
        for line in ([(at, s, 0.0) for s in steps], [(s, at, 0.0) for s in steps]):
            dots = np.rint(camera.project(np.array(line)) * 16).astype(np.int32)
            cv2.polylines(drawn, [dots], False, (0, 160, 255), 1, cv2.LINE_AA, 4)
    for name, x, y in (("a1", -2, -2), ("e1", 2, -2), ("e5", 2, 2), ("a5", -2, 2)):
        u, v = (int(value) for value in np.rint(camera.project(np.array([x, y, 0.0]))))
        for colour, width in (((255, 255, 255), 5), ((160, 0, 90), 2)):
            cv2.putText(
                drawn, name, (u - 16, v + 8), cv2.FONT_HERSHEY_SIMPLEX, 0.8, colour, width, cv2.LINE_AA
            )
    return drawn
