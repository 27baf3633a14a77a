"""What a source of pictures is, and what it says about itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from vision.reading import Picture

Phase = Literal["connecting", "live", "silent", "lost", "ended", "closed"]


class SourceError(Exception):
    """The source cannot be opened, or has died; the text is one sentence for the user."""


class SourceEnded(Exception):
    """The source has come to its natural end: the last picture of a file."""


@dataclass(frozen=True)
class Frame:
    """One picture, when it came (seconds on the source's own clock) and its number."""

    picture: Picture
    at: float
    number: int


@dataclass(frozen=True)
class State:
    """How a source is doing: its phase, a sentence for the user, and its counts."""

    phase: Phase
    says: str
    frames: int = 0
    undecodable: int = 0
    skipped: int = 0
    reconnects: int = 0
    notes: tuple[str, ...] = ()


class Source(Protocol):
    """Gives the latest picture, never an old one when a newer one has come."""

    @property
    def state(self) -> State:
        """Say how the source is doing now."""

    def latest(self) -> Frame | None:
        """Return the newest picture, or None before the first."""

    def close(self) -> None:
        """Let go of the device; may be called twice."""


class Grabber(Protocol):
    """One connection to a device, used by one thread only; may be opened again after it died."""

    @property
    def name(self) -> str:
        """Name the device for the user, without passwords."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Say what is worth knowing of this connection, such as what could not be locked."""

    def open(self) -> None:
        """Connect, or raise SourceError."""

    def grab(self) -> None:
        """Wait for the next picture; raise SourceError when the device has died, SourceEnded at the end."""

    def picture(self) -> Picture | None:
        """Decode what was grabbed last; None when it cannot be decoded."""

    def later(self) -> Callable[[], Picture | None] | None:
        """Return what decodes the picture grabbed last, in any thread and at any time; None if only now."""

    def wake(self) -> None:
        """End a wait of `grab` early; called from another thread when the source closes."""

    def close(self) -> None:
        """Disconnect; may be called twice."""
