"""Harpies, Winged Menaces."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from engine.board import NOWHERE
from engine.events import Event, Forced, Moved
from engine.rules.look import Look
from engine.rules.power import Power


class Harpies(Power):
    """Opponent's Turn: Each time an opponent's worker moves, it is then forced on in the same direction,
    space by space, until a higher space, an obstacle or the edge of the board stops it.
    """

    stage = "slide"
    hears: ClassVar[tuple[type, ...]] = (Moved,)

    def then(self, t: Look[Any], event: Event) -> Iterable[Event]:
        """Carry the worker on."""
        if not isinstance(event, Moved) or not t.binds(event.worker) or event.worker not in t.pos.workers:
            return
        here, open_ = t.cell(event.worker), t.free
        ahead = t.ahead(here, event.way)
        while ahead != NOWHERE and open_ >> ahead & 1 and t.level(ahead) <= t.level(here):
            yield Forced(event.worker, here, ahead)
            here, ahead = ahead, t.ahead(ahead, event.way)
