"""Nemesis, Goddess of Retribution."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.rules.look import Look
from engine.rules.power import Due, Offer, Power
from engine.steps import Swap


class Nemesis(Power):
    """End of Your Turn: If none of an opponent's workers neighbour yours, you may make as many of your
    workers as possible change places with that opponent's workers.
    (Revised card: exactly two of yours with two of theirs.)
    """

    acts = ("", "must:nemesis")
    unsettles = True

    forces_late = True

    def swapped(self, t: Look[Any]) -> tuple[Swap, ...]:
        """List the swaps of this turn."""
        return tuple(step for step in t.turn.deeds if isinstance(step, Swap))

    def pairs(self, t: Look[Any], side: str) -> int:
        """Count the pairs that have to be swapped with a side."""
        theirs = len(t.names_of(side))
        if t.table.revised:
            return 2 if len(t.workers) == 2 and theirs >= 2 else 0
        return min(len(t.workers), theirs)

    def due(self, t: Look[Any], due: Due) -> Due:
        """Once begun, all pairs are owed."""
        done = self.swapped(t)
        if due.kind or not done or len(done) >= self.pairs(t, done[0].other[0]):
            return due
        return Due("must:nemesis")

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Swap a pair."""
        done = self.swapped(t)
        if not done and not t.closing:
            return
        sides = sorted({w[0] for w in t.rivals} | t.hiding) if not done else [done[0].other[0]]
        for side in sides:
            theirs = {w: c for w, c in t.rivals.items() if w[0] == side}
            apart = done or not any(t.is_near_own(cell) for cell in theirs.values())
            if apart and len(done) < self.pairs(t, side):
                yield from self.left(t, t.names_of(side), done)

    def left(self, t: Look[Any], theirs: tuple[str, ...], done: tuple[Swap, ...]) -> Iterable[Offer]:
        """Offer the pairs of workers that have not been swapped."""
        used = {w for swap in done for w in (swap.worker, swap.other)}
        for mine in t.workers:
            for other in theirs:
                if mine not in used and other not in used:
                    yield Offer(Swap(mine, other), (), None, False, other[0] in t.hiding)
