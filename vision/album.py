"""A picture game: a folder with game.json and pictures in order of time, as `see` and `capture` use it."""

from __future__ import annotations

import itertools
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from calibration.build import Calibration, Known, calibrate
from calibration.colours import NAMED
from calibration.pieces import PieceProfile, ProfileError, SizeMissing, profile_from_geometry, shipped
from calibration.pose import PoseError
from calibration.session import StepError, checked_taps
from vision.fields import FieldError, four_spots, mapped, objects
from vision.reading import DOME, EMPTY_BOARD, Board, Picture, SizeError, board_from_json, same_size, size_of

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
    remarks: tuple[str, ...] = ()
    """What is odd about game.json and does not keep it from being read."""

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
    except FieldError as error:
        raise AlbumError(f"{path}: {error}") from error


def _album(folder: Path, data: Mapping[str, Any]) -> Album:
    remarks: list[str] = []
    events = _events(data, remarks)
    colours = _colours(data, remarks)
    taps = data.get("corner_taps")
    return Album(
        folder=folder,
        files=tuple(events),
        events=events,
        colours=colours,
        taps=None if not taps else four_spots(taps, "corner_taps"),
        tag_layout=_layout(data),
        profile=_profile(data, remarks),
        known=_known(data, colours, remarks),
        remarks=tuple(f"{folder / 'game.json'}: {text}" for text in remarks),
    )


def _events(data: Mapping[str, Any], remarks: list[str]) -> dict[str, str]:
    """What the pictures show, as far as that may be known, in order of time."""
    found: dict[str, str] = {}
    for number, frame in enumerate(objects(data, "frames")):
        name, event = frame.get("file"), frame.get("event")
        if name:
            found[str(name)] = str(event) if event in CONFIRMED else ""
        else:
            remarks.append(f"frames[{number}]: names no file and is left out")
    if not found:
        raise FieldError("frames: no pictures are listed")
    return found


def _colours(data: Mapping[str, Any], remarks: list[str]) -> dict[str, str]:
    """The colour of each side's workers; without players nobody's workers can be found."""
    found: dict[str, str] = {}
    for number, player in enumerate(objects(data, "players")):
        side = player.get("id")
        if side is None or side == "":
            raise FieldError(f"players[{number}]: id is missing")
        if str(side) in found:
            remarks.append(
                f"players[{number}]: another player is called '{side}' already; the last one counts"
            )
        found[str(side)] = str(player.get("color") or "")
    if not found:
        remarks.append("players: nobody is listed; whose workers stand where cannot be read")
    return found


def _layout(data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Where the tags of the mat are, if there is one."""
    layout = mapped(data, "tag_layout")
    if not layout:
        return None
    corners = mapped(layout, "corners_mm", "tag_layout: ")
    if not corners:
        raise FieldError("tag_layout: corners_mm is missing")
    for tag, spots in corners.items():
        four_spots(spots, f"tag_layout: corners_mm: {tag}")
        if not tag.isdecimal():
            raise FieldError(f"tag_layout: corners_mm: '{tag}' is no number of a tag")
    return layout


def _profile(data: Mapping[str, Any], remarks: list[str]) -> PieceProfile:
    """The sizes of the pieces; those of the classic set where they are not given in full."""
    geometry = mapped(data, "geometry")
    if not geometry:
        return shipped()
    try:
        return profile_from_geometry(geometry)
    except SizeMissing as error:
        remarks.append(f"{error}; the sizes of the classic pieces are taken")
        return shipped()
    except ProfileError as error:
        raise FieldError(str(error)) from error


def _known(data: Mapping[str, Any], sides: Collection[str], remarks: list[str]) -> dict[str, Board]:
    """The confirmed positions; nothing can be learned from one with workers of nobody who plays."""
    found: dict[str, Board] = {}
    for name in mapped(data, "known"):
        try:
            board = board_from_json(mapped(data["known"], name))
        except ValueError as error:
            raise FieldError(f"known: {name}: {error}") from error
        strange = sorted({content.top for content in board} - {"", DOME, *sides})
        if strange and sides:
            remarks.append(f"known: {name}: workers: no player is called '{strange[0]}'; it is left out")
        else:
            found[name] = board
    return found


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
    warnings.extend(album.remarks)
    name, empty = _empty_board(album, warnings)
    known = _confirmed(album, name, size_of(empty), warnings)
    seen = {top for item in known for _, top in item.position}
    for side, colour in album.colours.items():
        if side not in seen:
            warnings.append(_unseen(album, side, colour))
    try:
        return calibrate(empty, album.profile, album.colours, album.taps, album.tag_layout, known)
    except PoseError as error:
        raise AlbumError(f"{album.folder / 'game.json'}: {_no_pose(album, empty, error)} ({name})") from error


def _empty_board(album: Album, warnings: list[str]) -> tuple[str, Picture]:
    """The picture of the empty board: a confirmed one, else the first before pieces are known to stand."""
    faults: list[str] = []
    confirmed = [name for name, board in album.known.items() if board == EMPTY_BOARD]
    others = itertools.takewhile(lambda name: album.known.get(name, EMPTY_BOARD) == EMPTY_BOARD, album.files)
    for name in dict.fromkeys((*confirmed, *others)):
        try:
            empty = load_picture(album.folder / name)
        except AlbumError as error:
            faults.append(str(error))
            continue
        warnings.extend(faults)
        if name not in confirmed:
            warnings.append(f"no confirmed empty board: {name} is taken for it")
        return name, empty
    why = "; ".join(faults) or f"{album.folder / 'game.json'}: known: names none"
    raise AlbumError(f"a picture of the empty board is needed: {why}")


def _unseen(album: Album, side: str, colour: str) -> str:
    """What is said of a side whose workers no confirmed picture shows."""
    lacking = f"no confirmed picture of {side}'s workers"
    if colour.lower() in NAMED:
        return f"{lacking}: the colour is taken from '{colour}'"
    file, known = album.folder / "game.json", ", ".join(NAMED)
    named = f"'{colour}' is no colour known by name ({known})" if colour else "color is missing"
    return f"{lacking}, and {file}: players: {side}: {named}: they may be mistaken"


def _no_pose(album: Album, empty: Picture, error: PoseError) -> str:
    """Which field keeps the pose from being found, and why."""
    if album.taps is None:
        return f"corner_taps: {error}" if album.tag_layout is None else f"tag_layout: {error}"
    try:
        checked_taps(album.taps, size_of(empty))
    except StepError as fault:
        return f"corner_taps: {fault}"
    return f"corner_taps: {error}"


def _confirmed(album: Album, empty: str, size: tuple[int, int], warnings: list[str]) -> Sequence[Known]:
    found = []
    for name, board in album.known.items():
        if name == empty:
            continue
        try:
            picture = load_picture(album.folder / name)
            same_size(picture, size)
        except AlbumError as error:
            # a confirmed empty board has been tried, and told of, before
            warnings.extend({str(error)}.difference(warnings))
            continue
        except SizeError as error:
            warnings.append(misfit(album, name, error))
            continue
        found.append(Known(picture, [(content.height, content.top) for content in board]))
    return found
