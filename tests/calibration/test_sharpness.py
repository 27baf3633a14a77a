"""How soft the picture of the empty board is."""

import cv2
import numpy as np
import pytest

from calibration.build import Picture, calibrate
from calibration.sharpness import edge_width
from tests import pictures

pytestmark = pytest.mark.pictures


def blurred(picture: Picture, sigma: float) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), dtype=np.uint8)


@pytest.mark.parametrize("name", ["game-02", "game-05", "game-34"])
def test_blur_widens_the_printed_edges_and_sharp_pictures_have_narrow_ones(name: str) -> None:
    known = pictures.calibration(name)
    widths = [
        edge_width(blurred(known.empty, sigma), known.camera, known.profile.board)
        for sigma in (0.3, 1.0, 2.0, 3.0)
    ]
    assert widths == sorted(widths)
    assert widths[0] < 1.2
    assert widths[2] > 1.5


def test_a_calibration_out_of_focus_says_so() -> None:
    known = pictures.calibration("game-05")
    corners = [(x, y, 0.0) for x, y in ((-2.5, -2.5), (2.5, -2.5), (2.5, 2.5), (-2.5, 2.5))]
    taps = known.camera.project(corners).tolist()
    soft = calibrate(blurred(known.empty, 2.0), known.profile, known.colours, taps)
    assert any("out of focus" in said for said in soft.quality.warnings)
    assert not any("out of focus" in said for said in known.quality.warnings)


def test_where_no_wall_is_to_be_seen_nothing_is_said() -> None:
    known = pictures.calibration("game-05")
    assert edge_width(0 * known.empty + 90, known.camera, known.profile.board) == 0.0
