"""A game as a value, and what comes of a step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.board import NOWHERE
from engine.events import Event
from engine.opening import Opening
from engine.position import Seen, Truth
from engine.rules.arbiter import Deed
from engine.rules.undo import PutBack
from engine.setup import SCHEMA, Setup, SetupError, mapping_of
from engine.state import State, Table
from engine.steps import Step, format_step, parse_step
from engine.telling import Entry, TurnRecord


@dataclass(frozen=True)
class Game:
    """The truth of a game. Keep it inside; show views only.

    `truth` is what really stands, `plan` the turn in play as its player knows it, `between` the truth when
    the turn began. `pending` are the steps of this turn that have not been tried on the truth yet.
    """

    setup: Setup
    opening: Opening
    deeds: tuple[Deed, ...]
    table: Table
    between: State[Truth]
    truth: State[Truth]
    plan: State[Seen]
    pending: tuple[Deed, ...] = ()
    current: TurnRecord = field(default_factory=lambda: TurnRecord(""))
    records: tuple[TurnRecord, ...] = ()
    drawn: bool = False

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.truth.over

    @property
    def winner(self) -> str | None:
        """The winning side, if there is one."""
        return self.truth.winner

    @property
    def losers(self) -> tuple[str, ...]:
        """The sides that lost by themselves."""
        return self.truth.losers

    @property
    def to_move(self) -> str | None:
        """The seat whose turn (or setup action) it is."""
        return self.truth.to_move

    @property
    def waiting(self) -> tuple[str, ...]:
        """The seats that may do something now: first the one to move, then one that is asked."""
        if self.truth.to_move is None:
            return ()
        asked = self.plan.turn.asked if self.plan.turn is not None else None
        extra = (asked[0],) if asked is not None and asked[0] != self.truth.to_move else ()
        return (self.truth.to_move, *extra)

    @property
    def deferred(self) -> bool:
        """Whether the turn in play is tried on the truth only when it is ended."""
        return self.table.hecate_check == "turn" and _others_hide(self)

    def to_json(self) -> dict[str, Any]:
        """Write the game as plain JSON data: its setup and its steps."""
        return {
            "schema": SCHEMA,
            "setup": self.setup.to_json(),
            "opening": self.opening.to_json(),
            "steps": [[deed.seat, format_step(deed.step)] for deed in self.deeds],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Game:
        """Read a game and play it through again; raise ValueError naming the field that is wrong."""
        from engine.game import begin, replay  # the rules of play are built on this module

        if data.get("schema") != SCHEMA:
            raise SetupError("schema", f"{data.get('schema')!r} is not {SCHEMA}")
        opening = mapping_of(data, "opening")
        game = begin(
            Setup.from_json(mapping_of(data, "setup")), Opening.from_json(opening) if opening else None
        )
        return replay(game, _steps(data.get("steps")))


@dataclass(frozen=True, slots=True)
class Outcome:
    """An accepted step: the game after it, the entries it added, and what a cancellation undoes."""

    game: Game
    entries: tuple[Entry, ...] = ()
    cancelled: Step | None = None
    cancelled_at: int | None = None
    undo: tuple[PutBack, ...] = ()
    closing: tuple[Event, ...] = ()

    def told(self, seat: str | None) -> str:
        """What a seat is told of these entries."""
        record = TurnRecord(self.game.to_move or "", self.entries, self.closing)
        return record.told(seat, self.game.table, self.game.over)


def _others_hide(game: Game) -> bool:
    """Whether another side than the mover's keeps a secret (the Abyss waits for everybody)."""
    mover = game.truth.to_move
    side = game.table.sides[mover] if mover else ""
    others = any(game.table.sides[seat] != side for seat in game.table.secretive)
    return others or any(secret.abyss != NOWHERE for secret in game.truth.secrets.values())


def added(game: Game, seat: str, step: Step, **changes: Any) -> Game:
    """Give the game with one more step recorded."""
    return replace(game, deeds=(*game.deeds, Deed(seat, step)), **changes)


def _steps(value: Any) -> list[tuple[str, Step]]:
    """Read recorded steps: pairs of a seat and a step."""
    if not isinstance(value, list):
        raise SetupError("steps", "must be a list of pairs of seat and step")
    found: list[tuple[str, Step]] = []
    for number, pair in enumerate(value):
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(part, str) for part in pair):
            raise SetupError(f"steps.{number}", "must be a pair of seat and step")
        found.append((pair[0], parse_step(pair[1])))
    return found
