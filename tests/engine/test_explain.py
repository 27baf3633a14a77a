"""Explaining a board: the same answers as listing everything, and quick where that is impossible."""

from __future__ import annotations

import random

import pytest

from engine.explain import Board, Content, Costs, board_of, explain
from engine.game import Game, Outcome, attempt, begin
from engine.legal import forward
from engine.opening import Opening
from engine.position import Seen
from engine.refusal import Refusal
from engine.rules.flow import finish_turn
from engine.rules.search import legal, owes
from engine.setup import Setup
from engine.state import State
from engine.steps import format_step, parse_step
from engine.view import View, observe
from tests.engine.playing import games

SIDES = ("A", "B", "C")
CONTENTS = [(height, top) for height in range(4) for top in ("", "dome", *SIDES)]
ANY = frozenset({"allow_banned"})


def hard(board: Board) -> list[dict[Content, float]]:
    """Everything but the board costs 1 a space."""
    return [{content: float(content != seen) for content in CONTENTS} for seen in board]


def soft(board: Board, chance: random.Random) -> list[dict[Content, float]]:
    """The board is cheapest, what looks alike costs less."""
    return [
        {
            (height, top): abs(height - h) * chance.uniform(2, 6)
            + (top != seen) * chance.uniform(4, 12)
            + (chance.uniform(0.1, 0.5) if (height, top) == (h, seen) else 0.0)
            for height, top in CONTENTS
        }
        for h, seen in board
    ]


def beginnings(name: str | None, other: str | None, seed: int, most: int = 40) -> list[View]:
    """Give views at the beginning of turns of seat A in a random game."""
    found: list[View] = []
    for game, _ in games(Setup.of(name, other, options=ANY), seed, 150):
        if game.over or game.plan.turn is None or game.to_move != "A":
            continue
        turn = game.plan.now
        if not (turn.moves or turn.builds or turn.deeds):
            found.append(observe(game, "A"))
    return found[:most]


def played(view: View, chance: random.Random) -> Board:
    """Play a turn, or a part of one, and give the board."""
    state = view.state
    while state.turn is not None and not state.turn.over:
        onward = list(legal(state, view.seat).values())
        if not onward or (owes(state) is None and chance.random() < 0.3):
            break
        state = chance.choice(onward)[1]
        if owes(state) is not None and chance.random() < 0.1:
            return board_of(state)
    return board_of(finish_turn(state) if state.winner is None and owes(state) is None else state)


def everything(state: State[Seen], seat: str, depth: int = 1) -> dict[Board, tuple[bool, int]]:
    """List every board of a turn the plain way, with how it is best reached."""
    found: dict[Board, tuple[bool, int]] = {}
    for _, next_ in legal(state, seat).values():
        ends = next_.winner is not None or owes(next_) is None
        states = [(next_, ends)]
        if ends and next_.winner is None:
            done = finish_turn(next_)
            states = [(done, True)] if board_of(done) == board_of(next_) else [(done, True), (next_, False)]
        ways = {board_of(after): (not whole, depth) for after, whole in states}
        if next_.turn is not None and not next_.turn.over:
            for board, way in everything(next_, seat, depth + 1).items():
                ways[board] = min(way, ways.get(board, way))
        for board, way in ways.items():
            found[board] = min(way, found.get(board, way))
    return found


def price(board: Board, costs: Costs) -> float:
    return sum((row or {}).get(content, 0.0) for content, row in zip(board, costs, strict=True))


@pytest.mark.parametrize(
    ("name", "other"),
    [
        (None, None), ("apollo", "athena"), ("minotaur", "harpies"), ("prometheus", "limus"),
        ("artemis", "aphrodite"), ("medusa", "clio"), ("charybdis", "europa"), ("nemesis", None),
        ("ares", "hypnus"), ("theseus", "bia"), ("medea", "pan"), ("zeus", "persephone"),
        ("selene", "hestia"), ("chaos", "hades"), ("siren", "urania"), ("jason", "adonis"),
    ],
)  # fmt: skip
def test_the_cheapest_boards_are_those_of_the_whole_list(name: str, other: str) -> None:
    chance = random.Random(f"{name} {other}")
    for view in beginnings(name, other, 3)[1:30:12]:
        listed = everything(view.state, "A")
        board = played(view, chance)
        for costs in (hard(board), soft(board, chance)):
            found = explain(view, costs, 25)
            wanted = sorted(price(each, costs) for each in listed)[:25]
            assert [one.cost for one in found] == pytest.approx(wanted)
            for one in found:
                assert one.cost == pytest.approx(price(one.board, costs))
                assert (not one.ends, len(one.steps)) == listed[one.board]


@pytest.mark.parametrize(
    "name",
    [
        "hermes", "atalanta", "triton", "charybdis", "terpsichore", "morpheus", "heracles", "polyphemus",
        "odysseus", "poseidon", "hestia", "demeter",
    ],
)  # fmt: skip
def test_long_turns_are_found_without_listing_them(name: str) -> None:
    chance = random.Random(name)
    for view in beginnings(name, "europa", 5)[::6]:
        board = played(view, chance)
        for costs in (hard(board), soft(board, chance)):
            found = explain(view, costs)
            assert found[0].board == board
            assert found[0].differing == ()
            now: View | Refusal = view
            for step in found[0].steps:
                assert isinstance(now, View)
                now = forward(now, step)
            assert isinstance(now, View)


def test_an_answer_of_another_seat_is_part_of_what_is_seen() -> None:
    position = {
        "board": ["00000", "00000", "00030", "00000", "00000"], "to_move": "A",
        "workers": {"A1": "b3", "A2": "a1", "B1": "e5", "B2": "e1"},
    }  # fmt: skip
    opening = Opening.from_json({"position": position, "memory": {"B": {"reserve": ["B3", "B4"]}}})
    game = begin(Setup.of(None, "gaea"), opening)
    for seat, word in (("A", "A1:b3>c3"), ("A", "A1^d3"), ("B", "B3@d4")):
        outcome = attempt(game, seat, parse_step(word))
        assert isinstance(outcome, Outcome)
        game = outcome.game
    start = observe(begin(Setup.of(None, "gaea"), opening), "A")
    best = explain(start, hard(board_of(observe(game, "A").state)))[0]
    assert best.seats == ("A", "A", "B") and best.ends
    assert [format_step(step) for step in best.steps] == ["A1:b3>c3", "A1^d3", "B3@d4"]


def test_a_move_alone_is_the_beginning_of_a_turn() -> None:
    view = beginnings(None, None, 1)[0]
    moved = next(iter(legal(view.state, "A").values()))[1]
    best = explain(view, hard(board_of(moved)))[0]
    assert not best.ends and best.goes_on and len(best.steps) == 1


def test_what_is_hidden_costs_nothing() -> None:
    view = beginnings(None, None, 1)[0]
    state = next(iter(legal(view.state, "A").values()))[1]
    built = next(iter(legal(state, "A").values()))[1]
    costs: list[dict[Content, float] | None] = list(hard(board_of(built)))
    cell = next(c for c in range(25) if board_of(built)[c] != board_of(state)[c])
    costs[cell] = None
    found = explain(view, costs)
    assert {one.cost for one in found[:2]} == {0.0}
    assert board_of(state) in [one.board for one in found if one.cost == 0.0]


def test_where_nothing_fits_the_nearest_says_what_differs() -> None:
    view = beginnings(None, None, 1)[0]
    moved = next(iter(legal(view.state, "A").values()))[1]
    built = next(iter(legal(moved, "A").values()))[1]
    board = list(board_of(built))
    far = next(c for c in range(25) if board[c] == (0, ""))
    board[far] = (3, "dome")
    best = explain(view, hard(tuple(board)))[0]
    assert best.differing == (far,) and best.cost == 1.0


def test_nobody_explains_a_finished_game_or_the_other_seats_turn() -> None:
    last: Game | None = None
    for game, _ in games(Setup.of(None, None), 2, 400):
        last = game
    assert last is not None and last.over
    assert explain(observe(last, "A"), hard(board_of(observe(last, "A").state))) == ()
    view = beginnings(None, None, 1)[0]
    other = View("B", view.state, view.secret, (), "", (), view.setup)
    assert explain(other, hard(board_of(view.state))) == ()
