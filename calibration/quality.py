"""Figures that say how far a calibration can be trusted, and what to do better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.light import Lamp
from calibration.noise import Noise
from calibration.pieces import PieceProfile
from calibration.pose import Solution
from calibration.solids import Pile, cell_centre, outline_of, scene
from calibration.view import Light, pitch_in_pixels

GOOD_ELEVATION: Final = 50.0
STEEPEST: Final = 78.0
LEAST_PITCH: Final = 36.0
MOST_CLIPPED: Final = 0.02
CLIPPED_ADVICE: Final = "ivory is clipped: lower the exposure or dim the lamp"
LEAST_WHITE: Final = 0.12
MOST_LINE_ERROR: Final = 1.2
# printed edges of a camera in focus are 0.7 to 1.2 px wide
WIDEST_EDGE: Final = 1.5


@dataclass(frozen=True)
class Quality:
    """What a calibration is worth, in figures, with advice."""

    lines: int
    reprojection_px: float
    tag_error_px: float | None
    height_error_px: float
    height_error_mm: float
    elevation_deg: float
    pitch_px: float
    clipped: float
    white: float
    often_hidden: tuple[int, ...]
    warnings: tuple[str, ...]
    edge_px: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """A dictionary for the calibration file."""
        return asdict(self) | {"often_hidden": list(self.often_hidden), "warnings": list(self.warnings)}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Quality:
        """Read back what to_json wrote."""
        fields = dict(data)
        fields["often_hidden"] = tuple(int(c) for c in data["often_hidden"])
        fields["warnings"] = tuple(str(w) for w in data["warnings"])
        return Quality(**fields)


def judge(
    solution: Solution,
    profile: PieceProfile,
    lamp: Lamp,
    noise: Noise,
    clipped: Light,
    level: Light,
    edge: float = 0.0,
) -> Quality:
    """Put figures to a calibration; `edge` is how wide printed edges are, in pixels."""
    camera = solution.camera
    pitch = pitch_in_pixels(camera)
    share = clipped_share(clipped, level)
    white = float(lamp.middle.min())
    # a tower's top moves by pitch * cos(elevation) per pitch of height
    rise = max(0.2, float(np.cos(np.radians(camera.elevation)))) * pitch
    millimetres = solution.height_error / rise * profile.pitch_mm
    hidden = often_hidden(camera, profile)
    figures = (camera.elevation, pitch, share, white, solution.line_error, noise.shot, edge)
    return Quality(
        solution.lines,
        round(solution.line_error, 3),
        None if solution.tag_error is None else round(solution.tag_error, 3),
        round(solution.height_error, 3),
        round(millimetres, 2),
        round(camera.elevation, 1),
        round(pitch, 1),
        round(share, 4),
        round(white, 3),
        hidden,
        advice(*figures),
        round(edge, 2),
    )


def clipped_share(clipped: Light, level: Light) -> float:
    """The share of what is as bright as ivory that is burnt out."""
    bright = level[..., 1] > 0.6
    bright |= clipped > 0.5
    return float(clipped[bright].mean()) if bright.any() else 0.0


def advice(
    elevation: float,
    pitch: float,
    clipped: float,
    white: float,
    line_error: float,
    shot: float,
    edge: float = 0.0,
) -> tuple[str, ...]:
    """What the owner should do better, one sentence each."""
    said = []
    if elevation < GOOD_ELEVATION:
        said.append(f"too flat a view ({elevation:.0f} degrees): raise the camera to 50 degrees or more")
    if elevation > STEEPEST:
        said.append(f"too steep a view ({elevation:.0f} degrees): lower the camera to 75 degrees or less")
    if pitch < LEAST_PITCH:
        said.append(f"the board is small in the picture ({pitch:.0f} px a cell): bring the camera nearer")
    if clipped > MOST_CLIPPED:
        said.append(CLIPPED_ADVICE)
    if white < LEAST_WHITE:
        said.append("the picture is dark: raise the exposure or add light")
    if shot > 3e-3:
        said.append("the picture is noisy: add light")
    if line_error > MOST_LINE_ERROR:
        said.append(f"the printed lines fit badly ({line_error:.1f} px): check the corners and the focus")
    if edge > WIDEST_EDGE:
        said.append(f"the picture is out of focus ({edge:.1f} px): focus, then take the empty board again")
    return tuple(said)


def often_hidden(camera: Camera, profile: PieceProfile, least: float = 0.25) -> tuple[int, ...]:
    """Cells of whose ground less than a quarter is in view when every nearer cell holds two blocks."""
    found = []
    x, y, _ = camera.place
    for cell in range(25):
        u, v = cell_centre(cell)
        away = np.hypot(u - x, v - y)
        near = [
            c
            for c in range(25)
            if c != cell
            and np.hypot(cell_centre(c)[0] - x, cell_centre(c)[1] - y) < away
            and np.hypot(cell_centre(c)[0] - u, cell_centre(c)[1] - v) < 1.5
        ]
        if ground_in_view(camera, profile, cell, [Pile(c, 2) for c in near]) < least:
            found.append(cell)
    return tuple(found)


def ground_in_view(camera: Camera, profile: PieceProfile, cell: int, piles: Sequence[Pile]) -> float:
    """The share of a cell's ground square that piles leave in view."""
    wide, high = camera.size
    sheet: NDArray[np.uint8] = np.zeros((high, wide), dtype=np.uint8)
    u, v = cell_centre(cell)
    square = [(u + a, v + b, 0.0) for a, b in ((-0.4, -0.4), (0.4, -0.4), (0.4, 0.4), (-0.4, 0.4))]
    points = np.rint(camera.project(np.array(square))).astype(np.int32)
    cv2.fillConvexPoly(sheet, points, 1)
    total = int(sheet.sum())
    for _, face in scene(profile, piles, camera):
        cv2.fillConvexPoly(sheet, np.rint(outline_of(face, camera)).astype(np.int32), 0)
    return float(sheet.sum()) / total if total else 0.0
