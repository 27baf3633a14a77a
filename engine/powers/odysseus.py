"""Odysseus, Cunning Leader."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.board import CELLS, CORNERS
from engine.refusal import NOT_NEIGHBOUR, WRONG_SPACE
from engine.rules.look import Look
from engine.rules.power import Offer, Power
from engine.steps import Force


class Odysseus(Power):
    """Start of Your Turn, once: Force any number of opponents' workers that neighbour yours to unoccupied
    corner spaces.
    """

    acts = ("move",)
    targets = True
    hero = True

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Send a neighbour to a corner."""
        forced = {(step.worker, step.end) for step in t.turn.deeds if isinstance(step, Force)}
        if t.turn.moves or t.turn.builds:
            return
        for rival, start in t.rivals.items():
            if (rival, start) in forced:
                continue
            for end in CELLS if t.curious else CORNERS:
                flaw = self.flaw(t, start, end)
                if flaw is None or t.curious:
                    yield Offer(Force(rival, start, end), (), flaw, True)

    def flaw(self, t: Look[Any], start: int, end: int) -> str | None:
        """Say what speaks against a force."""
        if not t.is_near_own(start):
            return NOT_NEIGHBOUR
        if t.blocked >> end & 1:
            return t.blocker(end)
        return None if end in CORNERS else WRONG_SPACE
