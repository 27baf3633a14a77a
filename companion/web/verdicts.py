"""Puts the figures of a calibration into texts: what the host can do better."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from calibration.build import Calibration
from calibration.colours import apart
from calibration.quality import (
    GOOD_ELEVATION,
    LEAST_PITCH,
    LEAST_WHITE,
    MOST_CLIPPED,
    MOST_LINE_ERROR,
    STEEPEST,
    WIDEST_EDGE,
    Quality,
)
from companion.web.ports import Json
from vision.reading import cell_name

ALIKE: Final = 1.0
"""Workers whose colours are closer begin to be taken for each other; grey and cream are 2 apart."""


def problems(known: Calibration) -> list[Json]:
    """List what could be better, as texts."""
    return [*problems_of(known.quality), *alike(known)]


def alike(known: Calibration) -> list[Json]:
    """List the workers that look alike under this table's light; what was not seen yet is not judged."""
    seen = [(side, colour) for side, colour in known.palette.workers.items() if colour.samples]
    names = {side: {"key": f"ui.colour.{name}"} for side, name in known.colours.items()}
    return [
        {"key": "wizard.colours.close", "facts": {"first": names[one], "second": names[other]}}
        for (one, first), (other, second) in combinations(seen, 2)
        if apart(first, second) < ALIKE
    ]


def problems_of(quality: Quality) -> list[Json]:
    """List what could be better about the camera and the light."""
    found: list[Json] = []
    degrees = {"degrees": round(quality.elevation_deg)}
    if quality.elevation_deg < GOOD_ELEVATION:
        found.append({"key": "wizard.problem.flat", "facts": degrees})
    if quality.elevation_deg > STEEPEST:
        found.append({"key": "wizard.problem.steep", "facts": degrees})
    for wrong, key in (
        (quality.pitch_px < LEAST_PITCH, "wizard.problem.small"),
        (quality.clipped > MOST_CLIPPED, "wizard.problem.glare"),
        (quality.white < LEAST_WHITE, "wizard.problem.dark"),
        (
            quality.reprojection_px > MOST_LINE_ERROR or quality.edge_px > WIDEST_EDGE,
            "wizard.problem.blur",
        ),
    ):
        if wrong:
            found.append({"key": key, "facts": {}})
    if quality.often_hidden:
        spaces = ", ".join(cell_name(cell) for cell in quality.often_hidden)
        found.append({"key": "wizard.problem.hidden", "facts": {"spaces": spaces}})
    return found


def figures(quality: Quality) -> dict[str, float]:
    """Return the figures that are worth a look."""
    return {
        "elevation": round(quality.elevation_deg, 1),
        "height_mm": round(quality.height_error_mm, 2),
        "lines_px": round(quality.reprojection_px, 2),
        "cell_px": round(quality.pitch_px, 1),
    }
