"""`santorini capture`: a set shot from a (simulated) table is read and scored like any picture game."""

from __future__ import annotations

import io
import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.mat import SQUARE
from calibration.pieces import profile_from_geometry, shipped, shipped_names
from calibration.pose import GRID_CORNERS
from calibration.solids import DOME
from companion.bench._truth import load_truth
from companion.cli._picture_set import PictureSet, camera_label, geometry_of, pieces_of
from companion.cli.main import main
from tests.companion.table_pictures import COLOURS, EMPTY_BOARD, PLACED, TABLEAU, camera, placed, shoot, taps
from vision.album import open_album
from vision.reading import Content, board_from_json
from vision.simulator import SimulatedCamera, camera_at, mat_sheet

pytestmark = pytest.mark.slow

TURN = placed(
    (6, Content(0, "A")),
    (12, Content(0, "A")),
    (17, Content(0, "B")),
    (18, Content(0, "B")),
    (13, Content(1)),
)
ILLEGAL = placed(
    (6, Content(0, "A")),
    (12, Content(0, "A")),
    (17, Content(0, "B")),
    (18, Content(0, "B")),
    (13, Content(3, DOME)),
)


def capture(monkeypatch: pytest.MonkeyPatch, source: Path, target: Path, *lines: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return main(["capture", str(target), "--camera", str(source), "--colours", COLOURS])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("capture")
    shoot(folder / "in", [EMPTY_BOARD, TABLEAU, PLACED, TURN, TURN, ILLEGAL, TURN])
    with pytest.MonkeyPatch.context() as patch:
        lines = ("", taps(), "t", "", "p", "", "", "a1=1", "a1=.", "", "h", "x", "i", "d4=B", "", "l", "q")
        assert capture(patch, folder / "in", folder / "set", *lines) == 0
    return folder / "set"


def test_the_set_has_the_events_and_positions_that_were_confirmed(made: Path) -> None:
    labels = json.loads((made / "labels.json").read_text())
    frames = labels["frames"]
    assert [frame["event"] for frame in frames] == [
        "empty",
        "tableau",
        "placed",
        "turn",
        "hand",
        "illegal",
        "light",
    ]
    boards = [board_from_json(frame) for frame in frames]
    assert boards == [EMPTY_BOARD, TABLEAU, PLACED, TURN, TURN, ILLEGAL, TURN]
    assert [frame["follows"] for frame in frames][3:] == ["002.jpg", "003.jpg", "003.jpg", "003.jpg"]
    assert "confirmed by hand" in labels["origin"]


def test_the_set_opens_as_a_picture_game(made: Path) -> None:
    album = open_album(made)
    assert album.colours == {"A": "blue", "B": "orange"}
    assert set(album.known) == {"000.jpg", "001.jpg", "002.jpg"}
    assert album.taps is not None and len(album.taps) == 4
    assert album.files == tuple(f"{number:03}.jpg" for number in range(7))


def test_the_set_can_be_scored(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truth = load_truth(made, shipped(), (1280, 720))
    assert abs(truth.elevation - camera().camera.elevation) < 0.5
    assert min(truth.frames["000.jpg"].visible) > 0.9
    assert main(["bench", "sight", str(made)]) == 0
    assert "set" in capsys.readouterr().out


def test_a_full_folder_is_left_alone(
    made: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert capture(monkeypatch, made, made) == 2
    assert "is not empty" in capsys.readouterr().err


def test_the_set_is_whole_when_the_user_or_the_pictures_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shoot(tmp_path / "in", [EMPTY_BOARD])
    assert capture(monkeypatch, tmp_path / "in", tmp_path / "one", "", taps(), "p") == 0
    assert "that was the last picture" in capsys.readouterr().out
    assert len(json.loads((tmp_path / "one" / "labels.json").read_text())["frames"]) == 1
    assert capture(monkeypatch, tmp_path / "in", tmp_path / "none") == 1


def test_corners_beside_the_board_are_asked_for_again_and_powers_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shoot(tmp_path / "in", [EMPTY_BOARD])
    beside = "300,200 340,200 340,160 300,160"
    lines = ("", beside, beside, "", taps(), "q")
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    words = ["capture", str(tmp_path / "set"), "--camera", str(tmp_path / "in"), "--colours", COLOURS]
    assert main([*words, "--gods", "b=Atlas"]) == 0
    said = capsys.readouterr().out
    assert "verdict: good" in said
    game = json.loads((tmp_path / "set" / "game.json").read_text())
    assert [player["god"] for player in game["players"]] == [None, "atlas"]


@pytest.mark.parametrize("gods", ["A=zeusx", "C=atlas", "atlas"])
def test_a_power_or_side_that_is_not_there_is_named(
    gods: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shoot(tmp_path / "in", [EMPTY_BOARD])
    words = ["capture", str(tmp_path / "set"), "--camera", str(tmp_path / "in"), "--gods", gods]
    assert main(words) == 2
    assert f"--gods '{gods}'" in capsys.readouterr().err
    assert not (tmp_path / "set").exists()


def test_with_a_mat_no_corner_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = mat_sheet(SQUARE, shipped().pitch_mm, (3.0, -2.0), 1.0)
    table = SimulatedCamera(camera_at(58, 245, 17), colours={"A": "blue", "B": "orange"}, mat=sheet)
    (tmp_path / "in").mkdir()
    cv2.imwrite(str(tmp_path / "in" / "0.png"), table.render(EMPTY_BOARD))
    monkeypatch.setattr("sys.stdin", io.StringIO("\nq\n"))
    words = ["capture", str(tmp_path / "set"), "--camera", str(tmp_path / "in"), "--tags", "a3x2"]
    assert main([*words, "--colours", COLOURS]) == 0
    game = json.loads((tmp_path / "set" / "game.json").read_text())
    assert game["tags"] and game["tag_layout"]["size_mm"] == 40
    assert np.allclose(game["corner_taps"], table.camera.project(GRID_CORNERS), atol=1.5)


# The files


@pytest.mark.parametrize("name", shipped_names())
def test_sizes_come_back_from_millimetres(name: str) -> None:
    profile = shipped(name)
    again = profile_from_geometry(geometry_of(profile))
    for one, two in zip(profile.blocks, again.blocks):
        assert one.shape == two.shape
        assert (two.rim, two.floor) == pytest.approx((one.rim, one.floor), abs=1e-3)
        assert two.body_width == pytest.approx(one.body_width, abs=1e-3)
    assert again.board.plateau == pytest.approx(profile.board.plateau, abs=1e-3)
    assert again.board.wall_at == pytest.approx(profile.board.wall_at, abs=1e-3)
    assert again.dome.radius == pytest.approx(profile.dome.radius, abs=1e-3)


def test_labels_place_pieces_in_millimetres_over_the_table() -> None:
    profile = shipped()
    kinds = [(piece["kind"], piece["z"]) for piece in pieces_of(12, Content(2, "A"), profile)]
    assert kinds == [
        ("L1", 97.0),
        ("L2", pytest.approx(123.0, abs=0.1)),
        ("worker_m", pytest.approx(144.5, abs=0.1)),
    ]
    assert pieces_of(0, Content(0, DOME), profile)[0]["x"] == -86.0


def test_the_camera_of_a_label_projects_millimetres_of_the_table_frame() -> None:
    profile, true = shipped(), camera().camera
    label = camera_label(true, profile)
    spot = np.array([43.0, -86.0, 97.0])
    seen = np.array(label["R_world_to_camera"]) @ spot + np.array(label["t_world_to_camera_mm"])
    assert np.allclose(true.draw(seen[None])[0], true.project(np.array([1.0, -2.0, 0.0])), atol=0.2)


def test_pictures_are_written_as_jpeg(tmp_path: Path) -> None:
    files = PictureSet(tmp_path, shipped(), {"A": "blue"})
    files.add(np.full((36, 64, 3), 90, np.uint8), "empty", EMPTY_BOARD, None)
    assert (tmp_path / "000.jpg").read_bytes().startswith(b"\xff\xd8")
    assert "camera" not in files.labels()["frames"][0]
