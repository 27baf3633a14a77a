"""A picture game: a folder with game.json and pictures in order of time, as `see` and `capture` use it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from calibration.build import Calibration, Known, calibrate
from calibration.pieces import PieceProfile, ProfileError, profile_from_geometry, shipped
from vision.reading import EMPTY_BOARD, Board, Picture, SizeError, board_from_json, same_size, size_of

CONFIRMED: Final = ("empty", "tableau", "placed")


class AlbumError(ValueError):
    """A picture game that cannot be used: names the file and the reason."""


@dataclass(frozen=True)
class Album:
    """What a program may know about a picture game."""

    folder: Path
    files: tuple[str, ...]
    events: Mapping[str, str]
    colours: Mapping[str, str]
    taps: tuple[tuple[float, float], ...] | None
    tag_layout: Mapping[str, Any] | None
    profile: PieceProfile
    known: Mapping[str, Board]

    @property
    def empty_file(self) -> tuple[str, bool]:
        """The picture of the empty board, and whether somebody has confirmed it."""
        for name, board in self.known.items():
            if board == EMPTY_BOARD:
                return name, True
        return self.files[0], False


def open_album(folder: Path) -> Album:
    """Read game.json; fields it does not know are left aside."""
    path = folder / "game.json"
    try:
        data = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise AlbumError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:
        raise AlbumError(f"{path}: not JSON ({error})") from error
    if not isinstance(data, dict):
        raise AlbumError(f"{path}: not a JSON object")
    try:
        return _album(folder, data)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise AlbumError(f"{path}: {error!r} is missing or wrong") from error


def _album(folder: Path, data: Mapping[str, Any]) -> Album:
    frames = [frame for frame in data["frames"] if frame.get("file")]
    if not frames:
        raise AlbumError(f"{folder / 'game.json'}: it lists no pictures")
    taps = data.get("corner_taps")
    events = {str(f["file"]): str(f.get("event") or "") for f in frames}
    return Album(
        folder=folder,
        files=tuple(str(frame["file"]) for frame in frames),
        events={name: event if event in CONFIRMED else "" for name, event in events.items()},
        colours={str(p["id"]): str(p.get("color") or "") for p in data.get("players") or ()},
        taps=None if not taps else tuple((float(x), float(y)) for x, y in taps),
        tag_layout=data.get("tag_layout") or None,
        profile=_profile(data),
        known={str(name): board_from_json(item) for name, item in (data.get("known") or {}).items()},
    )


def _profile(data: Mapping[str, Any]) -> PieceProfile:
    geometry = data.get("geometry")
    if geometry is None:
        return shipped()
    try:
        return profile_from_geometry(geometry)
    except ProfileError:
        return shipped()


def load_picture(path: Path) -> Picture:
    """Read a picture file; a missing or broken one is named."""
    try:
        data = np.frombuffer(path.read_bytes(), dtype=np.uint8)
    except OSError as error:
        raise AlbumError(f"{path}: {error.strerror or error}") from error
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if len(data) else None
    if picture is None:
        raise AlbumError(f"{path}: not a picture that can be decoded")
    return np.asarray(picture, dtype=np.uint8)


def misfit(album: Album, name: str, error: SizeError) -> str:
    """What is said of a picture of another size; the same wherever it is met."""
    return f"{album.folder / name}: {error}; it is left out"


def calibrated(album: Album, warnings: list[str]) -> Calibration:
    """Build the calibration from what the game confirms; what is lacking goes to the warnings."""
    name, confirmed = album.empty_file
    if not confirmed:
        warnings.append(f"no confirmed empty board: {name} is taken for it")
    empty = load_picture(album.folder / name)
    known = _confirmed(album, name, size_of(empty), warnings)
    seen = {top for item in known for _, top in item.position}
    for side, colour in album.colours.items():
        if side not in seen:
            warnings.append(f"no confirmed picture of {side}'s workers: the colour is taken from '{colour}'")
    return calibrate(empty, album.profile, album.colours, album.taps, album.tag_layout, known)


def _confirmed(album: Album, empty: str, size: tuple[int, int], warnings: list[str]) -> Sequence[Known]:
    found = []
    for name, board in album.known.items():
        if name == empty:
            continue
        try:
            picture = load_picture(album.folder / name)
            same_size(picture, size)
        except AlbumError as error:
            warnings.append(str(error))
            continue
        except SizeError as error:
            warnings.append(misfit(album, name, error))
            continue
        found.append(Known(picture, [(content.height, content.top) for content in board]))
    return found
