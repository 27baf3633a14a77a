import random

import cv2
import numpy as np
import pytest

from calibration.build import calibrate
from calibration.pose import GRID_CORNERS, PoseError
from calibration.watch import MOVED, Motion, follow, motion, moved_calibration, watch_of
from tests import pictures
from vision.reading import EMPTY_BOARD, Content
from vision.simulator import SimulatedCamera

pytestmark = pytest.mark.pictures
BUMP = next(f["file"] for f in pictures.labels("game-05")["frames"] if f["event"] == "bump")


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
