"""All positions after one complete turn, written as FEN: sorted, each once."""

from __future__ import annotations

from typing import Final

from engine.board import cells_in
from engine.fen import parse_fen, write_fen
from engine.position import Position, Seen
from engine.rules.flow import begin_turn, finish_turn, next_seat
from engine.rules.names import workers_of
from engine.rules.search import after, offers, owes
from engine.rules.setting import ground, placing_order
from engine.state import State

_DIGIT: Final = {"A": "1", "B": "2"}


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


def _turns(state: State[Seen]) -> set[str]:
    """Write the position after every complete turn."""
    seat = state.to_move or "A"
    other = next_seat(state, seat)
    found: set[str] = set()
    seen: set[object] = set()
    rest = [begin_turn(state, seat)]
    while rest:
        now = rest.pop()
        if owes(now) is None:
            done = finish_turn(now) if now.winner is None else now
            found.add(write_fen(done, _DIGIT[other]))
        for attempt in offers(now):
            next_ = after(now, attempt)
            if isinstance(next_, str):
                continue
            key = (next_.pos.key(), next_.now.key(), next_.winner)
            if key not in seen:
                seen.add(key)
                rest.append(next_)
    return found


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
