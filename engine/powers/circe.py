"""Circe, Divine Enchantress."""

from __future__ import annotations

from typing import Any

from engine.board import NEAR
from engine.powers import power
from engine.rules.power import Power
from engine.state import Holder, State


class Circe(Power):
    """Start of Your Turn: If the opponent's workers do not neighbour each other, you alone have the
    use of the opponent's power until your next turn. (A hero's power cannot be taken.)
    """

    takes = True

    def owning(self, state: State[Any], seat: str, me: Holder) -> State[Any]:
        """Take the power, or give it back, when the own turn begins."""
        if seat != me.seat:
            return state
        theirs = [(s, name) for s, name in state.table.powers.items() if s != seat and name is not None]
        cells = [c for w, c in state.pos.workers.items() if w[0] != me.side]
        apart = len(cells) < 2 or any(not NEAR[a] >> b & 1 for a in cells for b in cells if a != b)
        before = bool(state.memory.get(me.card, {}).get("stolen"))
        stolen = apart and any(not power(name).hero for _, name in theirs)
        if stolen != before:
            for card, name in theirs:
                state = self.forgetting(state, card, name)
        return state.remember(me.card, "stolen", stolen) if stolen or before else state

    def forgetting(self, state: State[Any], card: str, name: str) -> State[Any]:
        """Let go of what ends when a card changes hands."""
        face_up = state.memory.get(card, {}).get("face_up")
        for key in power(face_up if isinstance(face_up, str) else name).forgets:
            state = state.forget(card, key)
        return state

    def roster(self, state: State[Any], holders: tuple[Holder, ...], me: Holder) -> tuple[Holder, ...]:
        """While it is taken, the power is the taker's alone."""
        if not state.memory.get(me.card, {}).get("stolen"):
            return holders
        return tuple(
            h._replace(seat=me.seat, side=me.side) if h.side != me.side and not h.power.hero else h
            for h in holders
        )
