from __future__ import annotations

from engine.board import ALL, mask_of, parse_cell
from engine.game import Game, Outcome, attempt, begin
from engine.legal import next_steps, supplies, why_not
from engine.opening import Opening
from engine.position import Position, Truth
from engine.refusal import Refusal
from engine.setup import Setup
from engine.steps import Build, Proxy, parse_step
from engine.view import observe, observe_public


def spaces(text: str) -> int:
    return mask_of([parse_cell(word) for word in text.split()])


HIGH = spaces("a3 b3 c3 d3 e3 a4 b4 c4 d4 e4 a5 b5 c5 d5")
WORKERS = {"A1": parse_cell("a1"), "A2": parse_cell("e1"), "B1": parse_cell("c1"), "B2": parse_cell("e5")}


def crowded(*options: str, powers: tuple[str | None, str | None] = (None, None)) -> Game:
    """All blocks of level 3 are on the board, nine of their towers are complete."""
    domes = spaces("a5 b5 c5 d5 a4 b4 c4 d4 e4")
    up2 = HIGH | spaces("b2")
    pos = Position[Truth](up2, up2, HIGH, domes, WORKERS)
    return begin(Setup.of(*powers, options=frozenset({*options})), Opening(pos, "A"))


def after(game: Game, text: str) -> Game:
    for word in text.split():
        outcome = attempt(game, "A", parse_step(word))
        assert isinstance(outcome, Outcome), outcome
        game = outcome.game
    return game


def test_supply_never_forbids_by_itself() -> None:
    game = after(crowded(), "A1:a1>a2")
    assert supplies(observe(game, "A")) == (7, 3, 0, 9)
    assert Build("A1", parse_cell("b2"), False) in next_steps(observe(game, "A"))


def test_strict_supply_forbids_a_shape_that_is_gone() -> None:
    game = after(crowded("strict_supply"), "A1:a1>a2")
    refusal = why_not(observe(game, "A"), Build("A1", parse_cell("b2"), False))
    assert refusal is not None and refusal.code == "no_piece"
    assert why_not(observe(game, "A"), Build("A1", parse_cell("a3"), True)) is None


def test_a_tower_taken_off_gives_its_blocks_and_stays_a_tower() -> None:
    game = after(crowded("strict_supply"), "proxy@a5 A1:a1>a2 A1+b2")
    assert supplies(observe(game, "A")) == (8, 4, 0, 9)
    pos = observe_public(game).position
    assert pos.proxies == spaces("a5")
    assert pos.complete >> parse_cell("a5") & 1
    assert Game.from_json(game.to_json()).truth == game.truth


def test_only_a_complete_tower_is_taken_off() -> None:
    refusal = attempt(crowded(), "A", Proxy(parse_cell("b2")))
    assert isinstance(refusal, Refusal) and refusal.code == "wrong_space"
    once = after(crowded(), "proxy@a5")
    assert isinstance(attempt(once, "A", Proxy(parse_cell("a5"))), Refusal)


def test_pieces_on_a_card_are_not_in_the_box() -> None:
    pos = Position[Truth](ALL & ~mask_of(list(WORKERS.values())), 0, 0, 0, WORKERS)
    setup = Setup.of("morpheus", None, options=frozenset({"strict_supply"}))
    game = begin(setup, Opening(pos, "A", {"A": {"bank": 51}}))
    assert game.truth.memory["A"]["bank"] == 51
    assert begin(setup, Opening(pos, "A", {"A": {"bank": 50}})).truth.memory["A"]["bank"] == 51
