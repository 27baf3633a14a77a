"""Writes a labelled set of pictures in the format of the picture games: game.json, labels.json, JPEGs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from calibration.camera import Camera
from calibration.files import write_whole
from calibration.pieces import PieceProfile
from calibration.session import CORNERS
from calibration.solids import DOME, cell_centre
from vision.reading import Board, Content, Picture, board_to_json

CONFIRMED: Final = ("empty", "tableau", "placed")
REPEATS: Final = ("hand", "bump", "light")  # the position is the last stable one
QUALITY: Final = 95
ORIGIN: Final = (
    "made with `santorini capture`: positions were confirmed by hand; the camera was solved from the "
    "pictures, pieces are taken to stand in the middle of their cells"
)


@dataclass(frozen=True)
class Shot:
    """One picture of the set with its label."""

    file: str
    event: str
    board: Board
    follows: str | None
    camera: Camera | None
    note: str = ""


@dataclass
class PictureSet:
    """A set in the making; it is whole on disk after every picture."""

    folder: Path
    profile: PieceProfile
    colours: Mapping[str, str]
    tag_layout: Mapping[str, Any] | None = None
    taps: Sequence[tuple[float, float]] | None = None
    size: tuple[int, int] = (0, 0)
    shots: list[Shot] = field(default_factory=list)
    gods: Mapping[str, str] = field(default_factory=dict)

    @property
    def stable(self) -> Shot | None:
        """The last picture from which a turn can follow."""
        return next((shot for shot in reversed(self.shots) if shot.event not in ("hand", "illegal")), None)

    def add(self, picture: Picture, event: str, board: Board, camera: Camera | None, note: str = "") -> Shot:
        """Write a picture and both files."""
        before = self.stable
        shot = Shot(
            f"{len(self.shots):03}.jpg", event, board, None if before is None else before.file, camera, note
        )
        self.size = (picture.shape[1], picture.shape[0])
        data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]
        (self.folder / shot.file).write_bytes(data.tobytes())
        self.shots.append(shot)
        self.write()
        return shot

    def write(self) -> None:
        """Write game.json and labels.json, each whole or not at all."""
        write_whole(self.folder / "game.json", json.dumps(self.game(), indent=1) + "\n")
        write_whole(self.folder / "labels.json", json.dumps(self.labels(), indent=1) + "\n")

    def game(self) -> dict[str, Any]:
        """What a program may know."""
        sides = tuple(self.colours)
        known = {s.file: board_to_json(s.board, sides) for s in self.shots if s.event in CONFIRMED}
        return {
            "name": self.folder.name,
            "image_size": list(self.size),
            "camera": "fixed",
            "players": [
                {"id": side, "color": colour, "god": self.gods.get(side)}
                for side, colour in self.colours.items()
            ],
            "tags": self.tag_layout is not None,
            "tag_layout": self.tag_layout,
            "corner_taps": None if self.taps is None else [list(tap) for tap in self.taps],
            "corner_taps_order": list(CORNERS),
            "frames": [{"file": shot.file, "event": shot.event} for shot in self.shots],
            "geometry": geometry_of(self.profile),
            "known": known,
        }

    def labels(self) -> dict[str, Any]:
        """The truth, for scoring."""
        first = next((shot.camera for shot in self.shots if shot.camera is not None), None)
        facts = {} if first is None else {"elevation_deg": round(first.elevation, 2)}
        return {
            "name": self.folder.name,
            "origin": ORIGIN,
            "camera_facts": facts,
            "frames": [self._label(shot) for shot in self.shots],
        }

    def _label(self, shot: Shot) -> dict[str, Any]:
        label = {
            "file": shot.file,
            "event": shot.event,
            **board_to_json(shot.board, tuple(self.colours)),
            "follows": shot.follows,
            "note": shot.note,
        }
        if shot.camera is not None:
            label["camera"] = camera_label(shot.camera, self.profile)
            label["pieces"] = [
                piece
                for cell, content in enumerate(shot.board)
                for piece in pieces_of(cell, content, self.profile)
            ]
        return label


def camera_label(camera: Camera, profile: PieceProfile) -> dict[str, Any]:
    """A camera as labels have it: millimetres, origin on the table under the middle of the board."""
    drop = camera.turn @ np.array([0.0, 0.0, profile.board.height])
    shift = (np.array(camera.translation) - drop) * profile.pitch_mm
    return {
        "fx": camera.focal[0],
        "fy": camera.focal[1],
        "cx": camera.centre[0],
        "cy": camera.centre[1],
        "k1": camera.distortion[0],
        "k2": camera.distortion[1],
        "R_world_to_camera": camera.turn.tolist(),
        "t_world_to_camera_mm": shift.tolist(),
    }


def pieces_of(cell: int, content: Content, profile: PieceProfile) -> list[dict[str, Any]]:
    """The pieces of a cell, put down exactly in its middle."""
    x, y = (round(value * profile.pitch_mm, 2) for value in cell_centre(cell))

    def piece(kind: str, z: float, **more: str) -> dict[str, Any]:
        high = round((z + profile.board.height) * profile.pitch_mm, 2)
        return {"kind": kind, "x": x, "y": y, "z": high, "rot": 0.0, **more}

    found = [piece(f"L{level}", profile.rim(level - 1)) for level in range(1, content.height + 1)]
    if content.top == DOME:
        found.append(piece("dome", profile.rim(content.height)))
    elif content.top:
        found.append(piece("worker_m", profile.floor(content.height), player=content.top))
    return found


def geometry_of(profile: PieceProfile) -> dict[str, Any]:
    """A profile in millimetres, as picture games write it."""
    pitch, board = profile.pitch_mm, profile.board

    def mm(value: float) -> float:
        return round(value * pitch, 3)

    blocks = [
        {
            "level": level,
            "base_width": mm(block.base_width),
            "body_width": mm(block.body_width),
            "top_width": mm(block.top_width),
            "shape": "octagon on a square flange" if block.shape == "octagon" else block.shape,
            "rim_height": mm(block.rim),
            "stand_height": mm(block.floor),
        }
        for level, block in enumerate(profile.blocks, start=1)
    ]
    return {
        "units": "mm",
        "cell_pitch": pitch,
        "grid_size": 5 * pitch,
        "plateau_size": mm(2 * board.plateau),
        "plateau_height": mm(board.height),
        "ocean_base_size": mm(2 * board.base),
        "outer_wall": {"centre": mm(board.wall_at), "width": mm(board.wall_width)},
        "blocks": blocks,
        "dome": {"radius": mm(profile.dome.radius), "height": mm(profile.dome.height)},
        "worker": {"base_radius": mm(profile.worker.base_radius), "height": mm(profile.worker.height)},
    }
