import random

import cv2
import numpy as np
import pytest

from calibration.build import calibrate
from calibration.pose import GRID_CORNERS, PoseError
from calibration.watch import (
    MOVED,
    Motion,
    follow,
    motion,
    motion_between,
    moved_calibration,
    watch_of,
)
from tests import pictures
from vision.reader import Reader
from vision.reading import EMPTY_BOARD, Board, Content, Picture, board_from_json
from vision.simulator import SimulatedCamera

pytestmark = pytest.mark.pictures
BUMP = next(f["file"] for f in pictures.labels("game-05")["frames"] if f["event"] == "bump")
STILL = "004.jpg"


def test_a_still_camera_is_called_still() -> None:
    watch = watch_of(pictures.calibration("game-05"))
    assert motion(watch, pictures.picture("game-05", "003.jpg")).homography is None


def test_a_knock_is_noticed_and_followed() -> None:
    calibration, picture = pictures.calibration("game-05"), pictures.picture("game-05", BUMP)
    moved = motion(watch_of(calibration), picture)
    assert moved.pixels > 5
    camera = follow(calibration, picture, moved).camera
    truth = pictures.camera("game-05", BUMP)
    assert np.linalg.norm(camera.project(GRID_CORNERS) - truth.project(GRID_CORNERS), axis=1).max() < 1.5
    again = moved_calibration(calibration, camera)
    assert motion(watch_of(again), picture).homography is None


def soft(picture: Picture, sigma: float) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), dtype=np.uint8)


def shifted(picture: Picture, pixels: float) -> Picture:
    move = np.array([(1, 0, pixels), (0, 1, pixels / 3)], dtype=np.float32)
    moved = cv2.warpAffine(
        picture, move, (picture.shape[1], picture.shape[0]), borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(moved, dtype=np.uint8)


def before(name: str, file: str) -> str:
    """The still picture before another."""
    frames = pictures.labels(name)["frames"]
    still = [f["file"] for f in frames if f["event"] in ("placed", "turn") and f["file"] < file]
    return str(still[-1])


def board(name: str, file: str) -> Board:
    return board_from_json(pictures.frame(name, file))


def test_a_knock_is_noticed_at_the_first_picture_and_read_rightly_at_once() -> None:
    eye, last = Reader(pictures.calibration("game-05")), before("game-05", BUMP)
    assert eye.look(pictures.picture("game-05", last)).camera != "moved"
    for says in ("moved", "ok"):
        reading = eye.look(pictures.picture("game-05", BUMP))
        assert (reading.status, reading.camera, reading.best) == ("stable", says, board("game-05", BUMP))


def test_a_knock_that_the_empty_board_does_not_explain_is_seen_against_the_last_still_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    last, knocked = (pictures.picture("game-05", file) for file in (before("game-05", BUMP), BUMP))
    # as on crowded boards: less of what the empty board has shown moves together
    monkeypatch.setattr("calibration.watch.AGREED", 0.95)
    calibration = pictures.calibration("game-05")
    assert motion(watch_of(calibration), knocked).unclear
    assert motion_between(calibration, last, knocked).homography is not None
    assert Reader(calibration).look(knocked).camera != "moved", "nothing to compare with yet"
    eye = Reader(calibration)
    eye.look(last)
    reading = eye.look(knocked)
    assert (reading.status, reading.camera, reading.best) == ("stable", "moved", board("game-05", BUMP))


@pytest.mark.parametrize("name", ["game-02", "game-05", "game-34"])
def test_another_light_is_noticed_at_the_first_picture_and_read_rightly_at_once(name: str) -> None:
    file = next(f["file"] for f in pictures.labels(name)["frames"] if f["event"] == "light")
    eye = Reader(pictures.calibration(name))
    assert eye.look(pictures.picture(name, before(name, file))).camera == "ok"
    reading = eye.look(pictures.picture(name, file))
    assert (reading.status, reading.camera, reading.best) == ("stable", "light", board(name, file))
    assert eye.look(pictures.picture(name, file)).camera == "ok"


def test_another_focus_is_noticed_at_the_first_picture_and_reading_pauses_where_it_must() -> None:
    eye, picture = Reader(pictures.calibration("game-02")), pictures.picture("game-02", STILL)
    assert eye.look(picture).status == "stable" and eye.blur == 0.0
    assert eye.look(soft(picture, 2.0)).best == board("game-02", STILL) and eye.blur >= 1.0
    lost = eye.look(soft(picture, 7.0))
    assert (lost.status, lost.camera) == ("busy", "moved")
    again = eye.look(picture)
    assert (again.status, again.best, eye.blur) == ("stable", board("game-02", STILL), 0.0)


@pytest.mark.parametrize("pixels", [3.0, 6.0, 15.0, 40.0, 80.0, 130.0, 240.0])
def test_a_shifted_board_is_never_read_as_moved_pieces(pixels: float) -> None:
    eye, picture = Reader(pictures.calibration("game-02")), pictures.picture("game-02", STILL)
    for _ in range(2):
        reading = eye.look(shifted(picture, pixels))
        assert reading.status == "busy" or reading.best == board("game-02", STILL)
    if pixels > 60:
        return
    assert reading.status == "stable", "so small a knock is solved"


def test_towers_over_most_of_the_island_are_no_knock() -> None:
    """Features that are built over jump to whatever is beside them; the others tell that all has stayed."""
    camera = SimulatedCamera()
    corners = camera.camera.project(GRID_CORNERS).tolist()
    watch = watch_of(calibrate(camera.render(EMPTY_BOARD), camera.profile, {"A": "blue"}, taps=corners))
    for seed in (11, 22):
        dice = random.Random(seed)
        board = tuple(Content(dice.choice((1, 1, 1, 1, 0))) for _ in range(25))
        moved = motion(watch, camera.render(board, grain=seed))
        assert moved.pixels > MOVED and moved.homography is None


def test_a_hand_over_the_board_is_no_knock() -> None:
    hands = [f["file"] for f in pictures.labels("game-02")["frames"] if f["event"] == "hand"]
    watch = watch_of(pictures.calibration("game-02"))
    assert all(motion(watch, pictures.picture("game-02", file)).homography is None for file in hands)


def test_a_picture_of_something_else_gives_no_pose() -> None:
    calibration = pictures.calibration("game-05")
    noise = np.random.default_rng(3).integers(0, 255, calibration.empty.shape).astype(np.uint8)
    blurred = np.asarray(cv2.GaussianBlur(noise, (0, 0), 3), dtype=np.uint8)
    with pytest.raises(PoseError):
        follow(calibration, blurred, Motion(20.0, np.eye(3)))


def test_a_motion_nobody_could_follow_gives_no_pose() -> None:
    with pytest.raises(PoseError, match="nothing"):
        follow(pictures.calibration("game-05"), pictures.picture("game-05", BUMP), Motion(20.0, None))
