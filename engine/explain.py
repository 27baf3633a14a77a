"""What may have been played, given how well every content of every space fits what is seen.

The turn's steps are searched best first towards the observation. A branch is ordered by a bound: the least
that any board behind it can cost. Blocks only grow and, once no worker can move any more, workers stay, so
a wrong block or a worker at a wrong place weighs on everything behind it; nothing is listed that cannot be
among the cheapest. The search is bounded in steps tried, never in time.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Final

from engine.appearance import DOME, Board, Content, Costs, Prices, board_of
from engine.board import CELLS
from engine.events import Closing, Event, Forced, Moved, Unbuilt
from engine.position import Position, Seen
from engine.rules.flow import finish_turn
from engine.rules.search import Search, Try, after, answers, offers, owes
from engine.state import State
from engine.steps import Build, Force, Lay, Mark, Move, Place, Remove, Step, Swap, Turn, Unbuild, Use
from engine.view import View, waiting_for_card

LIMIT: Final = 40
EFFORT: Final = 400
"""So many steps are tried at most."""
_TINY: Final = 1e-9
_UNSEEN: Final = (Lay, Turn, Mark, Use)
_SHIFTING: Final = (Move, Force, Swap, Remove, Place)
_UNTOLD_STAGES: Final = ("removal", "transfer", "slide")


@dataclass(frozen=True, slots=True)
class Explained:
    """A legal turn or the beginning of one, the board it leads to, and how well that fits.

    `differing` are the spaces where something else would fit better; without any, everything fits.
    """

    steps: tuple[Step, ...]
    seats: tuple[str, ...]
    board: Board
    ends: bool
    goes_on: bool
    cost: float
    differing: tuple[int, ...] = ()


def explain(view: View, costs: Costs, limit: int = LIMIT, *, effort: int = EFFORT) -> tuple[Explained, ...]:
    """List legal turns and beginnings of turns by what their boards cost, cheapest first, one a board.

    A complete turn is preferred to a beginning with the same board, then the one with fewer steps.
    """
    if view.state.over or limit < 1 or waiting_for_card(view.state):
        return ()
    return _Hunt(view, costs, limit).run(effort)


# ---- the search ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Node:
    """A state that is known to be legal, and the shortest known way to it."""

    state: State[Seen]
    board: Board
    parent: _Node | None = None
    step: Step | None = None
    seat: str = ""
    depth: int = 0
    ends: bool = False
    settled: bool = False
    sums: tuple[float, float, float] = (0.0, 0.0, 0.0)
    tries: list[tuple[str, Try]] = field(default_factory=list)

    @property
    def bound(self) -> float:
        """The least that any board from here on can cost."""
        return self.sums[2] if self.settled else self.sums[1]

    def way(self) -> tuple[tuple[Step, ...], tuple[str, ...]]:
        """The steps from the beginning, and the seats that take them."""
        steps: list[Step] = []
        seats: list[str] = []
        node = self
        while node.parent is not None and node.step is not None:
            steps.append(node.step)
            seats.append(node.seat)
            node = node.parent
        return tuple(reversed(steps)), tuple(reversed(seats))


@dataclass(slots=True)
class _Idea:
    """A step from a node that has not been tried yet."""

    parent: _Node
    seat: str
    attempt: Try


_Entry = tuple[float, float, int, int, "_Node | _Idea"]


class _Hunt:
    """One search towards one observation."""

    def __init__(self, view: View, costs: Costs, limit: int) -> None:
        state = view.state
        self.seat, self.limit = view.seat, limit
        sides = sorted(set(state.table.sides.values()))
        self.unsettled = _may_unsettle(state)
        self.prices = Prices(costs, sides, self.unsettled)
        self.hidden = state.table.hidden
        self.search: Search[Seen] = Search()
        self.heap: list[_Entry] = []
        self.known: dict[object, _Node] = {}
        self.found: dict[Board, _Node] = {}
        self.ranked: list[float] = []
        self.root = _Node(state, board_of(state))
        self.number = count()

    def run(self, effort: int) -> tuple[Explained, ...]:
        """Search until the cheapest are known for certain, or enough has been tried."""
        self._measure(self.root)
        self._open(self.root)
        self._expand(self.root)
        while self.heap and effort > 0 and not self._settled_for(self.heap[0][0]):
            bound, _, _, _, item = heappop(self.heap)
            if isinstance(item, _Idea):
                effort -= 1
                node = self._tried(item)
                if node is None:
                    continue
                if node.bound > bound + _TINY:
                    self._push(node.bound, node.sums[0], node.depth, node)
                    continue
                item = node
            self._expand(item)
        return self._report()

    def _settled_for(self, bound: float) -> bool:
        """Whether nothing with this bound can be among the cheapest."""
        return len(self.ranked) >= self.limit and self.ranked[self.limit - 1] <= bound + _TINY

    def _push(self, bound: float, cost: float, depth: int, item: _Node | _Idea) -> None:
        """Put something on the heap: least bound first, then least cost, then fewest steps."""
        heappush(self.heap, (bound, cost, depth, next(self.number), item))

    # ---- nodes -------------------------------------------------------------------------------------

    def _measure(self, node: _Node) -> None:
        """Add up what the board costs and what it can still come to."""
        now, loose, fixed = self.prices.now, self.prices.loose, self.prices.fixed
        board = node.board
        node.sums = (
            sum([now[cell][board[cell]] for cell in CELLS]),
            sum([loose[cell][board[cell]] for cell in CELLS]),
            sum([fixed[cell][board[cell]] for cell in CELLS]),
        )

    def _open(self, node: _Node) -> None:
        """Look at what may be done from here, and whether workers can still come or go."""
        state = node.state
        turn = state.turn
        if turn is None or turn.over or turn.veiled:
            return
        if turn.seat == self.seat:
            node.tries = [(self.seat, attempt) for attempt in offers(state)]
        if turn.asked is not None and turn.asked[0] != turn.seat:
            node.tries += [(turn.asked[0], attempt) for attempt in answers(state, turn.asked[0])]
        quiet = not turn.cast.then.get(Closing) and not turn.cast.interrupts
        shifting = any(isinstance(attempt.offer.step, _SHIFTING) for _, attempt in node.tries)
        waiting = not node.ends and owes(state) == "must_move"
        node.settled = quiet and not shifting and not waiting and not self.unsettled

    def _tried(self, idea: _Idea) -> _Node | None:
        """Take a step for real; None when it is not legal or leads where we have been."""
        parent, step = idea.parent, idea.attempt.offer.step
        state = after(parent.state, idea.attempt)
        if isinstance(state, str):
            return None
        key = (state.pos.key(), state.now.key(), state.winner)
        if (known := self.known.get(key)) is not None:
            if parent.depth + 1 < known.depth:
                known.parent, known.step, known.seat, known.depth = (
                    parent, step, idea.seat, parent.depth + 1,
                )  # fmt: skip
            return None
        if not self.search.completes(state):
            return None
        node = _Node(state, board_of(state), parent, step, idea.seat, parent.depth + 1)
        self.known[key] = node
        self._measure(node)
        node.ends = owes(state) is None
        self._note(node)
        self._open(node)
        return node

    def _note(self, node: _Node) -> None:
        """Remember the board, and the board after what happens by itself at the end of the turn."""
        state = node.state
        if node.ends and state.winner is None and state.now.cast.then.get(Closing):
            done = finish_turn(state)
            board = board_of(done)
            if board != node.board:
                # The same steps explain both boards: before the hand does what the card demands, and after.
                node.ends = False
                last = _Node(done, board, node.parent, node.step, node.seat, node.depth, True)
                self._measure(last)
                self._offer(last)
        self._offer(node)

    def _offer(self, node: _Node) -> None:
        """Keep the best way to a board."""
        known = self.found.get(node.board)
        if known is None:
            self.found[node.board] = node
            insort(self.ranked, node.sums[0])
        elif (not node.ends, node.depth) < (not known.ends, known.depth):
            self.found[node.board] = node

    # ---- ideas -------------------------------------------------------------------------------------

    def _expand(self, node: _Node) -> None:
        """Put every step from here on the heap, by the least that its board can come to."""
        needed = not node.ends
        for seat, attempt in node.tries:
            offer = attempt.offer
            unseen = isinstance(offer.step, _UNSEEN) or offer.blind
            if offer.flaw or (unseen and not needed):
                continue  # What cannot be seen is not looked for, unless the turn needs it.
            cost, bound = self._guess(node, attempt)
            self._push(max(bound, node.bound), cost, node.depth + 1, _Idea(node, seat, attempt))

    def _guess(self, node: _Node, attempt: Try) -> tuple[float, float]:
        """Say what the board after a step costs and what it can come to, without taking the step."""
        step, prices, board = attempt.offer.step, self.prices, node.board
        cost, loose, fixed = node.sums
        for cell, content in self._changes(node, attempt):
            old = board[cell]
            cost += prices.now[cell][content] - prices.now[cell][old]
            loose += prices.loose[cell][content] - prices.loose[cell][old]
            fixed += prices.fixed[cell][content] - prices.fixed[cell][old]
        if isinstance(step, Move) and _carries_on(node.state):
            return cost, node.sums[1]
        return cost, fixed if node.settled and isinstance(step, Build) else loose

    def _changes(self, node: _Node, attempt: Try) -> list[tuple[int, Content]]:
        """List the spaces that a step changes, as far as it says so itself."""
        board, pos, step = node.board, node.state.pos, attempt.offer.step
        if isinstance(step, Build):
            h, top = board[step.cell]
            return [(step.cell, (h, DOME) if step.dome else (h + 1, top))]
        left: list[int] = []
        came: dict[int, str] = {}
        lower: dict[int, int] = {}
        if attempt.offer.blind:
            return []
        _shifted(step, pos, left, came, lower)
        for event in attempt.offer.along:
            _carried(event, left, came, lower)
        found = [(cell, (board[cell][0], "")) for cell in left if cell not in came]
        for cell, side in came.items():
            found.append((cell, (board[cell][0], side if side not in self.hidden else "")))
        return found + [(cell, (board[cell][0] - less, board[cell][1])) for cell, less in lower.items()]

    # ---- the answer --------------------------------------------------------------------------------

    def _report(self) -> tuple[Explained, ...]:
        """Write down the cheapest boards."""
        nodes = sorted(self.found.values(), key=lambda n: (n.sums[0], not n.ends, n.depth))
        return tuple(self._explained(node) for node in nodes[: self.limit])

    def _explained(self, node: _Node) -> Explained:
        """Write down one way."""
        steps, seats = node.way()
        now, board = self.prices.now, node.board
        differing = tuple(c for c in CELLS if now[c][board[c]] > self.prices.best[c] + _TINY)
        goes_on = not node.ends or self._goes_on(node.state)
        return Explained(steps, seats, board, node.ends, goes_on, node.sums[0], differing)

    def _goes_on(self, state: State[Seen]) -> bool:
        """Whether a complete turn may go on."""
        if state.turn is None or state.turn.over:
            return False
        onward = (after(state, attempt) for attempt in offers(state))
        return any(not isinstance(next_, str) and self.search.completes(next_) for next_ in onward)


def _may_unsettle(state: State[Seen]) -> bool:
    """Whether a power of the mover can still take workers or blocks away at the end of a turn."""
    for holder in state.turn.cast.mover if state.turn is not None else ():
        spent = holder.power.hero and state.memory.get(holder.card, {}).get("hero_used", False)
        if holder.power.unsettles and not spent:
            return True
    return False


def _carries_on(state: State[Seen]) -> bool:
    """Whether a move may have visible consequences that the step does not name."""
    return any(holder.power.stage in _UNTOLD_STAGES for holder in state.now.cast.then.get(Moved, ()))


def _shifted(
    step: Step, pos: Position[Seen], left: list[int], came: dict[int, str], lower: dict[int, int]
) -> None:
    """Note which spaces a step empties, fills or lowers."""
    match step:
        case Move(worker, start, end) | Force(worker, start, end):
            left.append(start)
            came[end] = worker[0]
        case Swap(worker, other):
            came[pos.workers[worker]], came[pos.workers[other]] = other[0], worker[0]
        case Remove(worker):
            left.append(pos.workers[worker])
        case Place(worker, cell):
            came[cell] = worker[0]
        case Unbuild(cell):
            lower[cell] = 1
        case _:
            return


def _carried(event: Event, left: list[int], came: dict[int, str], lower: dict[int, int]) -> None:
    """Note which spaces something that comes along empties, fills or lowers."""
    match event:
        case Forced(worker, start, end):
            left.append(start)
            came[end] = worker[0]
        case Unbuilt(cell, blocks):
            lower[cell] = lower.get(cell, 0) + blocks
        case _:
            return


__all__ = ["DOME", "Board", "Content", "Costs", "Explained", "board_of", "explain"]
