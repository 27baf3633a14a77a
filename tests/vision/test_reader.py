from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests import pictures
from vision.reader import Reader
from vision.reading import DOME, EMPTY_BOARD, Content, Picture, alternatives, board_from_json

pytestmark = pytest.mark.pictures


def reader(name: str) -> Reader:
    return Reader(pictures.calibration(name))


def events(name: str, *wanted: str) -> list[str]:
    return [f["file"] for f in pictures.labels(name)["frames"] if f["event"] in wanted]


def test_the_empty_board_is_read_as_empty() -> None:
    reading = reader("game-05").look(pictures.picture("game-05", "000.jpg"))
    assert reading.best == EMPTY_BOARD
    assert reading.status == "stable"
    assert min(reading.visible) > 0.9


@pytest.mark.parametrize(("name", "file"), [("game-05", "006.jpg"), ("game-34", "013.jpg")])
def test_a_position_is_read_with_likelihoods(name: str, file: str) -> None:
    reading = reader(name).look(pictures.picture(name, file))
    assert reading.best == board_from_json(pictures.frame(name, file))
    assert reading.contents == alternatives(reading.sides)
    for cell, row in enumerate(reading.scores):
        assert len(row) == len(reading.contents)
        assert max(row) <= 0.0
        assert row[reading.contents.index(reading.best[cell])] == 0.0


def test_a_true_board_weighs_more_than_wrong_ones() -> None:
    eye, file = reader("game-05"), "006.jpg"
    truth = board_from_json(pictures.frame("game-05", file))
    taller = tuple(replace(c, height=c.height + 1) if c == Content(1) else c for c in truth)
    bare = tuple(Content(c.height) for c in truth)
    domed = (*truth[:12], Content(truth[12].height, DOME), *truth[13:])
    weights = eye.weigh(pictures.picture("game-05", file), [truth, taller, bare, domed])
    assert weights[0] == max(weights)
    assert weights[0] > sorted(weights)[-2] + 5


def test_hands_are_noticed() -> None:
    eye = reader("game-02")
    assert eye.look(pictures.picture("game-02", "004.jpg")).status == "stable"
    files = events("game-02", "hand")[:2]
    assert all(eye.look(pictures.picture("game-02", file)).status == "busy" for file in files)


def test_a_knock_is_reported_once_and_reading_goes_on() -> None:
    eye, files = reader("game-05"), [f["file"] for f in pictures.labels("game-05")["frames"]]
    bump = events("game-05", "bump")[0]
    before, after = files[files.index(bump) - 1], files[files.index(bump) + 2]
    eye.look(pictures.picture("game-05", events("game-05", "light")[0]))
    states = [eye.look(pictures.picture("game-05", file)).camera for file in (before, bump)]
    assert states == ["ok", "moved"]
    reading = eye.look(pictures.picture("game-05", after))
    assert reading.camera == "ok"
    assert reading.best == board_from_json(pictures.frame("game-05", after))


def test_new_light_is_reported_once_and_reading_goes_on() -> None:
    eye, light = reader("game-34"), events("game-34", "light")[0]
    eye.look(pictures.picture("game-34", "013.jpg"))
    first = eye.look(pictures.picture("game-34", light))
    again = eye.look(pictures.picture("game-34", light))
    assert (first.camera, again.camera) == ("light", "ok")
    assert first.best == again.best == board_from_json(pictures.frame("game-34", light))


def test_a_shifted_board_is_never_read_as_moved_pieces() -> None:
    eye = reader("game-05")
    still = pictures.picture("game-05", "006.jpg")
    shifted = np.roll(np.roll(still, 14, axis=1), -9, axis=0)
    reading = eye.look(shifted)
    assert reading.camera == "moved"
    truth = board_from_json(pictures.frame("game-05", "006.jpg"))
    assert reading.status == "busy" or reading.best == truth


def test_a_picture_of_nothing_known_pauses_reading() -> None:
    eye = reader("game-05")
    reading = eye.look(np.zeros((720, 1280, 3), np.uint8))
    assert reading.status == "busy"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["game-02", "game-05", "game-34"])
def test_whole_games_are_read_to_the_promised_share(name: str) -> None:
    eye, right, whole, stills = reader(name), 0, 0, 0
    for frame in pictures.labels(name)["frames"]:
        reading, truth = eye.look(pictures.picture(name, frame["file"])), board_from_json(frame)
        if frame["event"] == "hand":
            assert reading.status == "busy", frame["file"]
            continue
        right += sum(one == two for one, two in zip(reading.best, truth, strict=True))
        whole += reading.best == truth and reading.status == "stable"
        stills += 1
    assert right / (25 * stills) >= 0.99
    assert whole / stills >= 0.8


def spot_beside(eye: Reader) -> tuple[int, int]:
    """A place on the table, as wide as a mug, clear of the island and of the picture's border."""
    small = eye.setting.backdrop.outside.astype(np.uint8)
    small[:8] = small[-8:] = 0
    small[:, :8] = small[:, -8:] = 0
    room = cv2.distanceTransform(small, cv2.DIST_L2, 3)
    row, column = np.unravel_index(int(room.argmax()), room.shape)
    assert room.max() > 22
    return int(column) * 4, int(row) * 4


def with_a_mug(picture: Picture, at: tuple[int, int]) -> Picture:
    return np.asarray(cv2.circle(picture.copy(), at, 50, (40, 40, 190), -1), dtype=np.uint8)


def with_an_arm(picture: Picture, at: tuple[int, int]) -> Picture:
    edge = (0 if at[0] < picture.shape[1] / 2 else picture.shape[1], at[1])
    return np.asarray(cv2.line(picture.copy(), edge, at, (190, 60, 70), 70), dtype=np.uint8)


def test_a_mug_that_is_left_beside_the_board_is_no_hand() -> None:
    eye = reader("game-05")
    at, files = spot_beside(eye), ("004.jpg", "006.jpg")
    for file in files:
        reading = eye.look(with_a_mug(pictures.picture("game-05", file), at))
        assert reading.status == "stable"
        assert reading.best == board_from_json(pictures.frame("game-05", file))
    assert eye.look(pictures.picture("game-05", files[0])).status == "stable"


def test_an_arm_that_comes_to_rest_at_the_tables_edge_is_a_hand_once() -> None:
    eye = reader("game-05")
    at, files = spot_beside(eye), ("004.jpg", "006.jpg")
    first, second = (eye.look(with_an_arm(pictures.picture("game-05", file), at)) for file in files)
    assert (first.status, second.status) == ("busy", "stable")
    assert second.best == board_from_json(pictures.frame("game-05", files[1]))
