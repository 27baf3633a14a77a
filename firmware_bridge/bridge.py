"""Keeps a board alive: finds it, shows pictures, passes presses on, begins again when it goes."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from firmware_bridge.frames import Beep, Picture, Status, Welcome
from firmware_bridge.lamp import ButtonPress, Desk, LinkName, LinkState
from firmware_bridge.link import (
    Counts,
    Event,
    HostLink,
    Lost,
    Pressed,
    Rejected,
    Reported,
    Restarted,
    Shown,
    Timing,
    Welcomed,
)
from firmware_bridge.ports import NoChoice
from firmware_bridge.transport import Clock, Transport, TransportError, WallClock

LOG: Final = logging.getLogger(__name__)
LONGEST_READ: Final = 1.0
LAST_WORDS: Final = 0.3
FIRST_PAUSE: Final = 0.25
LONGEST_PAUSE: Final = 4.0


class Dialer(Protocol):
    """Opens the board's port, wherever it is now."""

    def dial(self) -> Transport:
        """Open the port; NoChoice or TransportError when that cannot be."""


@dataclass(frozen=True)
class Health:
    """What is known about the board, for a status page."""

    state: LinkState
    board: Welcome | None = None
    status: Status | None = None
    counts: Counts = field(default_factory=Counts)
    links: int = 0
    slowest: float = 0.0


def random_session() -> int:
    """A session number nobody can be expecting."""
    return random.randint(1, 255)


def found_instead(lost: Lost) -> str:
    """One sentence on a link that ended."""
    match lost.why:
        case "silent":
            return "the device on this port says nothing: is it flashed (`santorini bridge flash`)?"
        case "foreign":
            heard = lost.foreign.decode("ascii", "replace").strip()
            printable = "".join(letter if letter.isprintable() else "·" for letter in heard)
            return f"the device on this port is no lights board: it says “{printable[:60]}”"
        case "version":
            which = f" (version {lost.foreign[0]})" if lost.foreign else ""
            return f"the board speaks another version of the protocol{which}: flash it again"
        case "stopped":
            return "the board has stopped answering"


class Bridge:
    """A lamp behind a serial port. `run` works in the caller's thread, `start` in one of its own."""

    def __init__(
        self,
        dialer: Dialer,
        desk: Desk,
        clock: Clock | None = None,
        timing: Timing | None = None,
        sessions: Callable[[], int] = random_session,
    ) -> None:
        self._dialer, self._desk = dialer, desk
        self._clock = clock or WallClock()
        self._timing = timing or Timing()
        self._sessions = sessions
        self._lock = threading.Lock()
        self._picture: Picture | None = None
        self._fresh = False
        self._beeps: list[Beep] = []
        self._transport: Transport | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._pause_after_fault = LONGEST_PAUSE
        self.health = Health(LinkState("searching"))

    # --- the Lamp

    def show(self, picture: Picture) -> None:
        """Show this; it replaces what has not been shown yet."""
        with self._lock:
            self._picture, self._fresh = picture, True
        self._wake()

    def beep(self, beep: Beep) -> None:
        """Sound this, if a board is there."""
        with self._lock:
            self._beeps = [*self._beeps[-3:], beep]
        self._wake()

    def close(self) -> None:
        """Stop; the board goes dark by itself a few seconds later."""
        self._stop.set()
        self._wake()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(10)

    def start(self) -> None:
        """Work in a thread of its own."""
        self._thread = threading.Thread(target=self._work, name="lights-bridge", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        """The edge of the thread: a fault in a desk must not leave the table without lights for good."""
        while not self._stop.is_set():
            try:
                self.run()
            except Exception:
                LOG.exception("the bridge begins again after a fault")
                self._wait(self._pause_after_fault)

    # --- the work

    def run(self) -> None:
        """Keep a board alive until closed."""
        pause = FIRST_PAUSE
        while not self._stop.is_set():
            before = self.health.links
            self._say("searching", self._one_link())
            pause = FIRST_PAUSE if self.health.links > before else min(2 * pause, LONGEST_PAUSE)
            self._wait(pause)
        self._say("closed", "")

    def _one_link(self) -> str:
        """Open the port, keep the link until it ends, and say why it ended."""
        try:
            transport = self._dialer.dial()
        except (NoChoice, TransportError) as error:
            return str(error)
        self._transport = transport
        self._say("greeting", "the port is open, waiting for the board to answer")
        try:
            return self._converse(transport)
        except TransportError as error:
            return str(error)
        finally:
            self._transport = None
            transport.close()

    def _converse(self, transport: Transport) -> str:
        link = HostLink(self._sessions, self._clock.now(), self._timing)
        with self._lock:
            self._fresh = self._picture is not None
            self._beeps = []
        while not self._stop.is_set():
            ended = self._turn(link, transport)
            if ended is not None:
                return found_instead(ended)
        self._darken(link, transport)
        return "closed"

    def _turn(self, link: HostLink, transport: Transport) -> Lost | None:
        """Read, think, write: once."""
        self._hand_over(link)
        wait = min(LONGEST_READ, max(0.0, link.wake_at() - self._clock.now()))
        chunk = transport.read(wait)
        self._hand_over(link)
        events, out = link.step(chunk, self._clock.now())
        if out:
            transport.write(out)
        self.health = replace(self.health, counts=link.counts)
        for event in events:
            if isinstance(event, Lost):
                return event
            self._happened(event)
        return None

    def _hand_over(self, link: HostLink) -> None:
        with self._lock:
            picture = self._picture if self._fresh else None
            beeps, self._beeps, self._fresh = self._beeps, [], False
        if picture is not None:
            link.show(picture)
        for beep in beeps if link.phase == "up" else ():
            link.beep(beep)

    def _darken(self, link: HostLink, transport: Transport) -> None:
        """Leave no stale picture behind: one last, dark one, without waiting for long."""
        if link.phase != "up" or link.board is None:
            return
        dark = Picture(((0, 0, 0),) * link.board.leds, 0)
        link.show(dark)
        end = self._clock.now() + LAST_WORDS
        chunk = b""
        while self._clock.now() < end:
            events, out = link.step(chunk, self._clock.now())
            if any(isinstance(e, Shown) and e.picture is dark for e in events):
                return
            transport.write(out)
            chunk = transport.read(LAST_WORDS / 10)

    def _happened(self, event: Event) -> None:
        match event:
            case Pressed(button, down):
                self._desk.pressed(ButtonPress(button, down))
            case Shown(_, took):
                self.health = replace(self.health, slowest=max(self.health.slowest, took))
            case Reported(status):
                self.health = replace(self.health, status=status)
            case Welcomed(board):
                self.health = replace(self.health, board=board, links=self.health.links + 1)
                self._say("up", f"{board.leds} LEDs, {board.buttons} buttons, firmware {board.firmware}")
            case Restarted(why):
                self._say("greeting", why)
            case Rejected(_, why):
                self._say("up", f"refused by the board: {why}")
            case Lost():
                raise AssertionError("handled by the caller")

    def _say(self, name: LinkName, detail: str) -> None:
        state = LinkState(name, detail)
        if state != self.health.state:
            self.health = replace(self.health, state=state)
            self._desk.link_changed(state)

    def _wake(self) -> None:
        transport = self._transport
        if transport is not None:
            transport.wake()

    def _wait(self, seconds: float) -> None:
        if isinstance(self._clock, WallClock):
            self._stop.wait(seconds)
        elif not self._stop.is_set():
            self._clock.sleep(seconds)
