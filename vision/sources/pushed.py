"""Pictures that somebody else sends: JPEGs from a phone's browser."""

from __future__ import annotations

import threading
import time
from typing import Final

from vision.sources.base import Frame, State
from vision.sources.jpeg import decode
from vision.sources.latest import Clock

SILENT_SECONDS: Final = 10.0


class PushedPictures:
    """A source that is fed: `push` may be called from any thread."""

    def __init__(self, name: str = "phone", clock: Clock = time.monotonic) -> None:
        self._name = name
        self._clock = clock
        self._lock = threading.Lock()
        self._frame: Frame | None = None
        self._undecodable = 0
        self._closed = False

    def push(self, data: bytes) -> bool:
        """Take one JPEG; False (and counted) when it cannot be decoded."""
        picture = decode(data)
        with self._lock:
            if picture is None:
                self._undecodable += 1
            elif not self._closed:
                number = 1 if self._frame is None else self._frame.number + 1
                self._frame = Frame(picture, self._clock(), number)
        return picture is not None

    @property
    def state(self) -> State:
        """Say whether pictures are coming."""
        with self._lock:
            frame, bad, closed = self._frame, self._undecodable, self._closed
        if closed:
            return State("closed", f"{self._name}: closed", frame.number if frame else 0, bad)
        if frame is None:
            return State("connecting", f"{self._name}: waiting for the first picture", 0, bad)
        quiet = self._clock() - frame.at
        if quiet >= SILENT_SECONDS:
            return State("silent", f"{self._name}: no picture for {quiet:.0f} s", frame.number, bad)
        return State("live", f"{self._name}: live", frame.number, bad)

    def latest(self) -> Frame | None:
        """Return the newest picture, or None before the first."""
        with self._lock:
            return self._frame

    def close(self) -> None:
        """Take no more pictures."""
        with self._lock:
            self._closed = True
