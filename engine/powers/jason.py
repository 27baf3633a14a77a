"""Jason, Leader of the Argonauts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.board import CELLS, PERIMETER
from engine.refusal import WRONG_SPACE
from engine.rules.look import Look
from engine.rules.power import DONE, Due, Offer, Power
from engine.steps import Place


class Jason(Power):
    """Setup: Put one extra worker of your colour on your card.
    Your Turn, once: Instead of a normal turn, place the extra worker on an unoccupied ground-level
    perimeter space; it then builds. (Revised card: it then moves and builds.)
    """

    acts = ("move",)
    hero = True
    reserve = 1

    def due(self, t: Look[Any], due: Due) -> Due:
        """The new worker owes a build, on the revised card a move first."""
        placed = tuple(step.worker for step in t.turn.deeds if isinstance(step, Place))
        if not placed:
            return due
        if due.kind == "move" and not t.table.revised:
            return DONE if t.turn.builds else Due("build", placed)
        return due.only(*placed) if due.kind else due

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Place the worker on the edge."""
        workers = t.names("reserve") or ((f"{t.holder.side}3",) if t.memory("hero_used") else ())
        if not workers or not t.opening:
            return
        for cell in CELLS:
            if PERIMETER >> cell & t.free >> cell & ~t.pos.up1 >> cell & 1:
                yield Offer(Place(workers[0], cell), (t.remember("reserve", workers[1:]),), None, True)
            elif t.curious:
                taken = t.blocked >> cell & 1
                yield Offer(Place(workers[0], cell), (), t.blocker(cell) if taken else WRONG_SPACE, True)
