"""A seat's own hints and secret for a device of its own: sealed, of one size, on a fixed beat.

Neither content nor size nor time of a frame depends on anything but the clock. See docs/secrets.md.
"""

from __future__ import annotations

import os
import threading
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

from pydantic import Field

from companion.bus.messages import Cell, Notice, Said, Seat, Step, Version, Wire, Word
from companion.bus.outgoing import notice_of
from companion.bus.wording import Wording
from companion.secrets import FrameSealer, SeatKey
from companion.secrets.errors import TooLong
from companion.secrets.keys import KEY_BYTES
from companion.table.seatview import SeatView

BEAT: Final = 1.0


class Choice(Wire):
    """One answer to a question."""

    id: Word
    say: Said


class Question(Wire):
    """Something the table asks this seat."""

    id: Word
    say: Said
    choices: list[Choice]


class Threat(Wire):
    """Somebody could win next turn."""

    seat: Seat
    say: Said
    cells: list[Cell]


class SeatSecret(Wire):
    """What this seat hides."""

    workers: dict[str, Cell]
    abyss: Cell | None
    fate: Cell | None


class SeatState(Wire):
    """What is inside a frame: this seat's own line, steps, hints and secret."""

    schema_: Version = Field(default=1, alias="schema")
    seq: Annotated[int, Field(ge=0)]
    game: Word
    seat: Seat
    now: Said
    may_end: bool
    steps: list[Step]
    cut: Annotated[bool, Field(description="whether steps were left out because a frame has one size")]
    threats: list[Threat]
    possible: list[Cell]
    question: Question | None
    notice: Notice | None
    secret: SeatSecret | None


def seat_state(view: SeatView, wording: Wording, most: int = 400) -> SeatState:
    """Make what a seat's device gets, with so many steps at most."""
    prompt, secret, question = view.prompt, view.secret, view.question
    steps = prompt.steps if prompt else ()
    return SeatState(
        seq=view.seq,
        game=view.game,
        seat=view.seat,
        now=wording.say(view.now),
        may_end=prompt is not None and prompt.may_end,
        steps=[Step(step=s.step, kind=s.kind, worker=s.worker, cells=list(s.cells)) for s in steps[:most]],
        cut=len(steps) > most,
        threats=[
            Threat(seat=t.seat, say=wording.words(t.key, t.facts), cells=list(t.cells))
            for t in view.hints.threats
        ],
        possible=list(view.hints.possible.cells) if view.hints.possible else [],
        question=Question(
            id=question.id,
            say=wording.words(question.key, question.facts),
            choices=[Choice(id=c.id, say=wording.words(c.key, c.facts)) for c in question.choices],
        )
        if question
        else None,
        notice=notice_of(view.notice, wording) if view.notice else None,
        secret=SeatSecret(workers=dict(secret.workers), abyss=secret.abyss, fate=secret.fate)
        if secret
        else None,
    )


@dataclass
class _SeatLine:
    """One seat's key, its session if it has one, and what it is to be told."""

    key: SeatKey
    game: str
    sealer: FrameSealer | None = None
    contents: tuple[bytes, ...] = ()


@dataclass
class SeatLines:
    """The sealed lines of one table. Keys are made here and live in memory only."""

    table: str
    random: Callable[[int], bytes] = os.urandom
    _lines: dict[str, _SeatLine] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def key(self, seat: str, game: str) -> bytes:
        """Make a new key for a seat's device; what an earlier device had is worth nothing from now on."""
        secret = self.random(KEY_BYTES)
        with self._lock:
            self._lines[seat] = _SeatLine(SeatKey(secret), game)
        return secret

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats that have a key."""
        with self._lock:
            return tuple(self._lines)

    def open(self, seat: str, opening: bytes) -> bool:
        """Begin a session with a seat's device."""
        with self._lock:
            line = self._lines.get(seat)
            if line is None:
                return False
            line.sealer = FrameSealer(line.key, channel(self.table, seat), opening, random=self.random)
            return True

    def keep(self, seat: str, view: SeatView, wording: Wording) -> None:
        """Note what a seat is to be told from the next beat on; shorter forms are kept for a full frame."""
        forms = tuple(packed(seat_state(view, wording, most)) for most in (400, 60, 0))
        with self._lock:
            line = self._lines.get(seat)
            if line is not None and line.game != view.game:
                # Somebody else may sit there now: a key is for one game.
                del self._lines[seat]
            elif line is not None:
                line.contents = forms

    def frames(self) -> Iterator[tuple[str, bytes]]:
        """Seal one frame for every open session; the same number of bytes for each."""
        with self._lock:
            for seat, line in self._lines.items():
                if line.sealer is not None:
                    yield seat, self._sealed(line.sealer, line.contents)

    def _sealed(self, sealer: FrameSealer, contents: tuple[bytes, ...]) -> bytes:
        for content in contents:
            try:
                return sealer.seal(content)
            except TooLong:
                continue
        return sealer.seal(b"")


def channel(table: str, seat: str) -> str:
    """Name the direction and the seat, so that no frame can be taken for another's."""
    return f"state {table} {seat}"


def packed(state: SeatState) -> bytes:
    """Write a state small; padding hides how small."""
    return zlib.compress(state.model_dump_json(by_alias=True).encode(), 9)


def unpacked(content: bytes) -> dict[str, Any]:
    """Read what a frame holds; ValueError when it cannot be."""
    try:
        return SeatState.model_validate_json(zlib.decompress(content)).model_dump(by_alias=True)
    except zlib.error as error:
        raise ValueError(str(error)) from error
