"""The picture games that come with the tests."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.build import Calibration
from calibration.camera import Camera
from companion.bench._truth import true_camera
from vision.album import Album, calibrated, load_picture, open_album
from vision.reader import Reader
from vision.reader.search import Search

FOLDER = Path(__file__).parent / "data" / "pictures"


@lru_cache(maxsize=4)
def album(name: str) -> Album:
    return open_album(FOLDER / name)


@lru_cache(maxsize=4)
def calibration(name: str) -> Calibration:
    return calibrated(album(name), [])


@lru_cache(maxsize=4)
def labels(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / name / "labels.json").read_text("utf-8"))
    return found


def picture(name: str, file: str) -> NDArray[np.uint8]:
    return load_picture(FOLDER / name / file)


def frame(name: str, file: str) -> dict[str, Any]:
    return next(f for f in labels(name)["frames"] if f["file"] == file)


def camera(name: str, file: str) -> Camera:
    return true_camera(frame(name, file)["camera"], (1280, 720), album(name).profile)


def search_of(game: str, file: str) -> Search:
    """How a picture was read: what stands where, and what else was tried."""
    eye = Reader(calibration(game))
    eye.look(picture(game, file))
    assert eye.seen is not None
    return eye.seen.search
