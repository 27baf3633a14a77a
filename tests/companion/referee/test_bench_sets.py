"""The bench of the table on sets: what is lost is named and counted, and loses nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.bench import table
from companion.bench._games import Faults
from companion.bench._turns import Figures
from companion.cli.main import dispatch

GAME = Path(__file__).parents[2] / "data" / "pictures" / "game-02"


def spoiled(folder: Path, change: Callable[[dict[str, Any], dict[str, Any]], object]) -> Path:
    """A game without pictures, whose description and labels have been changed."""
    folder.mkdir(parents=True)
    game, labels = (json.loads((GAME / f"{name}.json").read_text("utf-8")) for name in ("game", "labels"))
    change(game, labels)
    (folder / "game.json").write_text(json.dumps(game), "utf-8")
    (folder / "labels.json").write_text(json.dumps(labels), "utf-8")
    return folder


def test_bad_games_are_named_and_the_others_are_followed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoiled(tmp_path / "god", lambda game, labels: game["players"][0].update(god="zeusx"))
    spoiled(tmp_path / "none", lambda game, labels: game.update(frames=[]))
    spoiled(tmp_path / "torn", lambda game, labels: labels["frames"][3].pop("heights"))
    spoiled(tmp_path / "unlit", lambda game, labels: None)
    assert dispatch(["table", str(tmp_path)], "companion.bench", "santorini bench") == 1
    said = capsys.readouterr()
    for name in ("god", "none", "torn", "unlit"):
        assert f"/{name}" in said.err
    turns = sum(f["event"] == "turn" for f in json.loads((GAME / "labels.json").read_text("utf-8"))["frames"])
    (row,) = [line for line in said.out.splitlines() if line.startswith("all")]
    assert f"0/{turns}" in row and "0/1" in row, "its pictures are all missing: they count as wrong"
    assert "could not be read, counted as wrong" in said.out


def test_a_picture_without_a_label_is_named(tmp_path: Path) -> None:
    def forget(game: dict[str, Any], labels: dict[str, Any]) -> None:
        labels["frames"] = [frame for frame in labels["frames"] if frame["file"] != "007.jpg"]

    faults = Faults("bench")
    scored, missing = table.follow_game(spoiled(tmp_path / "game", forget), faults)
    assert not scored and "007.jpg" not in {label.file for label in missing}
    assert any("no label for 007.jpg" in text for text in faults.texts) and faults.code == 1
    figures = Figures()
    figures.add(scored, missing)
    assert figures.counts["turn"] > 0 == figures.counts["turn right"] == figures.counts["whole"]


def test_without_arguments_the_usual_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Report:
        faults = 0

    asked: list[tuple[object, ...]] = []

    def noted(name: str, result: object) -> None:
        monkeypatch.setattr(table, name, lambda *given: asked.append((name, given[0])) or result)

    for name, result in (("run_live", ["live"]), ("run_soak", ["soak"]), ("run_kills", Report()),
                         ("run_server_kills", Report())):  # fmt: skip
        noted(name, result)
    assert dispatch(["table"], "companion.bench", "santorini bench") == 0
    usual = table.USUAL
    assert asked == [("run_live", usual.live), ("run_soak", usual.soak), ("run_kills", usual.kills),
                     ("run_server_kills", usual.kills)]  # fmt: skip
    assert "nothing was asked for" in capsys.readouterr().out
