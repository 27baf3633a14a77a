"""Boards with one fault each, named for it."""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware_bridge.fakes.board import FakeBoard, checksum, stuff


class SilentBoard:
    """Never says a word: no firmware, or a broken cable."""

    def take(self, data: bytes, now: float) -> bytes:
        """Swallow everything."""
        return b""


@dataclass
class TalkativePrinter:
    """A wrong device: answers, in another language."""

    said: float = field(default=-10.0)

    def take(self, data: bytes, now: float) -> bytes:
        """Greet once a second and complain about what arrives."""
        out = b"echo:Unknown command\r\n" if data else b""
        if now - self.said >= 1.0:
            self.said = now
            out += b"start\r\necho: 3D printer ready\r\n"
        return out


class FutureBoard:
    """Speaks a later version of the protocol."""

    def take(self, data: bytes, now: float) -> bytes:
        """Answer anything with a well-formed frame of version 9."""
        raw = bytes((9, 0, 0, 0x81))
        return stuff(raw + checksum(raw).to_bytes(2, "big")) if data else b""


@dataclass
class ResetOnOpenBoard:
    """Opening the port resets it; the bootloader swallows everything for two seconds."""

    board: FakeBoard = field(default_factory=FakeBoard)
    boots_for: float = 2.0
    opened_at: float | None = None
    booted: bool = False

    def take(self, data: bytes, now: float) -> bytes:
        """Be deaf, then start anew, then behave."""
        if self.opened_at is None:
            self.opened_at = now
        if now - self.opened_at < self.boots_for:
            return b""
        if not self.booted:
            self.booted = True
            self.board.reset(now)
            data = b""
        return self.board.take(data, now)


@dataclass
class ForgetfulBoard:
    """Resets in the middle of every n-th frame that arrives."""

    board: FakeBoard = field(default_factory=FakeBoard)
    every: int = 11
    frames: int = 0
    resets: int = 0

    def take(self, data: bytes, now: float) -> bytes:
        """Forget everything half-way through some frames."""
        self.frames += data.count(0)
        if not data or self.frames < self.every:
            return self.board.take(data, now)
        self.frames = 0
        self.resets += 1
        half = len(data) // 2
        said = self.board.take(data[:half], now)
        self.board.reset(now)
        return said + self.board.take(data[half:], now)


@dataclass
class MumblingBoard:
    """Does everything and loses every other answer on the way."""

    board: FakeBoard = field(default_factory=FakeBoard)
    answers: int = 0

    def take(self, data: bytes, now: float) -> bytes:
        """Drop every second thing it says."""
        said = self.board.take(data, now)
        self.answers += bool(said)
        return said if self.answers % 2 else b""


@dataclass
class RepeatingBoard:
    """Says everything twice, and old things again later."""

    board: FakeBoard = field(default_factory=FakeBoard)
    memory: bytes = b""

    def take(self, data: bytes, now: float) -> bytes:
        """Replay."""
        said = self.board.take(data, now)
        old, self.memory = self.memory, said or self.memory
        return said + said + old if said else b""


@dataclass
class FallingSilentBoard:
    """Answers hello and then stops answering for good."""

    board: FakeBoard = field(default_factory=FakeBoard)
    greeted: bool = False

    def take(self, data: bytes, now: float) -> bytes:
        """Fall silent after the first welcome to a session."""
        if self.greeted:
            return b""
        said = self.board.take(data, now)
        self.greeted = self.board.session != 0
        return said
