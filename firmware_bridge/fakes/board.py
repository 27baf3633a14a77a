"""A board in Python: docs/protocol.md written a second time, sharing no code with the host's side."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

VERSION: Final = 1
HELLO, PICTURE, BEEP, PING, HEARD = 1, 2, 3, 4, 5
ACK, WELCOME, PRESS, STATUS, REFUSAL = 0x80, 0x81, 0x82, 0x84, 0x8F
BAD_VERSION, BAD_KIND, BAD_LENGTH, BAD_ORDER, BAD_SESSION, BAD_VALUE = range(1, 7)
LONGEST: Final = 250
SILENCE: Final = 5000  # milliseconds, whole ones, as a chip counts them
PRESS_AGAIN: Final = 100
COUNTERS: Final = (
    "malformed",
    "bad_crc",
    "too_long",
    "out_of_order",
    "no_session",
    "unknown",
    "repeated",
    "overruns",
    "lost_presses",
)


def checksum(data: bytes) -> int:
    """CRC-16, bit by bit."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ (0x1021 if crc & 0x8000 else 0)) & 0xFFFF
    return crc


def stuff(raw: bytes) -> bytes:
    """COBS for less than 254 bytes: every zero-free run behind its length plus one, then the delimiter."""
    return b"".join(bytes((len(run) + 1,)) + run for run in raw.split(b"\0")) + b"\0"


def unstuff(wire: bytes) -> bytes | None:
    """Undo `stuff` (without its delimiter); None when that cannot be."""
    runs, at = [], 0
    while at < len(wire):
        end = at + wire[at]
        if end > len(wire):
            return None
        runs.append(wire[at + 1 : end])
        at = end
    return b"\0".join(runs)


def _passed(since: float, now: float) -> int:
    """Milliseconds between two times."""
    return round(now * 1000) - round(since * 1000)


@dataclass
class FakeBoard:
    """Does what the firmware does, in memory; `shown` and `beeps` record what a person would notice."""

    leds: int = 25
    layout: int = 1
    buttons: int = 4
    features: int = 3
    firmware: tuple[int, int, int] = (1, 0, 0)
    reset_cause: int = 1
    shown: list[tuple[int, bytes]] = field(default_factory=list)
    beeps: list[tuple[int, int]] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTERS, 0))

    def __post_init__(self) -> None:
        self._out = bytearray()
        self._boot(0.0)

    def reset(self, now: float, cause: int = 2) -> None:
        """Start anew, as after the reset button: nothing is remembered."""
        self.reset_cause = cause
        self.counts = dict.fromkeys(COUNTERS, 0)
        self._boot(now)

    def take(self, data: bytes, now: float) -> bytes:
        """Take bytes from the host; give what the board says by now."""
        for byte in data:
            if byte:
                self._half.append(byte)
            elif self._half:
                wire = bytes(self._half)
                self._half.clear()
                self._arrived(wire, now)
        self._tick(now)
        out = bytes(self._out)
        self._out.clear()
        return out

    def press(self, button: int, down: bool = True) -> None:
        """A finger on a button, or off it."""
        if not self.session:
            return
        if len(self._presses) == 8:
            self.counts["lost_presses"] += 1
            return
        self._presses.append((button, int(down)))

    def _boot(self, now: float) -> None:
        self._began = now
        self._half = bytearray()
        self._alone()

    def _alone(self) -> None:
        """No session: the LEDs go dark and the board says so."""
        self.session = 0
        self._forget()
        self.shown.append((0, bytes(3 * self.leds)))
        self._welcome(0)

    def _forget(self) -> None:
        self._presses: deque[tuple[int, int]] = deque()
        self._number = 0
        self._offered_at: float | None = None

    def _say(self, kind: int, sequence: int, payload: bytes) -> None:
        raw = bytes((VERSION, self.session, sequence, kind)) + payload
        self._out += stuff(raw + checksum(raw).to_bytes(2, "big"))

    def _welcome(self, sequence: int) -> None:
        what = (self.leds, self.layout, self.buttons, self.features, self.reset_cause)
        self._say(WELCOME, sequence, bytes((*self.firmware, *what)))

    def _refuse(self, raw: bytes, reason: int, counter: str) -> None:
        self.counts[counter] += 1
        self._say(REFUSAL, raw[2], bytes((raw[3], reason, (self._last + 1) % 256)))

    def _arrived(self, wire: bytes, now: float) -> None:
        raw = unstuff(wire)
        if len(wire) > LONGEST + 1:
            self.counts["too_long"] += 1
        elif raw is None or len(raw) < 6:
            self.counts["malformed"] += 1
        elif checksum(raw[:-2]) != int.from_bytes(raw[-2:], "big"):
            self.counts["bad_crc"] += 1
        else:
            self._frame(raw[:-2], now)

    _last = 0
    _last_raw = b""

    def _frame(self, raw: bytes, now: float) -> None:
        version, session, _, kind = raw[:4]
        if version != VERSION:
            self._refuse(raw, BAD_VERSION, "unknown")
        elif kind == HELLO:
            self._heard_at = now
            self._greet(raw)
        elif not self.session or session != self.session:
            self._refuse(raw, BAD_SESSION, "no_session")
        else:
            self._heard_at = now
            self._in_session(raw, now)

    def _greet(self, raw: bytes) -> None:
        if len(raw) > 4 or not raw[1]:
            self._refuse(raw, BAD_LENGTH if len(raw) > 4 else BAD_SESSION, "unknown")
            return
        self.session, self._last, self._last_raw = raw[1], raw[2], raw
        self._forget()
        self._welcome(raw[2])

    def _in_session(self, raw: bytes, now: float) -> None:
        sequence, kind, payload = raw[2], raw[3], raw[4:]
        if kind == HEARD and len(payload) == 1:
            self._was_heard(payload[0])
        elif raw == self._last_raw:
            self.counts["repeated"] += 1
            self._acknowledge(raw, now)
        elif sequence != (self._last + 1) % 256:
            self._refuse(raw, BAD_ORDER, "out_of_order")
        elif reason := self._carry_out(kind, payload):
            self._refuse(raw, reason, "unknown")
        else:
            self._last, self._last_raw = sequence, raw
            self._acknowledge(raw, now)

    def _carry_out(self, kind: int, payload: bytes) -> int:
        """Do it and give 0, or the reason why not."""
        if kind not in (PICTURE, BEEP, PING):
            return BAD_KIND
        if len(payload) != {PICTURE: 1 + 3 * self.leds, BEEP: 4, PING: 0}[kind]:
            return BAD_LENGTH
        if kind == PICTURE:
            self.shown.append((payload[0], payload[1:]))
        if kind == BEEP:
            hertz, length = int.from_bytes(payload[:2], "big"), int.from_bytes(payload[2:], "big")
            if not 50 <= hertz <= 10_000 or length > 2_000:
                return BAD_VALUE
            self.beeps.append((hertz, length))
        return 0

    def _acknowledge(self, raw: bytes, now: float) -> None:
        if raw[3] != PING:
            self._say(ACK, raw[2], raw[3:4])
            return
        uptime = _passed(self._began, now).to_bytes(4, "big")
        self._say(STATUS, raw[2], uptime + b"".join(self.counts[c].to_bytes(2, "big") for c in COUNTERS))

    def _was_heard(self, number: int) -> None:
        if self._offered_at is not None and number == self._number:
            self._presses.popleft()
            self._offered_at = None

    def _tick(self, now: float) -> None:
        if not self.session:
            return
        if _passed(self._heard_at, now) >= SILENCE:
            self._alone()
        elif self._presses and (self._offered_at is None or _passed(self._offered_at, now) >= PRESS_AGAIN):
            if self._offered_at is None:
                self._number = (self._number + 1) % 256
            self._offered_at = now
            self._say(PRESS, self._number, bytes(self._presses[0]))
