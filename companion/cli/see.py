"""`santorini see GAME_DIR`: read a folder of pictures of one game, one JSON object a picture."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import cv2

from calibration.pose import PoseError
from companion.cli.main import UsageError
from vision.album import Album, AlbumError, open_album
from vision.overlay import overlay
from vision.seeing import Seen, read_album, seen_to_json

HELP = "read the pictures of a game, one JSON object a picture"
EXAMPLE = "santorini see tests/data/pictures/game-02 --out read.jsonl --overlay /tmp/drawn"


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the game's folder and where results go."""
    parser.add_argument("game", type=Path, metavar="GAME_DIR", help="folder with game.json and pictures")
    parser.add_argument("--out", type=Path, help="write the lines to this file instead of the screen")
    parser.add_argument("--overlay", type=Path, metavar="DIR", help="draw each reading over its picture")


def run(args: argparse.Namespace) -> int:
    """Read the pictures in order; broken files are named and the rest is still read."""
    troubles: list[str] = []

    def warn(text: str) -> None:
        troubles.append(text)
        print(f"santorini see: {text}", file=sys.stderr)

    try:
        album = open_album(args.game)
        if args.overlay is not None:
            args.overlay.mkdir(parents=True, exist_ok=True)
        with opened(args.out) as out:
            count = write(album, out, args.overlay, warn)
    except (AlbumError, PoseError) as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(f"{error.filename or args.game}: {error.strerror or error}") from error
    return 0 if count == len(album.files) else 1


@contextlib.contextmanager
def opened(path: Path | None) -> Iterator[TextIO]:
    """The file to write to, or the screen."""
    if path is None:
        yield sys.stdout
        return
    with path.open("w", encoding="utf-8") as file:
        yield file


def write(album: Album, out: TextIO, folder: Path | None, warn: object) -> int:
    """Write a line a picture; the number of pictures read."""
    assert callable(warn)
    count = 0
    for seen in read_album(album, warn):
        print(json.dumps(seen_to_json(seen)), file=out, flush=True)
        if folder is not None:
            draw(seen, album, folder)
        count += 1
    return count


def draw(seen: Seen, album: Album, folder: Path) -> None:
    """Write one overlay."""
    calibration = seen.calibration
    colours = dict(album.colours)
    drawn = overlay(seen.picture, seen.reading, calibration.camera, calibration.profile, colours)
    cv2.imwrite(str(folder / f"{Path(seen.file).stem}.jpg"), drawn)
