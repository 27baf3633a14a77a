"""Bare ground under other light than the empty board's: shade, sheen lost or won, light thrown back."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.light import FLOOR
from calibration.view import Light

# what light makes of grass: so much of its own colour, and so much white on top or less of it
DARKEST: Final = 0.15
LIGHTEST: Final = 1.6
SHEEN: Final = 0.1
ALIKE: Final = 0.2
# or less of a sheen of any colour: hardly brighter, surely greener, but not beyond all grass
DULL: Final = 0.05
PURER: Final = -0.1
GREENEST: Final = -1.2
# shade has lost the lamp's red; what the sky lends it may keep its blue
DIM: Final = -0.2
COOL: Final = 0.2
# beside the grass, where everything may be white or grey: brighter by so much, of the same colour
BRIGHTER: Final = 0.5
SAME: Final = 0.12
FAINT: Final = 0.02


def under_other_light(seen: Light, bare: Light, grass: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which pixels (features, one a row) are the bare ground in other light; no hand looks like that."""
    off = seen - bare
    brighter = (off[:, 0] > 0) & (off[:, 0] < BRIGHTER) & (np.abs(off[:, 1:]).max(axis=1) < SAME)
    bluest = np.where(off[:, 0] < DIM, COOL, PURER)
    greener = (off[:, 0] < DULL) & (off[:, 1] < PURER) & (off[:, 2] < bluest)
    greener &= (off[:, 1:] > GREENEST).all(axis=1)
    return np.asarray(np.where(grass, glossy(seen, bare) | greener, brighter))


def glossy(seen: Light, bare: Light) -> NDArray[np.bool_]:
    """Which pixels show the bare colour, more or less of it, under a little white more or less."""
    now, then = levels(seen), levels(bare)
    # least squares for the share of the bare colour and the sheen on it, channels by their own brightness
    weight = 1.0 / (now + FAINT)
    own, white, wanted = then * weight, weight, now * weight
    oo, ww, ow = (own * own).sum(axis=1), (white * white).sum(axis=1), (own * white).sum(axis=1)
    os, ws = (own * wanted).sum(axis=1), (white * wanted).sum(axis=1)
    sheen = np.clip((oo * ws - ow * os) / (oo * ww - ow * ow + 1e-9), -SHEEN, SHEEN)
    share = np.clip((os - sheen * ow) / oo, DARKEST, LIGHTEST)
    likely = np.maximum(share[:, None] * then + sheen[:, None], 0.0)
    return np.asarray(np.abs(np.log((likely + FLOOR) / (now + FLOOR))).max(axis=1) < ALIKE)


def levels(features: Light) -> Floats:
    """Blue, green and red against white."""
    green, red, blue = features.astype(np.float64).T
    return np.asarray(np.maximum(np.exp(np.stack((green + blue, green, green + red), axis=1)) - FLOOR, 0.0))
