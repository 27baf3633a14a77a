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
from companion.referee.pictures import follow, followed_to_json
from engine.setup import SetupError
from vision.album import Album, AlbumError, open_album

HELP = "follow the pictures of a game as its referee, one JSON object a picture"
EXAMPLE = "santorini track tests/data/pictures/game-02 --out turns.jsonl"


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the game's folder and where results go."""
    parser.add_argument("game", type=Path, metavar="GAME_DIR", help="folder with game.json and pictures")
    parser.add_argument("--out", type=Path, help="write the lines to this file instead of the screen")


def run(args: argparse.Namespace) -> int:
    """Decide on the pictures in order; broken files are named and the rest is still followed."""
    try:
        album = open_album(args.game)
        with opened(args.out) as out:
            count = write(album, out)
    except (AlbumError, PoseError, SetupError) as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(f"{error.filename or args.game}: {error.strerror or error}") from error
    return 0 if count == len(album.files) else 1


def warn(text: str) -> None:
    """Say what is wrong with a picture or the set-up, beside the results."""
    print(f"santorini track: {text}", file=sys.stderr)


def write(album: Album, out: TextIO) -> int:
    """Write a line a picture; the number of pictures followed."""
    count = 0
    for followed in follow(album, warn):
        print(json.dumps(followed_to_json(followed)), file=out, flush=True)
        count += 1
    return count
