"""Keeps only the newest picture of a device, in a thread of its own, and reconnects when it dies."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from vision.reading import Picture
from vision.sources.base import Frame, Grabber, SourceEnded, SourceError, State

LOG: Final = logging.getLogger(__name__)
JOIN_SECONDS: Final = 1.0
SILENT_SECONDS: Final = 3.0

Clock = Callable[[], float]


@dataclass(frozen=True)
class Backoff:
    """How long to wait before each new try: doubling, with a longest wait."""

    first: float = 0.5
    longest: float = 10.0

    def wait(self, failures: int) -> float:
        """Return the seconds to wait after so many failures in a row."""
        return min(self.longest, self.first * 2.0 ** min(failures - 1, 16))


class LatestSource:
    """A source over any grabber: latest picture only, at most `max_fps` of them decoded."""

    def __init__(
        self,
        grabber: Grabber,
        *,
        max_fps: float = 10.0,
        backoff: Backoff | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self._grabber = grabber
        self._gap = 1.0 / max_fps
        self._backoff = backoff or Backoff()
        self._clock = clock
        self._frame: Frame | None = None
        self._pending: Callable[[], Picture | None] | None = None
        self._state = State("connecting", f"{grabber.name}: connecting")
        self._heard = clock()
        self._decoded = -float("inf")
        self._news = threading.Condition()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"source {grabber.name}", daemon=True)
        self._thread.start()

    @property
    def state(self) -> State:
        """Say how the source is doing now; a live one that delivers nothing is called silent."""
        with self._news:
            state, quiet = self._state, self._clock() - self._heard
        if state.phase != "live" or quiet < SILENT_SECONDS:
            return state
        return replace(state, phase="silent", says=f"{self._grabber.name}: no picture for {quiet:.0f} s")

    def latest(self) -> Frame | None:
        """Return the newest picture, or None before the first."""
        with self._news:
            pending, self._pending = self._pending, None
            if pending is not None:
                # Pictures come in bursts: the first of a burst was decoded, the last is the one to see.
                self._publish(pending(), self._heard)
            return self._frame

    def newer(self, than: int, timeout: float) -> Frame | None:
        """Wait until there is a picture with a higher number and return it; None when none came in time."""
        with self._news:
            self._news.wait_for(lambda: self._frame is not None and self._frame.number > than, timeout)
            return self._frame if self._frame is not None and self._frame.number > than else None

    def close(self) -> None:
        """Stop the thread; a device that hangs in the driver is left behind after a second."""
        self._stop.set()
        self._grabber.wake()
        if threading.current_thread() is not self._thread:
            self._thread.join(JOIN_SECONDS)
        self._change(phase="closed", says=f"{self._grabber.name}: closed")

    def _change(self, **fields: object) -> None:
        with self._news:
            if self._state.phase != "closed":
                self._state = replace(self._state, **fields)  # type: ignore[arg-type]
            self._news.notify_all()

    def _run(self) -> None:
        failures = 0
        while not self._stop.is_set():
            before = self._state.frames + self._state.undecodable
            try:
                self._grabber.open()
                self._watch()
            except SourceEnded as end:
                self._change(
                    phase="ended", says=str(end) or f"{self._grabber.name}: that was the last picture"
                )
                break
            except SourceError as fault:
                failures = self._failures(failures, before)
                self._lose(str(fault), failures)
            except Exception as fault:  # the edge of the thread: a driver's surprise must not end it silently
                LOG.exception("camera source failed")
                failures = self._failures(failures, before)
                self._lose(f"failed ({type(fault).__name__})", failures)
            finally:
                self._grabber.close()

    def _failures(self, failures: int, before: int) -> int:
        """Count failures in a row; a connection that gave a picture starts anew."""
        return 1 if self._state.frames + self._state.undecodable > before else failures + 1

    def _lose(self, fault: str, failures: int) -> None:
        wait = self._backoff.wait(failures)
        says = f"{self._grabber.name}: {fault}; trying again in {wait:.1f} s"
        self._change(phase="lost", says=says, reconnects=self._state.reconnects + 1)
        self._stop.wait(wait)

    def _watch(self) -> None:
        while not self._stop.is_set():
            self._grabber.grab()
            now = self._clock()
            # A tolerance of a tenth: a device at exactly the wanted rate must not lose every second picture.
            if now - self._decoded < 0.9 * self._gap:
                self._skip(now)
            else:
                self._decoded = now
                picture = self._grabber.picture()
                with self._news:
                    self._pending = None
                    self._publish(picture, now)
                self._hear(now)

    def _skip(self, now: float) -> None:
        """Leave a picture undecoded; it can still be decoded when somebody asks before the next."""
        later = self._grabber.later()
        with self._news:
            self._pending = later
            self._state = replace(self._state, skipped=self._state.skipped + 1)
        self._hear(now)

    def _publish(self, picture: Picture | None, at: float) -> None:
        """Make a picture the newest, or count it as undecodable; the lock is held."""
        if picture is None:
            self._state = replace(self._state, undecodable=self._state.undecodable + 1)
            return
        number = self._state.frames + 1
        self._frame = Frame(picture, at, number)
        self._state = replace(self._state, frames=number)

    def _hear(self, now: float) -> None:
        with self._news:
            self._heard = now
        self._change(phase="live", says=f"{self._grabber.name}: live", notes=self._grabber.notes)
