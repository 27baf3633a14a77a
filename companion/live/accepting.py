"""Taking a board as the truth: which worker is which, and whether it can be a board at all."""

from __future__ import annotations

from typing import Any

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


def named_workers(board: Board, known: dict[str, int]) -> dict[str, int] | None:
    """Say which worker stands where; None where there are more of a colour than there can be."""
    left = dict(known)
    placed: dict[str, int] = {}
    standing = {cell: content.top for cell, content in enumerate(board) if content.top not in ("", DOME)}
    for worker, cell in known.items():
        if standing.get(cell) == worker[0]:
            placed[worker] = cell
            del left[worker], standing[cell]
    for cell, side in standing.items():
        same = [w for w in left if w[0] == side]
        if not same:
            return None
        nearest = min(same, key=lambda w: _distance(left[w], cell))
        placed[nearest] = cell
        del left[nearest]
    return placed


def _distance(a: int, b: int) -> int:
    """King's moves between two cells."""
    return max(abs(a % 5 - b % 5), abs(a // 5 - b // 5))
