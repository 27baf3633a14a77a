"""Puts the figures of a calibration into texts: what the host can do better."""

from __future__ import annotations

from calibration.quality import (
    GOOD_ELEVATION,
    LEAST_PITCH,
    LEAST_WHITE,
    MOST_CLIPPED,
    MOST_LINE_ERROR,
    STEEPEST,
    Quality,
)
from companion.web.ports import Json
from vision.reading import cell_name


def problems(quality: Quality) -> list[Json]:
    """List what could be better, as texts."""
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
        (quality.reprojection_px > MOST_LINE_ERROR, "wizard.problem.blur"),
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
