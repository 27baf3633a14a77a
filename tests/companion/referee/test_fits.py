"""How well boards explain a picture, and what misreading them costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from companion.referee.fakes import SureEye, drawn
from companion.referee.fits import Sight, errors_of, fits_of, price
from companion.referee.odds import ALBUM
from companion.referee.tracking import board_now
from engine.board import parse_cell
from tests.companion.referee.positions import game
from tests.companion.referee.test_tracking import changed
from vision.reading import Board

HERE = board_now(game())


def sight_of(scores: Mapping[Board, float], read: Board = HERE, hidden: str = "") -> Sight:
    """Give a look with these likelihoods, one cell perhaps out of view."""
    reading = SureEye().look(drawn(read))
    seen = [0.0 if number == (parse_cell(hidden) if hidden else -1) else 1.0 for number in range(25)]
    return Sight(replace(reading, visible=tuple(seen)), lambda boards: [scores[board] for board in boards])


def test_the_same_margin_says_less_where_more_is_in_view() -> None:
    """Few pixels of a hidden cell err less together than the many of one that is in full view."""
    other = changed(HERE, a1="0A")
    scores = {HERE: 0.0, other: -6.0}
    plain, hidden = (fits_of([other], sight_of(scores, hidden=cell), ALBUM)[0] for cell in ("", "a1"))
    assert plain > hidden


def test_what_was_read_is_worth_no_less_than_what_likelihoods_alone_prefer() -> None:
    other = changed(HERE, a1="1")
    assert fits_of([HERE, other], sight_of({HERE: 0.0, other: 9.0}), ALBUM)[0] == 0.0


@pytest.mark.parametrize(
    ("together", "apart"),
    [
        ({"a1": "1", "b1": "1"}, {"a1": "1", "e5": "1"}),
        ({"b2": "0", "e5": "0A"}, {"b2": "0", "e5": "0B"}),
    ],
    ids=["neighbours", "a worker that stands elsewhere"],
)
def test_errors_that_go_together_cost_little_more_than_one(
    together: dict[str, str], apart: dict[str, str]
) -> None:
    reading = SureEye().look(drawn(HERE))
    one, two = (price(changed(HERE, **cells), reading, {}, ALBUM) for cells in (together, apart))
    alone = max(price(changed(HERE, **{cell: what}), reading, {}, ALBUM) for cell, what in together.items())
    assert alone < one < 1.5 * alone < two


def test_every_past_has_the_errors_of_its_own() -> None:
    """A tower that was read wrong before may be read so again, but only if that past is true."""
    other = changed(HERE, a1="1")
    habits = errors_of(other, HERE)
    assert habits == {parse_cell("a1"): (1, 0)}
    sight = sight_of({HERE: 0.0, other: -500.0})
    known, new = fits_of([other, other], sight, ALBUM, habits=[habits, {}])
    assert known > new + 3


def test_boards_that_are_far_off_are_not_looked_at_closely() -> None:
    """What was read is lawful: a turn with two pieces elsewhere cannot matter, one that is near can."""
    near, far = changed(HERE, a1="1"), changed(HERE, a1="1", b2="0", b3="0A", e5="3")
    asked: list[Board] = []

    def joint(boards: Sequence[Board]) -> list[float]:
        asked.extend(boards)
        return [0.0 if board == HERE else -100.0 for board in boards]

    sight = Sight(SureEye().look(drawn(HERE)), joint)
    fits = fits_of([HERE, near, far], sight, ALBUM)
    assert set(asked) == {HERE, near}
    assert fits[0] > fits[1] > fits[2] + 5
    asked.clear()
    fits_of([near, far], sight, ALBUM)
    assert set(asked) == {HERE, near, far}, "where what was read explains nothing, everything counts"
