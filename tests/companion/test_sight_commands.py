import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from companion.bench import _score
from companion.bench._late import poses
from companion.bench._spoils import (
    CALIBRATION,
    PLACES,
    SPOILERS,
    TURNS,
    Change,
    Spoil,
    free_places,
    mug_left,
    somebody_near,
    sun_patch,
)
from companion.bench._truth import load_truth, pose_errors, true_camera, true_piles, views
from companion.cli.main import dispatch
from tests import pictures

pytestmark = pytest.mark.pictures


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    target = tmp_path / "game-05"
    target.mkdir()
    for file in ("000.jpg", "001.jpg", "006.jpg"):
        shutil.copy(pictures.FOLDER / "game-05" / file, target / file)
    for file in ("game.json", "labels.json"):
        data = json.loads((pictures.FOLDER / "game-05" / file).read_text())
        data["frames"] = [f for f in data["frames"] if f["file"] in ("000.jpg", "001.jpg", "006.jpg")]
        (target / file).write_text(json.dumps(data))
    return target


def test_see_prints_a_line_a_picture(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch(["see", str(folder)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["file"] for line in lines] == ["000.jpg", "001.jpg", "006.jpg"]
    assert lines[2]["heights"] == pictures.frame("game-05", "006.jpg")["heights"]


def test_see_writes_and_draws(folder: Path, tmp_path: Path) -> None:
    out, drawn = tmp_path / "read.jsonl", tmp_path / "drawn"
    assert dispatch(["see", str(folder), "--out", str(out), "--overlay", str(drawn)]) == 0
    assert len(out.read_text().splitlines()) == 3
    assert {path.name for path in drawn.iterdir()} == {"000.jpg", "001.jpg", "006.jpg"}


def test_see_names_a_broken_picture_and_reads_on(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "001.jpg").write_bytes(b"broken")
    assert dispatch(["see", str(folder)]) == 1
    said = capsys.readouterr()
    assert "001.jpg" in said.err
    assert len(said.out.splitlines()) == 2


def test_see_needs_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch(["see", str(tmp_path)]) == 2
    assert "game.json" in capsys.readouterr().err


def test_the_bench_scores_a_set(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["sight", str(folder.parent), "--mistakes", "--overlay", str(tmp_path / "worst")]
    assert dispatch(arguments, "companion.bench", "santorini bench") == 0
    said = capsys.readouterr().out
    assert "game-05" in said
    assert "reliability" in said
    assert "after bump" not in said


def test_the_bench_needs_labels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch(["sight", str(tmp_path)], "companion.bench", "santorini bench") == 2
    assert "labels.json" in capsys.readouterr().err


def test_visibility_comes_from_the_truth_alone() -> None:
    profile = pictures.album("game-05").profile
    truth = load_truth(pictures.FOLDER / "game-05", profile, (1280, 720))
    empty = truth.frames["000.jpg"]
    assert min(empty.visible) > 0.9
    assert truth.tags
    frame = pictures.frame("game-05", "006.jpg")
    camera = true_camera(frame["camera"], (1280, 720), profile)
    shares = views(camera, profile, true_piles(frame["pieces"], profile))
    assert shares == truth.frames["006.jpg"].visible
    assert all(0 <= share <= 1.05 for share in shares)


def test_a_still_picture_called_busy_counts_as_unread() -> None:
    truth = load_truth(pictures.FOLDER / "game-05", pictures.album("game-05").profile, (1280, 720))
    fact = truth.frames["001.jpg"]
    cells = tuple(
        _score.Cell("game-05", "001.jpg", cell, content, content, True, 1.0)
        for cell, content in enumerate(fact.board)
    )
    busy = _score.Frame(truth, fact, cells, True, "ok", False, 1.0)
    read = _score.Frame(truth, fact, cells, False, "ok", False, 1.0)
    assert (_score.line([busy]).cells_right, _score.line([busy]).stills_busy) == (0, 1)
    assert (_score.line([read]).cells_right, _score.line([read]).boards_right) == (25, 1)


@pytest.mark.parametrize(
    "spoil", [one for one in SPOILERS if one.scene is None], ids=lambda spoil: spoil.name
)
def test_spoilers_change_what_they_say(spoil: Spoil) -> None:
    picture = pictures.picture("game-05", "001.jpg")
    spoiled = spoil.picture(picture)
    assert spoiled.shape == picture.shape
    assert (spoil.sizes != 1.0) == bool((spoiled == picture).all())


def test_a_mug_is_put_beside_the_island_after_the_calibration_and_moved_now_and_then() -> None:
    outside = np.ones((180, 320), dtype=np.bool_)
    outside[50:130, 90:230] = False
    places = free_places(outside)
    assert len(places) == PLACES
    left, table = mug_left(outside), np.zeros((720, 1280, 3), dtype=np.uint8)
    seen = [left(table).any(axis=2) for _ in range(CALIBRATION + 2 * TURNS)]
    assert not any(one.any() for one in seen[:CALIBRATION])
    for first, one in zip(seen[CALIBRATION:], seen[CALIBRATION + TURNS :], strict=False):
        assert first.any() and one.any() and not (first & one).any()
        assert outside.repeat(4, axis=0).repeat(4, axis=1)[first | one].all()


@pytest.mark.parametrize(("scene", "brighter"), [(sun_patch, True), (somebody_near, False)])
def test_light_falls_somewhere_else_each_time(scene: Callable[..., Change], brighter: bool) -> None:
    grey = np.full((72, 128, 3), 120, dtype=np.uint8)
    change = scene(np.ones((18, 32), dtype=np.bool_))
    seen = [change(grey) for _ in range(12)][9:]
    assert all((one >= grey).all() if brighter else (one <= grey).all() for one in seen)
    assert all((one != grey).any() and (one == grey).any() for one in seen)
    assert (seen[0] != seen[1]).any() and (seen[1] != seen[2]).any()


def test_where_no_table_is_seen_nothing_can_be_left() -> None:
    table = np.zeros((720, 1280, 3), dtype=np.uint8)
    left = mug_left(np.zeros((180, 320), dtype=np.bool_))
    assert not any(left(table).any() for _ in range(CALIBRATION + 2))


def test_the_pose_is_scored_before_and_after_a_bump() -> None:
    calibration = pictures.calibration("game-05")
    truth = load_truth(pictures.FOLDER / "game-05", pictures.album("game-05").profile, (1280, 720))
    first, bump = truth.frames["000.jpg"], truth.frames["010.jpg"]
    assert first.camera is not None and bump.camera is not None
    near, far = (pose_errors(calibration.camera, camera) for camera in (first.camera, bump.camera))
    assert 0.0 < near[0] < 0.5 and near[1] < 1.5 and far[0] > 5.0
    frames = [
        _score.Frame(truth, fact, (), False, "ok", after, 0.0, 0.0, pose)
        for fact, after, pose in ((first, False, near), (bump, True, far))
    ]
    before, later = poses(frames)
    assert f"{near[0]:.2f} px" in before and f"{far[0]:.2f} px" in later
    assert poses(frames[:1]) == []
