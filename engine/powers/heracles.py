"""Heracles, Doer of Great Deeds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.rules.look import Look
from engine.rules.power import DONE, Due, Offer, Power
from engine.steps import Use


class Heracles(Power):
    """End of Your Turn, once: Each of your workers may build any number of domes (even none) next to it,
    at any level. (Revised card: instead of the normal build.)
    """

    acts = ("build", "")
    hero = True

    def due(self, t: Look[Any], due: Due) -> Due:
        """Revised: the domes stand for the build."""
        return DONE if t.table.revised and t.turn.hero else due

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Build domes, or use the power without one."""
        now = t.closing or (t.table.revised and t.due.kind == "build")
        began = t.turn.hero or not (t.table.revised and t.turn.builds)
        if now and began and not any(isinstance(step, Use) for step in t.turn.deeds):
            yield from t.domes(t.crew, hero=True)
            if not t.turn.hero:
                yield Offer(Use(), (), None, True)
