"""`santorini bench sight SET…`: accuracy and speed of reading labelled picture games."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2

from calibration.pose import GRID_CORNERS
from companion.bench import _score
from companion.bench._games import BAD_GAME, BAD_LABELS, Faults, GameError
from companion.bench._late import late
from companion.bench._spoils import FROM_START, SPOILERS, Spoil, shot_by
from companion.bench._truth import GameTruth, load_truth
from companion.cli.main import UsageError
from vision.album import Album, calibrated, open_album
from vision.gate import Gate
from vision.overlay import mark, overlay
from vision.reader import Reader
from vision.seeing import Seen, plain, read_album
from vision.sources import Frame

HELP = "read labelled picture games and print accuracy, speed and what was mistaken"
EXAMPLE = "santorini bench sight tests/data/pictures --overlay /tmp/worst"
# nobody confirms a hand, or a board that breaks the rules; with the tableau sight was calibrated
UNCONFIRMED: Final = ("hand", "illegal", "empty", "tableau")
PROG: Final = "santorini bench sight"


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
    """Read every game and print the tables; 1 where a game or a picture could not be read."""
    faults = Faults(PROG)
    albums = opened(find_games(args.sets), args.names, faults)
    frames, pictures = read_games(albums, Spoil("plain"), args.overlay is not None, args.confirm, faults)
    if not frames:
        raise UsageError("no picture of these games can be scored")
    print("\n".join(_score.tables(frames)))
    print("\n".join(["", *late(frames)]) if any(frame.after for frame in frames) else "")
    if args.mistakes:
        print("\n".join(["", *_score.mistakes(frames)]))
    if args.overlay is not None:
        draw_worst(frames, pictures, args.overlay)
    if args.degrade:
        degrade(albums, frames, faults)
    return faults.code


def find_games(sets: Sequence[Path]) -> list[Path]:
    """The game folders among and inside the given ones."""
    found: list[Path] = []
    for folder in sets:
        inside = sorted(path.parent for path in folder.glob("**/labels.json"))
        if not inside:
            raise UsageError(f"{folder}: no game with a labels.json here")
        found += inside
    return found


def opened(games: Sequence[Path], names: bool, faults: Faults) -> dict[Path, Album]:
    """Open the games; with names alone, what shows the workers' colours is left aside."""
    albums: dict[Path, Album] = {}
    for folder in games:
        try:
            album = open_album(folder)
        except BAD_GAME as error:
            faults.add(f"{folder}: {error}; the game is left out")
            continue
        albums[folder] = nameless(album) if names else album
    return albums


Kept = dict[tuple[str, str], tuple[Seen, Album]]


def read_games(
    albums: Mapping[Path, Album],
    spoil: Spoil,
    keep: bool = False,
    confirm: bool = False,
    faults: Faults | None = None,
) -> tuple[list[_score.Frame], Kept]:
    """Read every picture of every game as `see` does, and score it."""
    faults = faults or Faults(PROG)
    frames: list[_score.Frame] = []
    kept: Kept = {}
    for folder, album in albums.items():
        try:
            truth = truth_of(folder, album)
        except GameError as error:
            faults.add(f"{error}; the game is left out")
            continue
        read = {}
        for seen, frame in scored(album, truth, spoil, confirm, faults):
            read[seen.file] = frame
            if keep and not frame.right:
                kept[(folder.name, seen.file)] = (seen, album)
        frames += with_unread(album, truth, read, faults)
    return frames, kept


def truth_of(folder: Path, album: Album) -> GameTruth:
    """A game's labels; raise GameError where they cannot be used."""
    first = cv2.imread(str(folder / album.files[0]))
    size = (1280, 720) if first is None else (first.shape[1], first.shape[0])
    try:
        return load_truth(folder, album.profile, size)
    except BAD_LABELS as error:
        raise GameError(f"{folder / 'labels.json'}: {error!r} is missing or wrong") from error


def scored(
    album: Album, truth: GameTruth, spoil: Spoil, confirm: bool, faults: Faults
) -> Iterator[tuple[Seen, _score.Frame]]:
    """Read the pictures of a game as far as that can be, and score those that have a label."""
    troubles: list[str] = []
    after = changes(album, truth)
    try:
        with shot_by(album, spoil) as used:
            reader = Reader(calibrated(used, troubles))
            for text in (*troubles, *reader.origin.quality.warnings):
                faults.note(text)
            gate, change = gate_of(reader), plain if spoil.from_start else spoil.over(reader)
            for number, seen in enumerate(read_album(used, faults.note, change, reader)):
                took = timed(gate, Frame(seen.picture, float(number), number))
                fact = truth.frames.get(seen.file)
                if fact is None:
                    continue
                frame = _score.score(seen, fact, truth, after[seen.file])
                yield seen, replace(frame, gate_ms=took)
                if confirm and fact.event not in UNCONFIRMED:
                    reader.confirm(seen.picture, fact.board)
    except BAD_GAME as error:
        faults.add(f"{album.folder}: {error}")


def with_unread(
    album: Album, truth: GameTruth, read: Mapping[str, _score.Frame], faults: Faults
) -> list[_score.Frame]:
    """Every labelled picture of a game, in order: those that could not be read count as wrong."""
    after = changes(album, truth)
    labelled = [name for name in album.files if name in truth.frames]
    if len(labelled) < len(album.files):
        lacking = ", ".join(name for name in album.files if name not in truth.frames)
        faults.add(f"{album.folder / 'labels.json'}: no label for {lacking}, which is left out")
    missing = [name for name in labelled if name not in read]
    if missing:
        faults.add(f"{album.folder}: not read and counted as wrong: {', '.join(missing)}")
    return [read.get(name) or _score.unread(truth.frames[name], truth, after[name]) for name in labelled]


def changes(album: Album, truth: GameTruth) -> dict[str, bool]:
    """Whether each picture comes after a bump or a new light."""
    found, after = {}, False
    for name in album.files:
        fact = truth.frames.get(name)
        after = after or (fact is not None and fact.event in _score.CHANGES)
        found[name] = after
    return found


def gate_of(reader: Reader) -> Gate:
    """The gate as a table has it."""
    known = reader.origin
    return Gate(known.camera.project(GRID_CORNERS), known.camera.size, reference=known.empty)


def timed(gate: Gate, frame: Frame) -> float:
    """Milliseconds that the gate takes for a picture."""
    began = time.perf_counter()
    gate.step(frame)
    return 1000 * (time.perf_counter() - began)


def nameless(album: Album) -> Album:
    """A game of which only the empty board is confirmed: no picture shows the workers' colours."""
    name, _ = album.empty_file
    return replace(album, known={file: board for file, board in album.known.items() if file == name})


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


def degrade(albums: Mapping[Path, Album], frames: Sequence[_score.Frame], faults: Faults) -> None:
    """Read everything again under each spoiler, which leaves the calibration pictures as they are or not."""
    print("\n".join(["", _score.HEAD, _score.row("as taken", frames)]), flush=True)
    for spoil in (*SPOILERS, *FROM_START):
        found, _ = read_games(albums, spoil, faults=faults)
        print(_score.row(spoil.name, found), flush=True)
