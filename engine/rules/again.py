"""Cards that let a worker build once more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.board import ALL
from engine.events import Built
from engine.rules.look import Look
from engine.rules.power import Offer, Power


class OnceMore(Power):
    """After the build the same worker may build once more, on some of the spaces next to it."""

    builds_at_most = 2
    acts = ("",)

    def again(self, first: Built) -> int:
        """On which spaces may the second piece be built? None of them: there is no second."""
        return ALL

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Build once more."""
        if t.closing and len(t.turn.builds) == 1 and (spaces := self.again(t.turn.builds[0])):
            yield from t.builds(t.moved, only=spaces)
