"""Atlas, Titan Shouldering the Heavens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.rules.look import Look
from engine.rules.power import Offer, Power


class Atlas(Power):
    """Your Build: Your worker may build a dome at any level, even on the ground."""

    acts = ("build",)

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Build a dome on any level."""
        if t.due.kind == "build":
            yield from t.domes(t.due.workers)
