"""`santorini bench camera` measures and prints a line for each thing it measures."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.bench._camera_sources import FRAMES, number_of, numbered
from companion.cli.main import main

GAME = Path(__file__).parents[1] / "data" / "pictures" / "game-02"


@pytest.mark.slow
@pytest.mark.pictures
def test_every_figure_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "camera", str(GAME), "--frames", "16"]) == 0
    said = capsys.readouterr().out
    for words in (
        "simulator: ",
        "gate, still frames",
        "gate, hand  frames",
        "MJPEG over HTTP",
        "video file",
        "pushed JPEG",
    ):
        assert words in said
    assert "gate on hand pictures: 3 of 3 right" in said


def test_a_folder_without_a_game_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "camera", str(tmp_path), "--frames", "8"]) == 2
    assert "game.json" in capsys.readouterr().err


def test_numbers_survive_in_pictures() -> None:
    assert [number_of(numbered(number)) for number in (0, 17, FRAMES - 1)] == [0, 17, FRAMES - 1]
