"""Triton, God of the Waves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.board import PERIMETER
from engine.rules.look import Look
from engine.rules.power import Offer, Power


class Triton(Power):
    """Your Move: Each time your worker moves into a perimeter space, it may move again."""

    acts = ("build",)

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Move on from the perimeter."""
        if t.due.kind != "build" or t.turn.builds:
            return
        last = t.turn.moves[-2:] if t.turn.moves[-1].carried else t.turn.moves[-1:]
        if any(PERIMETER >> m.end & 1 for m in last):
            yield from t.moves(t.moved)
