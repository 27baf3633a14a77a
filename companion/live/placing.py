"""The setup by sight: all workers of the seat that is placing stand on the board."""

from __future__ import annotations

from dataclasses import dataclass

from companion.referee.boards import differing
from companion.table.accepting import known_board
from companion.table.session import Session
from engine.board import format_cell
from engine.legal import forward, next_steps
from engine.refusal import Refusal
from engine.steps import Place, format_step
from engine.view import View, observe
from vision.reading import Reading

TRUSTED = 0.9


@dataclass(frozen=True)
class Placing:
    """Where the workers of a seat stand, and the steps that say so."""

    seat: str
    cells: tuple[int, ...]
    steps: tuple[str, ...]


def placing_seen(session: Session, reading: Reading) -> Placing | None:
    """Say where a seat has placed its workers, once all of them stand and nothing else has changed."""
    game = session.game
    seat = game.to_move
    if seat is None or game.truth.setup is None or session.paused or reading.status != "stable":
        return None
    side = game.table.sides[seat]
    if side in game.table.hidden:
        return None
    known = known_board(session)
    new = differing(reading.best, known)
    fresh = all(reading.best[c].top == side and reading.best[c].height == known[c].height for c in new)
    if not new or not fresh or any(known[c].top for c in new):
        return None
    if min(reading.confidence(cell) for cell in new) < TRUSTED:
        return None
    cells = tuple(sorted(new, key=format_cell))
    steps = _steps(observe(game, seat), cells)
    return None if steps is None else Placing(seat, cells, steps)


def _steps(view: View, cells: tuple[int, ...]) -> tuple[str, ...] | None:
    """Write the placing as steps; None unless it is just what the seat has to place now."""
    steps: list[str] = []
    for cell in cells:
        fitting = [s for s in next_steps(view) if isinstance(s, Place) and s.cell == cell]
        if not fitting:
            return None
        steps.append(format_step(fitting[0]))
        after = forward(view, fitting[0])
        if isinstance(after, Refusal):
            return None
        view = after
    more = [s for s in next_steps(view) if isinstance(s, Place)]
    return None if more and view.state.to_move == view.seat else tuple(steps)
