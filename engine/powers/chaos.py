"""Chaos, Primordial Nothingness."""

from __future__ import annotations

from typing import Any

from engine.powers import power
from engine.rules.power import Power
from engine.state import Holder, State


class Chaos(Power):
    """Setup: Shuffle all unused simple god powers into a face-down deck. Turn its top card face up.
    Any Time: You have the face-up power. After a turn in which at least one dome was built, discard it
    and turn up the next card; when the deck runs out, shuffle the discards into a new one.
    (2017 edition: only a dome that finishes a complete tower counts.)
    """

    draws = True
    personal = False

    def roster(self, state: State[Any], holders: tuple[Holder, ...], me: Holder) -> tuple[Holder, ...]:
        """Have the face-up power as well."""
        face_up = state.memory.get(me.card, {}).get("face_up")
        if not isinstance(face_up, str):
            return holders
        card = me.seat if state.table.golden_fleece else me.card
        at = holders.index(me) + 1
        return (*holders[:at], Holder(me.seat, me.side, power(face_up), card), *holders[at:])

    def afterwards(self, state: State[Any], card: str) -> State[Any]:
        """Turn up a new card after a turn with a dome."""
        state = self.lapsed(state, card)
        built = state.now.early + state.now.builds
        if any(b.completes if state.table.later else b.dome for b in built):
            return self.turn_up(state, card)
        return state

    def lapsed(self, state: State[Any], card: str) -> State[Any]:
        """Let go of what the mover's last turn with the power left, after a turn without it."""
        turn, face_up = state.now, state.memory.get(card, {}).get("face_up")
        held = any(holder.power.id == face_up for holder in turn.cast.mover)
        if state.table.golden_fleece and isinstance(face_up, str) and not held:
            for key in power(face_up).forgets:
                state = state.forget(turn.seat, key)
        return state

    def turn_up(self, state: State[Any], card: str) -> State[Any]:
        """Discard the face-up card; the order of a recorded deck decides the next, else it is drawn."""
        facts = state.memory.get(card, {})
        old, deck, gone = facts.get("face_up"), facts.get("deck", ()), facts.get("discard", ())
        if not isinstance(old, str) or not isinstance(deck, tuple) or not isinstance(gone, tuple):
            return state
        gone = (*gone, old)
        if not deck:
            deck, gone = gone, ()
        ordered = card in state.table.decks
        state = state.remember(card, "face_up", deck[0] if ordered else None)
        state = state.remember(card, "deck", deck[1:] if ordered else deck).remember(card, "discard", gone)
        for key in power(old).forgets:
            for owner in [c for c, known in state.memory.items() if key in known]:
                state = state.forget(owner, key)
        return state
