"""How likely is what may have happened: what was to be expected, and how well it explains a picture.

Likelihoods of pictures are too sure of themselves: what spoils one pixel spoils its neighbours too. So a
board that does not fit is never ruled out by more than the price of the misreadings it would take.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from companion.referee.boards import Costs, costs_of, differing, standing
from companion.referee.decisions import Candidate
from companion.referee.illegal import illegal_candidates
from companion.referee.legal import legal_candidates
from engine.steps import Force, Move, Remove, Unbuild
from engine.view import View
from vision.reading import Board, Content, Reading

Joint = Callable[[Sequence[Board]], Sequence[float]]
"""Log-likelihoods of whole boards for the picture in question, comparable with each other."""
Habits = Mapping[int, tuple[int, int]]
"""Towers that were read wrong before: how high they were, and what was read instead."""

CELL_CAP: Final = 14.0
"""No cell speaks louder than this when candidates are chosen for a closer look."""
IN_VIEW: Final = 0.3
"""Of a cell less in view than this, reading it wrong is less of a surprise."""
SURPRISE: Final = 0.7
"""What misreading a cell that is out of view costs at least."""


@dataclass(frozen=True)
class Odds:
    """What is to be expected between two looks (natural logarithms), and what misreading a cell costs."""

    nothing: float = math.log(0.06)
    turn: float = math.log(0.75 / 100)
    prefix: float = -11.0
    illegal: float = math.log(0.08 / 1200)
    otherwise: float = -19.0
    declined: float = -1.0
    """A turn ends that might go on: few leave a power unused."""
    taken: float = -2.0
    """A block is lawfully taken away: few do."""
    height_off: float = 8.0
    top_off: float = 9.5
    again: float = 1.5
    more: float = -2.0
    """For every deed beyond three that hands did together."""
    carried: float = -3.0
    """Somebody else's worker was moved."""
    vanished: float = -7.0
    """A piece is gone, or stands for none that could be there."""
    idle: float = -4.0
    """Something was put on the board though no worker of the mover went anywhere."""
    most: int = 14


ALBUM: Final = Odds()
"""Pictures taken turn by turn."""
LIVE: Final = Odds(
    nothing=math.log(0.3), turn=math.log(0.4 / 100), prefix=math.log(0.2 / 16), illegal=math.log(0.02 / 1200)
)
"""A camera that looks on all the time: moved, not yet built is as common as a finished turn."""


@dataclass(frozen=True)
class Line:
    """One way the game may have gone so far, and how likely that is (logarithm)."""

    view: View
    log: float = 0.0


@dataclass(frozen=True)
class Weighed:
    """One candidate (None: anything else) on one line, and its log-probability, not yet normalised."""

    candidate: Candidate | None
    board: Board
    log: float
    fit: float = 0.0
    """How well the board explains the picture, without what was expected; 0 is the best of all."""
    line: int = 0


@dataclass(frozen=True)
class Sight:
    """One look at the table, ready to be compared with boards."""

    reading: Reading
    joint: Joint
    habits: Habits = field(default_factory=dict)


def weigh(lines: Sequence[Line], sight: Sight, odds: Odds) -> tuple[Weighed, ...]:
    """Weigh everything that may have happened on any of the lines, the likeliest first."""
    costs = costs_of(sight.reading)
    entries: list[tuple[int, Candidate]] = []
    for number, line in enumerate(lines):
        candidates = _candidates(line.view, standing(line.view), costs)
        entries += [(number, candidate) for candidate in _chosen(candidates, costs, sight, odds)]
    fits = fits_of([candidate.board for _, candidate in entries], sight, odds)
    found = [
        Weighed(c, c.board, lines[number].log + expected(c, odds) + fit, fit, number)
        for (number, c), fit in zip(entries, fits, strict=True)
    ]
    found += [
        Weighed(None, sight.reading.best, line.log + odds.otherwise, 0.0, number)
        for number, line in enumerate(lines)
    ]
    return tuple(sorted(found, key=lambda weighed: -weighed.log))


def _candidates(view: View, here: Board, costs: Costs) -> list[Candidate]:
    """List what may have happened, one a board: nothing, lawful and unlawful deeds."""
    nothing = Candidate((), here, ends=False)
    if view.state.over:
        return [nothing]
    lawful = [c for c in legal_candidates(view, costs) if c.board != here]
    known = frozenset(c.board for c in lawful) | {here}
    return [nothing, *lawful, *illegal_candidates(view, costs, known)]


def _chosen(candidates: Sequence[Candidate], costs: Costs, sight: Sight, odds: Odds) -> list[Candidate]:
    """Choose the candidates worth a closer look; nothing is always among them."""
    rough = [_rough(candidate.board, costs, sight) - expected(candidate, odds) for candidate in candidates]
    order = sorted(range(1, len(candidates)), key=lambda number: rough[number])
    return [candidates[0], *(candidates[number] for number in order[: odds.most])]


def _rough(board: Board, costs: Costs, sight: Sight) -> float:
    """Add up what a board costs, no cell more than so much."""
    return sum(
        min(CELL_CAP * _in_view(sight.reading, cell), costs[cell].get((content.height, content.top), 0.0))
        for cell, content in enumerate(board)
    )


def _in_view(reading: Reading, cell: int) -> float:
    """Say how far a cell is in view, from little to 1 where it is enough to be read."""
    return SURPRISE / CELL_CAP + (1 - SURPRISE / CELL_CAP) * min(1.0, reading.visible[cell] / IN_VIEW)


def expected(candidate: Candidate, odds: Odds) -> float:
    """Say how likely a candidate was before anything was seen."""
    if candidate.is_nothing:
        return odds.nothing
    if candidate.refusal is not None:
        return odds.illegal + _oddity(candidate, odds)
    if not candidate.ends:
        return odds.prefix
    unbuilt = sum(isinstance(step, Unbuild) for step in candidate.steps)
    return odds.turn + odds.declined * candidate.goes_on + odds.taken * unbuilt


def _oddity(candidate: Candidate, odds: Odds) -> float:
    """Say how much rarer an unlawful deed is than the common ones."""
    total = odds.more * max(0, len(candidate.steps) - 3)
    for step in candidate.steps:
        if isinstance(step, Remove | Unbuild):
            total += odds.vanished
        elif isinstance(step, Force):
            total += odds.carried
    moves = [step for step in candidate.steps if isinstance(step, Move)]
    view = candidate.before
    if not moves:
        total += odds.idle
    elif view is not None and moves[0].worker[0] != view.state.table.sides[view.seat]:
        total += odds.carried
    return total


# ---- how well boards fit -------------------------------------------------------------------------------


def fits_of(boards: Sequence[Board], sight: Sight, odds: Odds) -> list[float]:
    """Say how well boards explain the picture, against the best of them and of what was read."""
    best = sight.reading.best
    excused = [_excused(board, best, sight.habits) for board in boards]
    shown = list(dict.fromkeys([best, *boards, *excused]))
    scores = dict(zip(shown, sight.joint(shown), strict=True))
    top = max(scores.values())
    fits = []
    for board, other in zip(boards, excused, strict=True):
        plain = scores[board] - top
        again = scores[other] - top - odds.again * len(differing(board, other))
        misread = -price(board, sight, odds)
        fits.append(_sum_of_logs(plain, again if other != board else -math.inf, misread))
    return fits


def _excused(board: Board, best: Board, habits: Habits) -> Board:
    """Give the board as it would be read by an eye that errs where it erred before."""
    return tuple(
        Content(best[cell].height, content.top) if _errs(habits, cell, content, best[cell]) else content
        for cell, content in enumerate(board)
    )


def _errs(habits: Habits, cell: int, real: Content, read: Content) -> bool:
    """Whether a height was read wrong in just this way before."""
    return real.height != read.height and habits.get(cell) == (real.height, read.height)


def price(board: Board, sight: Sight, odds: Odds) -> float:
    """Say what it takes to read one board as the best one."""
    total = 0.0
    best = sight.reading.best
    for cell in differing(board, best):
        real, read = board[cell], best[cell]
        steps = abs(real.height - read.height)
        part = 0.0 if not steps else odds.height_off + 2.0 * (steps - 1)
        if _errs(sight.habits, cell, real, read):
            part = odds.again
        part += odds.top_off if real.top != read.top else 0.0
        total += part * _in_view(sight.reading, cell)
    return total


def _sum_of_logs(*logs: float) -> float:
    """Add chances given as logarithms."""
    most = max(logs)
    return most + math.log(sum(math.exp(value - most) for value in logs))


def normalised(logs: Sequence[float]) -> list[float]:
    """Turn logarithms into chances that add up to one."""
    most = max(logs)
    parts = [math.exp(value - most) for value in logs]
    total = sum(parts)
    return [part / total for part in parts]
