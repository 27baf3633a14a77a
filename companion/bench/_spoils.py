"""Ways to make reading harder: of pictures, of the table, of what is believed about the pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.view import LINEAR
from vision.album import Album, AlbumError, load_picture
from vision.reader import Reader
from vision.reader.hands import SHRINK
from vision.reading import Picture
from vision.seeing import plain

SEED: Final = 20261118
# a thing is put down after the calibration's pictures, and somewhere else after so many more
CALIBRATION: Final = 3
TURNS: Final = 8
PLACES: Final = 3
TURNS_SUNNY: Final = 21
# the red of a mug; blue, green, red
MUG: Final = (50, 45, 190)
WIDEST: Final = 60

Change = Callable[[Picture], Picture]


@dataclass(frozen=True)
class Spoil:
    """A way to make reading harder; a scene asks where the table beside the island is."""

    name: str
    picture: Change = plain
    sizes: float = 1.0
    from_start: bool = False
    """The camera is always so: the pictures that it is calibrated on are spoiled, too."""
    scene: Callable[[NDArray[np.bool_]], Change] | None = None

    def over(self, reader: Reader) -> Change:
        """What to do to the pictures of one game, in their order."""
        return self.picture if self.scene is None else self.scene(reader.setting.backdrop.outside)


def blurred(picture: Picture) -> Picture:
    """A picture slightly out of focus."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.5), dtype=np.uint8)


def noisy(picture: Picture) -> Picture:
    """A picture with strong noise."""
    waver = np.random.default_rng(SEED + int(picture[::97, ::89].sum())).normal(0, 10, picture.shape)
    return np.clip(picture + waver, 0, 255).astype(np.uint8)


def exposed(stops: float) -> Change:
    """Pictures exposed more or less by stops, clipped as a sensor does."""
    value = np.arange(256) / 255
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4) * 2.0**stops
    back = np.where(
        linear <= 0.0031308, 12.92 * linear, 1.055 * np.maximum(linear, 1e-9) ** (1 / 2.4) - 0.055
    )
    table = np.clip(np.rint(255 * back), 0, 255).astype(np.uint8)
    return lambda picture: np.asarray(cv2.LUT(picture, table), dtype=np.uint8)


def squeezed(picture: Picture) -> Picture:
    """A picture saved once more as JPEG of quality 50."""
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 50])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)


def halved(picture: Picture) -> Picture:
    """A picture that has lost half its resolution."""
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.resize(small(picture), size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def small(picture: Picture) -> Picture:
    """A picture of half the width and height."""
    return np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def tinted(blue: float, red: float) -> Change:
    """Pictures whose white balance is off."""
    off = np.array((blue, 1.0, red))
    return lambda picture: np.clip(picture * off, 0, 255).astype(np.uint8)


def curved(gamma: float) -> Change:
    """Pictures of a camera with another tone curve."""
    table = np.rint(255 * (np.arange(256) / 255) ** gamma).astype(np.uint8)
    return lambda picture: np.asarray(cv2.LUT(picture, table), dtype=np.uint8)


def mug_left(outside: NDArray[np.bool_]) -> Change:
    """A mug that is left beside the island, now here, now there."""
    places, number = free_places(outside), count()

    def left(picture: Picture) -> Picture:
        turn = next(number) - CALIBRATION
        if turn < 0 or not places:
            return picture
        x, y, wide = places[turn // TURNS % len(places)]
        return np.asarray(cv2.circle(picture.copy(), (x, y), wide, MUG, -1, cv2.LINE_AA), dtype=np.uint8)

    return left


def sun_patch(_outside: NDArray[np.bool_]) -> Change:
    """A patch of sun, half a stop and more, that wanders over the table from picture to picture."""
    number = count()

    def lit(picture: Picture) -> Picture:
        u, v = places(picture)
        x = u + 0.45 - 0.045 * (next(number) % TURNS_SUNNY)
        across, down = 0.9 * x + 0.45 * v, 0.9 * v - 0.45 * x
        patch = 1 / (1 + np.exp(250 * (np.abs(across) - 0.09))) / (1 + np.exp(250 * (np.abs(down) - 0.16)))
        return relit(picture, 1 + 0.8 * patch[..., None] * np.array((0.8, 1.0, 1.15)))

    return lit


def somebody_near(_outside: NDArray[np.bool_]) -> Change:
    """A soft shadow across the room, as of somebody between lamp and table, somewhere else each time."""
    number = count()

    def dimmed(picture: Picture) -> Picture:
        u, v = places(picture)
        away = (0.8 * u + 0.6 * v + 0.6 - 1.2 * (0.37 * next(number) % 1.0)) / 0.16
        return relit(picture, 1 - 0.45 * np.exp(-(away**2))[..., None])

    return dimmed


def places(picture: Picture) -> tuple[Floats, Floats]:
    """Where every pixel is, from the middle, as a share of the picture's width."""
    high, wide = picture.shape[:2]
    v, u = np.mgrid[0:high, 0:wide].astype(np.float64)
    return u / wide - 0.5, (v - high / 2) / wide


def relit(picture: Picture, gain: Floats) -> Picture:
    """A picture in so much more or less light, place by place."""
    light = np.clip(LINEAR[picture] * gain, 0.0, 1.0)
    return np.asarray(np.rint(np.interp(light, LINEAR, np.arange(256))), dtype=np.uint8)


def free_places(outside: NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    """The widest places beside the island and clear of the border: across, down, how far around."""
    room = np.pad(outside[1:-1, 1:-1].astype(np.uint8), 1)
    found = []
    for _ in range(PLACES):
        away = cv2.distanceTransform(room, cv2.DIST_L2, 5)
        row, column = (int(v) for v in np.unravel_index(int(away.argmax()), away.shape))
        found.append((column, row, float(away.max())))
        cv2.circle(room, (column, row), int(away.max()), 0, -1)
    return [
        (round(x / SHRINK), round(y / SHRINK), round(min(WIDEST, 0.7 * wide / SHRINK)))
        for x, y, wide in found
        if wide > 0.2 * WIDEST
    ]


SPOILERS: Final = (
    Spoil("pieces believed 5 % small", sizes=0.95),
    Spoil("pieces believed 5 % large", sizes=1.05),
    Spoil("blur (sigma 1.5 px)", blurred),
    Spoil("noise (sigma 10)", noisy),
    Spoil("one stop over", exposed(1.0)),
    Spoil("one stop under", exposed(-1.0)),
    Spoil("JPEG quality 50", squeezed),
    Spoil("half resolution", halved),
    Spoil("white balance a tenth off", tinted(0.9, 1.1)),
    Spoil("tone curve (gamma 1.2)", curved(1.2)),
    Spoil("a mug left on the table", scene=mug_left),
    Spoil("a wandering patch of sun", scene=sun_patch),
    Spoil("somebody near the lamp", scene=somebody_near),
)
FROM_START: Final = (
    Spoil("always blurred", blurred, from_start=True),
    Spoil("always noisy", noisy, from_start=True),
    Spoil("always half as large", small, from_start=True),
)
"""Cameras that were no better when they were calibrated."""


@contextmanager
def shot_by(album: Album, spoil: Spoil) -> Iterator[Album]:
    """The game as such a camera would have taken it from the first picture on; taps follow its size."""
    if not spoil.from_start:
        yield album if spoil.sizes == 1.0 else replace(album, profile=album.profile.scaled(spoil.sizes))
        return
    with TemporaryDirectory() as folder:
        scale = 1.0
        for name in {*album.files, *album.known}:
            try:
                picture = load_picture(album.folder / name)
            except AlbumError:
                continue  # whoever reads the game will miss it and say so
            spoiled = spoil.picture(picture)
            scale = spoiled.shape[1] / picture.shape[1]
            # without loss, whatever the name says; what is in a file tells its format
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(cv2.imencode(".png", spoiled)[1].tobytes())
        taps = album.taps and tuple((scale * (x + 0.5) - 0.5, scale * (y + 0.5) - 0.5) for x, y in album.taps)
        yield replace(album, folder=Path(folder), taps=taps)
