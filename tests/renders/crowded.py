"""Render boards of no game, few on each of many tables: python -m tests.renders.crowded FIRST LAST OUT_DIR.

Games show low towers and third blocks under nearly every dome; here every content is about equally
often at every height. What is learned from such pictures knows no rules and no habits.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tests.renders import camera as cameras
from tests.renders import film, labels, play, scene
from tests.renders.make_game import Studio, balance, clear_lens, measure, scatter, set_up, window_of, write
from tests.renders.place import Table, settle
from tests.renders.spec import Conditions, view
from tests.renders.wild import wild


def table_of(number: int) -> Conditions:
    """Return the random table of a number, its camera between 34 and 78 degrees."""
    rng = random.Random(number)
    cond = wild(number)
    bend = (rng.uniform(-0.1, 0.1), rng.uniform(-0.06, 0.06))
    angle = rng.uniform(62, 78) if rng.random() < 0.5 else rng.uniform(34, 62)
    lens = view(
        angle, rng.uniform(0, 360), rng.uniform(54, 78), rng.uniform(0.5, 0.68), bend, rng.gauss(0, 2)
    )
    return replace(cond, view=lens, bump=False, later=None)


def board(players: int, rng: random.Random) -> play.Position:
    """Return a board of no game: crowded or not, every content about equally often at every height."""
    dense = rng.uniform(0.25, 0.85)
    heights = [rng.choice((1, 1, 2, 2, 3)) if rng.random() < dense else 0 for _ in play.CELLS]
    domes = frozenset(c for c in play.CELLS if rng.random() < (0.18 if heights[c] else 0.03))
    free = [c for c in play.CELLS if c not in domes]
    names = [player + number for player in "ABC"[:players] for number in "12"]
    return play.Position(tuple(heights), domes, dict(zip(names, rng.sample(free, len(names)))))


def frames_of(cond: Conditions, count: int) -> list[play.Frame]:
    """Return the frames before a game's first turn, then boards of no game."""
    rng = random.Random(cond.seed)
    frames = play.opening(len(cond.colours), cond.tableau, rng)
    for _ in range(count):
        shown = board(len(cond.colours), rng)
        frames.append(play.Frame("turn", shown, shown, len(frames) - 1))
    return frames


def drawn(studio: Studio, shot: cameras.Camera, coarse: int, whole: bool) -> Any:
    """Return the linear light of the scene, drawn coarsely; only the board anew unless `whole`."""
    scene.aim(shot, coarse)
    wide, high = cameras.canvas(shot)
    if whole:
        small = scene.render(studio.samples, True, studio.scratch)
        studio.still = cv2.resize(small, (wide, high), interpolation=cv2.INTER_CUBIC)
        return studio.still
    window = tuple(v // coarse for v in window_of(shot))
    small = scene.render(studio.samples, True, studio.scratch, (window[0], window[1], window[2], window[3]))
    x, y = window[0] * coarse, window[1] * coarse
    large = cv2.resize(small, None, fx=coarse, fy=coarse, interpolation=cv2.INTER_CUBIC)
    light = studio.still.copy()
    part = light[y : y + large.shape[0], x : x + large.shape[1]]
    part[:] = large[: part.shape[0], : part.shape[1]]
    return light


def make(cond: Conditions, out: Path, count: int, samples: int, coarse: int) -> None:
    """Render one table's pictures."""
    out.mkdir(parents=True, exist_ok=True)
    rng, nprng, offset, stage = set_up(cond)
    shot, share = cameras.fitting(cond.view, nprng)
    frames, told, tables = frames_of(cond, count), [], []
    with tempfile.TemporaryDirectory() as scratch:
        clear_lens(stage, cond)
        one = measure(stage, shot, Path(scratch))
        studio = Studio(cond, stage, Path(scratch), samples, one, None)
        studio.gains = balance(cond, one, studio.shares(False))
        studio.expose(later=False)
        stage.litter(scatter(cond, rng))
        exact, tapped = cameras.taps(shot, nprng)
        for number, frame in enumerate(frames):
            before = Table() if frame.follows is None else tables[frame.follows]
            tables.append(settle(Table(workers=before.workers), frame.label, cond.sizes, rng))
            stage.show(tables[-1].pieces())
            scene.bpy.context.scene.cycles.seed = cond.seed * 100 + number
            light = drawn(studio, shot, coarse, frame.event == "empty")
            image = film.develop(light, shot, studio.gains, cond.noise, np.random.default_rng(number))
            film.save(image, out / labels.file_of(number), cond.noise["q"])
            told.append(labels.frame(number, frame, shot, tables[-1].pieces(), len(cond.colours)))
    mat = {"x": offset[0], "y": offset[1], "rot_deg": float(np.degrees(offset[2]))} if cond.tags else None
    extra = {
        "facts": labels.facts(cond, shot, share),
        "mat": mat,
        "clutter": [],
        "shares": studio.shares(False),
    }
    write(out / "labels.json", labels.labels(cond, extra, exact, told))
    write(out / "game.json", labels.game(cond, frames, tapped))


def main() -> None:
    """Read the command line and render."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=int, help="the first table's number, 11 or more")
    parser.add_argument("last", type=int, help="the last table's number")
    parser.add_argument("out", type=Path, help="the set's directory; game-NN is made in it")
    parser.add_argument("--boards", type=int, default=6, help="boards of no game a table")
    parser.add_argument("--samples", type=int, default=8)
    parser.add_argument("--coarse", type=int, default=2, help="draw a pixel for so many in a row")
    args = parser.parse_args()
    for number in range(args.first, args.last + 1):
        make(table_of(number), args.out / f"game-{number:02d}", args.boards, args.samples, args.coarse)
        print(f"game-{number:02d}", flush=True)


if __name__ == "__main__":
    main()
