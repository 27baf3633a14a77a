"""How long one picture takes here, measured on a simulated one."""

from __future__ import annotations

import statistics
import time
from typing import Final

COLOURS: Final = {"A": "blue", "B": "grey"}
ROUNDS: Final = 3


def frame_ms() -> float | None:
    """Milliseconds to read one simulated picture, the middle of a few; takes some seconds."""
    # Imported here: the doctor has to run even where OpenCV does not.
    try:
        from calibration.build import calibrate
        from calibration.pose import GRID_CORNERS
        from vision.reader import Reader
        from vision.reading import EMPTY_BOARD, Content
        from vision.simulator import SimulatedCamera, camera_at
    except ImportError:
        return None
    camera = SimulatedCamera(camera_at(elevation=56, azimuth=285, distance=13.5), colours=COLOURS)
    empty = camera.render(EMPTY_BOARD)
    taps = camera.camera.project(GRID_CORNERS).tolist()
    reader = Reader(calibrate(empty, camera.profile, COLOURS, taps=taps))
    board = list(EMPTY_BOARD)
    for cell, content in ((7, Content(2)), (12, Content(1, "A")), (13, Content(3)), (18, Content(0, "B"))):
        board[cell] = content
    picture = camera.render(tuple(board))
    taken = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        reader.look(picture)
        taken.append(1000 * (time.perf_counter() - began))
    return statistics.median(taken)
