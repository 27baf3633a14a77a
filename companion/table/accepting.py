"""Taking a board as the truth, as seen or set by hand: which worker is which, who moves, can it be one."""

from __future__ import annotations

from typing import Any, Final

from companion.referee.boards import standing
from companion.referee.resync import named_workers
from companion.table.commands import EditBoard, Reply, refused
from companion.table.facts import ACCEPTED, Fact
from companion.table.session import Session
from engine.board import CELLS, format_cell, parse_cell
from engine.explain import explain
from engine.game import Game, Outcome, attempt
from engine.opening import position_to_json
from engine.steps import End
from engine.view import observe, observe_public
from vision.reading import DOME, Board, Content, alternatives

ANY: Final = alternatives("ABCD")
"""Whatever may stand on a space."""


def known_board(session: Session) -> Board:
    """Say how the table should look."""
    return standing(observe_public(session.game))


def edited(session: Session, command: EditBoard) -> Board:
    """Give the known board with the spaces that were set by hand."""
    board = list(known_board(session))
    for name, edit in command.cells.items():
        board[parse_cell(name)] = Content(edit.height, edit.top[:1] if edit.top != DOME else DOME)
    return tuple(board)


def accepted(board: Board, session: Session, to_move: str | None = None) -> Fact | Reply:
    """Say that the game goes on from a board, where somebody may be to move then; or why it cannot."""
    if to_move is not None and not _plays_on(session.game, to_move):
        return refused("error.not_allowed")
    payload = accepted_position(board, session, to_move)
    if isinstance(payload, str):
        return refused("sync.impossible", {"what": {"key": payload, "facts": {}}})
    return Fact(ACCEPTED, payload)


def _plays_on(game: Game, seat: str) -> bool:
    """Whether a seat is in the game and not out of it."""
    return seat in game.table.seats and game.table.sides[seat] not in game.between.out


def accepted_position(board: Board, session: Session, to_move: str | None = None) -> dict[str, Any] | str:
    """Write a board as a position, without what is hidden; the key of a text where it cannot be one.

    Workers of one side look alike: each keeps its name where it stands, the others take the nearest.
    Where nobody says who is to move, it is whoever was.
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
    return {"position": {**data, "to_move": to_move or truth.to_move, "out": list(truth.out)}}


def _height(board: Board, proxies: int, cell: int) -> int:
    """The blocks of a cell; a lone dome that stands for a tower is three."""
    return 3 if proxies >> cell & 1 and board[cell].top == DOME else board[cell].height


def likely_next(session: Session, board: Board) -> str | None:
    """Guess who is to move on a board: the next seat after just one turn of the mover, else the mover.

    With somebody's secret in play nothing is guessed: what fits could tell of it.
    """
    game, mover = session.game, session.game.to_move
    if mover is None or game.over or game.truth.setup is not None or game.table.secretive:
        return mover
    found = explain(observe(game, mover), [_only(content) for content in board], 1)
    if not found or found[0].differing or not found[0].ends:
        return mover
    for seat, step in (*zip(found[0].seats, found[0].steps, strict=True), (mover, End())):
        outcome = attempt(game, seat, step) if game.to_move == mover else None
        game = outcome.game if isinstance(outcome, Outcome) else game
    return game.to_move or mover


def _only(content: Content) -> dict[tuple[int, str], float]:
    """Price a space: nothing but what stands there is free."""
    return {(other.height, other.top): float(other != content) for other in ANY}
