"""MJPEG over HTTP: what phone apps and network cameras offer, read part by part."""

from __future__ import annotations

import http.client
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Final, Protocol

from vision.reading import Picture
from vision.sources.base import SourceError
from vision.sources.jpeg import MOST_BYTES, decode
from vision.sources.urls import split_login, without_password

TIMEOUT: Final = 5.0
SINGLE_PAUSE: Final = 0.1
LONGEST_LINE: Final = 4096
MOST_LINES: Final = 100_000


class Stream(Protocol):
    """The body of an HTTP answer."""

    def readline(self, limit: int = -1, /) -> bytes:
        """Read up to the end of a line."""

    def read(self, amount: int = -1, /) -> bytes:
        """Read so many bytes."""


def boundary_of(content_type: str) -> bytes:
    """Find the boundary in a Content-Type; cameras write it with and without leading dashes or quotes."""
    for part in content_type.split(";")[1:]:
        key, _, value = part.strip().partition("=")
        if key.lower() == "boundary":
            return b"--" + value.strip().strip('"').lstrip("-").encode("latin-1")
    return b"--"


def read_exactly(stream: Stream, amount: int) -> bytes:
    """Read so many bytes, or raise SourceError when the stream ends before."""
    data = stream.read(amount)
    if len(data) < amount:
        raise SourceError("the stream broke off")
    return data


def next_line(stream: Stream) -> bytes:
    """Read one line, or raise SourceError at the end of the stream."""
    line = stream.readline(LONGEST_LINE)
    if not line:
        raise SourceError("the stream ended")
    return line


def read_headers(stream: Stream) -> dict[str, str]:
    """Read the headers of one part, up to the blank line."""
    headers: dict[str, str] = {}
    while line := next_line(stream).strip():
        key, _, value = line.decode("latin-1").partition(":")
        headers[key.strip().lower()] = value.strip()
    return headers


def read_to_boundary(stream: Stream, boundary: bytes) -> bytes:
    """Read the body of a part that does not say how long it is."""
    body = bytearray()
    while not (line := next_line(stream)).startswith(boundary):
        body += line
        if len(body) > MOST_BYTES:
            raise SourceError("a picture in the stream is too large")
    return bytes(body)


def skip_to_boundary(stream: Stream, boundary: bytes) -> None:
    """Read on to the next boundary."""
    for _ in range(MOST_LINES):
        if next_line(stream).startswith(boundary):
            return
    raise SourceError("this is no MJPEG stream")


class MjpegGrabber:
    """Reads one MJPEG stream; an address that gives single pictures is asked again and again."""

    def __init__(self, url: str, timeout: float = TIMEOUT) -> None:
        self._url, self._login = split_login(url)
        self._name = without_password(url)
        self._timeout = timeout
        self._answer: http.client.HTTPResponse | None = None
        self._boundary = b""
        self._at_part = False
        self._data = b""
        self._pause = threading.Event()

    @property
    def name(self) -> str:
        """Name the stream, without its password."""
        return self._name

    @property
    def notes(self) -> tuple[str, ...]:
        """Nothing to add."""
        return ()

    def open(self) -> None:
        """Ask for the stream."""
        request = urllib.request.Request(self._url, headers=self._login)
        try:
            self._answer = urllib.request.urlopen(request, timeout=self._timeout)
        except urllib.error.HTTPError as refusal:
            raise SourceError(f"answers {refusal.code} {refusal.reason}") from refusal
        except (OSError, http.client.HTTPException) as fault:
            raise SourceError(f"cannot be reached ({getattr(fault, 'reason', fault)})") from fault
        kind = self._answer.headers.get("Content-Type", "")
        if not kind.startswith(("multipart/", "image/jpeg")):
            raise SourceError(f"sends {kind or 'something unnamed'}, not an MJPEG stream")
        self._boundary = boundary_of(kind) if kind.startswith("multipart/") else b""
        self._at_part = False

    def grab(self) -> None:
        """Read the next part of the stream."""
        assert self._answer is not None
        try:
            self._data = self._next_part(self._answer) if self._boundary else self._next_single(self._answer)
        except (OSError, http.client.HTTPException) as fault:
            raise SourceError(f"the stream broke off ({fault})") from fault

    def _next_part(self, stream: Stream) -> bytes:
        if not self._at_part:
            skip_to_boundary(stream, self._boundary)
        headers = read_headers(stream)
        length = headers.get("content-length", "")
        self._at_part = not length.isdigit()
        if not length.isdigit():
            return read_to_boundary(stream, self._boundary)
        if int(length) > MOST_BYTES:
            raise SourceError("a picture in the stream is too large")
        return read_exactly(stream, int(length))

    def _next_single(self, stream: Stream) -> bytes:
        data = stream.read(MOST_BYTES + 1)
        self._pause.wait(SINGLE_PAUSE)
        self.close()
        self.open()
        return data

    def picture(self) -> Picture | None:
        """Decode the part that was read last."""
        return decode(self._data)

    def later(self) -> Callable[[], Picture | None]:
        """Keep the last part's bytes for later."""
        data = self._data
        return lambda: decode(data)

    def wake(self) -> None:
        """End the wait between single pictures; a read that hangs ends by its own time limit."""
        self._pause.set()

    def close(self) -> None:
        """Hang up."""
        if self._answer is not None:
            self._answer.close()
        self._answer = None
