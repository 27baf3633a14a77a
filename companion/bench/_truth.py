"""The truth of a picture game, from its labels: boards, and which cells a fair eye could see."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, camera_from
from calibration.pieces import PieceProfile
from calibration.solids import DOME, Face, Pile, cell_centre, far_to_near, outline_of, pile_faces
from vision.reading import CELLS, Board, board_from_json

IN_VIEW: Final = 0.25
TALL: Final = 1.5


@dataclass(frozen=True)
class Truth:
    """One picture's truth."""

    file: str
    event: str
    board: Board
    visible: tuple[float, ...]
    camera: Camera | None = None


@dataclass(frozen=True)
class GameTruth:
    """A game's truth: how the camera stood, and every picture."""

    name: str
    elevation: float
    tags: bool
    frames: Mapping[str, Truth]


def true_camera(data: Mapping[str, Any], size: tuple[int, int], profile: PieceProfile) -> Camera:
    """The labelled camera in the board frame of this project (pitches, plateau at zero)."""
    pitch, plateau = profile.pitch_mm, profile.board.height * profile.pitch_mm
    turn = np.array(data["R_world_to_camera"], dtype=np.float64)
    shift = (np.array(data["t_world_to_camera_mm"]) + turn @ np.array([0.0, 0.0, plateau])) / pitch
    inner = (float(data["fx"]), float(data["fy"]), float(data["cx"]), float(data["cy"]))
    bend = (float(data.get("k1", 0.0)), float(data.get("k2", 0.0)), 0.0, 0.0, 0.0)
    return camera_from(size, inner, bend, turn, shift)


def pose_errors(camera: Camera, truth: Camera) -> tuple[float, float]:
    """How many pixels a camera is off on average: on the ground, and at the tops of tall towers."""
    low, high = (
        np.array([(x, y, z) for x in (-2.0, 0.0, 2.0) for y in (-2.0, 0.0, 2.0)]) for z in (0.0, TALL)
    )
    off = [np.linalg.norm(camera.project(s) - truth.project(s), axis=1).mean() for s in (low, high)]
    return float(off[0]), float(off[1])


def true_piles(pieces: Sequence[Mapping[str, Any]], profile: PieceProfile) -> list[Pile]:
    """The labelled pieces as piles with their true places and turns."""
    by_cell: dict[int, list[Mapping[str, Any]]] = {}
    for piece in pieces:
        column = min(4, max(0, round(piece["x"] / profile.pitch_mm) + 2))
        row = min(4, max(0, round(piece["y"] / profile.pitch_mm) + 2))
        by_cell.setdefault(5 * row + column, []).append(piece)
    return [_pile(cell, found, profile) for cell, found in by_cell.items()]


def _pile(cell: int, pieces: Sequence[Mapping[str, Any]], profile: PieceProfile) -> Pile:
    x, y = cell_centre(cell)
    plateau = profile.board.height * profile.pitch_mm

    def shift(piece: Mapping[str, Any]) -> tuple[float, float]:
        return (piece["x"] / profile.pitch_mm - x, piece["y"] / profile.pitch_mm - y)

    blocks = sorted((p for p in pieces if str(p["kind"]).startswith("L")), key=lambda p: float(p["z"]))[:3]
    tops = [p for p in pieces if not str(p["kind"]).startswith("L")]
    turns = [float(p["rot"]) for p in blocks] + [0.0] * 3
    lifts, last = [], 0.0
    for level, block in enumerate(blocks):
        ride = (float(block["z"]) - plateau) / profile.pitch_mm - profile.rim(level)
        lifts.append(ride - last)
        last = ride
    top = "" if not tops else DOME if tops[0]["kind"] == "dome" else str(tops[0].get("player", "A"))
    return Pile(
        cell,
        len(blocks),
        top,
        (0.0, 0.0),
        (turns[0], turns[1], turns[2]),
        tuple(shift(p) for p in blocks),
        tuple(lifts),
        shift(tops[0]) if tops else (0.0, 0.0),
    )


def views(camera: Camera, profile: PieceProfile, piles: Sequence[Pile]) -> tuple[float, ...]:
    """For every cell, the share of its top piece's outline (an empty cell: its square) in view."""
    wide, high = camera.size
    sheet: NDArray[np.uint8] = np.zeros((high, wide), dtype=np.uint8)
    totals = np.zeros(CELLS + 1)
    squares = [_square(camera, cell) for cell in range(CELLS)]
    standing = {pile.cell: pile for pile in piles if pile.height or pile.top}
    for cell in range(CELLS):
        if cell not in standing:
            cv2.fillConvexPoly(sheet, squares[cell], cell + 1)
            totals[cell + 1] = cv2.contourArea(squares[cell])
    for cell in far_to_near(camera, standing):
        pile = standing[cell]
        faces = [face for face in pile_faces(profile, pile) if face.faces(camera.place)]
        alone: NDArray[np.uint8] = np.zeros((high, wide), dtype=np.uint8)
        for face in faces:
            mark = cell + 1 if is_top(face, pile) else 200
            dots = np.rint(outline_of(face, camera)).astype(np.int32)
            cv2.fillConvexPoly(sheet, dots, mark)
            if mark != 200:
                cv2.fillConvexPoly(alone, dots, 1)
        totals[cell + 1] = float(alone.sum())
    seen = np.bincount(sheet.ravel(), minlength=CELLS + 1)[: CELLS + 1]
    return tuple(float(seen[c + 1] / max(totals[c + 1], 1.0)) for c in range(CELLS))


def is_top(face: Face, pile: Pile) -> bool:
    """Whether a face belongs to a pile's top piece."""
    return face.kind in ("dome", "worker") if pile.top else face.level == pile.height


def _square(camera: Camera, cell: int) -> NDArray[np.int32]:
    x, y = cell_centre(cell)
    corners = [(x + a, y + b, 0.0) for a, b in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))]
    return np.rint(camera.project(np.array(corners))).astype(np.int32)


def load_truth(folder: Path, profile: PieceProfile, size: tuple[int, int]) -> GameTruth:
    """Read labels.json; visibility comes from the labelled camera and pieces alone."""
    labels = json.loads((folder / "labels.json").read_text("utf-8"))
    game = json.loads((folder / "game.json").read_text("utf-8"))
    frames: dict[str, Truth] = {}
    elevation = float((labels.get("camera_facts") or {}).get("elevation_deg", 0.0))
    for frame in labels["frames"]:
        camera = true_camera(frame["camera"], size, profile) if "camera" in frame else None
        visible: tuple[float, ...] = (1.0,) * CELLS
        if camera is not None and "pieces" in frame:
            visible = views(camera, profile, true_piles(frame["pieces"], profile))
            elevation = elevation or camera.elevation
        name, event = str(frame["file"]), str(frame["event"])
        frames[name] = Truth(name, event, board_from_json(frame), visible, camera)
    return GameTruth(folder.name, elevation, bool(game.get("tags")), frames)
