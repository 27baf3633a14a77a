"""What the referee may decide after a look at the table."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from engine.refusal import Refusal
from engine.steps import Step
from engine.view import View
from vision.reading import Board


@dataclass(frozen=True)
class Candidate:
    """Something that may have happened since the last confirmed position, and the board it leads to."""

    steps: tuple[Step, ...]
    board: Board
    ends: bool
    """Whether these steps make a complete turn."""
    goes_on: bool = False
    """Whether the turn may go on after them."""
    refusal: Refusal | None = None
    """Why it is not legal, where it is not."""
    at: int | None = None
    """The number of the first step that is not legal."""
    before: View | None = None
    """The view in which that step is refused."""
    seats: tuple[str, ...] = ()
    """Who takes each step, where that is not the mover alone."""

    still: bool = False
    """The board is as it was seen last, though the game has gone on."""
    goal: Board | None = None
    """Where the board should come to, where hands have not yet done what a step brings with it."""

    @property
    def is_nothing(self) -> bool:
        """Whether nothing has happened."""
        return not self.steps


class Origin(Enum):
    """From where a candidate's steps go on."""

    NOW = "now"
    """After the steps that are taken already."""
    START = "start"
    """From the beginning of the turn: what was taken since is not on the board any more."""
    NEXT = "next"
    """From the end of the turn: the next player has begun."""


@dataclass(frozen=True)
class Nothing:
    """The board stands as it is known to stand."""

    confidence: float = 1.0


@dataclass(frozen=True)
class Busy:
    """A hand or something moving: no position is read."""


@dataclass(frozen=True)
class Wait:
    """Not sure yet; more looks will tell."""

    best: Candidate | None
    confidence: float


@dataclass(frozen=True)
class Behind:
    """The board is not yet, or not again, where the game is: nothing new was played on it."""

    seen: Board
    confidence: float
    goal: Board | None = None
    """Where it should come to, if not to the known position."""


@dataclass(frozen=True)
class Prefix:
    """A turn has begun and is not complete: moved, not yet built."""

    candidate: Candidate
    confidence: float
    origin: Origin = Origin.NOW


@dataclass(frozen=True)
class Played:
    """A complete turn stands on the board."""

    candidate: Candidate
    confidence: float
    origin: Origin = Origin.NOW


@dataclass(frozen=True)
class Ask:
    """Two or three things are possible; somebody has to say which."""

    candidates: tuple[Candidate, ...]
    shares: tuple[float, ...]
    origins: tuple[Origin, ...]
    seen: Board
    """The likeliest board, should it be none of these."""


@dataclass(frozen=True)
class Illegal:
    """What stands there breaks a rule."""

    candidate: Candidate
    seen: Board
    confidence: float


@dataclass(frozen=True)
class OutOfSync:
    """What stands there follows from nothing that is known."""

    seen: Board
    differing: tuple[int, ...] = field(default=())


Decision = Nothing | Busy | Wait | Behind | Prefix | Played | Ask | Illegal | OutOfSync
