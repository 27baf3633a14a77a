"""`santorini track GAME_DIR`: follow the pictures of one game as its referee, one JSON object a picture."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TextIO

from calibration.pose import PoseError
from companion.cli.main import UsageError
from companion.cli.see import opened
from companion.referee.chances import normalised
from companion.referee.doubts import Doubts
from companion.referee.pictures import Followed, follow, followed_to_json
from engine.setup import SetupError
from vision.album import Album, AlbumError, open_album
from vision.overlay import overlay
from vision.reading import Picture, Reading

HELP = "follow the pictures of a game as its referee, one JSON object a picture"
EXAMPLE = "santorini track tests/data/pictures/game-02 --out turns.jsonl --debug-dir /tmp/doubts"


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the game's folder and where results go."""
    parser.add_argument("game", type=Path, metavar="GAME_DIR", help="folder with game.json and pictures")
    parser.add_argument("--out", type=Path, help="write the lines to this file instead of the screen")
    parser.add_argument(
        "--debug-dir",
        type=Path,
        metavar="DIR",
        help="keep pictures, drawn readings and candidates of asked, illegal and corrected turns here",
    )


def run(args: argparse.Namespace) -> int:
    """Decide on the pictures in order; broken files are named and the rest is still followed."""
    try:
        album = open_album(args.game)
        with opened(args.out) as out:
            whole = write(album, out, args.debug_dir)
    except (AlbumError, PoseError, SetupError) as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(f"{error.filename or args.game}: {error.strerror or error}") from error
    return 0 if whole else 1


def warn(text: str) -> None:
    """Say what is wrong with a picture or the set-up, beside the results."""
    print(f"santorini track: {text}", file=sys.stderr)


def write(album: Album, out: TextIO, debug: Path | None) -> bool:
    """Write a line a picture; whether every picture was followed, from a beginning on."""
    count, begun = 0, all(name in album.known for name in album.files)
    for followed in follow(album, warn):
        print(json.dumps(followed_to_json(followed)), file=out, flush=True)
        option = followed.decided.option
        if option is not None and option.earlier:
            warn(f"{followed.seen.file}: no picture shows the turn before this one: {option.earlier}")
        if debug is not None:
            keep(followed, album, debug)
        count, begun = count + 1, begun or followed.begun
    return begun and count == len(album.files)


def keep(followed: Followed, album: Album, folder: Path) -> None:
    """Keep a picture on which the referee asked, found a rule broken, or changed its mind."""
    decided, seen = followed.decided, followed.seen
    kind = decided.kind if decided.kind in ("ask", "illegal") else "corrected" if decided.corrects else None
    if kind is None:
        return
    calibration = seen.calibration

    def draw(picture: Picture, reading: Reading) -> Picture:
        return overlay(picture, reading, calibration.camera, calibration.profile, dict(album.colours))

    chances = normalised([entry.log for entry in decided.weighed])
    entries = list(zip(decided.weighed, chances, strict=True))
    name = f"{album.folder.name}-{Path(seen.file).stem}"
    Doubts(folder, draw=draw).keep(name, kind, seen.picture, seen.reading, entries)
