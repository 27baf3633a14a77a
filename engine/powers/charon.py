"""Charon, Ferryman to the Underworld."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.board import CELLS, NEAR, NOWHERE, way_from
from engine.refusal import NOT_NEIGHBOUR, WRONG_SPACE
from engine.rules.look import Look
from engine.rules.power import Due, Offer, Power
from engine.steps import Force


class Charon(Power):
    """Your Move: Before your worker moves, you may force a neighbouring opponent's worker to the space
    directly on the other side of your worker, if that space is unoccupied.
    """

    acts = ("move",)
    targets = True
    misses = "cancel"

    def due(self, t: Look[Any], due: Due) -> Due:
        """The ferrying worker has to move."""
        ferried = [step for step in t.turn.deeds if isinstance(step, Force)]
        if due.kind != "move" or not ferried:
            return due
        return due.only(t.pos.worker_at((ferried[0].start + ferried[0].end) // 2) or "")

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Ferry a rival across before the move."""
        if not t.opening:
            return
        for rival, start in t.rivals.items():
            across = {t.ahead(c, way_from(start, c)) for c in t.crew.values() if NEAR[start] >> c & 1}
            for end in CELLS if t.curious else sorted(across - {NOWHERE}):
                flaw = NOT_NEIGHBOUR if not across else WRONG_SPACE if end not in across else None
                flaw = flaw or (t.blocker(end) if t.blocked >> end & 1 else None)
                if flaw is None or t.curious:
                    yield Offer(Force(rival, start, end), (), flaw)
