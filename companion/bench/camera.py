"""`santorini bench camera`: what stands around the reader: gate, simulator, delay of each kind of source."""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from companion.bench._camera_sources import DELAYS
from companion.cli.main import UsageError
from vision.album import Album, AlbumError, load_picture, open_album
from vision.gate import Gate, Verdict
from vision.reading import Board, Content
from vision.simulator import Hand, SimulatedCamera
from vision.sources.base import Frame

HELP = "measure the gate, the simulator and the delay of each kind of camera source"
EXAMPLE = "santorini bench camera tests/data/pictures/game-02"
GAP: Final = 0.2
REPEATS: Final = 4
WANTED: Final[dict[str, Verdict]] = {"hand": "hand", "bump": "changed", "light": "changed"}


def configure(parser: argparse.ArgumentParser) -> None:
    """Take picture games to run the gate over."""
    parser.add_argument("games", type=Path, nargs="*", metavar="SET", help="picture games for the gate")
    parser.add_argument(
        "--frames", type=int, default=60, help="frames to draw and judge (default: %(default)s)"
    )


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    try:
        albums = [open_album(folder) for folder in args.games]
    except AlbumError as error:
        raise UsageError(str(error)) from error
    camera = SimulatedCamera()
    print_simulator_speed(camera, args.frames)
    print_gate_speed(camera, args.frames)
    for name, measure in DELAYS.items():
        delays = sorted(measure())
        middle, late = statistics.median(delays), delays[int(0.95 * (len(delays) - 1))]
        print(f"source {name:24} delay median {middle:6.1f} ms, 95 % {late:6.1f} ms, {len(delays)} frames")
    try:
        return print_verdicts(albums)
    except AlbumError as error:
        raise UsageError(str(error)) from error


def towers(number: int) -> Board:
    """A busy board that changes a little with its number."""
    cells = [Content((7 * cell + 3) % 4, ("", "A", "", "dome", "B", "", "C")[cell % 7]) for cell in range(25)]
    cells[number % 25] = Content(number % 4)
    return tuple(cells)


def print_simulator_speed(camera: SimulatedCamera, count: int) -> None:
    """Draw a new busy board in every frame, a hand in every fourth: the worst case."""
    began = time.process_time()
    for number in range(count):
        camera.render(towers(number), [Hand(12)] if number % 4 == 3 else [], grain=number)
    spent = time.process_time() - began
    width, height = camera.camera.size
    print(f"simulator: {count / spent:.1f} frames/s of processor time, {width}x{height}, a new board in each")


def print_gate_speed(camera: SimulatedCamera, count: int) -> None:
    """Judge a game of turns: four still frames, then four with a hand, over a new board each time."""
    half = camera.profile.board.plateau
    corners = np.array([[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0]])
    gate = Gate(camera.camera.project(corners), camera.camera.size)
    spent: dict[str, list[float]] = {"still": [], "hand": []}
    for number in range(count):
        hands = [Hand(12)] if number % 8 >= 4 else []
        frame = Frame(camera.render(towers(number // 8), hands, grain=number), number * GAP, number)
        began = time.process_time()
        gate.step(frame)
        spent["hand" if hands else "still"].append(1000 * (time.process_time() - began))
    for name, times in spent.items():
        times.sort()
        late = times[int(0.95 * (len(times) - 1))]
        print(f"gate, {name:5} frames: median {statistics.median(times):.2f} ms, 95 % {late:.2f} ms a frame")


def print_verdicts(albums: Sequence[Album]) -> int:
    """Run the gate over picture games, each picture as if it stood for a while, and count what it said."""
    counts: Counter[tuple[str, bool]] = Counter()
    for album in albums:
        for file, event, right, verdicts in judged(album):
            counts[event, right] += 1
            if not right:
                print(f"gate: {album.folder.name}/{file} ({event}): {' '.join(verdicts)}")
    for event in sorted({event for event, _ in counts}):
        good, bad = counts[event, True], counts[event, False]
        print(f"gate on {event or 'other'} pictures: {good} of {good + bad} right")
    return 0


def judged(album: Album) -> Iterator[tuple[str, str, bool, list[Verdict]]]:
    """Each picture with its event, whether the gate was right about it, and all it said."""
    if album.taps is None:
        raise AlbumError(f"{album.folder}: it has no corner taps")
    taps = np.array(album.taps)
    middle = taps.mean(axis=0)
    gate, now = Gate(middle + (taps - middle) * album.profile.board.plateau / 2.5), 0.0
    for file, event in events_of(album).items():
        picture, verdicts = load_picture(album.folder / file), []
        for _ in range(REPEATS):
            now += GAP
            verdicts.append(gate.step(Frame(picture, now, 1)))
        wanted = WANTED.get(event, "still")
        calm = verdicts[-1] == ("hand" if wanted == "hand" else "still")
        yield (
            file,
            event,
            calm and wanted in verdicts and ("hand" in verdicts) == (wanted == "hand"),
            verdicts,
        )


def events_of(album: Album) -> dict[str, str]:
    """The events by file; an album tells a program only the confirmed ones, scoring may see all."""
    frames = json.loads((album.folder / "game.json").read_text("utf-8"))["frames"]
    return {str(frame["file"]): str(frame.get("event") or "") for frame in frames}
