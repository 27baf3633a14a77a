"""The host's side of the conversation with a board: bytes and the time go in, bytes and events come out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias, assert_never

from firmware_bridge.frames import (
    Ack,
    Beep,
    Frame,
    FromHost,
    Heard,
    Hello,
    Picture,
    Ping,
    Press,
    Reason,
    Refusal,
    Status,
    Welcome,
)
from firmware_bridge.wire import DELIMITER, FrameError, Splitter, WrongVersion

MAX_BEEPS: Final = 4
MAX_FOREIGN: Final = 120
STRAY_PRESSES: Final = 10


@dataclass(frozen=True)
class Timing:
    """How long to wait for what, in seconds."""

    hello_every: float = 0.25
    greeting: float = 8.0  # a board that resets on open sits in its bootloader for up to two seconds
    retry: float = 0.15
    tries: int = 8
    heartbeat: float = 1.0


@dataclass(frozen=True)
class Counts:
    """What the host refused or did again since the link began."""

    refused_frames: int = 0  # malformed, damaged, oversized, of unknown kind
    stray_frames: int = 0  # of another session, answers to nothing, replayed or out of order
    repeated_presses: int = 0
    retries: int = 0
    greetings: int = 0
    shown: int = 0
    skipped: int = 0  # pictures replaced by newer ones before they were sent


@dataclass(frozen=True)
class Welcomed:
    """The board has answered our hello: the link is up."""

    board: Welcome


@dataclass(frozen=True)
class Restarted:
    """The board has lost our session; we greet it again."""

    why: str


@dataclass(frozen=True)
class Shown:
    """The board's LEDs have this picture."""

    picture: Picture
    took: float


@dataclass(frozen=True)
class Pressed:
    """A button went down or up."""

    button: int
    down: bool


@dataclass(frozen=True)
class Reported:
    """The board's answer to a heartbeat."""

    status: Status


@dataclass(frozen=True)
class Rejected:
    """The board will not do what we asked; asking again would not help."""

    body: FromHost
    why: str


@dataclass(frozen=True)
class Lost:
    """The link is over: `foreign` is what came instead of frames, if anything."""

    why: Literal["silent", "foreign", "version", "stopped"]
    foreign: bytes = b""


Event: TypeAlias = Welcomed | Restarted | Shown | Pressed | Reported | Rejected | Lost
Phase: TypeAlias = Literal["greeting", "up", "lost"]


@dataclass(frozen=True)
class _Flight:
    """The one frame that waits for its answer."""

    frame: Frame
    wire: bytes
    first: float
    last: float
    tries: int = 1


class HostLink:
    """One conversation over one opened port: `step` it with what arrived, write what it returns."""

    def __init__(self, sessions: Callable[[], int], now: float, timing: Timing | None = None) -> None:
        self.timing = timing or Timing()
        self.counts = Counts()
        self.board: Welcome | None = None
        self.phase: Phase = "greeting"
        self._sessions = sessions
        self._splitter = Splitter()
        self._foreign = bytearray()
        self._wanted: Picture | None = None
        self._wanted_sent = False
        self._flight: _Flight | None = None
        self._heard: int | None = None
        self._beeps: deque[Beep] = deque(maxlen=MAX_BEEPS)
        self._events: list[Event] = []
        self._began = now
        self._session = 0
        self._greet(now)

    def show(self, picture: Picture) -> None:
        """Show this next; it replaces a picture that has not been sent yet."""
        if self._wanted is not None and not self._wanted_sent:
            self._count(skipped=1)
        self._wanted, self._wanted_sent = picture, False

    def beep(self, beep: Beep) -> None:
        """Sound this when the line is free; at most a few wait."""
        self._beeps.append(beep)

    def step(self, chunk: bytes, now: float) -> tuple[tuple[Event, ...], bytes]:
        """Take what arrived by `now`; give what happened, and the bytes to write."""
        if self.board is None:
            self._foreign += chunk[: MAX_FOREIGN - len(self._foreign)]
        for wire in self._splitter.feed(chunk):
            if self.phase != "lost":
                self._take(wire, now)
        out = self._speak(now)
        events, self._events = tuple(self._events), []
        return events, out

    def wake_at(self) -> float:
        """The time by which `step` must be called even if nothing arrives."""
        if self.phase == "greeting":
            return min(self._next_hello, self._began + self.timing.greeting)
        if self._flight is not None:
            return self._flight.last + self.timing.retry
        return 0.0 if self._idle_work() else self._spoke_at + self.timing.heartbeat

    # --- greeting

    def _greet(self, now: float) -> None:
        """Begin a new session: nothing of the old one counts any more."""
        last = self._session
        while self._session in (0, last):
            self._session = self._sessions()
        self.phase = "greeting"
        self._began = self._next_hello = now
        self._spoke_at = now
        self._sequence = 0
        self._flight = None
        self._wanted_sent = False
        self._heard = None
        self._press_number = 0
        self._strays_in_a_row = 0
        self._doubtful = False

    def _restart(self, why: str, now: float) -> None:
        self._events.append(Restarted(why))
        self._greet(now)

    def _lose(self, lost: Lost) -> None:
        self.phase = "lost"
        self._events.append(lost)

    def _say_hello(self, now: float) -> bytes:
        if now - self._began >= self.timing.greeting:
            self._lose(self._unanswered())
            return b""
        if now < self._next_hello:
            return b""
        self._next_hello = now + self.timing.hello_every
        self._count(greetings=1)
        # The delimiter ends whatever half a frame lies in the board's buffer.
        return DELIMITER + Frame(self._session, 0, Hello()).to_bytes()

    def _unanswered(self) -> Lost:
        if self.board is not None:
            return Lost("stopped")
        return Lost("foreign" if self._foreign else "silent", bytes(self._foreign))

    # --- hearing

    def _take(self, wire: bytes, now: float) -> None:
        try:
            frame = Frame.from_bytes(wire)
        except WrongVersion as error:
            self._count(refused_frames=1)
            if self.phase == "greeting":
                self._lose(Lost("version", bytes((error.version,))))
            return
        except FrameError:
            self._count(refused_frames=1)
            return
        self._understand(frame, now)

    def _understand(self, frame: Frame, now: float) -> None:
        if frame.session == 0 and isinstance(frame.body, Welcome):
            self._board_began(now)
        elif isinstance(frame.body, Refusal) and frame.body.reason == Reason.SESSION:
            self._session_refused(frame, now)
        elif frame.session != self._session:
            self._count(stray_frames=1)
        elif self.phase == "greeting":
            self._greeted(frame, now)
        else:
            self._answer(frame, now)

    def _board_began(self, now: float) -> None:
        """A board says so after a reset, but it may be an old notice: ask, and let the answer decide."""
        if self.phase == "greeting":
            self._next_hello = now
        elif self._flight is None:
            self._doubtful = True
        else:
            self._flight = replace(self._flight, last=now - self.timing.retry)

    def _session_refused(self, frame: Frame, now: float) -> None:
        """Only an answer to what we sent just now counts; an old one must not end the session."""
        if self.phase == "up" and self._flight is not None and frame.sequence == self._flight.frame.sequence:
            self._restart("the board has forgotten our session", now)
        else:
            self._count(stray_frames=1)

    def _greeted(self, frame: Frame, now: float) -> None:
        if not isinstance(frame.body, Welcome):
            self._count(stray_frames=1)
            return
        self.phase, self.board = "up", frame.body
        self._spoke_at = now
        self._events.append(Welcomed(frame.body))

    def _answer(self, frame: Frame, now: float) -> None:
        match frame.body:
            case Press():
                self._press(frame.sequence, frame.body)
            case Ack() | Status() | Refusal() if (
                self._flight and frame.sequence == self._flight.frame.sequence
            ):
                self._landed(self._flight, frame.body, now)
            case _:
                self._count(stray_frames=1)

    def _landed(self, flight: _Flight, answer: Ack | Status | Refusal, now: float) -> None:
        self._flight = None
        match answer:
            case Refusal():
                self._refused(flight, answer, now)
            case Ack() | Status():
                self._sequence = flight.frame.sequence
                self._done(flight, answer, now)
            case _:
                assert_never(answer)

    def _done(self, flight: _Flight, answer: Ack | Status, now: float) -> None:
        if isinstance(answer, Status):
            self._events.append(Reported(answer))
        elif isinstance(flight.frame.body, Picture):
            self._count(shown=1)
            self._events.append(Shown(flight.frame.body, now - flight.first))

    def _refused(self, flight: _Flight, answer: Refusal, now: float) -> None:
        match answer.reason:
            case Reason.ORDER:
                self._restart("the board has lost count of our frames", now)
            case Reason.VERSION:
                self._lose(Lost("version"))
            case _:
                why = (
                    Reason(answer.reason).name.lower() if answer.reason in set(Reason) else str(answer.reason)
                )
                body = flight.frame.body
                assert isinstance(body, FromHost)
                self._events.append(Rejected(body, why))

    def _press(self, number: int, press: Press) -> None:
        if number == (self._press_number + 1) % 256:
            self._press_number = number
            self._strays_in_a_row = 0
            self._events.append(Pressed(press.button, bool(press.pressed)))
        elif number == self._press_number:
            self._count(repeated_presses=1)
        else:
            self._stray_press()
            return
        self._heard = number

    def _stray_press(self) -> None:
        """Replayed or from the future: not carried out. If the board insists, both sides count anew."""
        self._count(stray_frames=1)
        self._strays_in_a_row += 1
        if self._strays_in_a_row >= STRAY_PRESSES:
            self._restart("the numbers of the presses do not follow", self._spoke_at)

    # --- speaking

    def _speak(self, now: float) -> bytes:
        if self.phase == "greeting":
            return self._say_hello(now)
        if self.phase == "lost":
            return b""
        if self._flight is not None:
            return self._again(self._flight, now)
        body = self._next(now)
        return self._hear_out() + (self._launch(body, now) if body is not None else b"")

    def _again(self, flight: _Flight, now: float) -> bytes:
        if now - flight.last < self.timing.retry:
            return b""
        if flight.tries >= self.timing.tries:
            self._lose(Lost("stopped"))
            return b""
        self._count(retries=1)
        self._flight = replace(flight, last=now, tries=flight.tries + 1)
        return DELIMITER + flight.wire

    def _hear_out(self) -> bytes:
        """Confirm a press; this frame alone has no answer, so it only goes out while nothing is in flight."""
        if self._heard is None:
            return b""
        number, self._heard = self._heard, None
        return Frame(self._session, self._sequence, Heard(number)).to_bytes()

    def _idle_work(self) -> bool:
        waiting = self._wanted is not None and not self._wanted_sent
        return waiting or bool(self._beeps) or self._heard is not None or self._doubtful

    def _next(self, now: float) -> FromHost | None:
        if self._wanted is not None and not self._wanted_sent:
            self._wanted_sent = True
            if self._fits(self._wanted):
                return self._wanted
        if self._beeps:
            return self._beeps.popleft()
        due = self._doubtful or now - self._spoke_at >= self.timing.heartbeat
        return Ping() if due else None

    def _fits(self, picture: Picture) -> bool:
        assert self.board is not None
        if len(picture.colours) == self.board.leds:
            return True
        why = f"the board has {self.board.leds} LEDs, the picture {len(picture.colours)}"
        self._events.append(Rejected(picture, why))
        return False

    def _launch(self, body: FromHost, now: float) -> bytes:
        frame = Frame(self._session, (self._sequence + 1) % 256, body)
        wire = frame.to_bytes()
        self._flight = _Flight(frame, wire, now, now)
        self._spoke_at = now
        self._doubtful = False
        return wire

    def _count(self, **more: int) -> None:
        self.counts = replace(
            self.counts, **{name: getattr(self.counts, name) + by for name, by in more.items()}
        )
