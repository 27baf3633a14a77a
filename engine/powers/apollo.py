"""Apollo, God of Music."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.board import NEAR, cells_in
from engine.events import Forced
from engine.rules.look import Look
from engine.rules.power import Offer, Power
from engine.rules.sketch import QuickTurn, Sketch, built_from
from engine.steps import Move


class Apollo(Power):
    """Your Move: Your worker may move into a neighbouring space that an opponent's worker occupies;
    that worker is forced to the space yours has just left.
    """

    acts = ("move",)
    at_home = True
    displaces = True

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Enter the space of a rival, who takes yours."""
        if t.due.kind == "move":
            for offer in t.moves(t.due.workers, onto=t.standing_of(t.rivals)):
                if isinstance(offer.step, Move):
                    _, start, end = offer.step.worker, offer.step.start, offer.step.end
                    yield offer._replace(along=(Forced(t.pos.worker_at(end) or "", end, start),))

    def quickly(self, s: Sketch) -> list[QuickTurn]:
        """Nothing can be built on the space left behind: the rival stands there."""
        found, blocked = s.plain(), s.blocked
        for start in s.mine:
            wins, ends = s.reach(start, ~s.theirs)
            found += [(start, end, -1) for end in cells_in(wins)]
            for end in cells_in(ends):
                found += built_from(start, end, NEAR[end] & ~blocked)
        return found
