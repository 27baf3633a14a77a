"""What a seat or the host may ask of a table: a closed set of messages, told apart by `do`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from companion.table.seatview import Facts, HintLevel, Say

Seat = Annotated[str, Field(pattern="^[A-D]$")]
Cell = Annotated[str, Field(pattern="^[a-e][1-5]$")]
Word = Annotated[str, Field(min_length=1, max_length=40)]
Hex = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class Message(BaseModel):
    """The base of all commands: unknown fields are dropped, values are not bent into shape."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    seq: Annotated[int, Field(ge=0)]
    """The last view the sender had seen; a stale command is refused, not guessed at."""


class TakeStep(Message):
    """Take one step of a turn."""

    do: Literal["step"]
    step: Word


class EndTurn(Message):
    """End the turn here."""

    do: Literal["end"]


class PassTurn(Message):
    """Do not take an extra turn."""

    do: Literal["pass"]


class Answer(Message):
    """Answer a question."""

    do: Literal["answer"]
    question: Word
    choice: Word


class Why(Message):
    """Ask why a space is not lit; changes nothing."""

    do: Literal["why"]
    cell: Cell
    origin: Cell | None = None


class Undo(Message):
    """Ask to take turns back (0: only the steps of the turn under way), or all but so many from the start."""

    do: Literal["undo"]
    turns: Annotated[int, Field(ge=0, le=200)] = 1
    keep: Annotated[int, Field(ge=0, le=10_000)] | None = None


class Redo(Message):
    """Play again what was taken back."""

    do: Literal["redo"]


class AnswerUndo(Message):
    """Agree to taking back, or not."""

    do: Literal["undo_answer"]
    yes: bool


class Resign(Message):
    """Give the game up."""

    do: Literal["resign"]


class OfferEnd(Message):
    """Offer to end the game without a winner."""

    do: Literal["offer_end"]


class AnswerEnd(Message):
    """Agree to ending the game, or not."""

    do: Literal["answer_end"]
    yes: bool


class Pause(Message):
    """Pause the game."""

    do: Literal["pause"]


class Resume(Message):
    """Go on after a pause."""

    do: Literal["resume"]


class AcceptBoard(Message):
    """Take the camera's board as the truth."""

    do: Literal["accept_board"]
    to_move: Seat | None = None
    """Who is to move then; left out, whoever was to move before."""


class Restore(Message):
    """The real board will be put right; follow it back."""

    do: Literal["restore"]


class CellEdit(BaseModel):
    """What stands on a space, as set by hand."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    height: Annotated[int, Field(ge=0, le=3)]
    top: Annotated[str, Field(pattern="^(|dome|[A-D][1-9])$")] = ""


class EditBoard(Message):
    """Set spaces by tapping."""

    do: Literal["edit_board"]
    cells: Annotated[dict[Cell, CellEdit], Field(min_length=1, max_length=25)]
    to_move: Seat | None = None
    """Who is to move then; left out, whoever was to move before."""


class SetHints(Message):
    """Change the hint level of a seat."""

    do: Literal["hint_level"]
    seat: Seat
    level: HintLevel


class Rename(Message):
    """Change the name shown for a seat."""

    do: Literal["rename"]
    seat: Seat
    name: Annotated[str, Field(min_length=1, max_length=24)]


class Commit(Message):
    """A commitment made on the owner's phone, with what it binds; the salt stays sealed until the end."""

    do: Literal["commit"]
    turn: Annotated[int, Field(ge=0, le=10_000)]
    value: dict[str, Any]
    salt: Hex
    commitment: Hex


class BringKey(Message):
    """The key under which this seat's secrets lie on disk, from its owner's phone."""

    do: Literal["key"]
    key: Hex


class EnterAgain(Message):
    """The phone with the key is lost: the owner enters the secret again under a new key."""

    do: Literal["enter_again"]
    key: Hex
    workers: dict[Annotated[str, Field(pattern="^[A-D][1-9]$")], Cell] = Field(default_factory=dict)
    fate: Cell | None = None
    abyss: Cell | None = None


Command = Annotated[
    TakeStep
    | EndTurn
    | PassTurn
    | Answer
    | Why
    | Undo
    | Redo
    | AnswerUndo
    | Resign
    | OfferEnd
    | AnswerEnd
    | Pause
    | Resume
    | AcceptBoard
    | Restore
    | EditBoard
    | SetHints
    | Rename
    | Commit
    | BringKey
    | EnterAgain,
    Field(discriminator="do"),
]
COMMAND: Final[TypeAdapter[Command]] = TypeAdapter(Command)


@dataclass(frozen=True)
class Actor:
    """Who sends a command: a seat's phone, the host, or the table itself (screen, buttons, camera)."""

    seat: str | None
    role: Literal["seat", "host", "screen"]


@dataclass(frozen=True)
class Reply:
    """What came of a command; where it was refused, why, as a text to be worded."""

    ok: bool
    say: Say | None = None
    seq: int = 0


def refused(key: str, facts: Facts | None = None) -> Reply:
    """A reply that says no, and why."""
    return Reply(False, Say(key, facts or {}))
