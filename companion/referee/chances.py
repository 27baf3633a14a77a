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
from companion.referee.deeds import without_consequences
from companion.referee.illegal import illegal_candidates
from companion.referee.legal import legal_candidates
from engine.board import cells_in
from engine.steps import Force, Move, Proxy, Remove, Unbuild
from engine.view import View
from vision.reading import DOME, Board, Content, Reading

Joint = Callable[[Sequence[Board]], Sequence[float]]
"""Log-likelihoods of whole boards for the picture in question, comparable with each other."""
Habits = Mapping[int, tuple[int, int]]
"""Towers that were read wrong before: how high they were, and what was read instead."""

MANY: Final = 40
USUAL: Final = 100
"""Where so many ways are listed that the list is cut, there are about so many."""
TAIL: Final = 1.2
TAIL_FROM: Final = 10.0
"""Misreadings that fit worse than this are rarer; one of four times as much costs what is on the list."""
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
    turn: float = math.log(0.75)
    prefix: float = -17.0
    """A picture taken turn by turn shows a turn to its end."""
    illegal: float = math.log(0.08 / 1200)
    otherwise: float = -19.0
    declined: float = -1.0
    """A turn ends that might go on: few leave a power unused."""
    taken: float = -2.0
    """A block is lawfully taken away: few do."""
    height_off: float = 8.0
    third_off: float = 6.0
    """A third block is missed more easily than any other: what is below it looks much the same."""
    further: float = 2.0
    """For every level beyond the first that a tower is read wrong."""
    top_off: float = 9.5
    again: float = 0.4
    cured: float = 1.5
    """An eye that erred at a tower and reads it the same way now is hardly right this time."""
    more: float = -2.0
    """For every deed beyond three that hands did together."""
    carried: float = -5.0
    """Somebody else's worker was moved."""
    vanished: float = -10.0
    """A piece is gone, or stands for none that could be there."""
    proxy: float = -9.0
    """A complete tower was taken off for its pieces; its dome stands for it."""
    idle: float = -4.0
    """Something was put on the board though no worker of the mover went anywhere."""
    most: int = 14


ALBUM: Final = Odds()
"""Pictures taken turn by turn."""
LIVE: Final = Odds(
    nothing=math.log(0.3),
    turn=math.log(0.4),
    prefix=math.log(0.2 / 16),
    illegal=math.log(0.06 / 1200),
    otherwise=-13.0,
    height_off=7.5,
    third_off=7.0,
    further=8.0,
    top_off=16.0,
    carried=-3.0,
    vanished=-7.0,
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
    """Weigh everything that may have happened on any of the lines, the likeliest first.

    The lines are rival pasts: the same board may come up on each of them.
    """
    costs = costs_of(sight.reading)
    entries: list[tuple[int, Candidate]] = []
    ways: list[Ways] = []
    for number, line in enumerate(lines):
        candidates = _candidates(line.view, standing(line.view), costs)
        ways.append(Ways(ways_of(candidates)))
        entries += [(number, candidate) for candidate in _chosen(candidates, costs, sight, odds)]
    return _weighed(entries, lines, ways, sight, odds)


def weigh_one(
    views: Sequence[View], sight: Sight, odds: Odds, last: Board | None = None
) -> tuple[Weighed, ...]:
    """Weigh what may have happened where one past is known and several views of it are.

    A board that comes up in several views counts once, for the first. `last` is the board as it was seen
    last: it may simply still stand there.
    """
    costs = costs_of(sight.reading)
    offered = [_candidates(view, standing(view), costs) for view in views]
    offered[0] += _proxies(views[0])
    entries: dict[Board, tuple[int, Candidate]] = {}
    # What is lawful in one view is not to be called unlawful for another's sake.
    for unlawful in (False, True):
        for number, candidates in enumerate(offered):
            for candidate in candidates:
                if (candidate.refusal is not None) is unlawful:
                    entries.setdefault(candidate.board, (number, candidate))
    for board in between(last, standing(views[0]), costs):
        if board not in entries or not entries[board][1].is_nothing:
            entries[board] = (0, Candidate((), board, ends=False, still=True))
    for candidate in offered[0]:
        lagging = _unfinished(standing(views[0]), candidate)
        if lagging is not None:
            entries.setdefault(lagging.board, (0, lagging))
    kept = _chosen([candidate for _, candidate in entries.values()], costs, sight, odds)
    sure = [c for _, c in entries.values() if c.is_nothing and c.goal is None]
    chosen = [entry for entry in entries.values() if entry[1] in kept or entry[1] in sure]
    lines = [Line(views[0])] * len(views)
    pairs = zip(views, offered, strict=True)
    return _weighed(chosen, lines, [_ways_on(view, candidates) for view, candidates in pairs], sight, odds)


def _unfinished(here: Board, candidate: Candidate) -> Candidate | None:
    """Give the board on which a lawful step was taken, but not yet what it brings with it."""
    if candidate.is_nothing or candidate.refusal is not None:
        return None
    board = without_consequences(here, candidate.steps)
    if board is None or board == candidate.board:
        return None
    return Candidate((), board, ends=False, still=True, goal=candidate.board)


def between(last: Board | None, known: Board, costs: Costs) -> tuple[Board, ...]:
    """Give the board as it was seen last, and the best fitting one on its way to what is known."""
    if last is None or last == known:
        return ()

    def nearer(cell: int) -> Content:
        one, other = (costs[cell].get((c.height, c.top), 0.0) for c in (last[cell], known[cell]))
        return last[cell] if one <= other else known[cell]

    return last, tuple(nearer(cell) for cell in range(len(known)))


def _proxies(view: View) -> list[Candidate]:
    """List the boards on which only the dome of a complete tower is left."""
    here = standing(view)
    found = []
    for cell in cells_in(view.position.complete & ~view.position.proxies):
        board = (*here[:cell], Content(0, DOME), *here[cell + 1 :])
        found.append(Candidate((Proxy(cell),), board, ends=False))
    return found


def ways_of(candidates: Sequence[Candidate]) -> int:
    """Count the turns that are possible, as far as they are listed."""
    count = sum(candidate.refusal is None and candidate.ends for candidate in candidates)
    return max(1, count) if count < MANY - 1 else USUAL


@dataclass(frozen=True)
class Ways:
    """How many turns share what was to be expected of one."""

    count: int
    each: bool = False
    """So many for each step: a turn that is under way and may go on and on."""

    def of(self, candidate: Candidate) -> int:
        """Count the turns that are as likely as this one."""
        return self.count ** len(candidate.steps) if self.each else self.count


def _ways_on(view: View, candidates: Sequence[Candidate]) -> Ways:
    """Count the turns from here on: of one under way, which hands go on with step by step, the next steps."""
    turn = view.state.turn
    under_way = turn is not None and bool(turn.moves or turn.builds)
    nexts = sum(c.refusal is None and c.ends and len(c.steps) == 1 for c in candidates)
    return Ways(nexts, each=True) if under_way and nexts else Ways(ways_of(candidates))


def _weighed(
    entries: Sequence[tuple[int, Candidate]],
    lines: Sequence[Line],
    ways: Sequence[Ways],
    sight: Sight,
    odds: Odds,
) -> tuple[Weighed, ...]:
    """Weigh candidates and, on every line, anything else."""
    short = frozenset(c.board for _, c in entries if c.refusal is not None and _removes(c))
    fits = fits_of([candidate.board for _, candidate in entries], sight, odds, short)
    found = [
        Weighed(c, c.board, lines[number].log + expected(c, odds, ways[number].of(c)) + fit, fit, number)
        for (number, c), fit in zip(entries, fits, strict=True)
    ]
    found += [
        Weighed(None, sight.reading.best, line.log + odds.otherwise, 0.0, number)
        for number, line in enumerate(lines)
    ]
    return tuple(sorted(found, key=lambda weighed: -weighed.log))


def _removes(candidate: Candidate) -> bool:
    """Whether a worker is taken off the board."""
    return any(isinstance(step, Remove) for step in candidate.steps)


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


def expected(candidate: Candidate, odds: Odds, ways: int = USUAL) -> float:
    """Say how likely a candidate was before anything was seen; `ways` share what turns have."""
    if candidate.goal is not None:
        return odds.prefix - 1.0
    if candidate.is_nothing:
        return odds.nothing
    if candidate.refusal is not None:
        return odds.illegal + _oddity(candidate, odds)
    if not candidate.ends:
        return odds.proxy if isinstance(candidate.steps[0], Proxy) else odds.prefix
    unbuilt = sum(isinstance(step, Unbuild) for step in candidate.steps)
    return odds.turn - math.log(ways) + odds.declined * candidate.goes_on + odds.taken * unbuilt


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


def fits_of(
    boards: Sequence[Board], sight: Sight, odds: Odds, short: frozenset[Board] = frozenset()
) -> list[float]:
    """Say how well boards explain the picture, against the best of them and of what was read.

    Boards that are `short` of a worker explain nothing better than what was read: the eye has counted.
    """
    best = sight.reading.best
    excused = [_excused(board, best, sight.habits) for board in boards]
    shown = list(dict.fromkeys([best, *boards, *excused]))
    scores = dict(zip(shown, sight.joint(shown), strict=True))
    scores |= {board: min(scores[board], scores[best]) for board in short}
    top = max(scores.values())
    fits = []
    for board, other in zip(boards, excused, strict=True):
        plain = scores[board] - top
        again = scores[other] - top - odds.again * len(differing(board, other))
        cost = price(board, sight, odds)
        misread = -cost - _tail(-plain) * min(1.0, cost / odds.height_off)
        fit = _sum_of_logs(plain, again if other != board else -math.inf, misread)
        fits.append(fit - odds.cured * _cured(board, best, sight.habits))
    return fits


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


def price(board: Board, sight: Sight, odds: Odds) -> float:
    """Say what it takes to read one board as the best one."""
    total = 0.0
    best = sight.reading.best
    for cell in differing(board, best):
        real, read = board[cell], best[cell]
        steps = abs(real.height - read.height)
        off = odds.third_off if (real.height, read.height) == (3, 2) else odds.height_off
        part = 0.0 if not steps else off + odds.further * (steps - 1)
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
