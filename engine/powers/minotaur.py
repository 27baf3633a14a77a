"""Minotaur, Bull-headed Monster."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.board import AHEAD, NEAR, NOWHERE, cells_in, way_from
from engine.events import Forced
from engine.refusal import OFF_BOARD
from engine.rules.look import Look
from engine.rules.power import Offer, Power
from engine.rules.sketch import QuickTurn, Sketch, built_from
from engine.steps import Move


class Minotaur(Power):
    """Your Move: Your worker may move into a neighbouring space that an opponent's worker occupies,
    if the next space straight on behind it is unoccupied. The opponent's worker is forced there,
    whatever its level.
    """

    acts = ("move",)
    at_home = True
    displaces = True

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Enter the space of a rival, who is pushed straight on."""
        if t.due.kind == "move":
            for offer in t.moves(t.due.workers, onto=t.standing_of(t.rivals)):
                if isinstance(offer.step, Move):
                    yield from self.push(t, offer, offer.step)

    def push(self, t: Look[Any], offer: Offer, step: Move) -> Iterable[Offer]:
        """Offer the move if the space behind is free."""
        behind = t.ahead(step.end, way_from(step.start, step.end, t.turn.cast.wraps))
        flaw = OFF_BOARD if behind == NOWHERE else t.blocker(behind) if t.blocked >> behind & 1 else None
        if flaw is None:
            yield offer._replace(along=(Forced(t.pos.worker_at(step.end) or "", step.end, behind),))
        elif t.curious:
            yield offer._replace(flaw=offer.flaw if offer.flaw == "not_neighbour" else flaw)

    def quickly(self, s: Sketch) -> list[QuickTurn]:
        """Nothing can be built on the space behind: the rival stands there."""
        found, blocked = s.plain(), s.blocked
        for start in s.mine:
            wins, ends = s.reach(start, ~s.theirs)
            for end in cells_in(wins | ends):
                behind = AHEAD[end][way_from(start, end)]
                if behind != NOWHERE and not blocked >> behind & 1:
                    shut = blocked & ~(1 << start) | 1 << behind
                    won = wins >> end & 1
                    found += [(start, end, -1)] if won else built_from(start, end, NEAR[end] & ~shut)
        return found
