"""What pictures are compared with follows the light, and nothing that is built."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.camera import Floats
from vision.reader.setting import LEAST_GRASS, grass_shift

PIECES = (0.06, 1.0, 1.9)
"""Where ivory stands over grass: brighter, redder, bluer; logarithms."""


def spots(count: int, middle: tuple[float, float, float], seed: int) -> Floats:
    return np.random.default_rng(seed).normal(middle, 0.02, (count, 3))


@pytest.mark.parametrize("light", [(0.0, 0.0, 0.0), (0.05, 0.12, 0.16), (-0.3, -0.1, -0.2)])
@pytest.mark.parametrize("built", [0, 600, 3000])
def test_the_shift_of_the_grass_is_the_light_s_however_much_is_built(
    light: tuple[float, float, float], built: int
) -> None:
    off = np.vstack((spots(400, light, 1), spots(built, PIECES, 2)))
    assert np.abs(grass_shift(off) - light).max() < 0.02


def test_where_hardly_any_grass_is_left_its_colour_is_taken_for_what_it_was() -> None:
    off = np.vstack((spots(LEAST_GRASS // 2, (0.0, 0.1, 0.1), 1), spots(3000, PIECES, 2)))
    assert not grass_shift(off).any()
