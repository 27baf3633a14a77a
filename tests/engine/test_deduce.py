"""The public deduction always holds the truth, says the same for every truth, and is quick."""

from __future__ import annotations

import random
import time

import pytest

from engine.deduce import Deduction, deduction, hidden_cells, learn
from engine.game import attempt, begin
from engine.match import Game, Outcome
from engine.news import news_of
from engine.setup import Setup
from engine.steps import parse_step
from tests.engine.playing import games

pytestmark = pytest.mark.slow


def mine(game: Game) -> tuple[int, ...]:
    return tuple(sorted(hidden_cells(game)))


def followed(setup: Setup, seed: int, length: int = 60) -> list[tuple[Game, Deduction, float]]:
    """Play at random and deduce on the way."""
    known, before, found = deduction(setup), begin(setup), []
    for game, _ in games(setup, seed, length):
        if game.over:
            break
        news = news_of(before, game)
        began = time.process_time()
        if news is not None:
            known = learn(known, news)
            found.append((game, known, time.process_time() - began))
        before = game
    return found


LINE_UPS = [
    *(
        ("hecate", other)
        for other in (None, "apollo", "minotaur", "bia", "medusa", "gaea", "harpies", "athena")
    ),
    *(("hecate", other) for other in ("charybdis", "dionysus", "adonis", "nemesis", "theseus", "siren")),
    ("hecate", "tartarus"),
    ("moerae", "hecate"),
    ("moerae", None),
    ("tartarus", "artemis"),
    ("tartarus", "minotaur"),
]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("powers", LINE_UPS)
def test_the_truth_is_always_among_what_is_possible(powers: tuple[str | None, ...], seed: int) -> None:
    setup = Setup.of(*powers, options=frozenset({"allow_banned"}))
    for game, known, _ in followed(setup, seed, 40):
        assert mine(game) in {mine(one) for one in known.games}, (powers, seed, game.to_json())


def test_an_abyss_is_nowhere_where_somebody_has_been() -> None:
    for game, known, _ in followed(Setup.of("tartarus", None), 3, 40):
        if game.truth.setup is None:
            assert not known.cells & game.truth.pos.standing


def test_a_cancelled_move_shows_the_space() -> None:
    setup = Setup.of("hecate", None)
    known, game = deduction(setup), begin(setup)
    script = ["B1@b4", "B2@d2", "A1@a1", "A2@a2", "A1:a1>b1", "A1+c1", "end", "B2:d2>c2", "B2+b1", "end"]
    for text in script:
        outcome = attempt(game, game.to_move or "", parse_step(text))
        assert isinstance(outcome, Outcome), (text, outcome)
        if (news := news_of(game, outcome.game)) is not None:
            known = learn(known, news)
        game = outcome.game
    assert known.sure >> 1 & 1, "the build on b1 was cancelled, so somebody stands there"


def test_a_swap_by_name_tells_hidden_workers_apart_by_what_is_seen() -> None:
    """Which of them a name means is not known before; where the figures stand after it is seen."""
    setup = Setup.of("hecate", "nemesis", options=frozenset({"allow_banned"}))
    known, game = deduction(setup), begin(setup)
    script = ["B1@a1", "B2@a2", "A1@e5", "A2@c5", "A1:e5>e4", "A1+e5", "end", "B1:a1>b1", "B1+c1"]
    for text in (*script, "B1<>A1", "B2<>A2", "end"):
        outcome = attempt(game, game.to_move or "", parse_step(text))
        assert isinstance(outcome, Outcome), (text, outcome)
        if (news := news_of(game, outcome.game)) is not None:
            known = learn(known, news)
        game = outcome.game
    assert [mine(one) for one in known.games] == [mine(game)] == [(1, 5)]


def test_the_deduction_is_the_same_for_every_truth() -> None:
    """Two games with the same public history and another secret lead to the same set."""
    found = []
    for places in (("A1@a1", "A2@a2"), ("A1@e5", "A2@c3")):
        setup = Setup.of("hecate", None)
        known, game = deduction(setup), begin(setup)
        for text in ("B1@b4", "B2@d2", *places):
            outcome = attempt(game, game.to_move or "", parse_step(text))
            assert isinstance(outcome, Outcome)
            news = news_of(game, outcome.game)
            assert news is not None
            known, game = learn(known, news), outcome.game
        found.append(sorted(mine(one) for one in known.games))
    assert found[0] == found[1]
    assert len(set(found[0])) == 23 * 22 // 2


@pytest.mark.slow
def test_a_turn_is_worked_out_quickly() -> None:
    chance = random.Random(1)
    slowest = 0.0
    for other in (None, "apollo", "demeter", "hermes", "triton"):
        setup = Setup.of("hecate", other)
        slowest = max([slowest, *(took for *_, took in followed(setup, chance.randrange(99), 40))])
    assert slowest < 2.0, f"{slowest:.2f} s of processor time; half a second on a quiet machine"


def test_nothing_is_said_where_both_sides_hide_their_workers() -> None:
    setup = Setup.of("hecate", "hecate", options=frozenset({"allow_banned"}))
    assert all(not known.games and not known.cells and not known.sure for _, known, _ in followed(setup, 1))
