"""Puts a watcher together from a table, a source and a calibration, real or simulated alike."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from calibration.build import Calibration
from calibration.pose import GRID_CORNERS
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
    gate = Gate(np.asarray(known.camera.project(GRID_CORNERS)), known.camera.size, reference=known.empty)
    doubts = None if debug is None else doubts_in(debug, known)
    reader = Reader(known)
    return Watcher(table, source, gate, Referee(reader), doubts=doubts, confirm=reader.confirm)


def doubts_in(folder: Path, known: Calibration) -> Doubts:
    """Keep doubtful pictures in a folder, with the reading drawn over them."""

    def drawn(picture: Picture, reading: Reading) -> Picture:
        return overlay(picture, reading, known.camera, known.profile, dict(known.colours))

    return Doubts(folder, draw=drawn)
