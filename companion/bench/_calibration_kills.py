"""A host who sets a camera up again and again while the server is killed: what was kept comes back."""

from __future__ import annotations

import threading
import time
import urllib.error
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from random import Random
from typing import Any, Final

import cv2

from calibration.pose import GRID_CORNERS
from companion.bench._browser import Browser
from vision.reading import EMPTY_BOARD
from vision.simulator import SimulatedCamera, camera_at

Json = dict[str, Any]
UNSTEADY: Final = 0.0015
"""So far off, as a share of the picture, a thumb sets a corner."""
REST: Final = 0.2


def draw_empty(folder: Path) -> list[list[float]]:
    """Write a picture of the empty board and give where its corners are."""
    folder.mkdir()
    camera = SimulatedCamera(camera_at(elevation=58, azimuth=270, distance=13.0))
    picture = camera.render(EMPTY_BOARD, seed=3)
    cv2.imwrite(str(folder / "empty.png"), picture)
    high, wide = picture.shape[:2]
    return [[float(x) / wide, float(y) / high] for x, y in camera.camera.project(GRID_CORNERS)]


@dataclass
class Fitter:
    """The host's phone on the camera page of a table of its own."""

    host: Browser
    table: str
    folder: Path
    corners: list[list[float]]
    chance: Random
    kept: list[Json] = field(default_factory=list)
    """What may stand on disk: what was shown as kept last, and what was being kept when the line was cut."""
    tried: int = 0
    saved: int = 0
    keeping: threading.Event = field(default_factory=threading.Event)
    """The server was told to keep a calibration since it was started."""
    did_keep: threading.Event = field(default_factory=threading.Event)
    checked: threading.Event = field(default_factory=threading.Event)
    """What came back was compared since the server was started."""
    faults: list[str] = field(default_factory=list)

    def run(self, address: str) -> None:
        """Compare with what was kept, then set the camera up until the line is cut."""
        self.host.address = address
        try:
            self.check(shown(self._call("POST", source=str(self.folder))))
            self.checked.set()
            while True:
                self._set_up()
                time.sleep(REST)
        except urllib.error.HTTPError as refused:
            self.faults.append(f"calibration: {refused.url} answered {refused.code}")
            self.checked.set()
        except (OSError, HTTPException):
            return

    def start(self) -> None:
        """The server is started anew."""
        for event in (self.checked, self.keeping, self.did_keep):
            event.clear()

    def check(self, now: Json) -> None:
        """What comes back is what was shown as kept last, or what was just being kept."""
        if self.kept and now not in self.kept:
            self.faults.append(f"calibration: kept {self.kept[0]}, now {now}")
        self.kept = [now]

    def _set_up(self) -> None:
        """Go through the wizard with an unsteady thumb and keep the result."""
        near = [[x + self._off(), y + self._off()] for x, y in self.corners]
        if not self._took_empty():
            return
        self._call("POST", "/corners", corners=near)
        for step in ("tableau", "placed"):
            new = shown(self._call("POST", "/skip", step=step))
        self.kept = [*self.kept[:1], new]
        self.tried += 1
        self.keeping.set()
        self._call("POST", "/keep")
        self.kept = [new]
        self.saved += 1
        self.did_keep.set()
        self._call("DELETE")
        self._call("POST", source=str(self.folder))

    def _took_empty(self) -> bool:
        """Take the empty board; the camera may not have a picture yet."""
        try:
            self._call("POST", "/take", step="empty")
        except urllib.error.HTTPError as refused:
            if refused.code == 409:
                return False
            raise
        return True

    def _off(self) -> float:
        return self.chance.uniform(-UNSTEADY, UNSTEADY)

    def _call(self, method: str, path: str = "", **body: object) -> Json:
        answer = self.host.call(method, f"/api/tables/{self.table}/camera{path}", body)
        return dict(answer or {})


def shown(state: Json) -> Json:
    """Give what the page shows of a calibration."""
    return {name: state[name] for name in ("verdict", "figures", "corners")}
