"""The calibration file: JSON with a schema version, written whole or not at all."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from calibration.build import Calibration, Palette, Picture
from calibration.camera import Camera
from calibration.colours import Colour
from calibration.files import write_whole
from calibration.noise import Noise
from calibration.pieces import profile_from_json
from calibration.quality import Quality

SCHEMA: Final = 1


class CalibrationFileError(ValueError):
    """A calibration file that cannot be used: names the file and the reason."""


def to_json(calibration: Calibration) -> dict[str, Any]:
    """A dictionary for the calibration file; the empty picture goes in as a JPEG."""
    palette = calibration.palette
    return {
        "schema": SCHEMA,
        "camera": calibration.camera.to_json(),
        "profile": calibration.profile.to_json(),
        "colours": dict(calibration.colours),
        "palette": {
            "top": palette.top.to_json(),
            "side": palette.side.to_json(),
            "dome": palette.dome.to_json(),
            "shadow": list(palette.shadow),
            "workers": {side: shade.to_json() for side, shade in palette.workers.items()},
        },
        "noise": calibration.noise.to_json(),
        "figures": dict(calibration.figures),
        "quality": calibration.quality.to_json(),
        "empty": packed(calibration.empty),
    }


def packed(picture: Picture) -> str:
    """A picture as text."""
    good, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 97])
    if not good:
        raise CalibrationFileError("the empty picture cannot be written as JPEG")
    return base64.b64encode(data.tobytes()).decode("ascii")


def unpacked(text: str) -> Picture:
    """A picture from its text."""
    picture = cv2.imdecode(np.frombuffer(base64.b64decode(text), dtype=np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise CalibrationFileError("the empty picture inside is broken")
    return np.asarray(picture, dtype=np.uint8)


def from_json(data: Mapping[str, Any]) -> Calibration:
    """Read back what to_json wrote; unknown fields are left aside."""
    given = data.get("schema") if isinstance(data, dict) else None
    if given != SCHEMA:
        what = f"schema {given} is not {SCHEMA}" if given else "this is no calibration"
        raise CalibrationFileError(f"{what}: calibrate anew")
    shades = data["palette"]
    workers = {str(side): Colour.from_json(item) for side, item in shades["workers"].items()}
    top, side, dome = (Colour.from_json(shades[name]) for name in ("top", "side", "dome"))
    return Calibration(
        Camera.from_json(data["camera"]),
        profile_from_json(data["profile"]),
        {str(k): str(v) for k, v in data["colours"].items()},
        Palette(top, side, dome, workers, (float(shades["shadow"][0]), float(shades["shadow"][1]))),
        Noise.from_json(data["noise"]),
        unpacked(data["empty"]),
        Quality.from_json(data["quality"]),
        {str(side): int(count) for side, count in data["figures"].items()},
    )


def save(calibration: Calibration, path: Path) -> None:
    """Write the file whole or not at all."""
    write_whole(path, json.dumps(to_json(calibration), indent=1))


def load(path: Path) -> Calibration:
    """Read a calibration file; a broken one is named."""
    try:
        return from_json(json.loads(path.read_text("utf-8")))
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise CalibrationFileError(f"{path}: {error}") from error
