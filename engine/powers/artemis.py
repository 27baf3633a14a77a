"""Artemis, Goddess of the Hunt."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.board import cells_in
from engine.events import Event, Moved
from engine.refusal import OWN_START
from engine.rules.look import Look
from engine.rules.power import Offer, Power
from engine.rules.sketch import QuickTurn, Sketch


class Artemis(Power):
    """Your Move: Your worker may move a second time, but not back to the space where it began its turn."""

    acts = ("build",)
    at_home = True
    moves_at_most = 2

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Move once more, to any space but the first."""
        own = [m for m in t.turn.moves if not m.carried]
        if len(own) == 1 and t.due.kind == "build":
            yield from t.moves(t.moved, wrong=lambda cell: OWN_START if cell == own[0].start else None)

    def cannot(self, t: Look[Any], event: Event) -> bool | str:
        """Forbid that her second move is carried on to the first space."""
        own = [m for m in t.turn.moves if not m.carried]
        back = isinstance(event, Moved) and event.carried and len(own) > 1 and event.end == own[0].start
        return OWN_START if t.mine and back else False

    def quickly(self, s: Sketch) -> list[QuickTurn]:
        """Two moves are one longer move: only where it ends matters."""
        found: list[QuickTurn] = []
        for start, wins, ends, shut in s.moves():
            far, home = ends, shut | 1 << start
            for middle in cells_in(ends):
                won, reached = s.reach(middle, home)
                wins, far = wins | won, far | reached
            found += s.played(start, wins, far, shut)
        return found
