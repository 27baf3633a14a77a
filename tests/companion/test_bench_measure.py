"""`santorini bench measure` prints the errors of measured sizes."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli.main import main

GAMES = Path(__file__).parents[1] / "data" / "pictures"


@pytest.mark.slow
@pytest.mark.pictures
def test_a_table_of_errors_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "measure", str(GAMES / "game-34"), "--start", "1.08"]) == 0
    said = capsys.readouterr().out
    rows = {line.split()[0]: line.split() for line in said.splitlines() if line.startswith("all")}
    start, measured = (float(value) for value in rows["all"][1:3])
    assert measured < start
    assert "within 2 spread" in said


def test_games_without_a_tableau_are_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["bench", "measure", str(tmp_path)]) == 2
    assert "game.json" in capsys.readouterr().err
