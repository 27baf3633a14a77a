"""What leaves the process: one view for a seat, another type for everybody else.

Texts are keys with facts, worded later in the viewer's language. JSON uses these field names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

SCHEMA: Final = 1
Phase = Literal["setup", "play", "over"]
StepKind = Literal["move", "build", "force", "swap", "remove", "place", "token", "choose"]
HintLevel = Literal["off", "next", "legal", "explain", "threats"]
CameraSays = Literal[
    "none", "ok", "hand", "covered", "busy", "moved", "found_again", "light", "soft", "glare", "size", "lost"
]
Facts = Mapping[str, Any]
"""Words, numbers, or further texts as {"key", "facts"}."""


@dataclass(frozen=True)
class Say:
    """A text to be worded: its key and its facts."""

    key: str
    facts: Facts = field(default_factory=dict)


@dataclass(frozen=True)
class WorkerSeen:
    """A worker that stands openly."""

    id: str
    seat: str
    sex: str | None


@dataclass(frozen=True)
class CellSeen:
    """One space of the board."""

    cell: str
    height: int
    dome: bool
    proxy: bool
    worker: WorkerSeen | None
    tokens: tuple[str, ...]


@dataclass(frozen=True)
class PlayerSeen:
    """One player, as everybody may know them."""

    seat: str
    team: str
    name: str
    colour: str
    power: str | None
    out: bool
    joined: bool
    hint_level: HintLevel
    holds: tuple[str, ...] = ()
    """The powers this seat has in the turn in play: cards change hands, turn up, or lie at the Ram."""


@dataclass(frozen=True)
class StepOffered:
    """A step that may be taken now, and the spaces a finger touches for it."""

    step: str
    kind: StepKind
    worker: str | None
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Prompt:
    """What a seat may do now."""

    seat: str
    kind: str
    steps: tuple[StepOffered, ...]
    may_end: bool


@dataclass(frozen=True)
class Choice:
    """One answer to a question."""

    id: str
    key: str
    facts: Facts
    cells: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """Something the table needs to know from one seat, or from anybody who sits at it."""

    id: str
    seat: str | None
    key: str
    facts: Facts
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class PutBack:
    """One thing a hand has to do on the real board."""

    kind: Literal["worker", "block", "dome", "token"]
    what: str
    origin: str | None
    target: str | None
    key: str
    facts: Facts


@dataclass(frozen=True)
class Notice:
    """Something that happened, and what to put back where."""

    kind: Literal["illegal", "cancelled", "put_back", "info"]
    key: str
    facts: Facts
    put_back: tuple[PutBack, ...] = ()


@dataclass(frozen=True)
class ContentSeen:
    """Height and top of a space: "" nothing, "dome", or the seat whose worker stands there."""

    height: int
    top: str


@dataclass(frozen=True)
class Difference:
    """A space on which camera and known board differ."""

    cell: str
    known: ContentSeen
    camera: ContentSeen


@dataclass(frozen=True)
class Threat:
    """Somebody could win next turn, from public information."""

    seat: str
    key: str
    facts: Facts
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Possible:
    """The public deduction: where a hidden thing can still be."""

    what: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Hints:
    """What the viewer is shown beyond the board."""

    level: HintLevel
    threats: tuple[Threat, ...] = ()
    possible: Possible | None = None


@dataclass(frozen=True)
class UndoAsked:
    """A request to take turns back."""

    asked_by: str
    turns: int
    answers: Mapping[str, bool | None]
    boards: int = 0
    """How many boards that were set right go with them."""


@dataclass(frozen=True)
class TurnPlayed:
    """One turn of the history, as the viewer may know it."""

    n: int
    seat: str
    turn: str
    start: tuple[CellSeen, ...] = ()
    """The board it was played on, where that does not follow from the turn before: a board set right."""


@dataclass(frozen=True)
class Result:
    """How the game ended, and what had been hidden."""

    winner: str | None
    how: Say
    reveal: Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class Secret:
    """A seat's own hidden things."""

    workers: Mapping[str, str]
    abyss: str | None = None
    fate: str | None = None


@dataclass(frozen=True)
class Commitment:
    """A hash that binds a seat to what it hides."""

    seat: str
    turn: int
    commitment: str
    link: str


@dataclass(frozen=True)
class SealDue:
    """What the seat's own phone has to commit to now, without anybody touching it."""

    turn: int
    power: str
    start: int
    value: Mapping[str, Any]


@dataclass(frozen=True)
class Common:
    """What every viewer of a table gets."""

    seq: int
    table: str
    game: str
    phase: Phase
    paused: bool
    edition: str
    options: Mapping[str, bool | str]
    players: tuple[PlayerSeen, ...]
    to_move: str | None
    board: tuple[CellSeen, ...]
    tokens: Mapping[str, str | None]
    reserve: Mapping[str, tuple[str, ...]]
    now: Say
    turn: tuple[str, ...]
    provisional: bool
    sync: tuple[Difference, ...] | None
    camera: CameraSays
    hints: Hints
    undo: UndoAsked | None
    may_undo: bool
    may_redo: bool
    end_offered_by: str | None
    history: tuple[TurnPlayed, ...]
    result: Result | None
    commitments: tuple[Commitment, ...]
    chains: tuple[Mapping[str, Any], ...]
    """When the game is over: whole chains with what was revealed, for every phone to check."""
    verifiable: bool
    waiting_for_key: tuple[str, ...]
    """Seats whose phones have to bring their key back before the game can go on."""
    notice: Notice | None
    schema: int = SCHEMA
    supply: Mapping[str, int] = field(default_factory=dict)
    """How many blocks for level 1, 2 and 3 and how many domes are left in the box."""
    undo_barred: bool = False
    """There is something to take back, but an answer that used a secret stands in the way."""
    asked: str | None = None
    """The seat that has been asked something; the question itself is that seat's own."""
    acting: tuple[str, ...] = ()
    """The seats that may do something now: the one to move, then one whose card lets it break in."""
    sync_next: str | None = None
    """Out of step: who is probably to move if the camera's board is accepted; from public facts alone."""


@dataclass(frozen=True)
class PublicView(Common):
    """For spectators, the table screen, MQTT and lights."""

    prompt: Prompt | None = None
    """The open prompt of the seat to move, where that seat has no secret in play."""


@dataclass(frozen=True)
class SeatView(Common):
    """For one seat's own phone."""

    seat: str = ""
    prompt: Prompt | None = None
    question: Question | None = None
    secret: Secret | None = None
    seal_due: SealDue | None = None
    key_wanted: bool = False
    """Whether this seat's phone has to bring its key."""
