"""How bright roofs are, and walls by the way they face, as the piles read so far have it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.camera import Floats
from vision.reader.evidence import FIRST_SHADING
from vision.reader.fit import Fit
from vision.reader.shapes import BEARINGS


def relit(fits: Sequence[Fit]) -> Floats:
    """Learn roof brightness and wall brightness by bearing from the fits so far."""
    shading = FIRST_SHADING.copy()
    rows = [fit.levels for fit in fits if len(fit.levels)]
    if not rows:
        return shading
    faces = np.vstack(rows)
    faces = faces[faces[:, 2] > 40]
    roofs, sides = faces[faces[:, 0] == 0], faces[faces[:, 0] > 0]
    if len(roofs) >= 2:
        shading[0] = 0.5 * shading[0] + 0.5 * float(np.median(roofs[:, 1]))
    if len(sides) >= 4:
        bearing = (sides[:, 0] - 1) * (2 * np.pi / BEARINGS)
        matrix = np.column_stack((np.ones(len(sides)), np.cos(bearing), np.sin(bearing)))
        weight = np.minimum(sides[:, 2], 300.0)
        hold = 0.002 * weight.sum() * np.diag([8.0, 20.0, 20.0])
        side = (matrix * weight[:, None]).T
        shading[2:5] = np.array([shading[2], 0.0, 0.0]) + np.linalg.solve(
            side @ matrix + hold, side @ (sides[:, 1] - shading[2])
        )
        shading[5] = 0.35
    return shading
