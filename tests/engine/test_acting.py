"""When a card says that it offers steps is when it does."""

from __future__ import annotations

import random

import pytest

from engine.powers import power, power_names
from engine.rules.look import Look
from engine.setup import Setup
from engine.state import Turn
from tests.engine.playing import games

ACTING = tuple(name for name in power_names() if power(name).acts is not None)


@pytest.mark.parametrize("name", ACTING)
def test_a_card_offers_nothing_at_other_times(name: str) -> None:
    asked = 0
    for seed in range(2):
        revised = frozenset(("revised_powers", "allow_banned")) if seed else frozenset({"allow_banned"})
        other = random.Random(f"{name} {seed}").choice((None, "apollo", "bia", "clio"))
        for game, _ in games(Setup.of(name, other, options=revised), seed, 120):
            turn: Turn | None = game.plan.turn
            if game.over or turn is None or turn.over or turn.seat != "A":
                continue
            for holder in turn.cast.may:
                acts = holder.power.acts
                look = Look(game.plan, holder, curious=True)
                if acts is not None and look.due.kind not in acts:
                    asked += 1
                    assert list(holder.power.may(look)) == []
    assert asked or power(name).acts == ("move", "build", "")
