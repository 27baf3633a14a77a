"""Dionysus, God of Wine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from engine.events import Built, Event
from engine.rules.look import Look
from engine.rules.power import Power


class Dionysus(Power):
    """Your Build: Each time a worker you control finishes a complete tower, you may take an extra turn
    after the current one, using an opponent's worker: it moves and builds. No player can win during
    these extra turns.
    """

    hears: ClassVar[tuple[type, ...]] = (Built,)

    def then(self, t: Look[Any], event: Event) -> Iterable[Event]:
        """Earn an extra turn by a complete tower."""
        if isinstance(event, Built) and t.mine and event.completes:
            yield t.remember("extra_turns", t.number("extra_turns") + 1)
