"""Puts a watcher together from a table, a source and a calibration, real or simulated alike."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from calibration.build import Calibration
from calibration.camera import Floats
from calibration.pose import GRID_CORNERS
from companion.live.camera import CameraWatch, condition_of
from companion.live.watcher import Watcher
from companion.referee.doubts import Doubts
from companion.referee.referee import Referee
from companion.table.live import Table
from vision.gate import Gate
from vision.overlay import overlay
from vision.reader import Reader
from vision.reading import Picture, Reading
from vision.sources import Source


def watcher_for(table: Table, source: Source, known: Calibration, debug: Path | None = None) -> Watcher:
    """Make a watcher; with a debug folder it keeps the pictures it was in doubt about."""
    reader = Reader(known)
    gate = Gate(outline(known), known.camera.size, reference=known.empty)
    camera = CameraWatch(lambda: condition_of(reader), lambda now: gate.aim(outline(now)))
    doubts = None if debug is None else doubts_in(debug, lambda: reader.setting.calibration)
    referee = Referee(reader)
    size, confirm = known.camera.size, reader.confirm
    return Watcher(table, source, gate, referee, doubts=doubts, confirm=confirm, camera=camera, size=size)


def outline(known: Calibration) -> Floats:
    """Give the board's outline in the picture."""
    return known.camera.project(GRID_CORNERS)


def doubts_in(folder: Path, knows: Callable[[], Calibration]) -> Doubts:
    """Keep doubtful pictures in a folder, with the reading drawn over them from where the camera is now."""

    def drawn(picture: Picture, reading: Reading) -> Picture:
        known = knows()
        return overlay(picture, reading, known.camera, known.profile, dict(known.colours))

    return Doubts(folder, draw=drawn)
