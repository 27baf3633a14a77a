"""Devices that OpenCV opens: USB cameras (V4L2), RTSP streams, video files."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

import cv2
import numpy as np

from vision.reading import Picture
from vision.sources.base import SourceEnded, SourceError
from vision.sources.urls import without_password

SETTLE_FRAMES: Final = 20
TIMEOUT_MS: Final = 5000
RTSP_PORT: Final = 554
V4L2_MANUAL: Final = 1.0
V4L2_AUTO: Final = 3.0


class Capture(Protocol):
    """What we use of `cv2.VideoCapture`; its fakes are in `faults`."""

    def isOpened(self) -> bool:
        """Tell whether the device is open."""

    def grab(self) -> bool:
        """Take the next picture without decoding it."""

    def retrieve(self) -> tuple[bool, Any]:
        """Decode what was grabbed."""

    def get(self, prop: int) -> float:
        """Read a property."""

    def set(self, prop: int, value: float) -> bool:
        """Write a property; False when the device does not offer it."""

    def release(self) -> None:
        """Let go."""


Opener = Callable[[], Capture]


@dataclass(frozen=True)
class Lock:
    """One automatic control of a camera: how to switch it on and off, and the value to hold."""

    word: str
    auto: int
    on: float
    off: float
    value: int


LOCKS: Final = (
    Lock("exposure", cv2.CAP_PROP_AUTO_EXPOSURE, V4L2_AUTO, V4L2_MANUAL, cv2.CAP_PROP_EXPOSURE),
    Lock("white balance", cv2.CAP_PROP_AUTO_WB, 1.0, 0.0, cv2.CAP_PROP_WB_TEMPERATURE),
    Lock("focus", cv2.CAP_PROP_AUTOFOCUS, 1.0, 0.0, cv2.CAP_PROP_FOCUS),
)


def hold(capture: Capture, lock: Lock) -> str:
    """Switch one automatic control off, keeping the value it had found, and say how it went."""
    found = capture.get(lock.value)
    if not capture.set(lock.auto, lock.off):
        return f"{lock.word} cannot be locked on this camera"
    if found > 0:
        capture.set(lock.value, found)
    return f"{lock.word} locked"


class CaptureGrabber:
    """A grabber over anything with the methods of `cv2.VideoCapture`."""

    def __init__(self, name: str, opener: Opener) -> None:
        self._name = name
        self._opener = opener
        self._capture: Capture | None = None
        self._notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Name the device for the user."""
        return self._name

    @property
    def notes(self) -> tuple[str, ...]:
        """Say what could be locked and what not."""
        return self._notes

    def open(self) -> None:
        """Open the device."""
        capture = self._opener()
        if not capture.isOpened():
            capture.release()
            raise SourceError("cannot be opened")
        self._capture = capture

    def grab(self) -> None:
        """Take the next picture."""
        try:
            good = self._capture is not None and self._capture.grab()
        except cv2.error as fault:
            raise SourceError(f"failed ({fault})") from fault
        if not good:
            raise SourceError("stopped sending pictures")

    def picture(self) -> Picture | None:
        """Decode what was grabbed."""
        if self._capture is None:
            return None
        try:
            good, picture = self._capture.retrieve()
        except cv2.error:
            return None
        # The driver owns the buffer that `retrieve` gives and writes over it: keep a copy.
        return np.array(picture, np.uint8) if good and picture is not None and picture.size else None

    def later(self) -> None:
        """The driver keeps the last picture only: decode it now or never."""

    def wake(self) -> None:
        """Nothing waits here but the driver, which has limits of its own."""

    def close(self) -> None:
        """Release the device."""
        if self._capture is not None:
            self._capture.release()
        self._capture = None


class UsbGrabber(CaptureGrabber):
    """A USB camera: lets the automatic controls settle, then locks them where the camera offers it."""

    def __init__(self, name: str, opener: Opener, size: tuple[int, int], lock: bool = True) -> None:
        super().__init__(name, opener)
        self._size = size
        self._lock = lock
        self._seen = 0

    def open(self) -> None:
        """Open the camera and ask for the wanted size, as JPEG, without a queue."""
        super().open()
        assert self._capture is not None
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._seen, self._notes = 0, ()
        if self._lock:
            # The camera remembers the lock of last time, which was for last time's light.
            for lock in LOCKS:
                self._capture.set(lock.auto, lock.on)

    def grab(self) -> None:
        """Take the next picture; lock the controls once they have settled."""
        super().grab()
        self._seen += 1
        if self._lock and self._seen == SETTLE_FRAMES and self._capture is not None:
            capture = self._capture
            self._notes = tuple(hold(capture, lock) for lock in LOCKS)


class VideoGrabber(CaptureGrabber):
    """A video file, played at its own speed, once."""

    def __init__(self, file: Path, opener: Opener | None = None, speed: float = 1.0) -> None:
        super().__init__(f"video {file.name}", opener or (lambda: cv2.VideoCapture(str(file))))
        self._speed = speed
        self._due = 0.0
        self._gap = 0.0
        self._any = False
        self._pause = threading.Event()

    def open(self) -> None:
        """Open the file and read its speed."""
        super().open()
        assert self._capture is not None
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        self._gap = 1.0 / ((rate if 1.0 <= rate <= 240.0 else 25.0) * self._speed)
        self._due = time.monotonic()

    def grab(self) -> None:
        """Wait until the next picture is due and take it."""
        self._pause.wait(max(0.0, self._due - time.monotonic()))
        self._due += self._gap
        try:
            super().grab()
        except SourceError as stop:
            if self._any:
                raise SourceEnded(f"{self.name}: the video is over") from stop
            raise SourceError("holds no picture that can be read") from stop
        self._any = True

    def wake(self) -> None:
        """End the wait for the next picture."""
        self._pause.set()


class RtspGrabber(CaptureGrabber):
    """An RTSP stream: says why it cannot be reached, which OpenCV does not; hangs for 5 s at most."""

    def __init__(self, url: str) -> None:
        limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, TIMEOUT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, TIMEOUT_MS]
        super().__init__(without_password(url), lambda: cv2.VideoCapture(url, cv2.CAP_FFMPEG, limits))
        parts = urlsplit(url)
        self._address = (parts.hostname or "", parts.port or RTSP_PORT)

    def open(self) -> None:
        """Knock first, then open the stream."""
        try:
            socket.create_connection(self._address, timeout=TIMEOUT_MS / 1000).close()
        except OSError as fault:
            raise SourceError(f"cannot be reached ({fault.strerror or fault})") from fault
        keep_quiet()
        super().open()


def keep_quiet() -> None:
    """Keep OpenCV and FFmpeg from writing to the terminal at every try; what matters is in the state."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)


def is_video(file: Path) -> bool:
    """Tell whether a file holds at least one picture that can be read as video."""
    keep_quiet()
    capture = cv2.VideoCapture(str(file))
    try:
        return bool(capture.isOpened() and capture.grab())
    finally:
        capture.release()


def usb(device: int, *, size: tuple[int, int] = (1280, 720), lock: bool = True) -> UsbGrabber:
    """Make a grabber for /dev/videoN."""
    opener: Opener = lambda: cv2.VideoCapture(device, cv2.CAP_V4L2)  # noqa: E731
    return UsbGrabber(f"camera {device}", opener, size, lock)
