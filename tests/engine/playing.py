"""Random games for the tests; a failure names its seed."""

from __future__ import annotations

import random
from collections.abc import Iterator

from engine.game import Game, Outcome, attempt, begin
from engine.legal import may_end, next_steps
from engine.setup import Setup
from engine.steps import End, Step
from engine.view import observe

LENGTH = 400


def choices(game: Game, seat: str) -> list[Step]:
    view = observe(game, seat)
    steps: list[Step] = list(next_steps(view))
    return [*steps, End()] if view.state.turn is not None and may_end(view) else steps


def games(setup: Setup, seed: int, length: int = LENGTH) -> Iterator[tuple[Game, Outcome]]:
    """Play at random, giving each game state on the way."""
    chance = random.Random(seed)
    game = begin(setup)
    for _ in range(length):
        if game.over:
            return
        seat = chance.choice(game.waiting)
        steps = choices(game, seat)
        if not steps:
            assert seat != game.waiting[0], f"nothing to do for {seat}, seed {seed}: {game.to_json()}"
            continue
        step = chance.choice(steps)
        outcome = attempt(game, seat, step)
        assert isinstance(outcome, Outcome), (
            f"{step} of {seat} refused: {outcome}, seed {seed}: {game.to_json()}"
        )
        game = outcome.game
        yield game, outcome


def play_out(setup: Setup, seed: int, length: int = LENGTH) -> Game:
    game = begin(setup)
    for game, _ in games(setup, seed, length):  # noqa: B007
        pass
    return game
