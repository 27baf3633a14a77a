"""Ivory of an unusual tint: where nobody has shown what ivory looks like here, a picture's own roofs tell.

Only this picture is read with it. What is learned for good is learned from confirmed boards alone (`learn`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.build import Palette
from calibration.camera import Floats
from calibration.colours import Colour, robust_mean
from vision.reader.learn import samples
from vision.reader.search import Search

# pixels of roofs it takes, and how many the usual ivory is worth
LEAST: Final = 70
HOLD: Final = 40.0
# darker ones, in deviations, may be walls taken for roofs; unlike ones are not of one colour
DARK: Final = 2.5
ALIKE: Final = 0.08
# so many deviations roofs must be off the usual ivory, and may be: further off they are something else
UNUSUAL: Final = 1.3
FARTHEST: Final = 5.0


def tinted(search: Search, palette: Palette, fair: NDArray[np.bool_]) -> Palette | None:
    """The colours with ivory as the roofs read have it; None where it was shown before, or is as usual."""
    if palette.top.samples:
        return None
    found = samples(search, tuple(fit.content for fit in search.fits), fair)
    roofs = found.get("top", np.empty((0, 3)))
    mean, wide = np.array(palette.top.mean), np.sqrt(np.diag(np.array(palette.top.cover)))
    roofs = roofs[roofs[:, 0] > mean[0] - DARK * wide[0]]
    if len(roofs) < LEAST:
        return None
    middle, cover, _ = robust_mean(roofs)
    far = float(np.abs((middle - mean) / wide)[1:].max())
    if not UNUSUAL < far < FARTHEST or float(np.diag(cover)[1:].max()) > ALIKE**2:
        return None
    return replace(palette, top=towards(palette.top, roofs), side=towards(palette.side, found.get("side")))


def towards(shade: Colour, seen: Floats | None) -> Colour:
    """A colour with the tint of what was seen, as bright as it was."""
    if seen is None or len(seen) < LEAST:
        return shade
    middle, _, inside = robust_mean(seen)
    count = float(inside.sum())
    _, a, b = (np.array(shade.mean) + (middle - np.array(shade.mean)) * count / (count + HOLD)).tolist()
    return replace(shade, mean=(shade.mean[0], a, b))
