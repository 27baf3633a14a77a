"""Bellerophon, Tamer of Pegasus."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from engine.refusal import TOO_HIGH
from engine.rules.look import Look
from engine.rules.power import Offer, Power


class Bellerophon(Power):
    """Your Move, once: Your worker may move up two levels."""

    acts = ("move",)
    hero = True

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Move up two levels."""
        if t.due.kind == "move":
            for worker in t.due.workers:
                high = t.pos.at_least(t.level(t.cell(worker)) + 2)
                yield from t.moves([worker], climb=2, wrong=partial(self.flaw, high), hero=True)

    def flaw(self, high: int, cell: int) -> str | None:
        """Two levels up, no other step."""
        return None if high >> cell & 1 else TOO_HIGH
