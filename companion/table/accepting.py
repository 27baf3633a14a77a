"""Taking a board as the truth, as seen or set by hand: which worker is which, can it be one at all."""

from __future__ import annotations

from typing import Any

from companion.referee.boards import standing
from companion.referee.resync import named_workers
from companion.table.commands import EditBoard
from companion.table.session import Session
from engine.board import CELLS, format_cell, parse_cell
from engine.opening import position_to_json
from engine.view import observe_public
from vision.reading import DOME, Board, Content


def known_board(session: Session) -> Board:
    """Say how the table should look."""
    return standing(observe_public(session.game))


def edited(session: Session, command: EditBoard) -> Board:
    """Give the known board with the spaces that were set by hand."""
    board = list(known_board(session))
    for name, edit in command.cells.items():
        board[parse_cell(name)] = Content(edit.height, edit.top[:1] if edit.top != DOME else DOME)
    return tuple(board)


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
