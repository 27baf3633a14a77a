"""Threats: who can win next turn, by what, and whether the player to move can prevent it."""

from __future__ import annotations

from typing import Any

from engine.board import parse_cell
from engine.game import Game, begin
from engine.opening import Opening
from engine.setup import Setup
from engine.steps import format_step
from engine.threats import Threat, threats
from engine.view import observe, observe_public

FLAT = ["00000"] * 5


def game(powers: tuple[str | None, ...], board: list[str], workers: dict[str, str], **more: Any) -> Game:
    position = {"board": board, "workers": workers, "to_move": more.pop("to_move", "A")}
    opening = Opening.from_json({"position": position, **more})
    return begin(Setup.of(*powers, options=frozenset({"allow_banned"})), opening)


def found(one: Game) -> tuple[Threat, ...]:
    return threats(observe_public(one))


def test_a_quiet_board_holds_no_threat() -> None:
    assert found(game((None, None), FLAT, {"A1": "a1", "A2": "b2", "B1": "d4", "B2": "e5"})) == ()


def test_the_player_to_move_sees_a_win_at_once() -> None:
    board = ["00000", "00000", "23000", "00000", "00000"]
    (threat,) = found(game((None, None), board, {"A1": "a3", "A2": "e1", "B1": "d4", "B2": "e5"}))
    assert threat.at_once and threat.seat == "A" and threat.by is None
    assert [format_step(step) for step in threat.steps] == ["A1:a3>b3"] and threat.space == parse_cell("b3")


def test_a_threat_that_a_dome_prevents() -> None:
    board = ["00000", "00000", "23000", "00000", "00000"]
    (threat,) = found(game((None, None), board, {"B1": "a3", "B2": "e1", "A1": "c2", "A2": "e5"}))
    assert threat.seat == "B" and threat.worker == "B1" and not threat.at_once
    assert threat.preventable is True
    assert "b3" in format_step(threat.prevented[-1])


def test_two_places_to_climb_to_cannot_both_be_closed() -> None:
    board = ["00000", "00000", "23000", "30000", "00000"]
    one, two = found(game((None, None), board, {"B1": "a3", "B2": "e1", "A1": "c2", "A2": "e5"}))
    assert {one.space, two.space} == {parse_cell("b3"), parse_cell("a2")}
    assert one.preventable is two.preventable is False


def test_powers_make_and_prevent_wins() -> None:
    board = ["00000", "00000", "20000", "00000", "00000"]
    workers = {"B1": "a3", "B2": "e1", "A1": "c2", "A2": "e5"}
    drops = found(game((None, "pan"), board, workers))
    assert drops and all(threat.by == "pan" and threat.preventable is False for threat in drops)
    edge = ["00000", "30000", "20000", "00000", "00000"]
    assert found(game(("hera", None), edge, workers)) == ()
    towers = ["33330", "30000", "00000", "00000", "00000"]
    domes = {"A1": "b3", "A2": "e1", "B1": "d3", "B2": "e3"}
    position = {"board": towers, "domes": ["a5", "b5", "c5", "d5"], "workers": domes, "to_move": "A"}
    chronus = begin(Setup.of("chronus", None), Opening.from_json({"position": position}))
    (fifth,) = {threat.by for threat in found(chronus)}
    assert fifth == "chronus"


def test_what_is_hidden_changes_nothing() -> None:
    board = ["00000", "00000", "23000", "00000", "00000"]
    answers = set()
    for place in ("b3", "c4", "d4"):
        workers = {"A1": place, "A2": "e3", "B1": "a3", "B2": "e1"}
        one = game(("hecate", None), board, workers, to_move="B")
        answers.add((found(one), threats(observe(one, "B"))))
    assert len(answers) == 1
    ((public, seen),) = answers
    assert public == seen and public[0].at_once


def test_athena_closes_the_way_up() -> None:
    board = ["00000", "00000", "23000", "00000", "00000"]
    workers = {"B1": "a3", "B2": "e1", "A1": "d2", "A2": "e5"}
    memory = {"A": {"moved_up": True}}
    assert found(game(("athena", None), board, workers, to_move="B", memory=memory)) == ()
