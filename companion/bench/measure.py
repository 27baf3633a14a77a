"""`santorini bench measure SET…`: how well piece sizes are measured on tableau pictures of known sets."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from calibration.measure import Measured, measure, sizes_of
from calibration.pieces import shipped
from companion.cli.main import UsageError
from vision.album import Album, AlbumError, calibrated, load_picture, open_album

HELP = "compare piece sizes measured on tableau pictures with the sizes the sets are known to have"
EXAMPLE = "santorini bench measure tests/data/pictures/game-34 --start 1.05"
SURE: Final = (1.0, 2.0)


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the picture games and how wrong the profile to start from is."""
    parser.add_argument("games", type=Path, nargs="+", metavar="SET", help="picture games with a tableau")
    parser.add_argument("--start", type=float, default=1.05, help="scale of the pieces to start from")


def run(args: argparse.Namespace) -> int:
    """Measure every game that has a tableau and print the errors."""
    rows: list[tuple[Measured, float, float]] = []
    try:
        for folder in args.games:
            rows.extend(errors(open_album(folder), args.start))
    except AlbumError as error:
        raise UsageError(str(error)) from error
    if not rows:
        raise UsageError("none of these games has a tableau picture")
    print(f"{'size':16} {'start off':>10} {'measured off':>13} {'spread':>7}   (root mean square, mm)")
    for name in dict.fromkeys(row.name for row, _, _ in rows):
        print_line(name, [item for item in rows if item[0].name == name])
    print_line("all", rows)
    for times in SURE:
        inside = np.mean([abs(off) <= times * row.spread for row, off, _ in rows])
        print(f"within {times:.0f} spread: {100 * inside:.0f} %")
    return 0


def errors(album: Album, start: float) -> list[tuple[Measured, float, float]]:
    """Each size of one game's pieces: as measured, its error, and the error it started with (cells)."""
    names = [name for name, event in album.events.items() if event == "tableau" and name in album.known]
    if not names:
        return []
    profile = shipped().scaled(start)
    calibration = calibrated(replace(album, profile=profile), [])
    position = [(content.height, content.top) for content in album.known[names[0]]]
    true, before = sizes_of(album.profile), sizes_of(profile)
    rows = measure(calibration, load_picture(album.folder / names[0]), position).sizes
    known = [row for row in rows if row.name in true]
    return [(row, row.value - true[row.name], before[row.name] - true[row.name]) for row in known]


def print_line(name: str, rows: Sequence[tuple[Measured, float, float]]) -> None:
    """One line of the table, in millimetres of the classic pitch."""
    pitch = shipped().pitch_mm
    start = pitch * float(np.sqrt(np.mean([before**2 for _, _, before in rows])))
    off = pitch * float(np.sqrt(np.mean([error**2 for _, error, _ in rows])))
    spread = pitch * float(np.mean([row.spread for row, _, _ in rows]))
    print(f"{name:16} {start:10.2f} {off:13.2f} {spread:7.2f}")
