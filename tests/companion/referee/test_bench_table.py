"""The bench of the table plays for real: games without pictures, on an accelerated clock."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import numpy as np
import pytest

from companion.bench import _table_live
from companion.bench._table_live import Numbers, NumbersGate, run_soak, waits_of
from companion.bench._table_many import Counting, tap
from companion.bench._turns import labels_of
from companion.cli.main import dispatch
from companion.live.practice import COLOURS, PLAYERS, placed
from companion.referee.fakes import MisreadingEye
from companion.referee.pictures import line_up
from companion.store import Store
from companion.table.tables import Tables
from vision.album import open_album
from vision.gate import Verdict
from vision.sources import Frame


@pytest.mark.slow
def test_games_are_played_by_simulated_hands_until_they_are_won() -> None:
    lines = list(run_soak(2, seed=5, fast=True))
    assert lines[-1].startswith("soak:    2 games") and "given up" not in lines[-1]
    assert "questions answered: 0, said clear: 0, set right by hand: 0, turns tapped in: 0" in lines[-1]


@pytest.mark.slow
def test_games_come_to_their_end_before_an_eye_that_errs_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    """It begins to err in the middle of the game, so nothing it knew before excuses that: people have to."""

    class FailingEye(MisreadingEye):
        def blink(self) -> None:
            self.off = {0: 2, 7: 1, 24: 1} if self.looks > 30 else {}

    numbers = Numbers(), FailingEye({}, tuple(COLOURS)), NumbersGate()
    monkeypatch.setattr(_table_live, "numbers", lambda: numbers)
    *_, last = run_soak(1, seed=5, fast=True)
    assert last.startswith("soak:    1 games") and "set right by hand: 0" not in last


def test_a_game_that_does_not_end_is_given_up_with_its_state(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NumbersGate, "step", lambda gate, frame: "hand")
    monkeypatch.setattr(_table_live, "MOST_GLANCES", 40)
    *_, last = run_soak(1, seed=5, fast=True)
    assert "game 1 does not end; given up: 2 turns, play, A to move" in last
    assert "camera hand, last reading none" in last and not last.endswith("differ at -")


def test_a_wait_is_from_the_hand_that_left_last_to_the_first_change_after_it() -> None:
    assert list(waits_of([1.0, 5.0, 9.0], [2.5, 2.7, 9.25])) == [1.5, 0.25]


def test_a_set_without_games_is_named(
    tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path_factory.mktemp("empty")
    assert dispatch(["table", str(folder)], "companion.bench", "santorini bench") == 2
    assert "no game" in capsys.readouterr().err


def test_a_table_without_a_camera_is_played_by_taps(tmp_path: Path) -> None:
    chance = random.Random(1)
    with Store.open(tmp_path / "santorini.db") as store:
        table = placed(Tables(store).create({"players": PLAYERS}), chance)
        assert sum(tap(table, chance) for _ in range(12)) == 12
        assert len(table.public().history) >= 3


class _Still:
    """A gate to which every frame is a still one."""

    resting = True

    def step(self, frame: Frame) -> Verdict:
        return "still"

    def accept(self, frame: Frame) -> None:
        return None


def test_frames_that_were_passed_over_are_counted() -> None:
    gate = Counting(_Still())
    for number in (3, 4, 7):
        gate.step(Frame(np.zeros((2, 2, 3), np.uint8), 0.0, number))
    assert (gate.offered, gate.seen) == (5, 3)


@pytest.mark.parametrize("wrong", [None, "illegal", "turn"])
def test_a_label_that_contradicts_the_rules_ends_what_is_scored(tmp_path: Path, wrong: str | None) -> None:
    """A lawful turn labelled as unlawful, or one that was really unlawful labelled as a turn."""
    game = tmp_path / "game-02"
    shutil.copytree(Path("tests/data/pictures/game-02"), game)
    data = json.loads((game / "labels.json").read_text("utf-8"))
    kinds = {"illegal": "turn", "turn": "illegal"}
    if wrong is not None:
        number, frame = next((n, f) for n, f in enumerate(data["frames"]) if f["event"] == kinds[wrong])
        frame["event"] = wrong
        frame["turn"] = {"kind": "dome_low"} if wrong == "illegal" else frame["turn"]
        (game / "labels.json").write_text(json.dumps(data), "utf-8")
    labels = labels_of(game, line_up(open_album(game)))
    unfair = [label.file for label in labels if not label.fair]
    assert unfair == [label.file for label in labels][number if wrong is not None else len(labels) :]
