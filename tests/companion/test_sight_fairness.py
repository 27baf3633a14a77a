"""Pictures after a bump are compared with pictures that are as late."""

from companion.bench import _late, _score
from companion.bench._truth import GameTruth, Truth
from vision.reading import CELLS, EMPTY_BOARD, Content


def game(name: str, events: list[str]) -> GameTruth:
    """A game of empty boards with these events."""
    facts = (
        Truth(f"{place:03}.jpg", event, EMPTY_BOARD, (1.0,) * CELLS) for place, event in enumerate(events)
    )
    return GameTruth(name, 60.0, False, {fact.file: fact for fact in facts})


def frames(truth: GameTruth, wrong: set[int]) -> list[_score.Frame]:
    """The game's pictures, some of them with one cell read wrong."""
    found, after = [], False
    for place, fact in enumerate(truth.frames.values()):
        after = after or fact.event in _score.CHANGES
        read = Content(1) if place in wrong else Content(0)
        cells = tuple(
            _score.Cell(truth.name, fact.file, cell, Content(0), read if cell == 7 else Content(0), True, 1.0)
            for cell in range(CELLS)
        )
        found.append(_score.Frame(truth, fact, cells, False, "ok", after, 1.0))
    return found


def test_without_a_change_there_is_nothing_to_compare() -> None:
    assert _late.late(frames(game("calm", ["empty", "turn"]), set())) == []


def test_a_bump_is_compared_with_its_twin_and_with_late_pictures() -> None:
    bumped = frames(game("bumped", ["empty", "turn", "turn", "bump", "turn"]), {4})
    calm = frames(game("calm", ["empty", "turn", "turn", "turn", "turn"]), {3, 4})
    said = _late.late([*bumped, *calm])
    assert any(line.startswith("same position, after it") and "1/1" in line for line in said)
    # of the calm game's last four pictures one half is wrong; of the bumped game's last two as well
    assert "50.00 %" in said[-1]
    assert "at 45° and more" in said[-1]


def test_the_twin_is_the_last_still_picture_before() -> None:
    bumped = frames(game("bumped", ["empty", "turn", "hand", "bump"]), set())
    (pair,) = _late.twins(bumped)
    assert [frame.truth.file for frame in pair] == ["001.jpg", "003.jpg"]


def test_where_all_games_change_the_plain_difference_is_given() -> None:
    bumped = frames(game("bumped", ["empty", "turn", "turn", "bump", "turn"]), {4})
    said = _late.late(bumped)
    assert "after a change 50.00 %, before it 100.00 %: -50.00 points" in said[-1]
    assert "not adjusted" in said[-1] and "not adjusted" in said[-2]
    low = [frame for frame in bumped if not frame.after]
    assert _late.plainly("all", low, [], 0.0) == []
