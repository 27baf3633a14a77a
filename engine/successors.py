"""All positions after one complete turn, written as FEN: sorted, each once."""

from __future__ import annotations

from typing import Final

from engine.board import cells_in
from engine.events import Closing, Ended
from engine.fen import INDEX, heights_text, parse_fen, players_text, write_fen
from engine.position import Position, Seen
from engine.rules.flow import begin_turn, finish_turn, next_seat
from engine.rules.names import workers_of
from engine.rules.setting import ground, placing_order
from engine.state import State
from engine.turns import turns

_DIGIT: Final = {"A": "1", "B": "2"}
_HIGHER: Final = {"0": "1", "1": "2", "2": "3"}


def next_fens(text: str) -> list[str]:
    """List the positions after every complete turn; none after a won position.

    Where no turn is legal, the one answer is the position as it is, won by the other player.
    """
    state = parse_fen(text)
    if state.to_move is None:
        return []
    if state.setup is not None:
        return sorted(_placings(state))
    found = _turns(state)
    return sorted(found) if found else [_stuck(state)]


def _stuck(state: State[Seen]) -> str:
    """Write the position of a player who has no turn and so has lost."""
    seat = state.to_move or "A"
    lost = state._replace(winner=next_seat(state, seat), to_move=None)
    return write_fen(lost, _DIGIT[seat])


def _placings(state: State[Seen]) -> set[str]:
    """Write the position after every way to place a player's workers."""
    seat = state.to_move or "A"
    digit = "2" if placing_order(state.table)[0] == seat else "1"
    ways: list[Position[Seen]] = [state.pos]
    for worker in workers_of(state.table, seat):
        ways = [
            pos.with_workers({**pos.workers, worker: cell})
            for pos in ways
            for cell in cells_in(ground(state.table, pos, seat))
        ]
    return {write_fen(state._replace(pos=pos), digit) for pos in ways}


def _turns(state: State[Seen]) -> set[str]:
    """Write the position after every complete turn; builds that end a turn differ in a digit."""
    begun = begin_turn(state, state.to_move or "A")
    digit = _DIGIT[next_seat(begun, begun.now.seat)]
    then = begun.now.cast.then
    quiet = not then.get(Closing) and not then.get(Ended)
    found: set[str] = set()
    for bundle in turns(begun):
        now, worker = bundle.ready, bundle.worker
        done = now if quiet or now.winner is not None else finish_turn(now)
        digits, tail = heights_text(now.pos if worker else done.pos), f"/{digit}/{players_text(done)}"
        if not worker:
            found.add(digits + tail)
            continue
        for cell in cells_in(bundle.blocks):
            at = INDEX[cell]
            found.add(f"{digits[:at]}{_HIGHER[digits[at]]}{digits[at + 1 :]}{tail}")
        for cell in cells_in(bundle.domes):
            at = INDEX[cell]
            found.add(f"{digits[:at]}4{digits[at + 1 :]}{tail}")
    return found
