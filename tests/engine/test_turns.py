"""The quick list of turns is the list of turns: compared with taking every step for real."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from engine.cards import BANNED, CARDS
from engine.fen import MORTAL, SHARED, UNWRITTEN, format_fen, parse_fen, write_fen
from engine.position import Seen
from engine.powers import power
from engine.rules.flow import begin_turn, finish_turn
from engine.rules.look import Look
from engine.rules.search import Try, after, owes
from engine.setup import Setup
from engine.state import State
from engine.successors import next_fens
from engine.view import observe_public
from tests.engine.playing import games

GODS = [MORTAL, *(name for name in CARDS if name not in UNWRITTEN)]
PAIRS = [
    pair
    for pair in [*combinations(GODS, 2), *((god, god) for god in GODS)]
    if frozenset(pair) not in BANNED and not (pair[0] == pair[1] in SHARED)
]
MOST = 4000


def reference(state: State[Seen]) -> set[str] | None:
    """List the positions after every turn, asking every card at every step; None where it takes too long."""
    seat = state.to_move or "A"
    digit = "2" if seat == "A" else "1"
    found: set[str] = set()
    seen: set[object] = set()
    rest = [begin_turn(state, seat)]
    while rest:
        now = rest.pop()
        if len(seen) > MOST:
            return None
        if owes(now) is None:
            found.add(write_fen(finish_turn(now) if now.winner is None else now, digit))
        for holder in () if now.now.over else now.now.cast.may:
            look = Look(now, holder)
            if holder.power.hero and not now.now.hero and look.memory("hero_used", False):
                continue
            for offer in holder.power.may(look):
                next_ = after(now, Try(holder, offer))
                key = None if isinstance(next_, str) else (next_.pos.key(), str(next_.now[3:]), next_.winner)
                if not isinstance(next_, str) and key not in seen:
                    seen.add(key)
                    rest.append(next_)
    return found


def positions(one: str, two: str, seed: int) -> list[str]:
    """Give positions of a random game between turns."""
    names = [None if god == MORTAL else god for god in (one, two)]
    found: list[str] = []
    for game, _ in games(Setup.of(*names, options=frozenset({"allow_banned"})), seed, 110):
        turn = observe_public(game).state.turn
        if game.truth.setup is None and turn is not None and not game.over and not turn.events:
            found.append(format_fen(game.between))
    return found


def differing(pairs: list[tuple[str, str]], seed: int, count: int) -> tuple[list[str], int]:
    """Compare on a few positions of each pair's game; name those that differ."""
    chance = random.Random(seed)
    wrong: list[str] = []
    compared = 0
    for one, two in pairs:
        all_of_them = positions(one, two, chance.randrange(1 << 20))
        for fen in chance.sample(all_of_them, min(count, len(all_of_them))):
            wanted = reference(parse_fen(fen))
            if wanted is None:
                continue
            compared += 1
            found = set(next_fens(fen))
            if found != wanted and not (not wanted and len(found) == 1 and "#" in next(iter(found))):
                wrong.append(fen)
    return wrong, compared


def test_some_pairs() -> None:
    pairs = random.Random(5).sample(PAIRS, 60)
    wrong, compared = differing(pairs, 5, 2)
    assert wrong == [] and compared > 60


@pytest.mark.slow
def test_every_fourth_pair() -> None:
    pairs = PAIRS[::4]
    wrong, compared = differing(pairs, 11, 1)
    assert wrong == [] and compared > len(pairs) * 0.9


def test_spent_reserves_are_written() -> None:
    assert all(power(name).reserve == 0 for name in GODS if name not in (MORTAL, "jason"))
