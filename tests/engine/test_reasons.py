from __future__ import annotations

import random
from collections import Counter

from companion.bench._rules_soak import mode_setups, pair_setups
from engine.board import CELLS
from engine.game import Game
from engine.legal import next_steps, why_not
from engine.refusal import ORDER, rank
from engine.setup import Setup
from engine.steps import Build, Force, Lay, Mark, Place, Remove, Step, Swap, Turn, Unbuild, Use, move
from engine.view import View, observe
from tests.engine.playing import games


def everything(view: View, chance: random.Random) -> list[Step]:
    """Steps of every kind, most of them senseless."""
    steps: list[Step] = [Use(), Turn("wind", 3), Turn("song", 1), Turn("wind", -1)]
    workers = [*view.position.workers, "A3", "B3"]
    for worker in workers:
        start = view.position.workers.get(worker, 0)
        for cell in CELLS:
            kinds: list[Step] = [
                move(worker, start, cell),
                Build(worker, cell, False),
                Build(worker, cell, True),
            ]
            kinds += [Force(worker, start, cell), Place(worker, cell)]
            steps += kinds
        steps += [Remove(worker), Mark(worker), Swap(worker, chance.choice(workers))]
    steps += [Unbuild(cell) for cell in CELLS]
    steps += [Lay(token, cell) for cell in CELLS for token in ("talus", "whirlpool", "ram", "abyss", "fate")]
    return steps


def check(game: Game, chance: random.Random, found: Counter[str]) -> None:
    seat = game.waiting[0]
    view = observe(game, seat)
    legal = set(next_steps(view))
    steps = everything(view, chance)
    for step in [*chance.sample(steps, 40), *legal]:
        refusal = why_not(view, step)
        assert (refusal is None) == (step in legal), (step, refusal, game.to_json())
        if refusal is not None:
            assert 0 <= rank(refusal.code) < len(ORDER)
            found[refusal.code] += 1


def setups(seed: int) -> list[Setup]:
    chance = random.Random(seed)
    pairs = [setup for _, setup in pair_setups()]
    others = mode_setups(chance)
    return [*chance.sample(pairs, 60), *(next(others)[1] for _ in range(40))]


def test_a_reason_exactly_for_what_is_not_legal() -> None:
    chance, found = random.Random(3), Counter[str]()
    for number, setup in enumerate(setups(3)):
        stop = chance.randrange(6, 40)
        for count, (game, _) in enumerate(games(setup, number, 40)):
            if count >= stop and not game.over:
                check(game, chance, found)
                if count > stop + 3:
                    break
    wanted = {"wrong_worker", "must_move", "no_power", "not_neighbour", "occupied", "too_high", "wrong_piece"}
    assert wanted <= set(found), found
