from __future__ import annotations

import pytest

from engine.board import parse_cell
from engine.game import Game, Outcome, attempt, begin, undone
from engine.legal import may_end, next_steps, why_not
from engine.refusal import Refusal
from engine.setup import Setup, SetupError
from engine.steps import End, format_step, parse_step
from engine.view import observe
from tests.engine.playing import play_out


def play(game: Game, *turns: tuple[str, str]) -> Game:
    for seat, text in turns:
        for word in text.split():
            outcome = attempt(game, seat, parse_step(word))
            assert isinstance(outcome, Outcome), (word, outcome)
            game = outcome.game
    return game


def placed() -> Game:
    return play(begin(Setup.of(None, None)), ("A", "A1@b2 A2@d4"), ("B", "B1@b4 B2@d2"))


def test_a_turn_is_a_move_and_a_build() -> None:
    game = placed()
    view = observe(game, "A")
    assert not may_end(view)
    assert "A1:b2>c3" in map(format_step, next_steps(view))
    game = play(game, ("A", "A1:b2>c3 +c4 end"))
    assert game.to_move == "B"
    assert game.records[-1].told("B", game.table) == "A1:b2>c3 A1+c4"


def test_only_the_one_whose_turn_it_is_acts() -> None:
    game = placed()
    assert next_steps(observe(game, "B")) == ()
    refusal = attempt(game, "B", parse_step("B1:b4>c4"))
    assert isinstance(refusal, Refusal) and refusal.code == "wrong_worker"


def test_reasons_come_with_facts() -> None:
    refusal = why_not(observe(placed(), "A"), parse_step("A1:b2>d4"))
    assert refusal is not None and refusal.code == "not_neighbour"
    assert refusal.facts == {"worker": "A1", "space": "d4", "level": 0, "stands_there": "A2", "from_level": 0}


def test_an_unfinished_turn_cannot_end() -> None:
    refusal = attempt(play(placed(), ("A", "A1:b2>c3")), "A", End())
    assert isinstance(refusal, Refusal) and refusal.code == "must_build"


def test_a_game_is_its_setup_and_its_steps() -> None:
    for seed in range(5):
        game = play_out(Setup.of(None, None), seed)
        again = Game.from_json(game.to_json())
        assert again.to_json() == game.to_json()
        assert again.truth == game.truth and again.records == game.records


def test_resigning_loses_and_agreeing_ends() -> None:
    assert play(placed(), ("A", "resign")).winner == "B"
    drawn = play(placed(), ("A", "agree@"))
    assert drawn.over and drawn.winner is None and drawn.drawn


def test_broken_data_is_named() -> None:
    data = placed().to_json()
    for broken, field in (
        ({**data, "schema": 2}, "schema"),
        ({**data, "steps": "A1@b2"}, "steps"),
        ({**data, "steps": [["A"]]}, "steps.0"),
        ({**data, "setup": {"players": [{"seat": "A", "power": "zorro"}]}}, "players.power"),
        ({**data, "setup": {**data["setup"], "decks": {"A": ["hecate"]}}}, "decks.A"),
        ({**data, "setup": {**data["setup"], "decks": {"A": "pan"}}}, "decks.A"),
    ):
        with pytest.raises(SetupError) as caught:
            Game.from_json(broken)
        assert caught.value.field == field


def test_taking_back_steps_plays_the_rest_again() -> None:
    game = play(placed(), ("A", "A1:b2>c3 +c4"))
    assert undone(game, 2) == placed()
    assert [format_step(d.step) for d in undone(game).pending] == ["A1:b2>c3"]


def test_a_space_has_its_reason_too() -> None:
    view = observe(placed(), "A")
    reasons = {text: why_not(view, parse_cell(text)) for text in ("c3", "b4", "a5")}
    assert reasons["c3"] is None
    assert [r.code for r in reasons.values() if r is not None] == ["not_neighbour", "not_neighbour"]
    built = observe(play(placed(), ("A", "A1:b2>c3")), "A")
    refusal = why_not(built, parse_cell("d4"))
    assert refusal is not None and refusal.code == "occupied"
    assert why_not(observe(begin(Setup.of(None, None)), "A"), parse_cell("d4")) is None
    first = observe(play(begin(Setup.of(None, None)), ("A", "A1@b2")), "A")
    refusal = why_not(first, parse_cell("b2"))
    assert refusal is not None and refusal.code == "occupied"
    refusal = why_not(observe(placed(), "B"), parse_cell("c3"))
    assert refusal is not None and refusal.code == "wrong_worker"
