"""What a pixel's colour speaks for."""

import numpy as np
import pytest

from calibration.colours import DOME_PRIOR, SIDE_PRIOR, TOP_PRIOR, gaussian
from vision.reader.evidence import LOUDEST, PEAK, STRAY, ivory_score

NONE = np.zeros((1, 1, 3), dtype=np.float32)
PLAIN = np.zeros((1, 1), dtype=np.float32)


def pixel(*features: float) -> np.ndarray:
    return np.array([[features]], dtype=np.float32)


@pytest.mark.parametrize("ivory", [TOP_PRIOR, SIDE_PRIOR])
@pytest.mark.parametrize(
    "features",
    [
        (-1.64, -0.68, 1.59),
        (-2.31, -0.85, 1.68),
        (-3.33, -0.02, 2.98),
        (-2.95, -0.43, 2.2),
        (-2.5, -0.3, 1.3),
    ],
)
def test_a_dome_in_odd_light_is_no_stray_of_ivory(
    ivory: object, features: tuple[float, float, float]
) -> None:
    seen = pixel(*features)
    dome = gaussian(seen, DOME_PRIOR, STRAY)[0]
    # a level that a face may have by chance adds at most the peak to ivory
    stray = ivory_score(seen, TOP_PRIOR if ivory is TOP_PRIOR else SIDE_PRIOR, NONE, PLAIN)[0]
    assert dome > stray + PEAK - 3.0 and dome > STRAY + 0.3


def test_ivory_may_stray_a_little_but_not_into_loud_colours() -> None:
    near, far, farther = (
        ivory_score(pixel(0.0, red, blue), TOP_PRIOR, NONE, PLAIN)[0]
        for red, blue in ((0.4, -0.4), (-0.7, 1.6), (-3.0, 4.0))
    )
    assert near == pytest.approx(STRAY + 1.2)
    assert farther == pytest.approx(STRAY + 1.2 - LOUDEST) and farther <= far < near
