"""Artemis, Goddess of the Hunt."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.refusal import OWN_START
from engine.rules.look import Look
from engine.rules.power import Offer, Power


class Artemis(Power):
    """Your Move: Your worker may move a second time, but not back to the space where it began its turn."""

    acts = ("build",)
    moves_at_most = 2

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Move once more, to any space but the first."""
        own = [m for m in t.turn.moves if not m.carried]
        if len(own) == 1 and t.due.kind == "build":
            yield from t.moves(t.moved, wrong=lambda cell: OWN_START if cell == own[0].start else None)
