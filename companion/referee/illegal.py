"""What may have been played against the rules: the few things hands do wrong, towards what is seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from companion.referee.boards import Costs, board_of, cost_of
from companion.referee.decisions import Candidate
from engine.board import CELLS
from engine.legal import forward
from engine.refusal import WRONG_WORKER, Refusal
from engine.steps import Build, Move, Step
from engine.view import View
from vision.reading import DOME, Board, Content

MOST_PLACES = 8
MOST_CELLS = 6


@dataclass(frozen=True)
class Piece:
    """One piece put on a cell: a block or a dome."""

    cell: int
    dome: bool


Walk = tuple[str, int, int]


def illegal_candidates(
    view: View, costs: Costs, legal_boards: frozenset[Board], limit: int = 16
) -> tuple[Candidate, ...]:
    """List unlawful deeds of the mover by how cheaply their boards explain the reading, one a board."""
    here = board_of(view.position)
    found: dict[Board, Candidate] = {}
    for walks in _walkings(view, here, costs):
        walked = _walked(here, walks)
        for pieces in _buildings(walked, costs, bool(walks)):
            board = _built(walked, pieces)
            if board is None or board in legal_boards or board == here or board in found:
                continue
            found[board] = Candidate(_steps(walks, pieces), board, ends=False)
    ranked = sorted(found.values(), key=lambda c: cost_of(c.board, costs))[:limit]
    return tuple(judged for c in ranked if (judged := _judged(view, c)) is not None)


def _walkings(view: View, here: Board, costs: Costs) -> Iterator[tuple[Walk, ...]]:
    """Say which workers may have gone where: nobody, one, or both."""
    yield ()
    side = view.state.table.sides[view.seat]
    workers = {w: c for w, c in view.position.workers.items() if w[0] == side}
    walks: list[tuple[float, Walk]] = []
    for worker, start in workers.items():
        for end in CELLS:
            if end != start and here[end].top == "":
                walks.append((_gain(here, (worker, start, end), costs), (worker, start, end)))
    walks.sort(key=lambda entry: -entry[0])
    best = [walk for gain, walk in walks[:MOST_PLACES] if gain > 0]
    yield from ((walk,) for walk in best)
    for one, two in combinations(best, 2):
        if one[0] != two[0] and one[2] != two[2]:
            yield (one, two)


def _gain(here: Board, walk: Walk, costs: Costs) -> float:
    """Say how much cheaper the two cells of a walk may become, whatever is built on them."""
    _, start, end = walk
    side = walk[0][0]
    left = min((cost for (_, top), cost in costs[start].items() if top != side), default=0.0)
    come = min((cost for (_, top), cost in costs[end].items() if top == side), default=0.0)
    before = sum(costs[c].get((here[c].height, here[c].top), 0.0) for c in (start, end))
    return before - left - come


def _walked(here: Board, walks: tuple[Walk, ...]) -> Board:
    """Give the board after workers went elsewhere."""
    board = list(here)
    for _, start, _end in walks:
        board[start] = Content(board[start].height)
    for worker, _start, end in walks:
        board[end] = Content(board[end].height, worker[0])
    return tuple(board)


def _buildings(board: Board, costs: Costs, walked: bool) -> Iterator[tuple[Piece, ...]]:
    """Say what may have been built: nothing, one piece or two, where that explains the reading better."""
    yield ()
    singles: list[tuple[float, Piece]] = []
    for cell in CELLS:
        for dome in (False, True):
            after = _built(board, (Piece(cell, dome),))
            if after is not None:
                singles.append((_saved(board, after, cell, costs), Piece(cell, dome)))
    singles.sort(key=lambda entry: -entry[0])
    best = [piece for saved, piece in singles[:MOST_CELLS] if saved > 0]
    yield from ((piece,) for piece in best)
    yield from combinations(best, 2)
    yield from ((piece, Piece(piece.cell, dome)) for piece in best for dome in (False, True))


def _saved(board: Board, after: Board, cell: int, costs: Costs) -> float:
    """Say how much cheaper a cell becomes."""
    old, new = board[cell], after[cell]
    return costs[cell].get((old.height, old.top), 0.0) - costs[cell].get((new.height, new.top), 0.0)


def _built(board: Board, pieces: tuple[Piece, ...]) -> Board | None:
    """Give the board with pieces more, or None where they cannot stand."""
    cells = list(board)
    for piece in pieces:
        content = cells[piece.cell]
        if content.top or (content.height == 3 and not piece.dome):
            return None
        cells[piece.cell] = (
            Content(content.height, DOME) if piece.dome else Content(content.height + 1, content.top)
        )
    return tuple(cells)


def _steps(walks: tuple[Walk, ...], pieces: tuple[Piece, ...]) -> tuple[Step, ...]:
    """Write the deeds as steps: the last one that went somewhere builds."""
    moves: tuple[Step, ...] = tuple(Move(*walk) for walk in walks)
    builder = walks[-1][0] if walks else ""
    return moves + tuple(Build(builder, piece.cell, piece.dome) for piece in pieces)


def _judged(view: View, candidate: Candidate) -> Candidate | None:
    """Find the first step that is not legal and why; None when all of them are."""
    moves = [step for step in candidate.steps if isinstance(step, Move)]
    if len(moves) == 2:
        facts: dict[str, str | int] = {"worker": moves[1].worker}
        return Candidate(candidate.steps, candidate.board, False, False, Refusal(WRONG_WORKER, facts), 1)
    now: View = view
    for number, step in enumerate(candidate.steps):
        after = forward(now, step)
        if isinstance(after, Refusal):
            return Candidate(candidate.steps, candidate.board, False, False, after, number)
        now = after
    return None
