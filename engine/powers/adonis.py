"""Adonis, Devastatingly Handsome."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from engine.board import NEAR
from engine.events import Ended, Event
from engine.rules.look import Look
from engine.rules.power import Due, Offer, Power
from engine.steps import Mark


class Adonis(Power):
    """End of Your Turn, once: Choose an opponent's worker. If possible, that worker must neighbour one of
    yours when the opponent's next turn ends.
    (Revised card: name one of your workers as well; these two must be neighbours.)
    """

    acts = ("", "must:adonis")
    targets = True
    hero = True
    if_possible = True
    at_end = True
    hears: ClassVar[tuple[type, ...]] = (Ended,)

    def named(self, t: Look[Any]) -> tuple[str, ...]:
        """List the workers chosen in this turn."""
        return tuple(step.worker for step in t.turn.deeds if isinstance(step, Mark))

    def due(self, t: Look[Any], due: Due) -> Due:
        """Revised: after the own worker, the other one is owed."""
        alone = t.table.revised and len(self.named(t)) == 1
        return Due("must:adonis") if alone and not due.kind else due

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Choose a worker."""
        named = self.named(t)
        if t.due.kind not in ("", "must:adonis") or len(named) == (2 if t.table.revised else 1):
            return
        if t.table.revised and not named:
            yield from (Offer(Mark(w), (t.remember("by", w),), None, True) for w in t.workers if t.rivals)
            return
        for rival in t.rivals:
            yield Offer(Mark(rival), (t.remember("marked", rival),), None, True)

    def heading(self, t: Look[Any]) -> int:
        """Come next to his workers."""
        return t.beside(t.workers.values())

    def insists(self, t: Look[Any]) -> bool:
        """The chosen worker stands next to one of ours."""
        marked, by = t.memory("marked"), t.memory("by")
        if not isinstance(marked, str) or marked not in t.pos.workers or t.turn.extra:
            return True
        mine = {w: c for w, c in t.workers.items() if by in (None, w)}
        return bool(NEAR[t.cell(marked)] & t.standing_of(mine))

    def then(self, t: Look[Any], event: Event) -> Iterable[Event]:
        """Forget the choice after the opponent's turn."""
        if t.against and t.memory("marked") is not None:
            yield t.remember("marked", None)
            yield t.remember("by", None)
