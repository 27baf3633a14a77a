"""Hermes, God of Travel."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.events import Event, Moved
from engine.rules.look import Look
from engine.rules.power import DONE, Due, Offer, Power


class Hermes(Power):
    """Your Turn: If your workers do not move up or down, each of them may move any number of times,
    even zero; then either of them builds.
    """

    forgetful = True
    bars = (Moved,)
    acts = ("build",)

    def due(self, t: Look[Any], due: Due) -> Due:
        """Without a change of level only a build is owed, by any worker."""
        if any(m.rise for m in t.turn.moves):
            return due
        return DONE if t.turn.builds else Due("build", tuple(t.crew))

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Move in any way at first, level after that."""
        if not t.turn.builds and not any(m.rise for m in t.turn.moves):
            yield from t.moves(t.crew)

    def flat(self, t: Look[Any]) -> bool:
        """After a level move every move is level."""
        return bool(t.turn.moves)

    def cannot(self, t: Look[Any], event: Event) -> bool:
        """Forbid a change of level after a level move."""
        steps = sum(not m.carried for m in t.turn.moves)
        return t.mine and isinstance(event, Moved) and event.rise != 0 and steps > event.carried
