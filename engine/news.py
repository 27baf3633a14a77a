"""News: what everybody learns from a step, field by field. The public deduction is fed with nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from engine.match import Game
from engine.position import Position, Seen
from engine.rules.arbiter import Deed
from engine.state import State
from engine.steps import Agree, Draw, Lay, Proxy, Resign, Step
from engine.telling import TurnRecord
from engine.view import seen_position


@dataclass(frozen=True)
class SetUp:
    """A seat did something in the setup; None is something in secret."""

    seat: str
    step: Step | None


@dataclass(frozen=True)
class OpenTurn:
    """A turn was played openly and committed: what was declared, what everybody was told of it and saw."""

    seat: str
    step: Step
    plan: State[Seen]
    pending: tuple[Deed, ...]
    current: TurnRecord
    told: str
    board: Position[Seen]


@dataclass(frozen=True)
class HiddenTurn:
    """A turn was played in secret; everybody was told this much, and saw what others did in it."""

    seat: str
    told: str
    replies: tuple[Deed, ...]


@dataclass(frozen=True)
class Beside:
    """Something that belongs to no turn happened in the open."""

    seat: str
    step: Step


News = SetUp | OpenTurn | HiddenTurn | Beside
SECRET_TOKENS = ("fate", "abyss")


def news_of(before: Game, after: Game) -> News | None:
    """Say what everybody learns from the newest step; nothing while a turn is only being played."""
    deed = after.deeds[-1]
    hidden = before.table.sides[deed.seat] in before.table.hidden
    if isinstance(deed.step, Draw | Resign | Agree | Proxy):
        return Beside(deed.seat, deed.step)
    if before.truth.setup is not None:
        secret = hidden or (isinstance(deed.step, Lay) and deed.step.token in SECRET_TOKENS)
        return SetUp(deed.seat, None if secret else deed.step)
    if len(after.records) == len(before.records):
        return None
    mover = before.plan.now.seat
    told = after.records[len(before.records)].told(None, before.table)
    if before.table.sides[mover] in before.table.hidden:
        replies = tuple(d for d in (*before.deeds[_begin(before) :], deed) if d.seat != mover)
        return HiddenTurn(mover, told, replies)
    board = seen_position(after.truth.pos, after.table.hidden)
    return OpenTurn(deed.seat, deed.step, before.plan, before.pending, before.current, told, board)


def _begin(game: Game) -> int:
    """Count the steps before the turn in play."""
    taken = sum(entry.seat is not None for entry in game.current.entries)
    return len(game.deeds) - taken
