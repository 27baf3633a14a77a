"""The measurements of the rules measure what they say."""

from __future__ import annotations

import pytest

from companion.bench._plain_turns import plain_positions, plain_turns
from companion.bench._rules_speed import (
    MIDDLE_GAMES,
    SIMPLE,
    Times,
    _plain,
    ask_everywhere,
    deduce_everywhere,
    listed,
    text_rate,
    with_power,
)
from companion.cli.main import main
from engine.fast import base_turns
from engine.fen import parse_fen
from engine.successors import next_fens


def test_the_generators_that_are_compared_list_the_same_turns() -> None:
    for fen in MIDDLE_GAMES:
        state = parse_fen(fen)
        board = _plain(state)
        turns = base_turns(state.pos, state.to_move or "")
        assert sorted(turns) == sorted(
            plain_turns(list(board.heights), list(board.workers), list(board.others))
        )
        assert len(plain_positions(board)) == len(turns) == len(listed(state))


@pytest.mark.parametrize("name", SIMPLE)
def test_the_cards_turns_are_listed_whole(name: str) -> None:
    for fen in MIDDLE_GAMES[:3]:
        played = with_power(fen, name)
        assert len(listed(parse_fen(played))) >= len(next_fens(played))


def test_times_and_rates() -> None:
    times = Times([0.001, 0.003, 0.002])
    assert times.at(0.5) == 2.0 and times.at(1.0) == 3.0
    listing, explaining = ask_everywhere(2, 1)
    assert len(listing.taken) > 20 and explaining.taken
    learning, warning = deduce_everywhere(2, 1)
    assert learning.taken and len(learning.taken) == len(warning.taken)
    assert "80 in" in text_rate(['{"fen": "/1/mortal:B2,D4/mortal:B4,D2"}'])


def test_bad_values_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "rules", "--sample", "nowhere.jsonl"]) == 2
    assert main(["bench", "rules", "--pairs", "0"]) == 2
    assert "--sample" in capsys.readouterr().err
