"""How likely is what may have happened: what was to be expected, and how well it explains a picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from companion.referee.boards import Costs, costs_of, standing
from companion.referee.decisions import Candidate
from companion.referee.deeds import without_consequences
from companion.referee.fits import Habits, Sight, fits_of, in_view
from companion.referee.illegal import illegal_candidates
from companion.referee.leanings import leaning
from companion.referee.legal import legal_candidates
from companion.referee.odds import Odds
from engine.board import cells_in
from engine.steps import Force, Move, Proxy, Remove, Unbuild
from engine.view import View
from vision.reading import DOME, Board, Content

MANY: Final = 40
USUAL: Final = 100
"""Where so many ways are listed that the list is cut, there are about so many."""
CELL_CAP: Final = 14.0
"""No cell speaks louder than this when candidates are chosen for a closer look."""


@dataclass(frozen=True)
class Line:
    """One way the game may have gone so far, and how likely that is (logarithm)."""

    view: View
    log: float = 0.0
    habits: Habits = field(default_factory=dict)
    """Towers that were read wrong, if this is how the game went."""


@dataclass(frozen=True)
class Weighed:
    """One candidate (None: anything else) on one line, and its log-probability, not yet normalised."""

    candidate: Candidate | None
    board: Board
    log: float
    fit: float = 0.0
    """How well the board explains the picture, without what was expected; 0 is the best of all."""
    line: int = 0


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
    lines = [Line(views[0], habits=sight.habits)] * len(views)
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
    habits = [lines[number].habits for number, _ in entries]
    fits = fits_of([candidate.board for _, candidate in entries], sight, odds, short, habits)
    priors = [
        expected(c, odds, ways[number].of(c)) + leaning(c, standing(lines[number].view), odds)
        for number, c in entries
    ]
    found = [
        Weighed(c, c.board, lines[number].log + before + fit, fit, number)
        for (number, c), before, fit in zip(entries, priors, fits, strict=True)
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
        min(CELL_CAP * in_view(sight.reading, cell), costs[cell].get((content.height, content.top), 0.0))
        for cell, content in enumerate(board)
    )


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


def normalised(logs: Sequence[float]) -> list[float]:
    """Turn logarithms into chances that add up to one."""
    most = max(logs)
    parts = [math.exp(value - most) for value in logs]
    total = sum(parts)
    return [part / total for part in parts]
