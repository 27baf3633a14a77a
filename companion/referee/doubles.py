"""Two turns between two looks: the next player was quick, or hands never left the picture in between."""

from __future__ import annotations

import math
from typing import Final

from companion.referee.boards import cost_of, costs_of
from companion.referee.chances import USUAL, Weighed
from companion.referee.decisions import Candidate
from companion.referee.fits import Sight, fits_of
from companion.referee.legal import legal_candidates, view_after
from companion.referee.odds import Odds
from engine.rules.flow import extra_owed, finish_turn, next_seat
from engine.state import Secret
from engine.steps import End
from engine.view import View, begun

FIRSTS: Final = 24
SECONDS: Final = 3
MOST: Final = 6
RARE: Final = math.log(0.02)
"""Two turns at once are seldom."""


def doubles(view: View, sight: Sight, odds: Odds) -> tuple[Weighed, ...]:
    """Weigh two complete turns one after the other; only where nobody's secret could answer the first."""
    costs = costs_of(sight.reading)
    found: dict[object, Candidate] = {}
    for first in legal_candidates(view, costs, FIRSTS):
        after = following(view, first) if first.ends else None
        if after is None:
            continue
        for second in legal_candidates(after, costs, SECONDS):
            if second.ends:
                found.setdefault(second.board, _joined(view, first, after, second))
    ranked = sorted(found.values(), key=lambda candidate: cost_of(candidate.board, costs))[:MOST]
    if not ranked:
        return ()
    fits = fits_of([candidate.board for candidate in ranked], sight, odds)
    prior = odds.turn - math.log(USUAL) + RARE
    weighed = [Weighed(c, c.board, prior + fit, fit) for c, fit in zip(ranked, fits, strict=True)]
    return tuple(sorted(weighed, key=lambda entry: -entry.log))


def following(view: View, turn: Candidate) -> View | None:
    """Give what the next player knows after a complete turn; None when the game is over then."""
    after = view_after(view, turn.steps)
    if after is None or after.state.winner is not None:
        return None
    state = finish_turn(after.state)
    if state.winner is not None:
        return None
    seat = view.seat if extra_owed(state, view.seat) else next_seat(state, view.seat)
    state = begun(state._replace(turn=None, to_move=seat))
    return View(seat, state, Secret(), (), "", (seat,), view.setup)


def _joined(view: View, first: Candidate, after: View, second: Candidate) -> Candidate:
    """Write two turns as one candidate."""
    seats = (first.seats or (view.seat,) * len(first.steps)) + (view.seat,)
    more = second.seats or (after.seat,) * len(second.steps)
    steps = (*first.steps, End(), *second.steps)
    return Candidate(steps, second.board, second.ends, second.goes_on, seats=(*seats, *more))
