"""Theseus, Slayer of the Minotaur."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.board import NEAR
from engine.refusal import NO_POWER, NOT_NEIGHBOUR
from engine.rules.look import Look
from engine.rules.power import Offer, Power
from engine.steps import Remove


class Theseus(Power):
    """End of Your Turn, once: If one of your workers is exactly two levels below a neighbouring opponent's
    worker, remove that worker from the game.
    """

    acts = ("",)
    targets = True
    hero = True
    unsettles = True

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Remove a worker two levels above."""
        if not t.closing or any(isinstance(step, Remove) for step in t.turn.deeds):
            return
        for rival, cell in t.rivals.items():
            near = [t.level(c) for c in t.workers.values() if NEAR[cell] >> c & 1]
            if t.level(cell) - 2 in near:
                yield Offer(Remove(rival), (), None, True)
            elif t.curious:
                yield Offer(Remove(rival), (), NO_POWER if near else NOT_NEIGHBOUR, True)
