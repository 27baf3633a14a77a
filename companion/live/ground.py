"""From where the referee looks: the turn in play, its beginning, and what follows where it may end."""

from __future__ import annotations

from dataclasses import dataclass

from companion.referee.referee import Scene
from companion.table.session import Session
from engine.game import Game, Outcome, attempt, undone
from engine.legal import may_end, may_pass
from engine.rules.arbiter import Deed
from engine.steps import End, Pass, Step
from engine.view import View, observe


@dataclass(frozen=True)
class Ground:
    """The seat to move, the steps of its turn so far, and the views that the referee weighs."""

    session: Session
    seat: str
    taken: tuple[Deed, ...]
    scene: Scene
    closing: Step | None = None
    """What would end the turn as it stands, where it may end."""
    tap_only: bool = False
    """Against somebody's secret a turn is ended by tap or button alone, never by sight."""
    hands_off: bool = False
    """Every step is tried on a secret at once: sight may only ask."""


def ground_of(session: Session) -> Ground | None:
    """Find the turn in play; None while nobody plays openly on the board."""
    game = session.game
    seat = game.to_move
    if game.over or seat is None or game.truth.setup is not None or session.paused:
        return None
    if game.table.sides[seat] in game.table.hidden or game.plan.turn is None:
        return None  # Whoever hides plays on the phone; a card may have to be turned up first.
    tap_only = keeps_secret(game, seat)
    taken = game.deeds[session.turn_start :]
    start = observe(undone(game, len(taken)), seat) if taken else None
    closing = _closing(game, seat)
    following = None if closing is None or tap_only else _following(game, seat, closing)
    scene = Scene(observe(game, seat), start, following, not tap_only)
    return Ground(session, seat, taken, scene, closing, tap_only, tap_only and not game.deferred)


def keeps_secret(game: Game, seat: str) -> bool:
    """Whether somebody else's secret could answer this seat's turn."""
    sides = game.table.sides
    return game.deferred or any(sides[other] != sides[seat] for other in game.table.secretive)


def _closing(game: Game, seat: str) -> Step | None:
    """Give the step that would close the turn as it stands."""
    view = observe(game, seat)
    if may_end(view):
        return End()
    return Pass() if may_pass(view) else None


def _following(game: Game, seat: str, closing: Step) -> View | None:
    """Give the next player's view, if there is a next turn on the board."""
    outcome = attempt(game, seat, closing)
    if not isinstance(outcome, Outcome) or outcome.game.to_move is None:
        return None
    after = outcome.game
    if after.plan.turn is None or after.table.sides[after.to_move or ""] in after.table.hidden:
        return None
    return observe(after, after.to_move or "")
