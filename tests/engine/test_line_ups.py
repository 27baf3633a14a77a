"""Who may meet whom: banned, not recommended, partners, and what a deck of simple gods holds."""

from __future__ import annotations

import pytest

from engine.cards import CARDS
from engine.game import Game
from engine.setup import Setup, SetupError, deck_for
from tests.engine.playing import play_out

SIMPLE = {name for name, card in CARDS.items() if card.kind == "simple"}


@pytest.mark.parametrize(
    "powers", [("pan", "pan"), ("pan", "atlas", "pan"), ("pan", "apollo", "atlas", "pan"), ("hades", "pan")]
)
def test_opponents_do_not_share_a_power_nor_form_a_banned_pair(powers: tuple[str, ...]) -> None:
    with pytest.raises(SetupError) as caught:
        Setup.of(*powers).allowed()
    assert caught.value.code == "banned"
    Setup.of(*powers, options=frozenset({"allow_banned"})).allowed()


def test_bans_do_not_hold_between_partners() -> None:
    Setup.of("hades", "apollo", "pan", "atlas").allowed()
    Setup.of("apollo", "pan", "apollo", "atlas").allowed()


@pytest.mark.parametrize("name", ["athena", "morpheus", "siren", "europa", "eros", "selene", "chaos"])
def test_partners_with_the_same_power_play_a_whole_game(name: str) -> None:
    setup = Setup.of(name, None, name, None)
    setup.allowed()
    for seed in (1, 2):
        game = play_out(setup, seed)
        assert Game.from_json(game.to_json()) == game


def test_a_pair_that_is_not_recommended_is_named_and_may_play() -> None:
    setup = Setup.of("chaos", "hecate")
    setup.allowed()
    assert [set(pair) for pair in setup.not_recommended()] == [{"chaos", "hecate"}]
    assert Setup.of("chaos", "apollo").not_recommended() == ()
    # Partners are no opponents here either.
    assert Setup.of("circe", None, "eros", None).not_recommended() == ()
    assert len(Setup.of("circe", "eros", None, None).not_recommended()) == 1


def test_a_deck_holds_the_simple_gods_that_nobody_has_and_nobody_is_banned_with() -> None:
    assert set(deck_for(Setup.of("chaos", "apollo"))) == SIMPLE - {"apollo"}
    assert set(deck_for(Setup.of("chaos", "hades"))) == SIMPLE - {"pan"}
    assert set(deck_for(Setup.of("chaos", "gaea", "harpies"))) == SIMPLE - {"atlas", "hermes"}
    # A pair that is only not recommended takes nothing out.
    assert set(deck_for(Setup.of("chaos", "hecate"))) == SIMPLE
    assert set(deck_for(Setup.of(None, None, golden_fleece="chaos"))) == SIMPLE
