"""A second, closer look at a picture that leaves a question."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests import pictures
from vision.reader import Reader
from vision.reader.closer import finer, grain_of, updated
from vision.reading import Content, board_from_json

pytestmark = pytest.mark.pictures
NAME, FILE = "game-05", "006.jpg"


@pytest.fixture(scope="module")
def eye() -> Reader:
    return Reader(pictures.calibration(NAME))


def test_only_the_picture_that_was_read_last_is_looked_at_again(eye: Reader) -> None:
    eye.look(pictures.picture(NAME, "000.jpg"))
    assert eye.closer(pictures.picture(NAME, FILE)) is None


def test_a_closer_look_reads_the_board_and_weighs_others_less(eye: Reader) -> None:
    picture, truth = pictures.picture(NAME, FILE), board_from_json(pictures.frame(NAME, FILE))
    eye.look(picture)
    found = eye.closer(picture)
    assert found is not None and found.grain > 1.3
    wrong = [(*truth[:c], Content((truth[c].height + 1) % 4, truth[c].top), *truth[c + 1 :]) for c in (7, 12)]
    assert found.best(wrong) == truth
    right, *others = found.weigh([truth, *wrong])
    assert all(right > other for other in others)


def test_a_blurred_picture_shows_no_more_from_closer_by(eye: Reader) -> None:
    picture = np.asarray(cv2.GaussianBlur(pictures.picture(NAME, FILE), (0, 0), 5.0), np.uint8)
    eye.look(picture)
    assert eye.blur > 0 and eye.closer(picture) is None


def test_a_coarse_camera_shows_no_more_from_closer_by(monkeypatch: pytest.MonkeyPatch, eye: Reader) -> None:
    assert finer(eye.setting) is not None
    monkeypatch.setattr("vision.reader.closer.FINE_PITCH", 42.0)
    assert finer(eye.setting) is None


def test_what_was_learned_of_the_surroundings_is_taken_over(eye: Reader) -> None:
    usual = eye.setting
    fine = finer(usual)
    assert fine is not None and updated(fine, usual) is fine
    brighter = usual.base.level.copy()
    brighter.reshape(-1, 3)[usual.around] *= 1.5
    unknown = np.zeros_like(usual.unknown)
    unknown[0] = True
    now = updated(fine, replace(usual, base=replace(usual.base, level=brighter), unknown=unknown))
    before, after = (setting.base.level.reshape(-1, 3)[fine.around].mean() for setting in (fine, now))
    assert 1.3 < after / before < 1.7
    inner = ~fine.around
    assert np.array_equal(now.base.level.reshape(-1, 3)[inner], fine.base.level.reshape(-1, 3)[inner])
    assert now.unknown.sum() == pytest.approx(grain_of(fine, usual), abs=3)
