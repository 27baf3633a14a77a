"""Endurance on the emulated chip: pictures at a steady beat, buttons in between, everything checked."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from firmware_bridge.bridge import Bridge
from firmware_bridge.emulator import Emulator, Waveform
from firmware_bridge.frames import Colour, Picture, Status
from firmware_bridge.lamp import QuietDesk
from firmware_bridge.link import HostLink, Pressed, Reported, Shown, Timing, Welcomed
from firmware_bridge.transport import SerialTransport, Transport

LEDS: Final = 25
BRIGHTEST: Final = 60  # dark enough for the power budget, so the pins carry exactly these bytes
SETTLE: Final = 10.0
# A busy machine may stall for a while; that is no loss on the line, so nothing is said twice before a second.
PATIENT: Final = Timing(retry=1.0)


@dataclass(frozen=True)
class Soak:
    """What came of it; times in seconds, in order of the pictures and presses."""

    sent: int
    correct: int
    seconds: float
    to_pins: tuple[float, ...]
    to_host: tuple[float, ...]
    presses_made: int
    presses_heard: int
    status: Status
    retries: int
    slip: float
    waves: tuple[Waveform, ...]

    @property
    def lost(self) -> int:
        """Pictures that did not reach the pins as sent."""
        return self.sent - self.correct

    @property
    def rate(self) -> float:
        """Pictures a second."""
        return self.sent / self.seconds

    @property
    def damaged(self) -> int:
        """Frames the board had to refuse."""
        s = self.status
        return s.bad_crc + s.malformed + s.too_long + s.overruns + s.out_of_order + s.repeated


def percentile(values: tuple[float, ...], share: float) -> float:
    """The value below which this share of all lies; of nothing, infinity."""
    ordered = sorted(values) or [float("inf")]
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def random_picture(dice: random.Random) -> Picture:
    """A picture within the power budget."""
    return Picture(tuple(_colour(dice) for _ in range(LEDS)), 255)


def flat(picture: Picture) -> bytes:
    """The picture's colours as they should reach the pin."""
    return bytes(channel for colour in picture.colours for channel in colour)


def _shows(wanted: bytes, wave: Waveform) -> bool:
    return wave.colours == wanted


def _colour(dice: random.Random) -> Colour:
    return dice.randint(0, BRIGHTEST), dice.randint(0, BRIGHTEST), dice.randint(1, BRIGHTEST)


@dataclass
class _Run:
    """The host at work."""

    chip: Emulator
    port: SerialTransport
    link: HostLink
    given: list[float] = field(default_factory=list)
    shown: int = 0
    pushed: list[float] = field(default_factory=list)
    heard: list[float] = field(default_factory=list)
    status: Status = field(default_factory=lambda: Status(0))
    reports: int = 0
    up: bool = False

    def turn(self, longest: float) -> None:
        """Read, think, write."""
        now = time.monotonic()
        chunk = self.port.read(max(0.0, min(longest, self.link.wake_at() - now)))
        events, out = self.link.step(chunk, time.monotonic())
        if out:
            self.port.write(out)
        for event in events:
            self.up = self.up or isinstance(event, Welcomed)
            self.shown += isinstance(event, Shown)
            if isinstance(event, Pressed):
                self.heard.append(time.monotonic())
            if isinstance(event, Reported):
                self.status = event.status
                self.reports += 1

    def give(self, picture: Picture) -> None:
        """Show a picture, and turn until the board has acknowledged it."""
        self.given.append(time.monotonic())
        self.link.show(picture)
        while self.shown < len(self.given) and self.link.phase != "lost":
            self.turn(0.2)

    def finger(self) -> None:
        """Move a finger: down, then up, then down."""
        move = self.chip.release if len(self.pushed) % 2 else self.chip.press
        self.pushed.append(time.monotonic())
        move(1)

    def rest(self, until: float) -> None:
        """Turn until this time."""
        while (left := until - time.monotonic()) > 0:
            self.turn(left)

    def settle(self) -> None:
        """Wait until the last move of the finger was heard."""
        end = time.monotonic() + SETTLE
        while len(self.heard) < len(self.pushed) and time.monotonic() < end:
            self.turn(0.2)

    def ask_status(self) -> Status:
        """Wait for the next heartbeat's answer."""
        answers = self.reports
        while self.reports == answers and self.link.phase != "lost":
            self.turn(0.2)
        return self.status


def soak(chip: Emulator, seconds: float, *, per_second: float = 30.0, seed: int = 1) -> Soak:
    """Show `per_second` random pictures, press a button ten times a second, and compare with the pins."""
    dice = random.Random(seed)
    port = SerialTransport(chip.port)
    run = _Run(chip, port, HostLink(lambda: dice.randint(1, 255), time.monotonic(), PATIENT))
    while not run.up and run.link.phase != "lost":
        run.turn(0.2)
    pictures = [random_picture(dice) for _ in range(round(seconds * per_second))]
    began = time.monotonic()
    for number, picture in enumerate(pictures):
        run.give(picture)
        # On a starved chip a finger must not be quicker than the debounce: it waits until it was heard.
        if number % 3 == 0 and len(run.heard) == len(run.pushed):
            run.finger()
        run.rest(began + (number + 1) / per_second)
    took = time.monotonic() - began
    run.settle()
    status = run.ask_status()
    port.close()
    return _compare(run, pictures, took, status)


class _Dialed:
    """A dialer for the emulator's one port."""

    def __init__(self, port: str) -> None:
        self._port = port

    def dial(self) -> Transport:
        """Open it."""
        return SerialTransport(self._port)


def through_bridge(chip: Emulator, pictures: int, *, seed: int = 2, pause: float = 0.04) -> tuple[float, ...]:
    """The same way as in a game: `Bridge.show` in one thread, the port in another; seconds to the pins."""
    dice = random.Random(seed)
    bridge = Bridge(_Dialed(chip.port), QuietDesk())
    bridge.start()
    times = []
    try:
        for _ in range(pictures):
            picture = random_picture(dice)
            given = time.monotonic()
            bridge.show(picture)
            times.append(chip.picture(partial(_shows, flat(picture))).wall - given)
            time.sleep(pause * dice.random())
    finally:
        bridge.close()
    return tuple(times[1:])  # the first one waited for the greeting


def _compare(run: _Run, pictures: list[Picture], took: float, status: Status) -> Soak:
    waves = tuple(wave for wave in run.chip.pictures() if any(wave.colours))
    slip = run.chip.slip_ms() / 1000
    wanted = [flat(picture) for picture in pictures]
    pairs = list(zip(wanted, waves, run.given, strict=False))
    return Soak(
        sent=len(pictures),
        correct=sum(want == wave.colours for want, wave, _ in pairs),
        seconds=took,
        to_pins=tuple(wave.wall - given for _, wave, given in pairs),
        to_host=tuple(heard - pushed for pushed, heard in zip(run.pushed, run.heard, strict=False)),
        presses_made=len(run.pushed),
        presses_heard=len(run.heard),
        status=status,
        retries=run.link.counts.retries,
        slip=slip,
        waves=waves,
    )
