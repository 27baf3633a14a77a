"""Focus: how much softer a picture is than the empty one, told by the island's print."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light import FLOOR
from calibration.view import Light

# further blur, in working pixels, that is looked for
SOFTER: Final = (0.0, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8)
# boards were read right up to 2.3 and wrong from 2.7 on: the last step is only there to be told
READABLE: Final = 2.0
FINE: Final = 3.0
STRONG: Final = 0.12
LEAST: Final = 400
ENOUGH: Final = 4000
CUT: Final = np.float32(0.25)
# sharp pictures are the rule: a blur must explain the print so much better
BETTER: Final = 0.85
# detail that is about as strong as on the empty board; on the fullest board a quarter of it is
AS_STRONG: Final = (0.6, 1.6)
SHARP: Final = 0.15
# like the empty board at its softest: pictures out of focus 0.65 and more, those of another place up to 0.1
ALIKE: Final = 0.2
TINY: Final = 1e-6
AWAY: Final = math.inf
"""Where the island's print should be there is something else, sharp or not."""


@dataclass(frozen=True, eq=False)
class Focus:
    """Places of the empty board where its print is rich, and that detail under growing blur."""

    index: NDArray[np.intp]
    detail: Sequence[Light]

    def softness(self, light: Light) -> float:
        """The further blur under which the empty board looks most like this picture; `AWAY` if none fits."""
        if len(self.index) < LEAST:
            return 0.0
        now = detail_of(light).reshape(-1)[self.index]
        off = [float(np.minimum(np.abs(now - soft), CUT).mean()) for soft in self.detail]
        best = int(np.argmin(off))
        if off[best] >= BETTER * off[0]:
            return 0.0
        if SOFTER[best] <= READABLE or self._still_sharp(now):
            return min(SOFTER[best], READABLE)
        return SOFTER[best] if alike(now, self.detail[best]) > ALIKE else AWAY

    def _still_sharp(self, now: Light) -> bool:
        """Whether some print is as sharp as ever: pieces hide it, a lost focus leaves it nowhere."""
        kept = now / self.detail[0]
        return float(((kept > AS_STRONG[0]) & (kept < AS_STRONG[1])).mean()) > SHARP


def focus_of(light: Light, plateau: NDArray[np.bool_]) -> Focus:
    """Prepare the empty board's print."""
    detail = [detail_of(softened(light, sigma)).reshape(-1) for sigma in SOFTER]
    index = np.flatnonzero(plateau & (np.abs(detail[0]) > STRONG))
    index = index[:: max(1, len(index) // ENOUGH)]
    return Focus(index, tuple(np.asarray(soft[index]) for soft in detail))


def alike(one: Light, two: Light) -> float:
    """How alike two kinds of detail are, however strong: 1 the same, 0 unrelated or none."""
    return float(np.dot(one, two) / (np.linalg.norm(one) * np.linalg.norm(two) + TINY))


def detail_of(light: Light) -> Light:
    """What is left of green, logarithm, when everything coarse is taken away: no lamp changes it."""
    green = np.log(light[..., 1] + np.float32(FLOOR))
    return np.asarray(green - cv2.GaussianBlur(green, (0, 0), FINE), dtype=np.float32)


def softened(light: Light, sigma: float) -> Light:
    """A picture out of focus by so much."""
    return np.asarray(cv2.GaussianBlur(light, (0, 0), sigma)) if sigma else light
