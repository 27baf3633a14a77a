"""Medusa, Petrifying Gorgon."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from engine.board import NEAR
from engine.events import Built, Closing, Event, Removed
from engine.rules.look import Look
from engine.rules.power import Power


class Medusa(Power):
    """End of Your Turn: If possible, each of your workers turns every lower neighbouring opponent's
    worker to stone: it is removed from the game and a block is built in its place.
    """

    hears: ClassVar[tuple[type, ...]] = (Closing,)

    def then(self, t: Look[Any], event: Event) -> Iterable[Event]:
        """Petrify all lower neighbours."""
        if not t.mine:
            return
        for victim, cell in sorted(t.rivals.items()):
            level = t.level(cell)
            above = [w for w, c in t.workers.items() if NEAR[cell] >> c & 1 and t.level(c) > level]
            if above and not self.barred(t, stone := Built(above[0], cell, False, level)):
                yield Removed(victim, cell)
                yield stone

    def barred(self, t: Look[Any], stone: Built) -> bool:
        """Whether the block cannot be built."""
        out = t.table.strict_supply and t.out_of(stone.cell, False)
        return bool(out or t.forbidden(stone))
