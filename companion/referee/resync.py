"""Taking a board as it stands for the truth: which worker is which, and whether it can be a board at all."""

from __future__ import annotations

from collections.abc import Mapping

from engine.board import CELLS, format_cell
from engine.game import Game, begin
from engine.opening import Opening, position_to_json
from engine.remembering import memory_to_json
from engine.setup import SetupError
from vision.reading import DOME, Board


def named_workers(board: Board, known: Mapping[str, int]) -> dict[str, int] | None:
    """Say which worker stands where; None where there are more of a colour than there can be.

    Workers of one side look alike: each keeps its name where it stands, the others take the nearest.
    """
    left = dict(known)
    placed: dict[str, int] = {}
    at = {cell: content.top for cell, content in enumerate(board) if content.top not in ("", DOME)}
    for worker, cell in known.items():
        if at.get(cell) == worker[0]:
            placed[worker] = cell
            del left[worker], at[cell]
    for cell, side in at.items():
        same = [worker for worker in left if worker[0] == side]
        if not same:
            return None
        nearest = min(same, key=lambda worker: _distance(left[worker], cell))
        placed[nearest] = cell
        del left[nearest]
    return dict(sorted(placed.items()))


def _distance(a: int, b: int) -> int:
    """King's moves between two cells."""
    return max(abs(a % 5 - b % 5), abs(a // 5 - b // 5))


def board_to_rows(board: Board) -> dict[str, list[str]]:
    """Write blocks and domes as a position has them."""
    rows = ["".join(str(board[5 * row + c].height) for c in range(5)) for row in range(4, -1, -1)]
    return {"board": rows, "domes": [format_cell(cell) for cell in CELLS if board[cell].top == DOME]}


def begun_at(game: Game, board: Board) -> Game | None:
    """Begin anew from a board, as if the player to move had just played towards it.

    None where the board cannot be one: too many workers of a colour, or a side without any.
    """
    truth = game.between
    placed = named_workers(board, truth.pos.workers)
    seats = game.table.seats
    if placed is None or truth.to_move is None or any(seat not in {w[0] for w in placed} for seat in seats):
        return None
    following = seats[(seats.index(truth.to_move) + 1) % len(seats)]
    data = position_to_json(truth.pos)
    data |= board_to_rows(board)
    data["workers"] = {worker: format_cell(cell) for worker, cell in placed.items()}
    data |= {"to_move": following, "out": list(truth.out)}
    try:
        opening = Opening.from_json({"position": data, "memory": memory_to_json(truth.memory)})
        return begin(game.setup, opening)
    except SetupError:
        return None
