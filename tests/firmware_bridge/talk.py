"""A host for tests with the real firmware: a link on a real port in real time."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from firmware_bridge.bridge import random_session
from firmware_bridge.emulator import Emulator
from firmware_bridge.emulator.soak import flat
from firmware_bridge.frames import Frame, Picture, Status
from firmware_bridge.link import Event, HostLink, Reported, Shown, Timing, Welcomed
from firmware_bridge.transport import SerialTransport
from firmware_bridge.wire import DELIMITER

# On a loaded machine the chip may stand still for seconds; that is not the end of the link.
TIRELESS = Timing(greeting=60.0, tries=400)
# Nothing is said twice unless it was lost for good.
PATIENT = Timing(greeting=60.0, retry=10.0)


def random_picture(dice: random.Random, leds: int = 25, most: int = 60) -> Picture:
    """Colours dark enough to stay within the power budget, so that the pins carry exactly these bytes."""
    colours = tuple(
        (dice.randint(0, most), dice.randint(0, most), dice.randint(0, most)) for _ in range(leds)
    )
    return Picture(colours, 255)


__all__ = ["PATIENT", "Talk", "ask", "flat", "random_picture"]


class Talk:
    """A greeted link over the emulator's port."""

    def __init__(self, chip: Emulator, timing: Timing = TIRELESS) -> None:
        self.port = SerialTransport(chip.port)
        self.link = HostLink(random_session, time.monotonic(), timing)
        self.events: list[Event] = []
        self.until(lambda: bool(self.seen(Welcomed)))
        # A hello said again while the first was on its way must not be answered in the middle of a test.
        self.until(lambda: self.answered() or bool(self.seen(Reported)))

    def answered(self) -> bool:
        """Whether every hello has had its answer; those behind the first count as stray."""
        return self.link.counts.stray_frames >= self.link.counts.greetings - 1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.port.close()

    def turn(self, longest: float = 0.2) -> None:
        wait = min(longest, max(0.0, self.link.wake_at() - time.monotonic()))
        events, out = self.link.step(self.port.read(wait), time.monotonic())
        self.events += events
        if out:
            self.port.write(out)

    def until(self, done: Callable[[], bool], limit: float = 60.0) -> None:
        end = time.monotonic() + limit
        while not done():
            assert time.monotonic() < end, f"not within {limit} s: {self.events[-5:]} {self.link.counts}"
            self.turn()

    def deaf_until_said_twice(self, kind: type[Any], limit: float = 60.0) -> None:
        """Be busy elsewhere until the board has said something twice; then hear all of it at once."""
        said, end = b"", time.monotonic() + limit
        while sum(isinstance(body, kind) for body in bodies(said)) < 2:
            assert time.monotonic() < end, said
            said += self.port.read(0.1)
        events, out = self.link.step(said, time.monotonic())
        self.events += events
        self.port.write(out)

    def run(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.turn(left)

    def seen(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    def show(self, picture: Picture) -> Shown:
        self.link.show(picture)
        self.until(lambda: any(shown.picture is picture for shown in self.seen(Shown)))
        found: Shown = next(shown for shown in self.seen(Shown) if shown.picture is picture)
        return found

    def status(self) -> Status:
        """The board's counters now."""
        before = len(self.seen(Reported))
        self.until(lambda: len(self.seen(Reported)) > before)
        status: Status = self.seen(Reported)[-1].status
        return status


def bodies(heard: bytes) -> list[object]:
    """What the whole frames among these bytes say."""
    return [Frame.from_bytes(each).body for each in heard.split(DELIMITER)[:-1] if each]


def ask(port: SerialTransport, frame: Frame | bytes, patience: float = 30.0) -> Frame | None:
    """Write one frame and give the answer to it; what the board said unasked before is dropped."""
    while port.read(0.03):
        pass
    port.write(frame if isinstance(frame, bytes) else frame.to_bytes())
    heard, end = b"", time.monotonic() + patience
    while time.monotonic() < end:
        heard += port.read(0.05)
        if b"\0" in heard:
            return Frame.from_bytes(heard.split(b"\0")[0])
    return None
