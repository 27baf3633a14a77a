"""Everything that travels on MQTT, as closed types: a field that is not declared here is never sent."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA: Final = 1
Version = Annotated[Literal[1], Field(description="version of the form of this message")]
Seat = Annotated[str, Field(pattern="^[A-D]$")]
Cell = Annotated[str, Field(pattern="^[a-e][1-5]$")]
Word = str
Transaction = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9._:-]{1,64}$",
        description="chosen by the sender, new for every message; the reply echoes it, a repetition is "
        "answered again and not done again",
    ),
]
Session = Annotated[
    str, Field(pattern="^[0-9a-f]{16}$", description="from the state; new whenever the companion starts")
]
Seq = Annotated[int, Field(ge=0, description="number of the state; counts up with every change")]
Colour = Annotated[str, Field(pattern="^[0-9a-f]{6}$", description="red, green, blue in hexadecimal")]


class Wire(BaseModel):
    """The base of all messages: nothing undeclared, nothing bent into shape."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Said(Wire):
    """A sentence: its key and facts, and its wording in the bus's language."""

    key: Word
    facts: dict[str, Word | int]
    text: str


class Worker(Wire):
    """A worker that stands openly."""

    id: Word
    seat: Seat
    sex: Literal["m", "f"] | None


class Space(Wire):
    """One space of the board."""

    cell: Cell
    height: Annotated[int, Field(ge=0, le=3)]
    dome: bool
    proxy: bool
    worker: Worker | None
    tokens: list[Word]


class Player(Wire):
    """One player, as everybody may know them."""

    seat: Seat
    team: Word
    name: Word
    colour: Word
    power: Word | None
    out: bool
    joined: bool


class Step(Wire):
    """A step that may be taken now."""

    step: Word
    kind: Word
    worker: Word | None
    cells: list[Cell]


class Prompt(Wire):
    """What the seat to move may do; left out where that could tell a secret."""

    seat: Seat
    kind: Word
    steps: list[Step]
    may_end: bool


class PutBack(Wire):
    """One thing a hand has to do on the real board."""

    kind: Literal["worker", "block", "dome", "token"]
    origin: Cell | None
    target: Cell | None
    say: Said


class Notice(Wire):
    """Something that happened, and what to put back where."""

    kind: Literal["illegal", "cancelled", "put_back", "info"]
    say: Said
    put_back: list[PutBack]


class Content(Wire):
    """Height and top of a space."""

    height: int
    top: Word


class Difference(Wire):
    """A space on which camera and known board differ."""

    cell: Cell
    known: Content
    camera: Content


class Undo(Wire):
    """A request to take turns back."""

    asked_by: Seat
    turns: int


class Turn(Wire):
    """A turn that was played, as everybody may know it."""

    n: int
    seat: Seat
    turn: str


class Result(Wire):
    """How the game ended."""

    winner: Seat | None
    say: Said


class State(Wire):
    """The table as everybody may see it."""

    schema_: Version = Field(default=1, alias="schema")
    seq: Seq
    session: Session
    table: Word
    game: Word
    phase: Literal["setup", "play", "over"]
    paused: bool
    edition: Word
    options: dict[str, bool | Word]
    players: list[Player]
    to_move: Seat | None
    board: Annotated[list[Space], Field(min_length=25, max_length=25)]
    tokens: dict[str, Word | None]
    reserve: dict[str, list[Word]]
    now: Said
    prompt: Prompt | None
    turn: list[Word]
    turns: Annotated[int, Field(ge=0, description="how many turns have been played")]
    last_turn: Turn | None
    provisional: bool
    asked: Annotated[Seat | None, Field(description="the seat that has been asked something")]
    notice: Notice | None
    illegal: bool
    sync: list[Difference] | None
    camera: Literal[
        "none",
        "ok",
        "hand",
        "covered",
        "busy",
        "moved",
        "found_again",
        "light",
        "soft",
        "glare",
        "size",
        "lost",
    ]
    undo: Undo | None
    may_undo: bool
    may_redo: bool
    end_offered_by: Seat | None
    result: Result | None
    verifiable: bool
    waiting_for_key: list[Seat]


EventKind = Literal[
    "game",
    "step",
    "turn",
    "undone",
    "notice",
    "undo_asked",
    "asked",
    "camera",
    "out_of_step",
    "paused",
    "over",
]


class Event(Wire):
    """Something that has just happened; the same id may arrive twice."""

    schema_: Version = Field(default=1, alias="schema")
    id: Word
    seq: Seq
    kind: EventKind
    seat: Seat | None
    turn: str | None
    say: Said | None


class Led(Wire):
    """A picture for LEDs, in the logical order of its shape."""

    schema_: Version = Field(default=1, alias="schema")
    seq: Seq
    brightness: Annotated[int, Field(ge=0, le=255)]
    colours: Annotated[list[Colour], Field(min_length=20, max_length=25)]


Problem = Literal[
    "oversized", "encoding", "wrong_schema", "unknown", "retained", "replayed", "out_of_order", "refused"
]


class Reply(Wire):
    """What came of a command or a press."""

    schema_: Version = Field(default=1, alias="schema")
    transaction: Transaction | None
    ok: bool
    repeated: bool
    seq: Seq
    problem: Problem | None
    say: Said | None


class Health(Wire):
    """What the companion has counted at this table since it started."""

    schema_: Version = Field(default=1, alias="schema")
    session: Session
    accepted: int
    refused: dict[str, int]
    connects: int


class Command(Wire):
    """The base of all commands."""

    schema_: Version = Field(alias="schema")
    transaction: Transaction
    session: Session
    seq: Seq


class Plain(Command):
    """A command without anything to add."""


class StepCommand(Command):
    """Take a step, in notation."""

    step: Annotated[str, Field(min_length=1, max_length=40)]


class UndoCommand(Command):
    """Take turns back; 0 means the steps of the turn under way."""

    turns: Annotated[int, Field(ge=0, le=200)] = 1


class AcceptCommand(Command):
    """Take the camera's board as the truth; without a seat, whoever was to move is to move still."""

    to_move: Seat | None = None


class YesCommand(Command):
    """Agree, or not."""

    yes: bool


class HintCommand(Command):
    """Change the hint level of a seat."""

    seat: Seat
    level: Literal["off", "next", "legal", "explain", "threats"]


class Button(Wire):
    """A button was pressed: one of a board by its number, or one by what it means."""

    schema_: Version = Field(alias="schema")
    transaction: Transaction
    button: Annotated[int, Field(ge=0, le=15)] | Literal["confirm", "undo", "hint", "next"]
    down: bool = True


class Open(Wire):
    """A seat's device begins a session: its half of the session's name."""

    schema_: Version = Field(alias="schema")
    transaction: Transaction
    opening: Annotated[str, Field(pattern="^[0-9a-f]{32}$")]


class Availability(Wire):
    """Sent as the bare word."""

    state: Literal["online", "offline"]


class Birth(Wire):
    """Home Assistant's own word on whether it runs."""

    state: Literal["online", "offline"]


class Frame(Wire):
    """Sent as bare bytes: a sealed frame, see docs/secrets.md."""

    content: bytes
