"""Siren, Alluring Sea Nymph."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.board import CELLS, NOWHERE
from engine.refusal import WRONG_SPACE
from engine.rules.look import Look
from engine.rules.power import DONE, Due, Offer, Power
from engine.steps import Force


class Siren(Power):
    """Setup: Place the arrow token beside the board, pointing in any of the eight directions: that is
    the direction of your song.
    Your Turn: Instead of a normal turn, force one or more opponents' workers one space each in the
    direction of the song, to unoccupied spaces at any level.
    (Revised card: then build with any of your workers.)
    """

    acts = ("move", "build", "")
    targets = True
    declares = "song"
    tokens = ("song",)

    def due(self, t: Look[Any], due: Due) -> Due:
        """After a song nothing is owed, on the revised card a build."""
        if not self.lured(t) or t.turn.moves:
            return due
        return Due("build", tuple(t.crew)) if t.table.revised and not t.turn.builds else DONE

    def lured(self, t: Look[Any]) -> set[tuple[str, int]]:
        """Name the workers that were forced in this turn, where they stand now."""
        return {(step.worker, step.end) for step in t.turn.deeds if isinstance(step, Force)}

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Force another worker in the direction of the song."""
        song, lured = t.pos.tokens.song, self.lured(t)
        if song == NOWHERE or t.turn.moves or t.turn.builds:
            return
        for rival, start in t.rivals.items():
            goal = t.ahead(start, song)
            if (rival, start) in lured:
                continue
            for end in CELLS if t.curious else (goal,) if goal != NOWHERE else ():
                taken = t.blocker(end) if t.blocked >> end & 1 else None
                if not taken and end == goal:
                    yield Offer(Force(rival, start, end))
                elif t.curious:
                    yield Offer(Force(rival, start, end), (), WRONG_SPACE if end != goal else taken)
