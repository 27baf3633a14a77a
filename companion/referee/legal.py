"""What may legally have been played: turns and beginnings of turns, and the boards they lead to."""

from __future__ import annotations

from companion.referee.boards import Costs
from companion.referee.decisions import Candidate
from engine.board import format_cell
from engine.explain import Explained, explain
from engine.legal import forward
from engine.refusal import Refusal
from engine.steps import Build, Step
from engine.view import View
from vision.reading import Content


def legal_candidates(view: View, costs: Costs, limit: int = 40) -> tuple[Candidate, ...]:
    """List turns and beginnings of turns by how cheaply their boards explain the reading, one a board."""
    return tuple(_candidate(found) for found in explain(view, costs, limit))


def _candidate(found: Explained) -> Candidate:
    """Write what the rules found with boards as the camera sees them."""
    board = tuple(Content(height, top) for height, top in found.board)
    return Candidate(found.steps, board, found.ends, found.goes_on, seats=found.seats)


def in_order(view: View, candidate: Candidate) -> Candidate:
    """Name the builds at the end of a turn in the order of their spaces, where any order is legal.

    A picture does not tell which of two blocks came first; always writing them alike lets records compare.
    """
    count = len(candidate.steps)
    while count and isinstance(candidate.steps[count - 1], Build):
        count -= 1
    builds = [step for step in candidate.steps[count:] if isinstance(step, Build)]
    ordered = sorted(builds, key=lambda build: format_cell(build.cell))
    steps = (*candidate.steps[:count], *ordered)
    apart = len({(build.worker, build.cell) for build in builds}) == len(builds)
    if steps == candidate.steps or not apart or view_after(view, steps) is None:
        return candidate
    return Candidate(steps, candidate.board, candidate.ends, candidate.goes_on, seats=candidate.seats)


def view_after(view: View, steps: tuple[Step, ...]) -> View | None:
    """Give the view after the seat's own steps; None where one is refused."""
    now = view
    for step in steps:
        after = forward(now, step)
        if isinstance(after, Refusal):
            return None
        now = after
    return now


def wins(view: View, steps: tuple[Step, ...]) -> bool:
    """Whether these steps end the game by themselves, as far as the seat can know."""
    after = view_after(view, steps)
    return after is not None and after.state.winner is not None
