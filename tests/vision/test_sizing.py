"""Blocks of another width than was told are noticed, by many towers and within bounds."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.pieces import shipped
from tests import pictures
from vision.reader import Reader
from vision.reader.sizing import BOUNDS, FEWEST, MOST, WIDTHS, Sizing, resized, widened


def believed(peak: float, towers: int) -> float:
    """The width believed after so many towers that are explained best at a width."""
    sizing = Sizing(shipped())
    sizing.gains = -14_000.0 * towers * (np.array(WIDTHS) - peak) ** 2
    sizing.towers = towers
    return sizing.likeliest()


def test_a_width_that_many_towers_agree_on_is_believed() -> None:
    assert believed(0.94, 20) == pytest.approx(0.944, abs=0.003)
    assert believed(1.03, 20) == pytest.approx(1.026, abs=0.003)


def test_what_was_told_stays_while_towers_are_few_or_look_as_rounded_edges_make_them() -> None:
    assert believed(0.94, FEWEST - 1) == 1.0
    assert believed(0.975, 30) == believed(0.99, 30) == 1.0
    assert Sizing(shipped()).likeliest() == 1.0


def test_nothing_makes_blocks_wider_or_narrower_than_what_is_compared() -> None:
    assert believed(0.7, 50) == BOUNDS[0]
    assert believed(1.4, 50) == BOUNDS[1]


def test_only_widths_change() -> None:
    plain, wide = shipped(), widened(shipped(), 1.03)
    assert replace(wide, blocks=plain.blocks) == plain
    for old, new in zip(plain.blocks, wide.blocks, strict=True):
        assert new.top_width == pytest.approx(1.03 * old.top_width)
        assert (new.rim, new.floor, new.foot_height) == (old.rim, old.floor, old.foot_height)


@pytest.mark.pictures
def test_pieces_told_five_percent_too_small_are_read_as_they_are() -> None:
    honest = pictures.calibration("game-34")
    eye = Reader(replace(honest, profile=honest.profile.scaled(0.95)))
    files = [f["file"] for f in pictures.labels("game-34")["frames"] if f["event"] in ("turn", "illegal")]
    for file in files[:9]:
        eye.look(pictures.picture("game-34", file))
    assert eye.sizing.width > 1.01
    assert eye.setting.calibration.profile == eye.sizing.profile
    assert eye.setting.geometry.shapes.profile == eye.sizing.profile


@pytest.mark.pictures
def test_a_tower_is_measured_once_as_it_stands() -> None:
    eye = Reader(pictures.calibration("game-34"))
    reading = eye.look(pictures.picture("game-34", "013.jpg"))
    assert eye.seen is not None
    search, sizing = eye.seen.search, Sizing(eye.origin.profile)
    counts = [(sizing.take(search, reading.visible), sizing.towers)[1] for _ in range(9)]
    towers = sum(content.height > 0 for content in reading.best)
    assert 0 < counts[0] < counts[-1] == counts[-2] <= towers
    sizing.towers, sizing.seen = MOST, {}
    sizing.take(search, reading.visible)
    assert sizing.towers == MOST and not sizing.seen


@pytest.mark.pictures
def test_the_camera_may_move_without_the_width_being_forgotten() -> None:
    eye = Reader(pictures.calibration("game-05"))
    eye.sizing.gains, eye.sizing.towers = -1e6 * (np.array(WIDTHS) - 0.945) ** 2, 50
    eye.sizing.width = eye.sizing.likeliest()
    eye.setting = resized(eye.setting, eye.sizing.profile)
    assert eye.look(pictures.picture("game-05", "010.jpg")).camera == "moved"
    assert eye.sizing.width == pytest.approx(0.945, abs=0.005)
    assert eye.setting.geometry.shapes.profile.blocks == eye.sizing.profile.blocks
    assert eye.setting.calibration.profile.blocks == eye.sizing.profile.blocks
