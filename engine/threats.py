"""Who can win with the next turn, by what, and whether the player to move can prevent it.

Asked of what everybody may know: what is hidden takes no part, and the answer is the same whatever it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from engine.board import NOWHERE, cells_in
from engine.events import Built, Forced, Moved, Placed, Unbuilt, Won
from engine.fast import quick_turns
from engine.position import Seen
from engine.rules.flow import begin_turn, finish_turn, next_seat
from engine.rules.search import after, completes
from engine.state import State
from engine.steps import Build, Step, move
from engine.turns import Bundle, one_build, turns
from engine.view import PublicView, View, begun

EFFORT: Final = 1500
"""So many states of one player's turn are looked at."""
ANSWERS: Final = 300
"""So many turns of the player to move are tried against a threat."""


@dataclass(frozen=True, slots=True)
class Threat:
    """One way to win with the next turn.

    `by` is the power that makes it a win, None for climbing to level 3; `space` is NOWHERE for a win that
    is no move. `prevented` is a turn of the player to move after which nothing of that seat wins (empty if
    there is none); `certain` whether all of that player's turns have been looked at.
    """

    seat: str
    worker: str
    space: int
    by: str | None
    steps: tuple[Step, ...]
    at_once: bool = False
    prevented: tuple[Step, ...] = ()
    certain: bool = True

    @property
    def preventable(self) -> bool | None:
        """Whether the player to move can prevent it; None where that was not looked at to the end."""
        return True if self.prevented else (False if self.certain else None)


def threats(view: View | PublicView, effort: int = EFFORT, answers: int = ANSWERS) -> tuple[Threat, ...]:
    """List who can win with the next turn: the player to move at once, the others if nothing changes."""
    state = _public(view)
    if state.over or state.to_move is None or state.setup is not None:
        return ()
    mover = state.to_move
    mine = state if state.turn is not None else begun(state)
    if mine.turn is None:
        return ()
    found = [_threat(mover, bundle, True) for bundle in _wins(mine, mover, effort)]
    found = _shortest(found)
    for seat in _others(state, mover):
        danger = _shortest([_threat(seat, bundle, False) for bundle in _next_wins(state, seat, effort)])
        if danger:
            prevented, certain = _prevented(mine, seat, danger, effort, answers)
            found += [_with_answer(threat, prevented, certain) for threat in danger]
    return tuple(found)


def _public(view: View | PublicView) -> State[Seen]:
    """Take what everybody may know out of a view."""
    state = view.state
    hidden = state.table.hidden
    if not hidden:
        return state
    workers = {w: cell for w, cell in state.pos.workers.items() if w[0] not in hidden}
    turn = None if state.turn is None or state.side(state.now.seat) in hidden else state.turn
    return state._replace(pos=state.pos.with_workers(workers), turn=turn, secrets={})


def _others(state: State[Seen], mover: str) -> list[str]:
    """List the seats whose next turn may come, in order; nobody knows what hidden workers can do."""
    sides, hidden = state.table.sides, state.table.hidden
    seats: list[str] = []
    seat = next_seat(state, mover)
    while seat != mover:
        if sides[seat] != sides[mover] and sides[seat] not in hidden:
            seats.append(seat)
        seat = next_seat(state, seat)
    return seats


def _wins(began: State[Seen], seat: str, effort: int) -> Iterator[Bundle]:
    """Give the turns of a seat that win for its side."""
    if began.side(seat) in began.table.hidden or began.now.extra:
        return
    for bundle in islice(turns(began, broad=True), effort):
        if bundle.state.winner is not None and bundle.state.winner == began.side(seat):
            yield bundle


def _next_wins(state: State[Seen], seat: str, effort: int) -> Iterator[Bundle]:
    """Give the wins of a seat if it were to move now."""
    return _wins(begin_turn(state._replace(turn=None, to_move=seat), seat), seat, effort)


def _can_win(state: State[Seen], seat: str, effort: int) -> bool:
    """Whether a seat could win if it were to move now."""
    quick = quick_turns(state._replace(to_move=seat))
    if quick is not None:
        return any(turn[-1] == -1 for turn in quick)
    return next(_next_wins(state, seat, effort), None) is not None


def _threat(seat: str, bundle: Bundle, at_once: bool) -> Threat:
    """Describe one winning turn."""
    state = bundle.state
    events = state.now.events
    won = next((event for event in reversed(events) if isinstance(event, Won)), None)
    moved = next((event for event in reversed(events) if isinstance(event, Moved)), None)
    space = won.cell if won is not None else NOWHERE
    climbs = moved is not None and space != NOWHERE and moved.rise > 0 and state.pos.level(space) == 3
    power = next((h.power.id for h in state.now.cast.holders[1:] if h.seat == seat), None)
    worker = won.worker if won is not None else ""
    return Threat(seat, worker, space, None if climbs else power, steps_of(state), at_once)


def steps_of(state: State[Seen]) -> tuple[Step, ...]:
    """Give the moves, builds and other steps of a turn, as far as the events tell, in order."""
    turn = state.now
    deeds = list(turn.deeds)
    found: list[Step] = []
    for event in turn.events:
        match event:
            case Moved(worker, start, end, carried=False):
                found.append(move(worker, start, end))
            case Built(worker, cell, dome) if event in turn.early or event in turn.builds:
                found.append(Build(worker, cell, dome))
            case Forced() | Placed() | Unbuilt() if deeds:
                found.append(deeds.pop(0))
            case _:
                continue
    return (*found, *deeds)


def _shortest(found: list[Threat]) -> list[Threat]:
    """Keep the shortest way to each win."""
    best: dict[tuple[str, int], Threat] = {}
    for threat in found:
        key = (threat.worker, threat.space)
        if key not in best or len(threat.steps) < len(best[key].steps):
            best[key] = threat
    return list(best.values())


def _with_answer(threat: Threat, prevented: tuple[Step, ...], certain: bool) -> Threat:
    """Add how the threat can be met."""
    return Threat(
        threat.seat, threat.worker, threat.space, threat.by, threat.steps, False, prevented, certain
    )


# ---- what can be done about it -------------------------------------------------------------------------


def _prevented(
    mine: State[Seen], seat: str, danger: list[Threat], effort: int, answers: int
) -> tuple[tuple[Step, ...], bool]:
    """Find a turn after which a seat cannot win; also say whether all turns were looked at."""
    if not completes(mine):
        return (), True
    spaces = {threat.space for threat in danger}
    ended = [(_touches(state, spaces), state) for state in islice(_endings(mine), effort)]
    ended.sort(key=lambda entry: not entry[0])
    for _, state in ended[:answers]:
        done = finish_turn(state) if state.winner is None else state
        if done.winner is not None:
            if done.winner == mine.side(mine.now.seat):
                return steps_of(state), True
            continue
        if not _can_win(done, seat, effort):
            return steps_of(state), True
    return (), len(ended) <= answers


def _endings(mine: State[Seen]) -> Iterator[State[Seen]]:
    """Give the state after every complete turn, before what its end brings."""
    for bundle in turns(mine):
        now = bundle.ready
        if not bundle.worker:
            yield now
        for mask, dome in ((bundle.blocks, False), (bundle.domes, True)):
            for cell in cells_in(mask):
                state = after(now, one_build(now, bundle.worker, cell, dome))
                if not isinstance(state, str):
                    yield state


def _touches(state: State[Seen], spaces: set[int]) -> bool:
    """Whether a turn built on or entered one of these spaces."""
    for event in state.now.events:
        if isinstance(event, (Built, Placed)) and event.cell in spaces:
            return True
        if isinstance(event, (Moved, Forced)) and event.end in spaces:
            return True
    return False
