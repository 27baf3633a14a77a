"""What hands may have done, lawful or not: the few things that explain what is seen better than nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from companion.referee.boards import Costs
from engine.board import CELLS
from engine.steps import Build, Force, Move, Remove, Step, Unbuild
from vision.reading import DOME, Board, Content

MOST_SHIFTS: Final = 4
"""Of every worker."""
MOST_CELLS: Final = 6
HIGHEST: Final = 3


@dataclass(frozen=True)
class Shift:
    """A worker that stands elsewhere now, or is gone (`end` is None)."""

    worker: str
    start: int
    end: int | None


@dataclass(frozen=True)
class Piece:
    """One piece more on a cell: a block or a dome; or one block less."""

    cell: int
    dome: bool = False
    less: bool = False


@dataclass(frozen=True)
class Deed:
    """Everything that hands did between two looks, and the board after it."""

    shifts: tuple[Shift, ...]
    pieces: tuple[Piece, ...]
    board: Board


def deeds(here: Board, workers: Mapping[str, int], side: str, costs: Costs) -> Iterator[Deed]:
    """List deeds that make the board fit better than it does, the mover's side being `side`."""
    for shifts in _shiftings(here, workers, side, costs):
        moved = _shifted(here, shifts)
        for pieces in _pieces(moved, costs):
            board = _built(moved, pieces)
            if board is not None and board != here:
                yield Deed(shifts, pieces, board)


# ---- workers -------------------------------------------------------------------------------------------


def _shiftings(
    here: Board, workers: Mapping[str, int], side: str, costs: Costs
) -> Iterator[tuple[Shift, ...]]:
    """Say which workers may have gone where: nobody, one, or two, one of the mover's among them."""
    yield ()
    singles = _singles(here, workers, costs)
    for shift in singles:
        if _free(here, (shift,)):
            yield (shift,)
    for one, two in combinations(singles, 2):
        if one.worker != two.worker and side in (one.worker[0], two.worker[0]) and _free(here, (one, two)):
            yield (one, two) if one.worker[0] == side else (two, one)


def _singles(here: Board, workers: Mapping[str, int], costs: Costs) -> list[Shift]:
    """Give, of every worker, the shifts that save most."""
    found: list[tuple[float, Shift]] = []
    for worker, start in workers.items():
        left = _dear(here, start, costs) - _least(costs, start, worker[0], False)
        ranked = [(left, Shift(worker, start, None))]
        for end in CELLS:
            if end != start and here[end].top != DOME:
                come = _dear(here, end, costs) - _least(costs, end, worker[0], True)
                ranked.append((left + come, Shift(worker, start, end)))
        ranked.sort(key=lambda entry: -entry[0])
        found += [entry for entry in ranked[:MOST_SHIFTS] if entry[0] > 0]
    found.sort(key=lambda entry: -entry[0])
    return [shift for _, shift in found]


def _dear(board: Board, cell: int, costs: Costs) -> float:
    """Say what a cell costs as it stands."""
    return costs[cell].get((board[cell].height, board[cell].top), 0.0)


def _least(costs: Costs, cell: int, side: str, there: bool) -> float:
    """Say the least that a cell can cost with a worker of a side on it, or without."""
    return min((cost for (_, top), cost in costs[cell].items() if (top == side) is there), default=0.0)


def _free(here: Board, shifts: tuple[Shift, ...]) -> bool:
    """Whether every worker comes to a cell that is free by then."""
    ends = [shift.end for shift in shifts if shift.end is not None]
    left = {shift.start for shift in shifts}
    return len(set(ends)) == len(ends) and all(here[end].top == "" or end in left for end in ends)


def _shifted(here: Board, shifts: tuple[Shift, ...]) -> Board:
    """Give the board after workers went elsewhere."""
    board = list(here)
    for shift in shifts:
        board[shift.start] = Content(here[shift.start].height)
    for shift in shifts:
        if shift.end is not None:
            board[shift.end] = Content(here[shift.end].height, shift.worker[0])
    return tuple(board)


# ---- pieces --------------------------------------------------------------------------------------------


def _pieces(board: Board, costs: Costs) -> Iterator[tuple[Piece, ...]]:
    """Say what may have been put or taken: nothing, one piece or two, where that explains more."""
    yield ()
    singles: list[tuple[float, Piece]] = []
    for cell in CELLS:
        for piece in (Piece(cell), Piece(cell, dome=True), Piece(cell, less=True)):
            after = _built(board, (piece,))
            if after is not None:
                saved = _dear(board, cell, costs) - _dear(after, cell, costs)
                singles.append((saved, piece))
    singles.sort(key=lambda entry: -entry[0])
    best = [piece for saved, piece in singles[:MOST_CELLS] if saved > 0]
    yield from ((piece,) for piece in best)
    yield from combinations(best, 2)
    yield from (
        (piece, Piece(piece.cell, dome))
        for piece in best
        if not piece.dome and not piece.less
        for dome in (False, True)
    )


def _built(board: Board, pieces: tuple[Piece, ...]) -> Board | None:
    """Give the board with pieces more or less, or None where that cannot be."""
    cells = list(board)
    for piece in pieces:
        content = cells[piece.cell]
        if content.top or (piece.less and not content.height):
            return None
        if content.height == HIGHEST and not piece.dome and not piece.less:
            return None
        cells[piece.cell] = _one_more(content, piece)
    return tuple(cells)


def _one_more(content: Content, piece: Piece) -> Content:
    """Give a cell with one piece more or less."""
    if piece.less:
        return Content(content.height - 1)
    return Content(content.height, DOME) if piece.dome else Content(content.height + 1)


def without_consequences(here: Board, steps: tuple[Step, ...]) -> Board | None:
    """Give the board after steps alone, before what they bring with them is done; None where none can."""
    board = list(here)
    for step in steps:
        match step:
            case Move(worker, start, end) if not board[end].top:
                board[start], board[end] = Content(board[start].height), Content(board[end].height, worker[0])
            case Build(_, cell, dome) if not board[cell].top:
                board[cell] = _one_more(board[cell], Piece(cell, dome))
            case _:
                return None
    return tuple(board)


# ---- as steps ------------------------------------------------------------------------------------------


def steps_of(deed: Deed, side: str) -> tuple[Step, ...]:
    """Write a deed as steps: own workers move, others are carried or removed; the last own one builds."""
    steps: list[Step] = []
    builder = ""
    alone = all(shift.worker[0] != side for shift in deed.shifts)
    for shift in deed.shifts:
        if shift.end is None:
            steps.append(Remove(shift.worker))
        elif shift.worker[0] == side or alone:
            steps.append(Move(shift.worker, shift.start, shift.end))
            builder = shift.worker
        else:
            steps.append(Force(shift.worker, shift.start, shift.end))
    steps += [Unbuild(piece.cell) for piece in deed.pieces if piece.less]
    steps += [Build(builder, piece.cell, piece.dome) for piece in deed.pieces if not piece.less]
    return tuple(steps)
