"""Cut labelled picture games into lessons: python -m tests.opinion.lessons OUT.npz SEED GAME..."""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import PoseError
from companion.bench._truth import GameTruth, load_truth
from companion.bench.sight import without
from vision import album as albums
from vision.album import Album, AlbumError
from vision.reader import Reader
from vision.reader.crops import Windows, cut
from vision.reading import CELLS, DOME, Picture

Json = dict[str, Any]
SIZE = (1280, 720)
# of cells that are plainly empty some are enough
PLAIN_SHARE = 0.25


@dataclass(frozen=True)
class Spoil:
    """Another exposure and white, a poorer sensor, taps beside the corners: one world for a whole game."""

    gain: float
    gamma: float
    white: NDArray[np.float64]
    noise: float
    blur: float
    half: bool
    quality: int
    taps: NDArray[np.float64]

    @staticmethod
    def draw(rng: np.random.Generator) -> Spoil:
        """Return a random world."""
        return Spoil(
            float(np.exp(rng.normal(0, 0.22))),
            float(np.exp(rng.normal(0, 0.07))),
            np.exp(rng.normal(0, 0.07, 3)),
            float(rng.uniform(0, 6)),
            float(rng.choice([0, 0, 0.6, 1.0])),
            bool(rng.random() < 0.2),
            int(rng.integers(50, 95)),
            rng.normal(0, 1.5, (4, 2)),
        )

    def of(self, picture: Picture, rng: np.random.Generator) -> Picture:
        """Return a picture as it would have been taken in this world."""
        light = (picture / 255.0) ** (2.2 * self.gamma) * self.gain * self.white * np.exp(rng.normal(0, 0.04))
        light = cv2.GaussianBlur(light, (0, 0), self.blur) if self.blur else light
        value = np.clip(light, 0, 1) ** (1 / 2.2) * 255 + rng.normal(0, self.noise, picture.shape)
        spoilt = np.clip(value, 0, 255).astype(np.uint8)
        if self.half:
            small = cv2.resize(spoilt, None, fx=0.55, fy=0.55, interpolation=cv2.INTER_AREA)
            spoilt = np.asarray(cv2.resize(small, picture.shape[1::-1]), dtype=np.uint8)
        _, packed = cv2.imencode(".jpg", spoilt, [cv2.IMWRITE_JPEG_QUALITY, self.quality])
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)


def lessons(folder: Path, seed: int) -> Iterator[Json]:
    """Yield the lessons of every still picture of a game, each cut as the reader would cut it."""
    rng = np.random.default_rng(zlib.crc32(f"{folder.parent.name}/{folder.name}{seed}".encode()))
    album = albums.open_album(folder)
    truth = load_truth(folder, album.profile, SIZE)
    if not seed:
        yield from read(album, Reader(albums.calibrated(album, []), without), truth, None, rng)
        return
    spoil, plain = Spoil.draw(rng), albums.load_picture
    if album.taps:
        taps = tuple((x + dx, y + dy) for (x, y), (dx, dy) in zip(album.taps, spoil.taps, strict=True))
        album = replace(album, taps=taps)
    # calibration reads its pictures by itself: it must see the same world
    albums.load_picture = lambda path: spoil.of(plain(path), rng)
    try:
        reader = Reader(albums.calibrated(album, []), without)
    finally:
        albums.load_picture = plain
    yield from read(album, reader, truth, spoil, rng)


def read(
    album: Album, reader: Reader, truth: GameTruth, spoil: Spoil | None, rng: np.random.Generator
) -> Iterator[Json]:
    """Yield one picture's lessons after the other."""
    tops = {"": 0, DOME: 1, **{side: 2 + place for place, side in enumerate(reader.sides)}}
    for file in album.files:
        fact, picture = truth.frames[file], albums.load_picture(album.folder / file)
        picture = picture if spoil is None else spoil.of(picture, rng)
        reading = reader.look(picture)
        look = reader.seen
        if fact.event == "hand" or look is None:
            continue
        both = list(zip(fact.board, reading.best, strict=True))
        blank = [not (a.height or a.top or b.height or b.top) for a, b in both]
        cells = [c for c in range(CELLS) if not blank[c] or rng.random() < PLAIN_SHARE]
        setting = reader.setting
        _, clipped = setting.base.view.cut(picture)
        windows = Windows(setting.geometry)
        crops, views = cut(windows, cells, look.search, setting.ground.expected[0], clipped)
        yield {
            "crops": crops,
            "views": views,
            "truth": np.array([(fact.board[c].height, tops[fact.board[c].top]) for c in cells]),
            "visible": np.array([fact.visible[c] for c in cells], dtype=np.float32),
            "game": np.array([f"{album.folder.parent.name}/{album.folder.name}"] * len(cells)),
        }


def main() -> None:
    """Read the command line and write the lessons of all games into one file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("seed", type=int, help="0: pictures as taken; else each game spoiled")
    parser.add_argument("games", type=Path, nargs="+")
    args = parser.parse_args()
    found: list[Json] = []
    for folder in args.games:
        try:
            found += lessons(folder, args.seed)
        except (AlbumError, PoseError) as error:
            print(f"{folder}: left out: {error}", flush=True)
    np.savez(args.out, **{key: np.concatenate([lesson[key] for lesson in found]) for key in found[0]})
    print(f"{args.out}: {sum(len(lesson['truth']) for lesson in found)} cells of {len(args.games)} games")


if __name__ == "__main__":
    main()
