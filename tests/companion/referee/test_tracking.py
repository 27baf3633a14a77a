"""Pictures of which each is the only look at its turn: decided by eyes with one fault each."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial

import pytest

from companion.referee.fakes import FlickeringEye, MisreadingEye, NoisyEye, ShadedEye, SureEye, drawn
from companion.referee.fits import Sight
from companion.referee.tracking import Decided, Tracker, board_now
from engine.board import parse_cell
from engine.game import Game
from engine.legal import complete_turns
from engine.steps import format_step
from engine.view import observe
from tests.companion.referee.positions import game, play
from vision.reading import DOME, Board, Content


def look(tracker: Tracker, eye: SureEye, board: Board) -> Decided:
    picture = drawn(board)
    return tracker.step(Sight(eye.look(picture), partial(eye.weigh, picture)))


def changed(board: Board, **cells: str) -> Board:
    """The board with cells like c3="2A" set."""
    found = list(board)
    for name, text in cells.items():
        found[parse_cell(name)] = Content(int(text[0]), text[1:])
    return tuple(found)


def after(start: Game, turn: str) -> Board:
    return board_now(play(start, turn))


def test_nothing_has_happened() -> None:
    start = game()
    assert look(Tracker(start), SureEye(), board_now(start)).kind == "none"


@pytest.mark.parametrize(
    ("powers", "board", "turn", "told"),
    [
        ((None, None), None, "A1:b2>c3 A1+c4", "A1:b2>c3 A1+c4"),
        (("demeter", None), None, "A1:b2>c3 A1+c4 A1+b2", "A1:b2>c3 A1+b2 A1+c4"),
        (("atlas", None), None, "A1:b2>c3 A1^c4", "A1:b2>c3 A1^c4"),
        (("apollo", None), None, "A2:d4>c4 A2+d4", "A2:d4>c4 A2+d4"),
        (("ares", None), ["00000", "00000", "00000", "00000", "11111"], "A2:d4>e4 A2+d4 -c1",
         "A2:d4>e4 A2+d4 -c1"),
        (("bia", None), ["00000"] * 5, "A1:b2>b3 A1+c3", "A1:b2>b3 [xB1] A1+c3"),
        (("medusa", None), ["00000", "00000", "01000", "00000", "00000"], "A1:b2>b3 A1+a2",
         "A1:b2>b3 A1+a2 [xB1 +b4]"),
    ],
)  # fmt: skip
def test_turns_of_the_powers_are_read(
    powers: tuple[str | None, ...], board: list[str] | None, turn: str, told: str
) -> None:
    start = game(*powers, board=board)
    tracker = Tracker(start)
    decided = look(tracker, SureEye(), after(start, turn))
    assert (decided.kind, decided.option and decided.option.turn) == ("turn", told)
    assert board_now(tracker.official) == after(start, turn)


def test_a_swap_is_read() -> None:
    start = game("apollo", None, workers={"A1": "b2", "A2": "d4", "B1": "b3", "B2": "d2"})
    decided = look(Tracker(start), SureEye(), after(start, "A1:b2>b3 A1+c3"))
    assert decided.option is not None and decided.option.turn == "A1:b2>b3 [B1:b3~b2] A1+c3"


TALL = ["00000", "00020", "00100", "00300", "00000"]


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"d4": "2", "c4": "0A", "b2": "0", "b3": "0A", "a3": "1"}, "wrong_worker"),
        ({"b2": "0", "c2": "3A", "c1": "1"}, "too_high"),
        ({"b2": "0", "b5": "0A", "c5": "1"}, "not_neighbour"),
        ({"b2": "0", "c3": "1A", "e5": "1"}, "not_neighbour"),
        ({"b2": "0", "b3": "0A", "a2": "1", "a3": "1"}, "no_power"),
        ({"b2": "0", "b3": "0A", "a2": "0dome"}, "wrong_piece"),
        ({"e1": "0", "d1": "0B", "c1": "1"}, "wrong_worker"),
        ({"b2": "0", "d4": "2", "b3": "0A", "d3": "0A", "e3": "1"}, "wrong_worker"),
    ],
)
def test_what_breaks_a_rule_is_named(cells: dict[str, str], reason: str) -> None:
    start = game(board=TALL, workers={"A1": "b2", "A2": "d4", "B1": "e1", "B2": "a5"})
    tracker = Tracker(start)
    decided = look(tracker, SureEye(), changed(board_now(start), **cells))
    assert (decided.kind, decided.option and decided.option.reason) == ("illegal", reason)
    assert tracker.official == start
    assert look(tracker, SureEye(), after(start, "A1:b2>b3 A1+b4")).kind == "turn"


def test_a_cell_that_is_always_misread_is_learnt_and_does_not_stop_the_game() -> None:
    start = game()
    tracker, eye = Tracker(start), MisreadingEye({parse_cell("a1"): 1})
    assert look(tracker, eye, board_now(start)).kind in ("none", "ask")
    for turn in ("A1:b2>c3 A1+c4", "B1:b4>b3 B1+b4", "A1:c3>c2 A1+c3", "B1:b3>b2 B1+b3"):
        before = tracker.official
        decided = look(tracker, eye, after(before, turn))
        assert (decided.kind, decided.option and decided.option.turn) == ("turn", turn)


def test_what_a_hidden_cell_leaves_open_is_asked_and_later_pictures_decide() -> None:
    start = game("demeter", None)
    hidden = parse_cell("c2")
    tracker = Tracker(start)
    decided = look(tracker, ShadedEye([hidden]), after(start, "A1:b2>c3 A1+c4 A1+c2"))
    assert decided.kind == "ask" and tracker.official == start
    assert {o.turn for o in decided.options[:2]} == {"A1:b2>c3 A1+c4", "A1:b2>c3 A1+c2 A1+c4"}
    both = play(play(start, "A1:b2>c3 A1+c4 A1+c2"), "B2:d2>d3 B2+d2")
    decided = look(tracker, SureEye(), board_now(both))
    assert decided.kind == "turn" and decided.option is not None
    assert decided.option.turn == "B2:d2>d3 B2+d2"
    assert board_now(tracker.official) == board_now(both)


def test_where_one_look_leaves_a_question_a_closer_one_decides() -> None:
    start, board = game("demeter", None), after(game("demeter", None), "A1:b2>c3 A1+c4 A1+c2")
    picture, eye, asked = drawn(board), ShadedEye([parse_cell("c2")]), list[tuple[Board, ...]]()

    def closer(rivals: Sequence[Board]) -> Sight:
        asked.append(tuple(rivals))
        return Sight(SureEye().look(picture), partial(SureEye().weigh, picture))

    decided = Tracker(start).step(Sight(eye.look(picture), partial(eye.weigh, picture), closer=closer))
    assert (decided.kind, decided.option and decided.option.turn) == ("turn", "A1:b2>c3 A1+c2 A1+c4")
    assert board in asked[0] and after(start, "A1:b2>c3 A1+c4") in asked[0]
    sure = Sight(SureEye().look(picture), partial(SureEye().weigh, picture), closer=closer)
    assert Tracker(start).step(sure).kind == "turn" and len(asked) == 1


def test_a_misreading_that_comes_and_goes_does_not_commit_what_was_not_played() -> None:
    start = game()
    tracker, eye = Tracker(start), FlickeringEye({parse_cell("e5"): 1})
    for turn in ("A1:b2>c3 A1+c4", "B1:b4>b3 B1+b4", "A1:c3>c2 A1+c3", "B1:b3>b2 B1+b3"):
        start = play(start, turn)
        decided = look(tracker, eye, board_now(start))
        assert decided.kind != "turn" or board_now(tracker.official) == board_now(start)
    assert board_now(tracker.official) == board_now(start)


def test_a_tower_that_is_read_as_two_lower_ones_is_no_other_turn() -> None:
    """A block is read beside the tower where a worker might have built, too."""
    start = game(board=["00000", "00000", "00000", "20000", "00000"], workers={
        "A1": "c2", "A2": "d4", "B1": "e1", "B2": "a5"})  # fmt: skip
    tracker = Tracker(start)
    assert look(tracker, SureEye(), board_now(start)).kind == "none"
    eye = MisreadingEye({parse_cell("a2"): -2, parse_cell("b2"): 1})
    right = after(start, "A1:c2>b1 A1+a2")
    decided = look(tracker, eye, right)
    assert decided.kind == "ask" and tracker.official == start
    assert "A1:c2>b1 A1+a2" in {option.turn for option in decided.options[:3]}
    assert look(tracker, SureEye(), right).kind in ("turn", "none")
    assert board_now(tracker.official) == right


class SwappingEye(SureEye):
    """Takes something pale for a worker, and the worker for nothing, both by a little."""

    def __init__(self, real: str, instead: str) -> None:
        super().__init__()
        self.real, self.instead = parse_cell(real), parse_cell(instead)

    def fit(self, cell: int, real: Content, content: Content) -> float:
        if cell in (self.real, self.instead) and content.height == real.height:
            return -9.0 if (content.top == "A") is (cell == self.real) else 0.0
        return super().fit(cell, real, content)


def test_a_worker_that_may_stand_on_either_of_two_spaces_is_asked_about() -> None:
    start = game()
    tracker = Tracker(start)
    right = after(start, "A2:d4>e4 A2+d4")
    decided = look(tracker, SwappingEye("e4", "c4"), right)
    assert decided.kind == "ask" and tracker.official == start
    assert {option.turn for option in decided.options[:2]} == {"A2:d4>c4 A2+d4", "A2:d4>e4 A2+d4"}
    later = play(play(start, "A2:d4>e4 A2+d4"), "B2:d2>c2 B2+d2")
    assert look(tracker, SureEye(), board_now(later)).kind == "turn"
    assert board_now(tracker.official) == board_now(later)


def test_a_board_that_follows_from_nothing_is_no_turn() -> None:
    start = game()
    tracker = Tracker(start)
    fallen = changed(board_now(start), a1="3", a2="2dome", e5="3", e4="1", c3="2", c1="1dome")
    decided = look(tracker, SureEye(), fallen)
    assert decided.kind == "ask" and tracker.official == start
    assert 2 <= len(decided.choices) <= 3 and {c.kind for c in decided.choices} <= {"turn", "none", "illegal"}
    assert look(tracker, SureEye(), after(start, "A1:b2>c3 A1+c4")).kind == "turn"


def test_a_turn_without_its_build_is_asked_about_and_may_still_be_finished() -> None:
    start = game()
    tracker = Tracker(start)
    moved = board_now(play(start, "A1:b2>c3", end=False))
    decided = look(tracker, SureEye(), moved)
    assert decided.kind == "ask" and tracker.official == start
    assert decided.choices and all(c.kind != "turn" or "b2>c3" in str(c.turn) for c in decided.choices)
    decided = look(tracker, SureEye(), after(start, "A1:b2>c3 A1+c4"))
    assert (decided.kind, decided.option and decided.option.turn) == ("turn", "A1:b2>c3 A1+c4")


def test_where_the_picture_of_a_turn_is_missing_two_are_taken_at_once() -> None:
    start = game("demeter", "demeter")
    both = play(play(start, "A1:b2>c3 A1+c4 A1+b2"), "B2:d2>d3 B2+d2 B2+e3")
    tracker = Tracker(start)
    decided = look(tracker, SureEye(), board_now(both))
    assert decided.kind == "turn" and decided.option is not None
    assert (decided.option.by, decided.option.turn) == ("B", "B2:d2>d3 B2+d2 B2+e3")
    assert decided.option.earlier == "A1:b2>c3 A1+b2 A1+c4"
    assert board_now(tracker.official) == board_now(both)
    assert look(tracker, SureEye(), after(both, "A1:c3>c2 A1+c3")).kind == "turn"


def test_two_turns_that_take_a_misreading_as_well_are_asked_about() -> None:
    start = game("demeter", "demeter")
    both = play(play(start, "A1:b2>c3 A1+c4 A1+b2"), "B2:d2>d3 B2+d2 B2+e3")
    tracker = Tracker(start)
    decided = look(tracker, MisreadingEye({parse_cell("a5"): 2}), board_now(both))
    assert decided.kind == "ask" and tracker.official == start


def test_what_is_done_to_the_board_after_the_game_is_nobodys_turn() -> None:
    start = game(board=["00000", "00000", "00000", "23000", "00000"], workers={
        "A1": "a2", "A2": "d4", "B1": "e1", "B2": "a5"})  # fmt: skip
    tracker = Tracker(start)
    look(tracker, SureEye(), after(start, "A1:a2>b2"))
    decided = look(tracker, SureEye(), changed(board_now(start), a2="0", b2="0", d4="0"))
    assert decided.kind == "none" and tracker.official.winner == "A"


def test_whoever_has_won_has_won() -> None:
    start = game(board=["00000", "00000", "00000", "23000", "00000"], workers={
        "A1": "a2", "A2": "d4", "B1": "e1", "B2": "a5"})  # fmt: skip
    tracker = Tracker(start)
    decided = look(tracker, SureEye(), after(start, "A1:a2>b2"))
    assert decided.kind == "turn" and tracker.official.winner == "A"
    assert look(tracker, SureEye(), board_now(tracker.official)).kind == "none"


@pytest.mark.parametrize("seed", range(4))
def test_whole_games_are_followed_by_a_wavering_eye(seed: int) -> None:
    """A hundred turns of random play: what is wrong must be rare, and must heal."""
    chance = random.Random(seed)
    start = game(*chance.choice([("demeter", "apollo"), ("atlas", "ares"), ("bia", None), (None, "medusa")]))
    tracker, eye = Tracker(start), NoisyEye(chance)
    wrong = turns = 0
    while not start.over and turns < 25:
        ways = [
            steps for _, (steps, _) in zip(range(60), complete_turns(observe(start, start.to_move or "")))
        ]
        start = play(start, " ".join(map(format_step, chance.choice(ways))))
        decided = look(tracker, eye, board_now(start))
        turns += 1
        wrong += decided.kind == "turn" and board_now(tracker.official) != board_now(start)
    look(tracker, SureEye(), board_now(start))
    assert wrong <= 1 and board_now(tracker.official) == board_now(start), f"seed {seed}: {wrong} wrong"


def test_a_dome_and_its_content() -> None:
    assert changed(board_now(game()), a1="2dome")[0] == Content(2, DOME)


class GhostlyEye(SureEye):
    """Sees figures go clearly, but could nearly believe one anywhere."""

    def fit(self, cell: int, real: Content, content: Content) -> float:
        if real.height == content.height and not real.top and content.top in ("A", "B"):
            return -3.0
        return super().fit(cell, real, content)


def test_two_workers_that_moved_are_found_also_where_each_might_be_anywhere() -> None:
    start = game(workers={"A1": "e2", "A2": "a5", "B1": "e1", "B2": "c3"})
    board = changed(board_now(start), e2="0", e3="0A", a5="0", a4="0A", a3="1")
    decided = look(Tracker(start), GhostlyEye(), board)
    assert decided.kind == "illegal" and decided.option is not None
    assert decided.option.reason == "wrong_worker"
