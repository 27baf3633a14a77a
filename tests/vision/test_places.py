"""A pile finds its place: neighbouring offsets, and turns of all its blocks or of one."""

import pytest

from vision.reader.fit import Trial, stand_price
from vision.reader.places import moves
from vision.reader.shapes import Stand
from vision.reading import Content


def turns_tried(*turns: int, apart: bool = False) -> set[tuple[int, ...]]:
    """The turns that are tried next to some."""
    trial = Trial(Content(len(turns)), Stand(0, 0, turns), (0, 0), 0.0)
    return {stand.turns for _, stand, _ in moves(trial, 2, apart)} - {turns}


def test_all_blocks_turn_together_and_the_last_alone() -> None:
    assert turns_tried(5) == {(7,), (3,)}
    assert turns_tried(5, 0) == {(7, 2), (3, -2), (5, 2), (5, -2)}


def test_where_a_tower_is_placed_precisely_the_first_block_turns_alone_too() -> None:
    assert turns_tried(5, apart=True) == {(7,), (3,)}
    assert turns_tried(5, 0, apart=True) == {(7, 2), (3, -2), (5, 2), (5, -2), (7, 0), (3, 0)}
    three = {(7, 2, 3), (3, -2, -1), (5, 0, 3), (5, 0, -1), (7, 0, 1), (3, 0, 1)}
    assert turns_tried(5, 0, 1, apart=True) == three


def places_tried(content: Content, stand: Stand, crown: tuple[int, int]) -> set[tuple[int, int]]:
    """Where a tower, or else its top piece, is tried next."""
    tried = moves(Trial(content, stand, crown, 0.0), 1)
    return {place if content.top else (at.x, at.y) for _, at, place in tried} - {crown, (stand.x, stand.y)}


def test_a_tower_stays_nearer_to_the_middle_than_a_figure_on_the_ground() -> None:
    assert places_tried(Content(1), Stand(5, 0, (0,)), (0, 0)) == {(4, 0), (5, 1), (5, -1)}
    assert places_tried(Content(0, "A"), Stand(), (5, 0)) == {(6, 0), (4, 0), (5, 1), (5, -1)}


def test_a_figure_on_a_roof_stays_in_its_recess() -> None:
    assert places_tried(Content(1, "A"), Stand(0, 0, (0,)), (4, 0)) == {(3, 0), (4, 1), (4, -1)}


def test_a_tower_turned_as_a_whole_is_no_odder_than_its_lowest_block() -> None:
    one, three = (stand_price(Stand(0, 0, (18,) * height)) for height in (1, 3))
    assert three - one == pytest.approx(2 * stand_price(Stand(0, 0, (0,))), abs=0.1)
    # a quarter turn is none: the blocks are square
    assert stand_price(Stand(0, 0, (18, -17))) < stand_price(Stand(0, 0, (18, 9))) - 3.0


def test_each_block_that_does_not_lie_in_the_recess_below_is_charged_for() -> None:
    straight, one, two = (stand_price(Stand(0, 0, turns)) for turns in ((0, 0, 0), (0, 9, 9), (0, 9, 0)))
    assert straight < one < two
    assert stand_price(Stand()) == 0.0
