"""Reads a picture game from first to last: what `see` prints and what the bench scores."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from calibration.build import Calibration
from calibration.quality import CLIPPED_ADVICE, MOST_CLIPPED
from vision.album import Album, AlbumError, calibrated, load_picture, misfit
from vision.reader import Reader
from vision.reading import CELLS, Picture, Reading, SizeError, board_to_json, cell_name

IN_VIEW: Final = 0.25
FOCUS_ADVICE: Final = "the picture is softer than that of the empty board: focus the camera again"


@dataclass(frozen=True, eq=False)
class Seen:
    """One picture of a game as it was read."""

    file: str
    picture: Picture
    reading: Reading
    calibration: Calibration
    ms: float
    cpu_ms: float = 0.0


def plain(picture: Picture) -> Picture:
    """The picture as it is."""
    return picture


def once(warn: Callable[[str], None]) -> Callable[[str], None]:
    """Say the same thing only once: a confirmed picture is met while calibrating and again while reading."""
    said: set[str] = set()

    def told(text: str) -> None:
        if text not in said:
            said.add(text)
            warn(text)

    return told


def reader_of(album: Album, warn: Callable[[str], None]) -> Reader:
    """A reader calibrated on what the game confirms; says what is lacking, and what could be better."""
    lacking: list[str] = []
    calibration = calibrated(album, lacking)
    for text in (*lacking, *calibration.quality.warnings):
        warn(text)
    return Reader(calibration)


def read_album(
    album: Album,
    warn: Callable[[str], None],
    spoil: Callable[[Picture], Picture] = plain,
    reader: Reader | None = None,
) -> Iterator[Seen]:
    """Read the pictures in order; a broken one is reported and left out."""
    warn = once(warn)
    reader = reader or reader_of(album, warn)
    said: set[str] = set()
    for name in album.files:
        started, busy = time.perf_counter(), time.process_time()
        try:
            picture = load_picture(album.folder / name)
        except AlbumError as error:
            warn(str(error))
            continue
        decoded, decoding = time.perf_counter() - started, time.process_time() - busy
        picture = spoil(picture)
        started, busy = time.perf_counter(), time.process_time()
        try:
            reading = reader.look(picture)
        except SizeError as error:
            warn(misfit(album, name, error))
            continue
        took = 1000 * (time.perf_counter() - started + decoded)
        worked = 1000 * (time.process_time() - busy + decoding)
        for advice in advices(reader):
            if advice not in said:
                warn(f"{name}: {advice}")
                said.add(advice)
        yield Seen(name, picture, reading, reader.setting.calibration, took, worked)


def advices(reader: Reader) -> list[str]:
    """What the owner should do better about the picture just read."""
    found = [CLIPPED_ADVICE] if reader.clipped > MOST_CLIPPED else []
    return [*found, FOCUS_ADVICE] if reader.blur else found


def grid(values: list[Any]) -> list[list[Any]]:
    """Twenty-five values as rows 5 down to 1."""
    return [values[5 * row : 5 * row + 5] for row in range(4, -1, -1)]


def seen_to_json(seen: Seen) -> dict[str, Any]:
    """One line of what `see` prints."""
    reading = seen.reading
    hidden = [cell_name(cell) for cell in range(CELLS) if reading.visible[cell] < IN_VIEW]
    return {
        "file": seen.file,
        "status": reading.status,
        **board_to_json(reading.best, reading.sides),
        "confidence": grid([round(reading.confidence(cell), 4) for cell in range(CELLS)]),
        "hidden": hidden if reading.status == "stable" else [],
        "camera": reading.camera,
        "ms": round(seen.ms, 1),
    }
