"""Zeus, God of the Sky."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.refusal import WRONG_PIECE
from engine.rules.look import Look
from engine.rules.power import Offer, Power
from engine.steps import Build


class Zeus(Power):
    """Your Build: Your worker may build a block under itself, which raises it one level. It does not win
    by being raised.
    """

    acts = ("build",)

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Build a block under the worker that moved."""
        if t.due.kind == "build":
            for worker in t.due.workers:
                cell = t.cell(worker)
                flaw = WRONG_PIECE if t.level(cell) == 3 else None
                flaw = flaw or (t.out_of(cell, False) if t.table.strict_supply else None)
                if flaw is None or t.curious:
                    yield Offer(Build(worker, cell, False), (), flaw)
                if t.curious:
                    yield Offer(Build(worker, cell, True), (), WRONG_PIECE)
