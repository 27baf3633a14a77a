"""Render a table for learning: python -m tests.renders.loose NUMBER OUT_DIR [--boards N].

Either a few pictures of a random game (see wild.py), or boards of no game at all, in which every content is
about equally often; neither has a knock or a change of light.
"""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import replace
from pathlib import Path

from tests.renders import make_game
from tests.renders.play import CELLS, Frame, Position
from tests.renders.spec import Conditions
from tests.renders.wild import wild

TURNS = 18
PICTURES = 5
FIRST_LATE = 3
GIVEN = ("empty", "tableau", "placed")


def loose_board(workers: list[str], rng: random.Random) -> Position:
    """Return a board with towers, domes and workers anywhere."""
    dense = rng.uniform(0.3, 0.7)
    heights = tuple(rng.choice((1, 1, 2, 2, 3, 3)) if rng.random() < dense else 0 for _ in CELLS)
    cells = rng.sample(list(CELLS), len(CELLS))
    domes = {c for c in cells[len(workers) :] if rng.random() < (0.35 if heights[c] else 0.04)}
    return Position(heights, frozenset(domes), dict(zip(workers, cells, strict=False)))


def loose_frames(cond: Conditions, boards: int) -> list[Frame]:
    """Return the pictures that sight is calibrated with, then boards of no game."""
    rng = random.Random(cond.number)
    given = [frame for frame in make_game.script(cond, 4) if frame.event in GIVEN]
    told = [replace(frame, follows=at - 1 if at else None) for at, frame in enumerate(given)]
    workers = sorted(told[-1].label.workers)
    for _ in range(boards):
        board = loose_board(workers, rng)
        told.append(Frame("turn", board, board, len(given) - 1))
    return told


def few_of(frames: list[Frame], seed: int) -> set[int]:
    """Return which pictures of a game to draw: those for calibration and some late ones."""
    late = [at for at, frame in enumerate(frames) if frame.event in ("turn", "illegal")][FIRST_LATE:]
    chosen = random.Random(seed).sample(late, min(PICTURES, len(late)))
    return {at for at, frame in enumerate(frames) if frame.event in GIVEN} | set(chosen)


def drop_undrawn(folder: Path, drawn: set[int]) -> None:
    """Leave pictures that were not drawn out of game.json."""
    path = folder / "game.json"
    game = json.loads(path.read_text())
    files = {f"{number:03d}.jpg" for number in drawn}
    game["frames"] = [frame for frame in game["frames"] if frame["file"] in files]
    game["known"] = {name: board for name, board in game["known"].items() if name in files}
    make_game.write(path, game)


def main() -> None:
    """Read the command line and render."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", type=int)
    parser.add_argument("out", type=Path)
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--boards", type=int, default=0, help="so many boards of no game instead of a game's")
    args = parser.parse_args()
    cond = replace(wild(args.number), bump=False, later=None)
    folder = args.out / f"game-{cond.number}"
    frames = loose_frames(cond, args.boards) if args.boards else make_game.script(cond, TURNS)
    drawn = set(range(len(frames))) if args.boards else few_of(frames, args.number)
    make_game.make(cond, folder, frames, args.samples, drawn)
    drop_undrawn(folder, drawn)


if __name__ == "__main__":
    main()
