"""`santorini track` follows a game from its pictures alone, without the names of events or labels."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from companion.bench._games import Faults
from companion.bench._turns import Figures, labels_of, reliability, summary, worst
from companion.bench.table import follow_game
from companion.cli.main import main
from companion.referee.pictures import line_up
from vision.album import AlbumError, open_album

PICTURES = Path(__file__).parents[2] / "data" / "pictures"
BLIND = ("empty", "tableau", "placed")


def blind(source: Path, target: Path, count: int) -> Path:
    """Copy a game without labels, its events hidden."""
    target.mkdir()
    data = json.loads((source / "game.json").read_text("utf-8"))
    data["frames"] = data["frames"][:count]
    for frame in data["frames"]:
        shutil.copy(source / frame["file"], target)
        if frame["event"] not in BLIND:
            frame["event"] = "?"
    (target / "game.json").write_text(json.dumps(data), "utf-8")
    return target


@pytest.mark.slow
@pytest.mark.pictures
def test_a_blind_game_is_followed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, count = PICTURES / "game-34", 12
    out, doubts = tmp_path / "turns.jsonl", tmp_path / "doubts"
    folder = blind(game, tmp_path / "blind", count)
    assert main(["track", str(folder), "--out", str(out), "--debug-dir", str(doubts)]) == 0
    lines: list[dict[str, Any]] = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    labels = labels_of(game, line_up(open_album(game)))
    assert [line["file"] for line in lines] == [label.file for label in labels[:count]]
    said = {line["file"]: line for line in lines}
    assert said["004.jpg"]["turn"] == "B2:d4>c5 B2+c4 B2+d5" and said["004.jpg"]["by"] == "B"
    assert said["005.jpg"]["turn"].endswith("[xB2 +c5]")
    assert (said["008.jpg"]["decision"], said["008.jpg"]["reason"]) == ("illegal", "not_neighbour")
    assert said["008.jpg"]["position"] == said["007.jpg"]["position"] != said["008.jpg"]["seen"]
    assert said["009.jpg"]["decision"] in ("busy", "none")
    assert sorted(path.name for path in doubts.glob("*008-illegal*"))
    assert {"position", "seen", "choices", "ms", "reason"} <= set(lines[0])


@pytest.mark.slow
@pytest.mark.pictures
def test_a_whole_game_is_right() -> None:
    faults = Faults("bench")
    scored, missing = follow_game(PICTURES / "game-02", faults)
    assert not missing and not faults.texts
    figures = Figures()
    figures.add(scored)
    count = figures.counts
    told = "\n".join(worst(scored))
    assert count["silent"] == 0 and count["commits on hands"] == 0, told
    assert count["turn right"] >= 14 and count["rule right"] >= 1, told
    assert any("turns decided right" in line for line in summary(figures))
    assert len(list(reliability(scored))) >= 2


def test_labels_that_break_the_rules_are_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    shutil.copytree(PICTURES / "game-02", folder)
    labels = json.loads((folder / "labels.json").read_text("utf-8"))
    frame = next(f for f in labels["frames"] if f["event"] == "turn")
    frame["heights"][0][0] = 3
    (folder / "labels.json").write_text(json.dumps(labels), "utf-8")
    found = labels_of(folder, line_up(open_album(folder)))
    assert next(label.file for label in found if not label.fair) == frame["file"]


@pytest.mark.parametrize("broken", ["{", '{"players": 3, "frames": [{"file": "a.jpg"}]}'])
def test_a_broken_game_is_one_sentence_and_exit_code_2(
    tmp_path: Path, broken: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game.json").write_text(broken, "utf-8")
    assert main(["track", str(tmp_path)]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) <= 2


def test_two_players_may_hold_the_same_power_and_one_that_is_not_there_is_named(tmp_path: Path) -> None:
    folder = blind(PICTURES / "game-02", tmp_path / "game", 1)
    data = json.loads((folder / "game.json").read_text("utf-8"))
    for gods in (("atlas", "Atlas", "atlas"), ("medusa", None, None)):
        for player, god in zip(data["players"], gods, strict=True):
            player["god"] = god
        (folder / "game.json").write_text(json.dumps(data), "utf-8")
        powers = [player.power for player in line_up(open_album(folder)).setup.players]
        assert powers == [god.lower() if god else None for god in gods]
    data["players"][0]["god"] = "nobody"
    (folder / "game.json").write_text(json.dumps(data), "utf-8")
    with pytest.raises(AlbumError, match=r"game\.json: players\.power: 'nobody' is no power"):
        line_up(open_album(folder))


@pytest.mark.parametrize("players", [[], None, [{"id": "A"}], [{"id": "A"}, {"id": "A"}]])
def test_players_who_cannot_be_are_named_with_the_file(tmp_path: Path, players: object) -> None:
    folder = blind(PICTURES / "game-02", tmp_path / "game", 1)
    data = json.loads((folder / "game.json").read_text("utf-8"))
    (folder / "game.json").write_text(json.dumps(data | {"players": players, "known": {}}), "utf-8")
    with pytest.raises(AlbumError, match=r"game\.json: players"):
        line_up(open_album(folder))
