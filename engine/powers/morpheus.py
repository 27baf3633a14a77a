"""Morpheus, God of Dreams."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from engine.events import Event, Started
from engine.rules.look import Look
from engine.rules.power import DONE, Due, Offer, Power
from engine.rules.supply import empty


class Morpheus(Power):
    """Start of Your Turn: Put a block or dome on your card.
    Your Build: Your worker does not build as usual. Instead it may build any number of times, using
    pieces from your card. Any player may exchange a piece on the card for another shape at any time.
    """

    acts = ("",)
    hears: ClassVar[tuple[type, ...]] = (Started,)

    def then(self, t: Look[Any], event: Event) -> Iterable[Event]:
        """Put a piece on the card."""
        if t.mine and not t.turn.extra and not (t.table.strict_supply and empty(t.state)):
            yield t.remember("bank", t.number("bank") + 1)

    def due(self, t: Look[Any], due: Due) -> Due:
        """Owe no build."""
        return DONE if due.kind == "build" else due

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Build with a piece from the card."""
        if t.turn.moves and (bank := t.number("bank")):
            yield from t.builds(t.moved, along=(t.remember("bank", bank - 1),))
