"""How well boards explain a picture, and what it would take to have misread it.

Likelihoods of pictures are too sure of themselves: what spoils one pixel spoils its neighbours too. So a
board that does not fit is never ruled out by more than the price of the misreadings it would take, and of
where workers stand a likelihood says the less, the more of the cells in question is in view.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from companion.referee.boards import cost_of, costs_of, differing
from companion.referee.odds import Odds
from vision.reading import DOME, Board, Content, Reading

Joint = Callable[[Sequence[Board]], Sequence[float]]
"""Log-likelihoods of whole boards for the picture in question, comparable with each other."""
Habits = Mapping[int, tuple[int, int]]
"""Towers that were read wrong before: how high they were, and what was read instead."""

TAIL: Final = 1.2
TAIL_FROM: Final = 10.0
"""Misreadings that fit worse than this are rarer; one of four times as much costs what is on the list."""
IN_VIEW: Final = 0.3
"""Of a cell less in view than this, reading it wrong is less of a surprise."""
LEAST: Final = 0.5
"""What misreading a cell that is out of view costs at least, of its price."""
FAR: Final = 250.0
DEAR: Final = 12.0
"""Boards that fit so badly, and take so unlikely a misreading, need no closer look."""
COLUMNS: Final = 5


Closer = Callable[[Sequence[Board]], "Sight | None"]
"""Looks closer where one look leaves these boards in question; None where that shows no more."""


@dataclass(frozen=True)
class Sight:
    """One look at the table, ready to be compared with boards."""

    reading: Reading
    joint: Joint
    habits: Habits = field(default_factory=dict)
    closer: Closer = lambda boards: None


def fits_of(
    boards: Sequence[Board],
    sight: Sight,
    odds: Odds,
    short: frozenset[Board] = frozenset(),
    habits: Sequence[Habits] | None = None,
) -> list[float]:
    """Say how well boards explain the picture, against the best of them and of what was read.

    Boards that are `short` of a worker explain nothing better than what was read: the eye has counted.
    `habits` are those of each board's own past, where there are rival ones.
    """
    best = sight.reading.best
    known = [sight.habits] * len(boards) if habits is None else habits
    excused = [_excused(board, best, own) for board, own in zip(boards, known, strict=True)]
    far = _far(boards, excused, known, sight.reading, odds)
    plain, behind = _likelihoods([*boards, *excused], far, sight, odds, short)
    fits = []
    for board, other, own in zip(boards, excused, known, strict=True):
        again = plain[other] - odds.again if other != board else -math.inf
        misread = _misread(board, behind[board], sight.reading, own, odds)
        fits.append(sum_of_logs(plain[board], again, misread) - odds.cured * _cured(board, best, own))
    return fits


def _far(
    boards: Sequence[Board],
    excused: Sequence[Board],
    known: Sequence[Habits],
    reading: Reading,
    odds: Odds,
) -> Mapping[Board, float]:
    """Give the boards that need no closer look, as what was read is on the list, and what they cost."""
    if reading.best not in boards:
        return {}
    costs = costs_of(reading)
    found = {}
    for board, other, own in zip(boards, excused, known, strict=True):
        cost = cost_of(board, costs)
        if other == board and cost > FAR and price(board, reading, own, odds) > DEAR:
            found[board] = cost
    return found


def _likelihoods(
    boards: Sequence[Board],
    far: Mapping[Board, float],
    sight: Sight,
    odds: Odds,
    short: frozenset[Board],
) -> tuple[dict[Board, float], dict[Board, float]]:
    """Say how much worse than the best boards explain the picture: as far as it is believed, and plainly."""
    best = sight.reading.best
    shown = [board for board in dict.fromkeys([best, *boards]) if board not in far]
    scores = dict(zip(shown, sight.joint(shown), strict=True))
    scores |= {board: min(scores[board], scores[best]) for board in short if board in scores}
    lead = max(shown, key=lambda board: scores[board])
    behind = {board: scores[lead] - score for board, score in scores.items()} | dict(far)
    plain = {board: -behind[board] / temper(board, lead, sight.reading, odds) for board in behind}
    # The eye knows more than likelihoods say: outlines, and how many figures there are.
    return plain | {best: 0.0}, behind


def temper(board: Board, lead: Board, reading: Reading, odds: Odds) -> float:
    """Say by how much a likelihood is too sure: pixels err together, so the more of them the more it is."""
    off = differing(board, lead)
    seen = sum(reading.visible[cell] for cell in off if board[cell].top != lead[cell].top)
    return 1.0 + odds.dazzle * min(1.0, seen)


def _misread(board: Board, deficit: float, reading: Reading, habits: Habits, odds: Odds) -> float:
    """Say how likely a board is to be read as the one that was read."""
    if board == reading.best:
        return -math.inf
    cost = price(board, reading, habits, odds)
    return -cost - _tail(deficit) * min(1.0, cost / odds.height_off)


def _tail(deficit: float) -> float:
    """Say how much rarer a misreading is the worse the board fits: a little, for gross errors do happen."""
    return max(-1.0, TAIL * math.log((1 + max(0.0, deficit) / TAIL_FROM) / 5))


def _excused(board: Board, best: Board, habits: Habits) -> Board:
    """Give the board as it would be read by an eye that errs where it erred before."""
    return tuple(
        Content(best[cell].height, content.top) if _errs(habits, cell, content, best[cell]) else content
        for cell, content in enumerate(board)
    )


def _errs(habits: Habits, cell: int, real: Content, read: Content) -> bool:
    """Whether a height was read wrong in just this way before."""
    return real.height != read.height and habits.get(cell) == (real.height, read.height)


def _cured(board: Board, best: Board, habits: Habits) -> int:
    """Count the towers that would be right now though they look as they did when they were read wrong."""
    return sum(
        board[cell].height != real and best[cell].height == read for cell, (real, read) in habits.items()
    )


def price(board: Board, reading: Reading, habits: Habits, odds: Odds) -> float:
    """Say what it takes to read a board as what was read; of errors that go together one is dear."""
    off = differing(board, reading.best)
    parts = sorted(
        ((_cell_price(board[cell], reading.best[cell], habits.get(cell), odds), cell) for cell in off),
        key=lambda part: -part[0] * in_view(reading, part[1]),
    )
    total, paid = 0.0, list[int]()
    for cost, cell in parts:
        alike = any(_go_together(cell, other, board, reading.best) for other in paid)
        total += cost * in_view(reading, cell) * (odds.together if alike else 1.0)
        paid.append(cell)
    return total


def _cell_price(real: Content, read: Content, habit: tuple[int, int] | None, odds: Odds) -> float:
    """Say what it takes to read one cell as another."""
    steps = abs(real.height - read.height)
    off = odds.third_off if (real.height, read.height) == (3, 2) else odds.height_off
    cost = 0.0 if not steps else off + odds.further * (steps - 1)
    if steps and habit == (real.height, read.height):
        cost = odds.again
    return cost + (odds.top_off if real.top != read.top else 0.0)


def _go_together(one: int, two: int, board: Board, best: Board) -> bool:
    """Whether two cells are likely to be misread at once: neighbours, or a worker read elsewhere."""
    apart = max(abs(one % COLUMNS - two % COLUMNS), abs(one // COLUMNS - two // COLUMNS))
    return apart <= 1 or _elsewhere(one, two, board, best) or _elsewhere(two, one, board, best)


def _elsewhere(real: int, read: int, board: Board, best: Board) -> bool:
    """Whether a worker that stands in one cell was read in the other."""
    side = board[real].top
    worker = side not in ("", DOME)
    return worker and best[real].top != side and best[read].top == side and board[read].top != side


def errors_of(real: Board, read: Board) -> dict[int, tuple[int, int]]:
    """List the towers that were read wrong: how high they are, and what was read instead."""
    heights = {cell: (real[cell].height, read[cell].height) for cell in differing(real, read)}
    return {cell: pair for cell, pair in heights.items() if pair[0] != pair[1]}


def in_view(reading: Reading, cell: int) -> float:
    """Say how far a cell is in view, from little to 1 where it is enough to be read."""
    return LEAST + (1 - LEAST) * min(1.0, reading.visible[cell] / IN_VIEW)


def sum_of_logs(*logs: float) -> float:
    """Add chances given as logarithms."""
    most = max(logs)
    return most + math.log(sum(math.exp(value - most) for value in logs))
