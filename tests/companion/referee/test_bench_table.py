"""The bench of the table plays for real: games without pictures, on an accelerated clock."""

from __future__ import annotations

import pytest

from companion.bench._table_live import _waits, run_soak
from companion.cli.main import dispatch


@pytest.mark.slow
def test_games_are_played_by_simulated_hands_until_they_are_won() -> None:
    lines = list(run_soak(2, seed=5, fast=True))
    assert lines[-1].startswith("soak:    2 games") and "given up" not in lines[-1]


def test_a_wait_is_from_the_hand_that_left_last_to_the_first_change_after_it() -> None:
    assert list(_waits([1.0, 5.0, 9.0], [2.5, 2.7, 9.25])) == [1.5, 0.25]


def test_a_set_without_games_is_named(
    tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path_factory.mktemp("empty")
    assert dispatch(["table", str(folder)], "companion.bench", "santorini bench") == 2
    assert "no game" in capsys.readouterr().err
