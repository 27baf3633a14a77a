"""Taking a board as the truth: which worker is which, and whether it can be a board at all."""

from __future__ import annotations

from typing import Any

from companion.referee.resync import named_workers
from companion.table.session import Session
from engine.board import CELLS, format_cell
from engine.opening import position_to_json
from vision.reading import DOME, Board


def accepted_position(board: Board, session: Session) -> dict[str, Any] | str:
    """Write a board as a position, without what is hidden; the key of a text where it cannot be one.

    Workers of one side look alike: each keeps its name where it stands, the others take the nearest.
    """
    truth = session.game.between
    hidden = session.game.table.hidden
    placed = named_workers(board, {w: c for w, c in truth.pos.workers.items() if w[0] not in hidden})
    if placed is None:
        return "sync.too_many_workers"
    data = position_to_json(truth.pos)
    data["board"] = [
        "".join(str(_height(board, truth.pos.proxies, 5 * row + column)) for column in range(5))
        for row in range(4, -1, -1)
    ]
    data["domes"] = [format_cell(cell) for cell in CELLS if board[cell].top == DOME]
    data["workers"] = {worker: format_cell(cell) for worker, cell in sorted(placed.items())}
    return {"position": {**data, "to_move": truth.to_move, "out": list(truth.out)}}


def _height(board: Board, proxies: int, cell: int) -> int:
    """The blocks of a cell; a lone dome that stands for a tower is three."""
    return 3 if proxies >> cell & 1 and board[cell].top == DOME else board[cell].height
