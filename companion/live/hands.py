"""Simulated players for the simulated table: they look at the public view, as anybody may, and move pieces.

What they do reaches the rest of the program only as a picture.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Final

from companion.live.people import GIVEN_IN, Choice, People
from companion.referee.boards import board_of
from companion.table.live import Table
from engine.board import CELLS, NEAR
from engine.events import Moved
from engine.legal import complete_turns
from engine.position import Seen
from engine.state import State
from engine.steps import Step
from engine.view import View, observe, observe_public
from vision.reading import EMPTY_BOARD, Board, Content
from vision.simulator import Act

PATIENCE: Final = 1.0
"""Seconds that the hands wait before they look at the phone again."""
SLIPS: Final = 0.07
MOST_TURNS: Final = 400
LONGEST: Final = 120
"""So many looks at the phones: then the pieces are put where those have them, and the game goes on."""


def chosen(view: View, chance: random.Random) -> Choice:
    """Choose a turn as a beginner would: win, else like to climb, else anything."""
    best: list[tuple[float, tuple[Step, ...], State[Seen]]] = []
    for number, (steps, after) in enumerate(complete_turns(view)):
        if number >= MOST_TURNS:
            break
        best.append((_liking(after) + chance.random(), steps, after))
    _, steps, after = max(best, key=lambda entry: entry[0])
    return Choice(view.seat, steps, board_of(after.pos))


def _liking(after: State[Seen]) -> float:
    """Say how much a beginner likes a turn."""
    if after.winner is not None:
        return 100.0
    events = after.turn.events if after.turn is not None else ()
    return sum(0.6 * event.rise for event in events if isinstance(event, Moved))


def slip(view: View, chance: random.Random) -> Board | None:
    """Make a beginner's mistake: climb two levels or more, where there is such a tower near."""
    here = board_of(view.position)
    side = view.state.table.sides[view.seat]
    ways = [
        (start, end)
        for worker, start in view.position.workers.items()
        if worker[0] == side
        for end in CELLS
        if NEAR[start] >> end & 1 and not here[end].top and here[end].height - here[start].height >= 2
    ]
    if not ways:
        return None
    start, end = chance.choice(ways)
    board = list(here)
    board[start] = Content(here[start].height)
    board[end] = Content(here[end].height, side)
    return tuple(board)


class SimulatedHands:
    """Writes the script of a simulated table as it goes along; one game after the other."""

    def __init__(
        self, table: Table, chance: random.Random, again: Callable[[Table], None], slips: float = SLIPS
    ) -> None:
        self._table = table
        self._chance = chance
        self._again = again
        self._slips = slips
        self._board = EMPTY_BOARD
        self.people = People(table)
        self.placed = False
        """Somebody at the table has said that the workers are placed."""

    @property
    def board(self) -> Board:
        """How the pieces stand that the hands have set."""
        return self._board

    def script(self) -> Iterator[Act]:
        """Put the placed workers on the board and play, for ever."""
        yield Act(EMPTY_BOARD, hold=0.5)
        while True:
            yield self._show(board_of(observe_public(self._table.session.game).position), "placed")
            if not self.placed:
                self.placed = True
                yield self._wait(3.0)
            yield from self._game()
            yield self._wait(6.0)
            self._again(self._table)
            yield self._show(EMPTY_BOARD, "cleared")

    def _show(self, board: Board, kind: str) -> Act:
        """Change the board by hand."""
        self._board = board
        self.people.acted()
        return Act(board, kind=kind)

    def _wait(self, seconds: float = PATIENCE) -> Act:
        """Leave the board as it is."""
        return Act(self._board, kind="wait", hand=False, hold=seconds)

    def _game(self) -> Iterator[Act]:
        """Play until somebody has won."""
        while not self._over():
            mistake = slip(self._view(), self._chance) if self._chance.random() < self._slips else None
            if mistake is not None:
                yield from self._mistake(mistake)
            if not self._over():
                turn = chosen(self._view(), self._chance)
                yield self._show(turn.board, "turn")
                yield from self._until_seen(turn)

    def _over(self) -> bool:
        return self._table.session.game.over

    def _view(self) -> View:
        """What the player whose turn it is may know."""
        game = self._table.session.game
        return observe(game, game.to_move or "")

    def _mistake(self, board: Board) -> Iterator[Act]:
        """Do something unlawful, wait until the table says so, and put it back."""
        before = self._board
        yield self._show(board, "slip")
        for _ in range(20):
            notice = self._table.public().notice
            if notice is not None and notice.kind == "illegal":
                break
            self.people.answer(None)
            yield self._wait()
        yield self._show(before, "put back")
        for _ in range(LONGEST):
            if self._over() or (self.people.content and self.people.known == before):
                return
            self.people.attend(before)
            yield self._wait()

    def _until_seen(self, turn: Choice) -> Iterator[Act]:
        """Wait until the table has understood; say on the phone what it asks and what it does not see."""
        for _ in range(LONGEST):
            game = self._table.session.game
            settled = not game.pending and len(game.deeds) == self._table.session.turn_start
            if game.over or (settled and self.people.known == turn.board and self.people.content):
                return
            self.people.attend(turn.board, turn)
            yield self._wait()
        self.people.done[GIVEN_IN] += 1
