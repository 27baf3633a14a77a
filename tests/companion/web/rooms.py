"""A companion with one camera over a board that a test sets."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from calibration.pose import GRID_CORNERS
from companion.web.app import create_app
from companion.web.eyes import Eyes
from companion.web.server import WebServer, bind
from tests.companion.web.browsing import started, stopped
from vision.reading import EMPTY_BOARD, Board, Picture
from vision.simulator import SimulatedCamera, camera_at
from vision.simulator.light import Rgb
from vision.sources import SourceError
from vision.sources.base import Frame, State

SIDES = {"A": "blue", "B": "grey"}


class StillCamera:
    """A camera that always sees what its room shows."""

    def __init__(self, picture: Callable[[], Picture]) -> None:
        self.picture = picture
        self.number = 0
        self.closed = False

    @property
    def state(self) -> State:
        return State("live", "still", self.number)

    def latest(self) -> Frame | None:
        self.number += 1
        return Frame(self.picture(), time.monotonic(), self.number)

    def close(self) -> None:
        self.closed = True


def opening(
    picture: Callable[[], Picture], opened: list[StillCamera] | None = None
) -> Callable[[str], StillCamera]:
    def opener(text: str) -> StillCamera:
        if text != "still":
            raise SourceError(f"there is no camera '{text}'")
        camera = StillCamera(picture)
        if opened is not None:
            opened.append(camera)
        return camera

    return opener


class Room:
    """A companion with one camera over an empty board."""

    def __init__(self, folder: Path, colours: Mapping[str, str | Rgb] | None = None) -> None:
        pose = camera_at(elevation=58, azimuth=270, distance=13.0)
        self.camera = SimulatedCamera(pose, colours=colours or SIDES)
        self.picture = self.camera.render(EMPTY_BOARD, seed=3)
        self.folder = folder / "calibration"
        self.opened: list[StillCamera] = []
        self.eyes = Eyes(self.folder, "still", opening(lambda: self.picture, self.opened))
        self.home = started(folder)
        self.home.server.stop()
        taken = bind("127.0.0.1", 0)
        self.home.address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        self.home.deps = replace(self.home.deps, cameras=self.eyes, address=self.home.address)
        self.home.server = WebServer(create_app(self.home.deps), taken)
        self.home.server.start()

    def show(self, board: Board) -> None:
        """Set the board before the camera."""
        self.picture = self.camera.render(board, seed=5)

    def corners(self) -> list[tuple[float, float]]:
        height, width = self.picture.shape[:2]
        return [(float(x) / width, float(y) / height) for x, y in self.camera.camera.project(GRID_CORNERS)]

    def close(self) -> None:
        self.eyes.stop()
        stopped(self.home)
