"""What may have been played against the rules: what hands do wrong, and which rule it breaks."""

from __future__ import annotations

from typing import Final

from companion.referee.boards import Costs, board_of, cost_of
from companion.referee.decisions import Candidate
from companion.referee.deeds import Deed, deeds, steps_of
from engine.legal import forward
from engine.refusal import GAME_OVER, WRONG_WORKER, Refusal
from engine.steps import Build, Move, Step
from engine.view import View
from vision.reading import Board

MOST: Final = 12
COLUMNS: Final = 5


def illegal_candidates(
    view: View, costs: Costs, legal_boards: frozenset[Board], limit: int = MOST
) -> tuple[Candidate, ...]:
    """List unlawful deeds by how cheaply their boards explain the reading, one a board."""
    here = board_of(view.position)
    side = view.state.table.sides[view.seat]
    found: dict[Board, Deed] = {}
    for deed in deeds(here, view.position.workers, side, costs):
        if deed.board not in legal_boards:
            known = found.get(deed.board)
            if known is None or _size(deed) < _size(known):
                found[deed.board] = deed
    ranked = sorted(found.values(), key=lambda deed: (cost_of(deed.board, costs), _size(deed)))[:limit]
    return tuple(judged for deed in ranked if (judged := _judged(view, side, deed)) is not None)


def _size(deed: Deed) -> tuple[int, int]:
    """Count what hands did, and how far: workers of a side look alike, so each went the shorter way."""
    far = sum(_distance(shift.start, shift.end) for shift in deed.shifts if shift.end is not None)
    return len(deed.shifts) + len(deed.pieces), far


def _distance(a: int, b: int) -> int:
    """Count king's moves between two cells, squared: two moves of one are likelier than one of two."""
    return max(abs(a % COLUMNS - b % COLUMNS), abs(a // COLUMNS - b // COLUMNS)) ** 2


def _judged(view: View, side: str, deed: Deed) -> Candidate | None:
    """Find the first step that is not legal and why; None when all of them are."""
    verdicts = [_first_refused(view, steps, deed.board) for steps in _orders(steps_of(deed, side))]
    if any(verdict is None for verdict in verdicts):
        return None
    # Of two builds either may have come first: the one that was allowed is taken to be.
    return max((v for v in verdicts if v is not None), key=lambda candidate: candidate.at or 0)


def _orders(steps: tuple[Step, ...]) -> tuple[tuple[Step, ...], ...]:
    """Give the orders in which builds may have been done."""
    if len(steps) < 2 or not all(isinstance(step, Build) for step in steps[-2:]):
        return (steps,)
    return (steps, (*steps[:-2], steps[-1], steps[-2]))


def _first_refused(view: View, steps: tuple[Step, ...], board: Board) -> Candidate | None:
    """Go through the steps until one is refused."""
    now = view
    moved: set[str] = set()
    for number, step in enumerate(steps):
        after = forward(now, step)
        if isinstance(step, Move) and moved and step.worker not in moved:
            after = Refusal(WRONG_WORKER, {"worker": step.worker, "kind": "two"})
        if isinstance(after, Refusal):
            if after.code == GAME_OVER:
                return None  # Whoever has won may do what they like with the board.
            return Candidate(steps, board, False, False, after, number, now)
        if isinstance(step, Move):
            moved.add(step.worker)
        now = after
    return None
