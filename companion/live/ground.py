"""From where the referee looks: the position at the beginning of the turn in play."""

from __future__ import annotations

from dataclasses import dataclass

from companion.table.session import Session
from engine.game import Game, undone
from engine.view import View, observe


@dataclass(frozen=True)
class Ground:
    """The mover's view when the turn began, and the steps taken since."""

    seat: str
    view: View
    taken: int


def ground_of(session: Session) -> Ground | None:
    """Find the beginning of the turn in play; None while nobody plays on the board."""
    game = session.game
    if game.over or game.to_move is None or game.truth.setup is not None or session.paused:
        return None
    taken = len(game.deeds) - session.turn_start
    start: Game = undone(game, taken) if taken else game
    return Ground(game.to_move, observe(start, game.to_move), taken)
