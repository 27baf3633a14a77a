from __future__ import annotations

import random

import pytest

from companion.bench._rules_soak import Figures, SoakError, check, mode_setups, pair_setups, play
from engine.board import mask_of
from engine.game import begin
from engine.opening import Opening
from engine.position import Position, Truth
from engine.setup import Setup

SEED = 20
SHORT = 30


def test_every_eighth_pair() -> None:
    figures = Figures()
    for number, (_, setup) in enumerate(pair_setups()):
        if number % 8 == SEED % 8:
            play(setup, SEED + number, figures, SHORT)
    assert figures.games > 370


@pytest.mark.slow
def test_every_pair_in_both_seats() -> None:
    figures = Figures()
    for number, (_, setup) in enumerate(pair_setups()):
        play(setup, SEED + number, figures, SHORT)
    assert figures.games == 55 * 55


def test_the_other_modes() -> None:
    figures = Figures()
    setups = mode_setups(random.Random(SEED))
    for number in range(150):
        play(next(setups)[1], SEED + number, figures, SHORT)
    assert figures.games == 150 and figures.cancelled > 0


def test_a_worker_on_a_dome_is_noticed() -> None:
    pos = Position[Truth](1, 1, 1, mask_of([0]), {"A1": 0, "A2": 1, "B1": 2, "B2": 3})
    game = begin(Setup.of(None, None), Opening(pos, "A"))
    with pytest.raises(SoakError, match="a worker on a dome"):
        check(game)
