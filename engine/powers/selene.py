"""Selene, Goddess of the Moon."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.rules.look import Look
from engine.rules.power import Offer, Power


class Selene(Power):
    """Setup: Play with one male and one female worker.
    Your Build: Instead of the normal build, your female worker may build a dome at any level next to
    her, whether or not she has moved.
    """

    acts = ("build",)

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Let the female worker build a dome."""
        if t.due.kind == "build":
            yield from t.domes([w for w in t.crew if t.table.female(w)])
