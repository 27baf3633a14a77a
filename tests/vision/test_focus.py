from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.build import calibrate
from calibration.pose import GRID_CORNERS
from calibration.view import Light
from companion.bench._spoils import exposed
from tests import pictures
from vision.reader import Reader
from vision.reader.focus import AWAY, READABLE, SOFTER, focus_of, softened
from vision.reader.setting import setting_of
from vision.reading import EMPTY_BOARD, Content, Picture, board_from_json
from vision.seeing import FOCUS_ADVICE, read_album
from vision.simulator import SimulatedCamera, camera_at

pytestmark = pytest.mark.pictures
STILL = "004.jpg"


def blurred(picture: Picture, sigma: float = 1.5) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), dtype=np.uint8)


def noisy(picture: Picture) -> Picture:
    waver = np.random.default_rng(7).normal(0, 10, picture.shape)
    return np.clip(picture + waver, 0, 255).astype(np.uint8)


def printed() -> Light:
    rows = np.random.default_rng(3).uniform(0.05, 0.9, (60, 60, 1)).astype(np.float32)
    return np.repeat(np.repeat(np.repeat(rows, 4, axis=0), 4, axis=1), 3, axis=2)


def test_a_further_blur_is_found_whatever_the_lamp() -> None:
    light = printed()
    focus = focus_of(light, np.ones(light.shape[0] * light.shape[1], dtype=bool))
    for sigma in SOFTER:
        assert focus.softness(0.6 * softened(light, sigma)) == sigma


def test_without_any_print_no_blur_is_claimed() -> None:
    plain = np.full((120, 120, 3), 0.4, dtype=np.float32)
    focus = focus_of(plain, np.ones(120 * 120, dtype=bool))
    assert focus.softness(printed()[:120, :120]) == 0.0


def test_noise_and_pieces_are_no_blur() -> None:
    eye = Reader(pictures.calibration("game-02"))
    for picture in (pictures.picture("game-02", STILL), noisy(pictures.picture("game-02", STILL))):
        light, _ = eye.setting.base.view.cut(picture)
        assert eye.setting.softness(light) == 0.0


def test_what_is_burnt_out_is_no_blur() -> None:
    eye = Reader(pictures.calibration("game-02"))
    light, _ = eye.setting.base.view.cut(exposed(1.0)(pictures.picture("game-02", STILL)))
    assert eye.setting.softness(light) == 0.0


def test_a_camera_that_lost_its_focus_still_reads_the_board() -> None:
    eye = Reader(pictures.calibration("game-02"))
    reading = eye.look(blurred(pictures.picture("game-02", STILL)))
    assert reading.status == "stable"
    assert reading.best == board_from_json(pictures.frame("game-02", STILL))
    assert eye.look(pictures.picture("game-02", STILL)).best == reading.best


@pytest.mark.parametrize("name", ["game-02", "game-05", "game-34"])
def test_a_board_too_far_out_of_focus_is_not_guessed_at(name: str) -> None:
    eye = Reader(pictures.calibration(name))
    working = READABLE / eye.setting.base.view.scale
    light, _ = eye.setting.base.view.cut(blurred(pictures.picture(name, STILL), working))
    assert eye.setting.softness(light) == READABLE
    reading = eye.look(blurred(pictures.picture(name, STILL), 1.6 * working))
    assert (reading.status, reading.camera) == ("busy", "moved") and eye.blur > READABLE


def test_a_picture_of_something_else_is_not_out_of_focus() -> None:
    eye, picture = Reader(pictures.calibration("game-02")), pictures.picture("game-02", STILL)
    for away in (np.ascontiguousarray(picture[:, ::-1]), np.zeros_like(picture)):
        light, _ = eye.setting.base.view.cut(away)
        assert eye.setting.softness(light) == AWAY
        reading = eye.look(away)
        assert (reading.status, reading.camera, eye.blur) == ("busy", "moved", 0.0)


def test_a_board_full_of_towers_is_not_out_of_focus() -> None:
    """Ivory has no print: where much of it is built over, what is left of it tells."""
    camera = SimulatedCamera(camera_at(elevation=70, azimuth=285, distance=13.5))
    corners = camera.camera.project(GRID_CORNERS).tolist()
    setting = setting_of(calibrate(camera.render(EMPTY_BOARD), camera.profile, {"A": "blue"}, taps=corners))
    full = tuple(Content(2 + cell % 2, "dome" if cell % 3 else "") for cell in range(25))
    light, _ = setting.base.view.cut(camera.render(full, grain=7))
    assert setting.softness(light) <= READABLE
    light, _ = setting.base.view.cut(blurred(camera.render(full, grain=7), 6.0))
    assert setting.softness(light) > READABLE


def test_a_lost_focus_is_said_once() -> None:
    album = pictures.album("game-02")
    warnings: list[str] = []
    short = replace(album, files=album.files[2:4])
    seen = list(read_album(short, warnings.append, blurred))
    assert len(seen) == 2 and sum(FOCUS_ADVICE in text for text in warnings) == 1
