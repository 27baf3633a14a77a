"""The frames of the protocol as frozen dataclasses: `to_bytes` and `from_bytes`."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from enum import IntEnum
from typing import ClassVar, Final, Self, TypeAlias

from firmware_bridge.wire import (
    HEADER,
    VERSION,
    UnknownKind,
    WrongPayload,
    WrongVersion,
    unwrap,
    wrap,
)

Colour: TypeAlias = tuple[int, int, int]

MAX_LEDS: Final = 80
BUZZER: Final = 1
WATCHDOG: Final = 2


class Reason(IntEnum):
    """Why a board refuses a frame."""

    VERSION = 1
    KIND = 2
    LENGTH = 3
    ORDER = 4
    SESSION = 5
    VALUE = 6


class _Packed:
    """A payload of fixed size, described by a `struct` format."""

    FORMAT: ClassVar[str]

    def payload(self) -> bytes:
        """Give the payload's bytes."""
        return struct.pack(self.FORMAT, *astuple(self))  # type: ignore[call-overload]

    @classmethod
    def from_payload(cls, payload: bytes) -> Self:
        """Read the payload's bytes; ValueError when they cannot be one."""
        if len(payload) != struct.calcsize(cls.FORMAT):
            raise ValueError(f"{len(payload)} bytes of content instead of {struct.calcsize(cls.FORMAT)}")
        return cls(*struct.unpack(cls.FORMAT, payload))


@dataclass(frozen=True)
class Hello(_Packed):
    """Host: begin a session; its number stands in the header."""

    KIND: ClassVar[int] = 0x01
    FORMAT: ClassVar[str] = ""


@dataclass(frozen=True)
class Picture:
    """Host: show this; acknowledged once the LEDs have it."""

    KIND: ClassVar[int] = 0x02
    colours: tuple[Colour, ...]
    brightness: int = 255

    def __post_init__(self) -> None:
        channels = (self.brightness, *(channel for colour in self.colours for channel in colour))
        if not all(0 <= value <= 255 for value in channels):
            raise ValueError("brightness and colours are 0 to 255")

    def payload(self) -> bytes:
        """Give the payload's bytes."""
        return bytes((self.brightness, *(channel for colour in self.colours for channel in colour)))

    @classmethod
    def from_payload(cls, payload: bytes) -> Self:
        """Read the payload's bytes; ValueError when they cannot be one."""
        if len(payload) % 3 != 1:
            raise ValueError(f"{len(payload)} bytes are not a brightness and whole colours")
        triples = zip(payload[1::3], payload[2::3], payload[3::3], strict=True)
        return cls(tuple(triples), payload[0])


@dataclass(frozen=True)
class Beep(_Packed):
    """Host: sound the buzzer."""

    KIND: ClassVar[int] = 0x03
    FORMAT: ClassVar[str] = ">HH"
    hertz: int
    milliseconds: int

    def __post_init__(self) -> None:
        if not (50 <= self.hertz <= 10_000 and 0 <= self.milliseconds <= 2_000):
            raise ValueError("a beep has 50 to 10000 Hz and at most 2000 ms")


@dataclass(frozen=True)
class Ping(_Packed):
    """Host: the heartbeat, answered with a Status."""

    KIND: ClassVar[int] = 0x04
    FORMAT: ClassVar[str] = ""


@dataclass(frozen=True)
class Heard(_Packed):
    """Host: the press with this number has arrived."""

    KIND: ClassVar[int] = 0x05
    FORMAT: ClassVar[str] = ">B"
    number: int


@dataclass(frozen=True)
class Ack(_Packed):
    """Board: the frame with this sequence number is done."""

    KIND: ClassVar[int] = 0x80
    FORMAT: ClassVar[str] = ">B"
    kind: int


@dataclass(frozen=True)
class Welcome(_Packed):
    """Board: what I am. With session 0 it says that the board has just started or given up waiting."""

    KIND: ClassVar[int] = 0x81
    FORMAT: ClassVar[str] = ">8B"
    major: int
    minor: int
    patch: int
    leds: int
    layout: int
    buttons: int
    features: int
    reset_cause: int

    @property
    def firmware(self) -> str:
        """The firmware's version as text."""
        return f"{self.major}.{self.minor}.{self.patch}"

    @property
    def has_buzzer(self) -> bool:
        """Whether the board can beep."""
        return bool(self.features & BUZZER)


@dataclass(frozen=True)
class Press(_Packed):
    """Board: a button went down (1) or up (0); the sequence number counts presses."""

    KIND: ClassVar[int] = 0x82
    FORMAT: ClassVar[str] = ">BB"
    button: int
    pressed: int


@dataclass(frozen=True)
class Status(_Packed):
    """Board: the answer to a Ping: milliseconds since start, and what was refused since."""

    KIND: ClassVar[int] = 0x84
    FORMAT: ClassVar[str] = ">I9H"
    uptime: int
    malformed: int = 0
    bad_crc: int = 0
    too_long: int = 0
    out_of_order: int = 0
    no_session: int = 0
    unknown: int = 0
    repeated: int = 0
    overruns: int = 0
    lost_presses: int = 0


@dataclass(frozen=True)
class Refusal(_Packed):
    """Board: I did not do that, and which sequence number I expect."""

    KIND: ClassVar[int] = 0x8F
    FORMAT: ClassVar[str] = ">BBB"
    kind: int
    reason: int
    expected: int


FromHost: TypeAlias = Hello | Picture | Beep | Ping | Heard
FromBoard: TypeAlias = Ack | Welcome | Press | Status | Refusal
Body: TypeAlias = FromHost | FromBoard

_BODIES: Final[tuple[type[Body], ...]] = (
    Hello,
    Picture,
    Beep,
    Ping,
    Heard,
    Ack,
    Welcome,
    Press,
    Status,
    Refusal,
)
BY_KIND: Final[Mapping[int, type[Body]]] = {body.KIND: body for body in _BODIES}


@dataclass(frozen=True)
class Frame:
    """One frame: which session, which number, what it says."""

    session: int
    sequence: int
    body: Body

    def to_bytes(self) -> bytes:
        """Give the frame as it goes over the line, delimiter included."""
        head = bytes((VERSION, self.session, self.sequence, self.body.KIND))
        return wrap(head + self.body.payload())

    @classmethod
    def from_bytes(cls, wire: bytes) -> Self:
        """Read what stood between two delimiters (a delimiter at the end is allowed)."""
        wire = wire.removesuffix(b"\0")
        raw = unwrap(wire)
        version, session, sequence, kind = raw[:HEADER]
        if version != VERSION:
            raise WrongVersion(wire, version)
        body = BY_KIND.get(kind)
        if body is None:
            raise UnknownKind(wire, f"unknown kind {kind:#04x}")
        try:
            return cls(session, sequence, body.from_payload(raw[HEADER:]))
        except ValueError as error:
            raise WrongPayload(wire, f"{body.__name__}: {error}") from error
