"""How long a picture takes from being sent to being there, for each kind of source."""

from __future__ import annotations

import http.server
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.reading import EMPTY_BOARD, Picture
from vision.simulator import Act, SimulatedCamera, SimulatedTable
from vision.sources import LatestSource, PushedPictures
from vision.sources.cameras import VideoGrabber
from vision.sources.mjpeg import MjpegGrabber

FRAMES: Final = 30
GAP: Final = 0.04
SIZE: Final = (1280, 720)


def numbered(number: int) -> Picture:
    """A picture of full size and some detail that shows its number as the brightness of a corner."""
    picture = some_detail().copy()
    picture[:64, :64] = 7 * number + 20
    return picture


@lru_cache
def some_detail() -> Picture:
    """A grey picture with enough detail that decoding it costs what a camera's picture costs."""
    grain = np.random.default_rng(0).integers(90, 140, (*SIZE[::-1], 3), dtype=np.uint8)
    return np.asarray(cv2.blur(grain, (5, 5)), dtype=np.uint8)


def number_of(picture: Picture) -> int:
    """Read the number back."""
    return round((float(picture[8:56, 8:56].mean()) - 20) / 7)


def jpegs() -> list[bytes]:
    """The numbered pictures as JPEGs."""
    return [cv2.imencode(".jpg", numbered(number))[1].tobytes() for number in range(FRAMES)]


def pushed() -> list[float]:
    """A JPEG that a phone has sent: decode it and hand it out."""
    source, delays = PushedPictures(), []
    for data in jpegs():
        began = time.perf_counter()
        source.push(data)
        source.latest()
        delays.append(1000 * (time.perf_counter() - began))
    return delays


def streamed() -> list[float]:
    """MJPEG over HTTP on this machine: from the server's write to the picture."""
    sent: dict[int, float] = {}
    with stream_server(jpegs(), sent) as url:
        source = LatestSource(MjpegGrabber(url), max_fps=1000)
        try:
            return waited(source, sent)
        finally:
            source.close()


def waited(source: LatestSource, sent: dict[int, float]) -> list[float]:
    """Collect the delays of all numbered pictures that come."""
    delays, last = [], 0
    while (frame := source.newer(last, 2.0)) is not None:
        last = frame.number
        now, number = time.monotonic(), number_of(frame.picture)
        delays.append(1000 * (now - sent[number]))
        if number == FRAMES - 1:
            break
    return delays


@contextmanager
def stream_server(parts: list[bytes], sent: dict[int, float]) -> Iterator[str]:
    """A server on this machine alone that streams the parts once, and notes when it sent each."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            """Stream the parts."""
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            for number, part in enumerate(parts):
                time.sleep(GAP)
                sent[number] = time.monotonic()
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(part)}\r\n\r\n"
                self.wfile.write(head.encode() + part + b"\r\n")

        def log_message(self, *args: object) -> None:
            """Stay quiet."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/video"
        finally:
            server.shutdown()
            thread.join()


def filmed() -> list[float]:
    """A video file: from the moment a picture is due to the picture."""
    with tempfile.TemporaryDirectory() as folder:
        clip = Path(folder) / "clip.avi"
        writer = cv2.VideoWriter(str(clip), cv2.VideoWriter.fourcc(*"MJPG"), 1 / GAP, SIZE)
        for number in range(FRAMES):
            writer.write(numbered(number))
        writer.release()
        grabber, delays = VideoGrabber(clip), []
        grabber.open()
        began = time.monotonic()
        for number in range(FRAMES):
            grabber.grab()
            grabber.picture()
            delays.append(1000 * (time.monotonic() - began - number * GAP))
        grabber.close()
        return delays


def simulated() -> list[float]:
    """The simulated table: asking for the next picture of a still board."""
    now = [0.0]
    table = SimulatedTable(SimulatedCamera(), [Act(EMPTY_BOARD, hold=1e6)], clock=lambda: now[0])
    table.latest()
    delays = []
    for _ in range(FRAMES):
        now[0] += 0.1
        began = time.perf_counter()
        table.latest()
        delays.append(1000 * (time.perf_counter() - began))
    return delays


DELAYS: Final[dict[str, Callable[[], list[float]]]] = {
    "pushed JPEG": pushed,
    "MJPEG over HTTP": streamed,
    "video file": filmed,
    "simulated table (still)": simulated,
}
