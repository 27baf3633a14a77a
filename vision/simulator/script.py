"""The script of a simulated table: boards one after the other, and how hands change one into the next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from vision.reading import DOME, Board, Content
from vision.simulator.hands import Hand

if TYPE_CHECKING:
    from vision.simulator.camera import SimulatedCamera

DIRECTIONS: Final = (62.0, 118.0, 90.0, 25.0, 150.0, 0.0, 180.0)


@dataclass(frozen=True)
class Pace:
    """How long things take, in seconds: reaching in, work at each cell, leaving, and standing still."""

    reach: float = 0.5
    work: float = 0.6
    leave: float = 0.4
    hold: float = 2.5

    def faster(self, times: float) -> Pace:
        """The same pace, so many times as fast."""
        return Pace(self.reach / times, self.work / times, self.leave / times, self.hold / times)


@dataclass(frozen=True)
class Act:
    """One board of a script: what stands there when the hand is gone.

    `kind` is the writer's own word for it and is never shown. `cells` is the order in which the hand
    visits the changed cells (by default: what is taken first, then workers, then what is built).
    `rest` is how long the hand then lies still over the board, `hold` how long the board stands (None:
    the pace's own time), `camera` another camera (a bump, another lamp) that draws from now on.
    """

    board: Board
    kind: str = "turn"
    cells: tuple[int, ...] = ()
    hand: bool = True
    rest: float = 0.0
    hold: float | None = None
    camera: SimulatedCamera | None = None


@dataclass(frozen=True)
class Moment:
    """What is to be drawn at one time."""

    board: Board
    hands: tuple[Hand, ...]


@dataclass(frozen=True)
class Stretch:
    """A part of an act: from one cell and reach to another, over one board."""

    seconds: float
    board: Board
    cells: tuple[int, int]
    reach: tuple[float, float]
    holding: Content | None = None


def visits(before: Board, after: Board, order: tuple[int, ...] = ()) -> tuple[int, ...]:
    """The changed cells in the order in which a hand visits them."""
    changed = [cell for cell in range(len(after)) if before[cell] != after[cell]]

    def turn(cell: int) -> tuple[int, int]:
        if cell in order:
            return -1, order.index(cell)
        old, new = before[cell], after[cell]
        if old.top and new.top != old.top:
            return 0, cell
        return (1 if new.top not in ("", DOME) else 2), cell

    return tuple(sorted(changed, key=turn))


def stretches(before: Board, act: Act, pace: Pace) -> Iterator[Stretch]:
    """Cut an act into stretches of even movement."""
    cells = visits(before, act.board, act.cells)
    if act.hand and cells:
        yield Stretch(pace.reach, before, (cells[0], cells[0]), (0.0, 1.0))
        board, last = before, cells[0]
        for cell in cells:
            yield Stretch(
                pace.work / 2, board, (last, cell), (1.0, 1.0), brought(before[cell], act.board[cell])
            )
            board = tuple(act.board[c] if c == cell else board[c] for c in range(len(board)))
            yield Stretch(pace.work / 2, board, (cell, cell), (1.0, 0.93))
            last = cell
        yield Stretch(act.rest, act.board, (last, last), (0.93, 0.93))
        yield Stretch(pace.leave, act.board, (last, last), (0.93, 0.0))
    yield Stretch(pace.hold if act.hold is None else act.hold, act.board, (0, 0), (0.0, 0.0))


def brought(old: Content, new: Content) -> Content | None:
    """What a hand carries to a cell: its new worker or dome, or a block of its new height."""
    if new.top and new.top != old.top:
        return Content(0, new.top)
    return Content(new.height) if new.height > old.height else None


def seconds_of(before: Board, act: Act, pace: Pace) -> float:
    """How long an act takes."""
    return sum(part.seconds for part in stretches(before, act, pace))


def moment(before: Board, act: Act, pace: Pace, seconds: float, number: int = 0) -> Moment:
    """What is to be drawn so long after an act began; `number` decides from where the hand comes."""
    left = seconds
    for part in stretches(before, act, pace):
        if left < part.seconds:
            return _at(part, left / part.seconds, number)
        left -= part.seconds
    return Moment(act.board, ())


def _at(part: Stretch, share: float, number: int) -> Moment:
    if part.reach == (0.0, 0.0):
        return Moment(part.board, ())
    smooth = share * share * (3 - 2 * share)
    reach = part.reach[0] + smooth * (part.reach[1] - part.reach[0])
    direction = DIRECTIONS[number % len(DIRECTIONS)]
    start, end = part.cells
    slide = None if start == end else (start, smooth)
    return Moment(part.board, (Hand(end, direction, reach, slide=slide, holding=part.holding),))
