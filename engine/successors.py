"""All positions after one complete turn, written as FEN: sorted, each once."""

from __future__ import annotations

from typing import Any, Final

from engine.board import cells_in
from engine.events import Built, Closing, Ended
from engine.fen import INDEX, heights_text, parse_fen, players_text, write_fen
from engine.position import Position, Seen
from engine.rules.flow import begin_turn, finish_turn, next_seat
from engine.rules.look import Look
from engine.rules.names import workers_of
from engine.rules.search import Search, Try, after, owes
from engine.rules.setting import ground, placing_order
from engine.state import Cast, State
from engine.steps import Build

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
    found = _Turns(begin_turn(state, state.to_move)).found
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


def _builds_say_it_all(cast: Cast) -> bool:
    """Whether nothing but the piece itself comes of a build that ends a turn, whatever its space."""
    then = cast.then
    if then.get(Built) or then.get(Closing) or cast.interrupts:
        return False
    if any(not holder.power.sums_up_moves for holder in then.get(Ended, ())):
        return False
    return not any(holder.power.acts is None or "" in holder.power.acts for holder in cast.may[1:])


class _Turns:
    """Goes through the turns that can follow a state, and writes where each of them leads.

    Where a build can only end the turn, all builds of a worker are written at once: they differ in a digit.
    """

    def __init__(self, begun: State[Seen]) -> None:
        turn = begun.now
        self.digit = _DIGIT[next_seat(begun, turn.seat)]
        self.plain = _builds_say_it_all(turn.cast)
        self.plain = self.plain and not any(duty.holder.power.at_end for duty in turn.duties)
        self.barred = Built in turn.cast.cannot
        then = turn.cast.then
        self.ends_quietly = not then.get(Closing) and not then.get(Ended)
        self.search: Search[Seen] = Search()
        self.found: set[str] = set()
        self.seen: set[object] = set()
        self.rest = [begun]
        while self.rest:
            self._visit(self.rest.pop())

    def _visit(self, now: State[Seen]) -> None:
        """Write the position if the turn may end here, and go on."""
        base = Look(now, now.now.cast.may[0])
        if owes(now, base=base) is None:
            self.found.add(write_fen(self._finished(now), self.digit))
        if now.now.over:
            return
        builds: dict[str, list[Try]] = {}
        for attempt in self.search.tries(now, base):
            step, offer = attempt.offer.step, attempt.offer
            if self.plain and isinstance(step, Build) and not (offer.along or offer.hero or offer.flaw):
                builds.setdefault(step.worker, []).append(attempt)
            else:
                self._take(now, attempt)
        for tries in builds.values():
            self._take_all(now, tries)

    def _finished(self, now: State[Seen]) -> State[Seen]:
        """Let happen what the end of a turn brings, if anything."""
        return now if self.ends_quietly or now.winner is not None else finish_turn(now)

    def _take(self, now: State[Seen], attempt: Try) -> None:
        """Take one step and come back to what follows it."""
        next_ = after(now, attempt)
        if isinstance(next_, str):
            return
        key = (next_.pos.key(), next_.now.key(), next_.winner)
        if key not in self.seen:
            self.seen.add(key)
            self.rest.append(next_)

    def _take_all(self, now: State[Seen], tries: list[Try]) -> None:
        """Write the builds of one worker: one is taken for real, the others differ from it in a digit."""
        lying = now.pos.tokens.lying
        if self.barred or lying:
            tries = [t for t in tries if not isinstance(after(now, t), str)]
        if not tries:
            return
        one = after(now, tries[0])
        if lying or isinstance(one, str) or owes(one) is not None:
            for attempt in tries:
                self._take(now, attempt)
            return
        done = self._finished(one)
        digits = heights_text(now.pos)
        tail = f"/{self.digit}/{players_text(done)}"
        for attempt in tries:
            step: Any = attempt.offer.step
            at = INDEX[step.cell]
            piece = "4" if step.dome else str(int(digits[at]) + 1)
            self.found.add(f"{digits[:at]}{piece}{digits[at + 1 :]}{tail}")
