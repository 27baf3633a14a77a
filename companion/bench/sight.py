"""`santorini bench sight SET…`: accuracy and speed of reading labelled picture games."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2

from calibration.pieces import PieceProfile
from companion.bench import _score
from companion.bench._late import late
from companion.bench._spoils import SPOILERS, Spoil
from companion.bench._truth import load_truth
from companion.cli.main import UsageError
from vision.album import Album, calibrated, open_album
from vision.overlay import mark, overlay
from vision.reader import Reader
from vision.seeing import Seen, read_album

HELP = "read labelled picture games and print accuracy, speed and what was mistaken"
EXAMPLE = "santorini bench sight tests/data/pictures --overlay /tmp/worst"
# nobody confirms a hand, or a board that breaks the rules; with the tableau sight was calibrated
UNCONFIRMED: Final = ("hand", "illegal", "empty", "tableau")


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the sets, the overlay folder and the choice of spoilers."""
    parser.add_argument(
        "sets", nargs="+", type=Path, metavar="SET", help="a game's folder, or one that holds games"
    )
    parser.add_argument(
        "--overlay", type=Path, metavar="DIR", help="draw the ten worst cells into this folder"
    )
    parser.add_argument(
        "--degrade", action="store_true", help="also read spoiled pictures: blur, noise and more"
    )
    parser.add_argument(
        "--confirm", action="store_true", help="confirm each lawful board after reading it, as a game does"
    )
    parser.add_argument("--names", action="store_true", help="know the workers' colours by their names alone")
    parser.add_argument("--mistakes", action="store_true", help="list every wrong cell")


def run(args: argparse.Namespace) -> int:
    """Read every game and print the tables."""
    games = find_games(args.sets)
    albums = {folder: open_album(folder) for folder in games}
    if args.names:
        albums = {folder: nameless(album) for folder, album in albums.items()}
    frames, pictures = read_games(albums, Spoil("plain"), args.overlay is not None, args.confirm)
    print("\n".join(_score.tables(frames)))
    print("\n".join(["", *late(frames)]) if any(frame.after for frame in frames) else "")
    if args.mistakes:
        print("\n".join(["", *_score.mistakes(frames)]))
    if args.overlay is not None:
        draw_worst(frames, pictures, args.overlay)
    if args.degrade:
        degrade(albums, frames)
    return 0


def find_games(sets: Sequence[Path]) -> list[Path]:
    """The game folders among and inside the given ones."""
    found: list[Path] = []
    for folder in sets:
        inside = sorted(path.parent for path in folder.glob("**/labels.json"))
        if not inside:
            raise UsageError(f"{folder}: no game with a labels.json here")
        found += inside
    return found


Kept = dict[tuple[str, str], tuple[Seen, Album]]


def read_games(
    albums: dict[Path, Album], spoil: Spoil, keep: bool = False, confirm: bool = False
) -> tuple[list[_score.Frame], Kept]:
    """Read every picture of every game as `see` does, and score it."""
    frames: list[_score.Frame] = []
    kept: Kept = {}
    for folder, album in albums.items():
        used = album if spoil.sizes == 1.0 else replace(album, profile=resized(album.profile, spoil.sizes))
        first = cv2.imread(str(folder / album.files[0]))
        size = (1280, 720) if first is None else (first.shape[1], first.shape[0])
        truth, after = load_truth(folder, album.profile, size), False
        troubles: list[str] = []
        reader = Reader(calibrated(used, troubles))
        for text in (*troubles, *reader.origin.quality.warnings):
            complain(text)
        for seen in read_album(used, complain, spoil.over(reader), reader):
            fact = truth.frames[seen.file]
            after = after or fact.event in _score.CHANGES
            frames.append(_score.score(seen, fact, truth, after))
            if confirm and fact.event not in UNCONFIRMED:
                reader.confirm(seen.picture, fact.board)
            if keep and not frames[-1].right:
                kept[(folder.name, seen.file)] = (seen, album)
    return frames, kept


def nameless(album: Album) -> Album:
    """A game of which only the empty board is confirmed: no picture shows the workers' colours."""
    name, _ = album.empty_file
    return replace(album, known={file: board for file, board in album.known.items() if file == name})


def complain(text: str) -> None:
    """Print a warning of the reader."""
    print(f"santorini bench sight: {text}", file=sys.stderr)


def resized(profile: PieceProfile, factor: float) -> PieceProfile:
    """A profile that is wrong by a factor."""
    return profile.scaled(factor)


def draw_worst(frames: Sequence[_score.Frame], kept: Kept, folder: Path) -> None:
    """Draw the ten wrong cells that were read with most confidence."""
    folder.mkdir(parents=True, exist_ok=True)
    for place, cell in enumerate(_score.worst(frames), start=1):
        seen, album = kept[(cell.game, cell.file)]
        camera, profile = seen.calibration.camera, seen.calibration.profile
        drawn = mark(
            overlay(seen.picture, seen.reading, camera, profile, dict(album.colours)), cell.cell, camera
        )
        cv2.imwrite(str(folder / f"{place:02}-{cell.game}-{Path(cell.file).stem}.jpg"), drawn)


def degrade(albums: dict[Path, Album], frames: Sequence[_score.Frame]) -> None:
    """Read everything again under each spoiler; the calibration pictures stay as they are."""
    print("\n".join(["", _score.HEAD, _score.row("as taken", frames)]), flush=True)
    for spoil in SPOILERS:
        found, _ = read_games(albums, spoil)
        print(_score.row(spoil.name, found), flush=True)
