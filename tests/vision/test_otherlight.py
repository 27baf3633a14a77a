"""Bare ground under other light is no hand; skin and sleeves are no ground."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.camera import Floats
from calibration.light import FLOOR
from calibration.noise import Noise
from calibration.view import Light
from vision.reader.evidence import STRAY, features_of, ground_of, ground_score
from vision.reader.otherlight import levels, under_other_light

# blue, green and red against white
GRASS = np.array([[0.06, 0.40, 0.05], [0.08, 0.64, 0.22]])
MAT = np.array([[0.80, 0.78, 0.75], [0.20, 0.22, 0.25]])
SKIN = ((0.35, 0.5, 0.75), (0.1, 0.16, 0.3), (0.03, 0.05, 0.1))
SLEEVES = ((0.5, 0.1, 0.1), (0.4, 0.12, 0.5), (0.8, 0.8, 0.8), (0.02, 0.02, 0.02))


def seen(level: Floats) -> Light:
    return np.asarray(features_of(np.asarray(level, dtype=np.float32)[None])[0])


def told(level: Floats, bare: Floats, grass: bool = True) -> list[bool]:
    found = under_other_light(seen(level), seen(bare), np.full(len(bare), grass))
    return [bool(one) for one in found]


def test_levels_are_what_features_were_made_of() -> None:
    assert np.allclose(levels(seen(GRASS)), GRASS, atol=1e-4)


@pytest.mark.parametrize("share", [0.2, 0.5, 1.0, 1.4])
@pytest.mark.parametrize("white", [0.0, 0.04, 0.08])
def test_shade_and_light_thrown_back_by_walls_leave_grass(share: float, white: float) -> None:
    assert all(told(share * GRASS + white, GRASS))


def test_a_sheen_that_a_tower_keeps_off_leaves_grass() -> None:
    sheen = np.array([0.05, 0.09, 0.09])
    assert all(told(0.9 * GRASS, GRASS + sheen)) and all(told(GRASS, GRASS + 0.05))


def test_shade_that_only_the_sky_lights_leaves_grass() -> None:
    # what is left of blue, green, red: the lamp's red is lost
    assert all(told(np.array([0.68, 0.64, 0.38]) * GRASS, GRASS))


@pytest.mark.parametrize("colour", [*SKIN, *SLEEVES])
def test_skin_and_sleeves_are_no_grass(colour: tuple[float, float, float]) -> None:
    assert not any(told(np.array([colour, colour]), GRASS))


def test_brighter_light_leaves_a_mat_and_skin_does_not() -> None:
    assert all(told(1.4 * MAT, MAT, grass=False))
    assert not any(told(np.array([SKIN[0], SKIN[0]]), MAT, grass=False))


def test_much_brighter_is_something_else() -> None:
    assert not any(told(2.2 * (MAT + FLOOR), MAT, grass=False))


@pytest.mark.parametrize("brighter", [1.3, 1.6, 1.9])
def test_a_patch_of_sun_leaves_grass_what_it_is_and_white_less_surely(brighter: float) -> None:
    empty = np.stack((np.full((9, 9, 3), GRASS[0]), np.full((9, 9, 3), MAT[0]))).astype(np.float32)
    grass, mat = (
        float(ground_score(features_of(level * np.float32(brighter)), ground_of(level, Noise()))[40])
        for level in empty
    )
    assert mat > STRAY + 2 and grass > mat + 2
