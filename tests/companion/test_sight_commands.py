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
    FROM_START,
    PLACES,
    SPOILERS,
    TURNS,
    Change,
    Spoil,
    free_places,
    mug_left,
    shot_by,
    somebody_near,
    sun_patch,
)
from companion.bench._truth import load_truth, pose_errors, true_camera, true_piles, views
from companion.cli.main import dispatch
from tests import pictures
from vision.album import calibrated, load_picture, open_album
from vision.reading import Content

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
    assert "the gate alone on the same pictures" in said and "true (rows)" in said
    assert "after bump" not in said and "could not be read" not in said


def test_the_bench_names_what_is_bad_and_counts_it_as_wrong(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("nothing", "dark", "torn"):
        shutil.copytree(folder, folder.parent / name)
    listed = json.loads((folder / "game.json").read_text())
    (folder.parent / "nothing" / "game.json").write_text(json.dumps(listed | {"frames": []}))
    (folder.parent / "torn" / "labels.json").write_text('{"frames": [{}]}')
    (folder.parent / "dark" / "000.jpg").write_bytes(b"broken")
    (folder / "006.jpg").unlink()
    assert dispatch(["sight", str(folder.parent), "--mistakes"], "companion.bench", "santorini bench") == 1
    said = capsys.readouterr()
    for text in ("nothing/game.json", "torn/labels.json", "dark: not read", "game-05: not read"):
        assert text in said.err
    assert "could not be read, counted as wrong: 4" in said.out
    assert "game-05/006.jpg turn: could not be read" in said.out
    (row,) = [line for line in said.out.splitlines() if line.startswith("all  ")]
    assert " 2/6 " in row, "two boards of six"


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
    broken = _score.unread(fact, truth, False)
    assert (_score.line([broken]).cells, _score.line([broken]).cells_right) == (25, 0)
    assert (_score.line([broken]).boards, _score.line([broken]).stills_busy) == (1, 0)
    assert _score.line([read, broken]).ms == read.ms


def test_the_confusion_table_has_what_is_there_in_rows_and_what_was_read_in_columns() -> None:
    truth = load_truth(pictures.FOLDER / "game-05", pictures.album("game-05").profile, (1280, 720))
    fact = truth.frames["001.jpg"]
    pairs = [("2", "1"), ("2", "2"), ("1A", "1B"), ("3dome", "3dome")]
    contents = [[Content(int(text[0]), text[1:]) for text in pair] for pair in pairs]
    cells = tuple(
        _score.Cell("game-05", "001.jpg", n, true, read, True, 1.0) for n, (true, read) in enumerate(contents)
    )
    head, names, *rows, colours = _score.crossed([_score.Frame(truth, fact, cells, False, "ok", False, 1.0)])
    assert "rows" in head and names.split() == list(_score.KINDS) and colours.endswith(" 1")
    assert [row.split()[0] for row in rows] == ["2", "3D", "1W"]
    two = next(row for row in rows if row.split()[0] == "2").split()[1:]
    assert [two[_score.KINDS.index(name)] for name in ("1", "2", "3")] == ["1", "1", "."]


def test_a_camera_that_was_never_better_is_calibrated_on_spoiled_pictures(folder: Path) -> None:
    (folder / "006.jpg").write_bytes(b"broken")
    album = open_album(folder)
    half = next(spoil for spoil in FROM_START if "half" in spoil.name)
    with shot_by(album, half) as used:
        picture = load_picture(used.folder / "001.jpg")
        assert picture.shape == (360, 640, 3) and used.files == album.files
        assert album.taps is not None and used.taps is not None
        assert used.taps[0][0] == pytest.approx(album.taps[0][0] / 2 - 0.25)
        assert not (used.folder / "006.jpg").exists()
        assert calibrated(used, []).camera.size == (640, 360)
    for spoil in FROM_START:
        with shot_by(album, spoil) as used:
            assert load_picture(used.folder / "000.jpg").mean() == pytest.approx(
                load_picture(album.folder / "000.jpg").mean(), abs=2.0
            )


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
