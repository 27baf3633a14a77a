"""Poseidon, God of the Sea."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.rules.look import Look
from engine.rules.power import Offer, Power


class Poseidon(Power):
    """End of Your Turn: If your unmoved worker is on the ground level, it may build up to three times in
    neighbouring spaces.
    """

    builds_at_most = 4
    acts = ("",)

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Build with an unmoved worker on the ground."""
        if not t.closing:
            return
        more = [b.worker for b in t.turn.builds if b.worker in t.unmoved]
        ground = [w for w, cell in t.unmoved.items() if t.level(cell) == 0 and w in (more or t.unmoved)]
        if len(more) < 3:
            yield from t.builds(ground)
