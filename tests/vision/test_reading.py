import pytest

from vision.reading import (
    EMPTY_BOARD,
    Content,
    Reading,
    alternatives,
    board_from_json,
    board_to_json,
    cell_index,
    cell_name,
)


def test_cells_have_names_both_ways() -> None:
    assert [cell_index(cell_name(cell)) for cell in range(25)] == list(range(25))
    assert cell_name(0) == "a1"
    assert cell_name(24) == "e5"


@pytest.mark.parametrize("name", ["", "a", "f1", "a6", "a10", "A1"])
def test_other_words_are_no_cells(name: str) -> None:
    with pytest.raises(ValueError, match="not a cell"):
        cell_index(name)


def test_positions_survive_their_file_form_rows_from_the_top() -> None:
    board = (Content(2, "A"), *EMPTY_BOARD[1:23], Content(3, "dome"), Content(1, "B"))
    data = board_to_json(board, ("A", "B"))
    assert data["heights"][0] == [0, 0, 0, 3, 1]
    assert data["heights"][4][0] == 2
    assert data["workers"] == {"A": ["a1"], "B": ["e5"]}
    assert board_from_json(data) == board


def test_every_content_is_an_alternative_once() -> None:
    found = alternatives(("A", "B", "C"))
    assert len(found) == len(set(found)) == 20


def test_confidence_is_the_best_among_all() -> None:
    contents = alternatives(("A",))
    even = (0.0, 0.0, *[-50.0] * (len(contents) - 2))
    reading = Reading(("A",), contents, (even,) * 25, (1.0,) * 25, EMPTY_BOARD, "stable", "ok")
    assert reading.confidence(3) == pytest.approx(0.5, abs=0.002)


def test_no_margin_makes_a_cell_quite_sure() -> None:
    contents = alternatives(("A",))
    clear = (0.0, *[-500.0] * (len(contents) - 1))
    reading = Reading(("A",), contents, (clear,) * 25, (1.0,) * 25, EMPTY_BOARD, "stable", "ok")
    assert 0.99 < reading.confidence(3) < 0.999


def test_a_cell_that_is_hardly_in_view_is_never_sure() -> None:
    contents = alternatives(("A",))
    clear = (0.0, *[-500.0] * (len(contents) - 1))
    view = (0.0, 0.1, 0.3, 0.6, *[1.0] * 21)
    reading = Reading(("A",), contents, (clear,) * 25, view, EMPTY_BOARD, "stable", "ok")
    sure = [reading.confidence(cell) for cell in range(5)]
    assert sure == sorted(sure)
    assert 0.94 < sure[0] < 0.96 and sure[3] > 0.995
