"""Lines to a fake board: plain, one byte at a time, lossy, delayed; and a clock that obeys."""

from __future__ import annotations

import random
from collections import deque
from typing import Protocol

from firmware_bridge.transport import Clock, PortGone

STEP = 0.001


class VirtualClock:
    """Time that passes only when somebody sleeps."""

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> float:
        """Give the time so far."""
        return self._now

    def sleep(self, seconds: float) -> None:
        """Let time pass at once."""
        self._now += max(0.0, seconds)


class Board(Protocol):
    """What sits at the far end."""

    def take(self, data: bytes, now: float) -> bytes:
        """Take bytes from the host; give what the board says by now."""


class Line(Protocol):
    """One direction of a line."""

    def push(self, data: bytes, now: float) -> None:
        """Put bytes in."""

    def pull(self, now: float) -> bytes:
        """Take out what has arrived."""


class PlainLine:
    """Everything arrives at once, whole."""

    def __init__(self) -> None:
        self._held = bytearray()

    def push(self, data: bytes, now: float) -> None:
        """Put bytes in."""
        self._held += data

    def pull(self, now: float) -> bytes:
        """Take out what has arrived."""
        out, self._held = bytes(self._held), bytearray()
        return out


class ByteAtATimeLine:
    """Never more than one byte at once."""

    def __init__(self) -> None:
        self._held: deque[int] = deque()

    def push(self, data: bytes, now: float) -> None:
        """Put bytes in."""
        self._held.extend(data)

    def pull(self, now: float) -> bytes:
        """Take out one byte."""
        return bytes((self._held.popleft(),)) if self._held else b""


class LossyLine:
    """Loses and changes bytes: `faults` is the share of either."""

    def __init__(self, seed: int, faults: float) -> None:
        self._dice = random.Random(seed)
        self._faults = faults
        self._line = PlainLine()

    def push(self, data: bytes, now: float) -> None:
        """Put bytes in; some never arrive, some arrive as others."""
        self._line.push(b"".join(self._spoil(byte) for byte in data), now)

    def pull(self, now: float) -> bytes:
        """Take out what has arrived."""
        return self._line.pull(now)

    def _spoil(self, byte: int) -> bytes:
        luck = self._dice.random()
        if luck < self._faults / 2:
            return b""
        return bytes((self._dice.randrange(256) if luck < self._faults else byte,))


class DelayedLine:
    """Everything arrives later."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._held: deque[tuple[float, bytes]] = deque()

    def push(self, data: bytes, now: float) -> None:
        """Put bytes in."""
        self._held.append((now + self._seconds, data))

    def pull(self, now: float) -> bytes:
        """Take out what has arrived."""
        out = b""
        while self._held and self._held[0][0] <= now:
            out += self._held.popleft()[1]
        return out


class FakeTransport:
    """A Transport that ends in a fake board instead of a port; `unplug` pulls the cable."""

    def __init__(
        self, board: Board, clock: Clock, there: Line | None = None, back: Line | None = None
    ) -> None:
        self._board, self._clock = board, clock
        self._there, self._back = there or PlainLine(), back or PlainLine()
        self._awake = False
        self._plugged = True
        self.closed = False

    def unplug(self) -> None:
        """Pull the cable."""
        self._plugged = False

    def read(self, timeout: float) -> bytes:
        """Give what has arrived; wait for at most `timeout` seconds."""
        end = self._clock.now() + timeout
        while True:
            self._check()
            now = self._clock.now()
            self._back.push(self._board.take(self._there.pull(now), now), now)
            got = self._back.pull(now)
            if got or self._awake or now >= end:
                self._awake = False
                return got
            self._clock.sleep(min(STEP, end - now + 1e-6))

    def write(self, data: bytes) -> None:
        """Send bytes."""
        self._check()
        self._there.push(data, self._clock.now())

    def wake(self) -> None:
        """Let a waiting `read` return."""
        self._awake = True

    def close(self) -> None:
        """Note that the line was given back."""
        self.closed = True

    def _check(self) -> None:
        if not self._plugged:
            raise PortGone("fake", "unplugged")
