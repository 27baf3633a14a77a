"""Tartarus, God of the Abyss."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from engine.events import Event, Forced, Lost, Moved, Placed
from engine.rules.look import Look
from engine.rules.power import Power


class Tartarus(Power):
    """Setup: Take the map, the shield and the Abyss token. Place your workers first. After all workers
    are placed, secretly choose an unoccupied space as the Abyss.
    Lose Condition: If any player's worker enters the Abyss, that player immediately loses. Workers cannot
    win by entering the Abyss.
    """

    places = "first"
    declares = "abyss"
    stage = "loss"
    hears: ClassVar[tuple[type, ...]] = (Moved, Forced, Placed)

    def then(self, t: Look[Any], event: Event) -> Iterable[Event]:
        """Let the owner of a worker in the Abyss lose."""
        secret = t.state.secrets.get(t.holder.card)
        if secret is None or not isinstance(event, (Moved, Forced, Placed)):
            return
        entered = event.cell if isinstance(event, Placed) else event.end
        if entered == secret.abyss:
            yield Lost(event.worker[0])
