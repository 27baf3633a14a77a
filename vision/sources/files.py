"""Pictures from a folder, in the order of their names, a while each."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.reading import Picture
from vision.sources.base import Frame, SourceEnded, SourceError, State
from vision.sources.jpeg import decode

ENDINGS: Final = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp"})


def pictures_in(folder: Path) -> tuple[Path, ...]:
    """List the pictures of a folder: 2.jpg comes before 10.jpg."""
    found = [file for file in folder.iterdir() if file.suffix.lower() in ENDINGS and file.is_file()]
    return tuple(
        sorted(found, key=lambda file: [int(p) if p.isdigit() else p for p in re.split(r"(\d+)", file.name)])
    )


def read_picture(file: Path) -> Picture | None:
    """Read one picture file; None when it is broken or cut short."""
    try:
        data = file.read_bytes()
    except OSError:
        return None
    if file.suffix.lower() in (".jpg", ".jpeg"):
        return decode(data)
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    return None if picture is None else picture.astype(np.uint8, copy=False)


class FolderGrabber:
    """Shows each picture of a folder for some seconds, then comes to its end."""

    def __init__(self, folder: Path, seconds: float = 2.0) -> None:
        self._folder = folder
        self._seconds = seconds
        self._files: tuple[Path, ...] = ()
        self._next = 0
        self._pause = threading.Event()

    @property
    def name(self) -> str:
        """Name the folder."""
        return f"folder {self._folder.name}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Say which picture is shown."""
        return (self._files[self._next - 1].name,) if self._next else ()

    def open(self) -> None:
        """List the pictures; go on where we were when it is opened again."""
        if not self._folder.is_dir():
            raise SourceError(f"there is no folder {self._folder}")
        self._files = pictures_in(self._folder)
        if not self._files:
            raise SourceError(f"there is no picture in {self._folder}")

    def grab(self) -> None:
        """Wait until the next picture is due."""
        if self._next:
            self._pause.wait(self._seconds)
        if self._next >= len(self._files):
            raise SourceEnded(f"{self.name}: that was the last of {len(self._files)} pictures")
        self._next += 1

    def picture(self) -> Picture | None:
        """Read the picture that is due."""
        return read_picture(self._files[self._next - 1])

    def later(self) -> None:
        """Nothing is left out."""

    def wake(self) -> None:
        """End the wait for the next picture."""
        self._pause.set()

    def close(self) -> None:
        """Nothing is held open."""


class PicturesByHand:
    """A folder as a source that goes on only when it is told to: for pictures that were shot before."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files = pictures_in(folder)
        self._frame: Frame | None = None
        self._next = 0
        self._undecodable = 0
        self._skipped: list[Path] = []
        self._closed = False

    def forward(self) -> None:
        """Go on to the next picture that can be read."""
        while self._next < len(self._files):
            picture = read_picture(self._files[self._next])
            self._next += 1
            if picture is not None:
                self._frame = Frame(picture, float(self._next), self._next)
                return
            self._undecodable += 1
            self._skipped.append(self._files[self._next - 1])
        raise SourceEnded(f"{self._folder}: that was the last picture")

    def skipped(self) -> tuple[Path, ...]:
        """Name the files that could not be read since this was asked last."""
        found, self._skipped = tuple(self._skipped), []
        return found

    @property
    def state(self) -> State:
        """Say which picture is shown."""
        if self._closed:
            return State("closed", f"folder {self._folder.name}: closed", self._next, self._undecodable)
        says = f"folder {self._folder.name}: picture {self._next} of {len(self._files)}"
        return State("live", says, self._next, self._undecodable)

    def latest(self) -> Frame | None:
        """Return the picture that is shown."""
        return self._frame

    def close(self) -> None:
        """Nothing is held open."""
        self._closed = True
