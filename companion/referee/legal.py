"""What may legally have been played: turns and beginnings of turns, and the boards they lead to."""

from __future__ import annotations

from collections.abc import Iterator

from companion.referee.boards import Costs, board_of, cost_of
from companion.referee.decisions import Candidate
from engine.position import Seen
from engine.rules.flow import finish_turn
from engine.rules.search import legal, owes
from engine.state import State
from engine.steps import Step
from engine.view import View
from vision.reading import Board


def legal_candidates(view: View, costs: Costs, limit: int = 40) -> tuple[Candidate, ...]:
    """List turns and beginnings of turns by how cheaply their boards explain the reading, one a board."""
    best: dict[Board, Candidate] = {}
    for found in _reached(view.state, view.seat, ()):
        known = best.get(found.board)
        if known is None or _prefer(found, known):
            best[found.board] = found
    ranked = sorted(best.values(), key=lambda c: cost_of(c.board, costs))
    return tuple(ranked[:limit])


def _prefer(new: Candidate, known: Candidate) -> bool:
    """Prefer a complete turn to a beginning, then fewer steps."""
    return (not new.ends, len(new.steps)) < (not known.ends, len(known.steps))


def _reached(state: State[Seen], seat: str, done: tuple[Step, ...]) -> Iterator[Candidate]:
    """Go through everything that can be reached by legal steps."""
    turn = state.turn
    if turn is None or turn.over:
        return
    for step, (_, next_) in legal(state, seat).items():
        steps = (*done, step)
        won = next_.winner is not None
        ends = won or (next_.turn is not None and owes(next_) is None)
        after = finish_turn(next_) if ends and not won else next_
        more = not won and next_.turn is not None and bool(legal(next_, seat))
        yield Candidate(steps, board_of(after.pos), ends, more)
        yield from _reached(next_, seat, steps)


def wins(view: View, steps: tuple[Step, ...]) -> bool:
    """Whether these steps end the game by themselves, as far as the seat can know."""
    state = view.state
    for step in steps:
        state = legal(state, view.seat)[step][1]
    return state.winner is not None
