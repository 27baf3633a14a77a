"""Turns what the user typed after `--camera` into a source, or says in one sentence why not."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from vision.sources.base import Grabber, Source, SourceError
from vision.sources.cameras import RtspGrabber, VideoGrabber, is_video, usb
from vision.sources.files import FolderGrabber, pictures_in
from vision.sources.latest import LatestSource
from vision.sources.mjpeg import MjpegGrabber

FORMS: Final = "0, /dev/video0, http://…/video, rtsp://…, a video file, a folder of pictures, or sim"
DEVICES: Final = Path("/dev")
DEVICE: Final = re.compile(r"(?:/dev/video)?(\d{1,3})")

SimulatorMaker = Callable[[], Source]


def devices(folder: Path = DEVICES) -> tuple[int, ...]:
    """Number the V4L2 devices of this machine."""
    found = (re.fullmatch(r"video(\d+)", file.name) for file in folder.glob("video*"))
    return tuple(sorted(int(match[1]) for match in found if match))


def _usb(number: int, folder: Path) -> Grabber:
    here = devices(folder)
    if number not in here:
        names = ", ".join(f"/dev/video{n}" for n in here)
        raise SourceError(
            f"there is no camera {number} here: " + (f"found {names}" if here else "no camera was found")
        )
    return usb(number)


def _network(text: str) -> Grabber:
    try:
        parts = urlsplit(text)
        reachable = bool(parts.hostname) and parts.port != 0
    except ValueError as fault:
        raise SourceError(f"the camera address cannot be read: {fault}") from fault
    if not reachable:
        raise SourceError(f"the camera address '{text}' names no host")
    return MjpegGrabber(text) if parts.scheme in ("http", "https") else RtspGrabber(text)


def _path(text: str, seconds: float) -> Grabber:
    path = Path(text).expanduser()
    if path.is_dir():
        if not pictures_in(path):
            raise SourceError(f"there is no picture in the folder {text}")
        return FolderGrabber(path, seconds)
    if path.is_file():
        if not is_video(path):
            raise SourceError(f"'{text}' is no video that can be read")
        return VideoGrabber(path)
    if "://" in text:
        raise SourceError(f"'{text}' is no kind of camera known here: give {FORMS}")
    raise SourceError(f"there is no camera, file or folder '{text}': give {FORMS}")


def grabber_for(text: str, *, seconds: float = 2.0, folder: Path = DEVICES) -> Grabber:
    """Make the grabber that the text names; only what lies on this machine is tried at once."""
    if match := DEVICE.fullmatch(text):
        return _usb(int(match[1]), folder)
    if text.lower().startswith(("http://", "https://", "rtsp://", "rtsps://")):
        return _network(text)
    if text.startswith("/dev/video"):
        raise SourceError(f"'{text}' is no video device: give {FORMS}")
    return _path(text, seconds)


def open_source(
    text: str,
    *,
    max_fps: float = 10.0,
    seconds: float = 2.0,
    simulator: SimulatorMaker | None = None,
    folder: Path = DEVICES,
) -> Source:
    """Open the camera that the text names; `seconds` is how long each picture of a folder is shown."""
    wanted = text.strip()
    if not wanted:
        raise SourceError(f"no camera was named: give {FORMS}")
    if wanted == "sim":
        if simulator is None:
            raise SourceError("the simulated camera is not offered here")
        return simulator()
    return LatestSource(grabber_for(wanted, seconds=seconds, folder=folder), max_fps=max_fps)
