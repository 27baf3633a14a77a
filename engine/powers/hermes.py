"""Hermes, God of Travel."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.board import NEAR, cells_in
from engine.events import Event, Moved
from engine.rules.look import Look
from engine.rules.power import DONE, Due, Offer, Power
from engine.rules.sketch import QuickTurn, Sketch, flood


class Hermes(Power):
    """Your Turn: If your workers do not move up or down, each of them may move any number of times,
    even zero; then either of them builds.
    """

    forgetful = True
    at_home = True
    bars = (Moved,)
    acts = ("build",)

    def due(self, t: Look[Any], due: Due) -> Due:
        """Without a change of level only a build is owed, by any worker."""
        if any(m.rise for m in t.turn.moves):
            return due
        return DONE if t.turn.builds else Due("build", tuple(t.crew))

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Move in any way at first, level after that."""
        if not t.turn.builds and not any(m.rise for m in t.turn.moves):
            yield from t.moves(t.crew)

    def flat(self, t: Look[Any]) -> bool:
        """After a level move every move is level."""
        return bool(t.turn.moves)

    def cannot(self, t: Look[Any], event: Event) -> bool:
        """Forbid a change of level after a level move."""
        steps = sum(not m.carried for m in t.turn.moves)
        return t.mine and isinstance(event, Moved) and event.rise != 0 and steps > event.carried

    def quickly(self, s: Sketch) -> list[QuickTurn] | None:
        """For his two workers: where each of them ends, which of them (0 or 1) builds, and where."""
        if len(s.mine) != 2:
            return None
        fixed, found = s.theirs | s.domes, self.jumps(s)
        one, two = (flood(c, s.same(s.level(c)) & ~fixed) for c in s.mine)
        walks = self.together(one, *s.mine) if one & two else dict.fromkeys(cells_in(two), one)
        for second, firsts in walks.items():
            near, shut = NEAR[second] & ~fixed, fixed | 1 << second
            for first in cells_in(firsts):
                found += [(first, second, 0, cell) for cell in cells_in(NEAR[first] & ~shut)]
                found += [(first, second, 1, cell) for cell in cells_in(near & ~(1 << first))]
        return found

    def jumps(self, s: Sketch) -> list[QuickTurn]:
        """List the turns with one move up or down, by the worker that builds."""
        found: list[QuickTurn] = []
        for number, (start, wins, ends, shut) in enumerate(s.moves()):
            other = s.mine[1 - number]
            for end in cells_in(wins | ends & ~s.same(s.level(start))):
                pair = (other, end) if number else (end, other)
                spaces = (-1,) if wins >> end & 1 else cells_in(NEAR[end] & ~shut)
                found += [(*pair, number, cell) for cell in spaces]
        return found

    def together(self, land: int, first: int, second: int) -> dict[int, int]:
        """Walk two workers on one land, each in the other's way: for each space of one those of the other."""
        walks, rest = {second: flood(first, land & ~(1 << second))}, [second]
        while rest:
            here = rest.pop()
            for there in cells_in(NEAR[here] & land):
                old = new = walks.get(there, 0)
                for cell in cells_in(walks[here] & ~(1 << there)):
                    if not new >> cell & 1:
                        new |= flood(cell, land & ~(1 << there))
                if new != old:
                    walks[there] = new
                    rest.append(there)
        return walks
