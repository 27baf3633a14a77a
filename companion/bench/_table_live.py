"""The referee at a simulated table: from "hand gone" to the hint, idle CPU, memory over many games."""

from __future__ import annotations

import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final, cast

from calibration.build import Known, calibrate
from calibration.pose import GRID_CORNERS
from companion.live.hands import SimulatedHands
from companion.live.practice import COLOURS, PLAYERS, placed, practice_table
from companion.live.watcher import Judge, Watcher
from companion.referee.boards import board_of, differing
from companion.referee.fakes import HAND, SureEye, drawn
from companion.referee.referee import Referee
from companion.store import Store
from companion.table.accepting import known_board
from companion.table.live import Table
from companion.table.tables import Tables
from engine.board import format_cell
from engine.view import observe_public
from vision.gate import Gate, Verdict
from vision.reader import Reader
from vision.reading import EMPTY_BOARD, Board, Eye, Picture
from vision.simulator import Act, Hand, Pace, SimulatedCamera, SimulatedTable, camera_at
from vision.sources import Frame

FPS: Final = 10.0
SOAK_FPS: Final = 5.0
IDLE_SECONDS: Final = 10.0
MOST_GLANCES: Final = 6000
"""In a game of the soak: then it is given up, and said so."""


class Witness(SimulatedCamera):
    """A camera that notes when hands leave the picture and how long drawing keeps a core busy."""

    def __init__(self, clock: Callable[[], float]) -> None:
        pose = camera_at(elevation=56, azimuth=285, distance=13.5)
        super().__init__(pose, colours=COLOURS)
        self._time = clock
        self._reaching = False
        self.left: list[float] = []
        self.busy = 0.0

    def render(self, board: Board, hands: Sequence[Hand] = (), seed: int = 0, grain: int = 0) -> Picture:
        """Draw, and note."""
        began = time.thread_time()
        picture = super().render(board, hands, seed, grain)
        self.busy += time.thread_time() - began
        if self._reaching and not hands:
            self.left.append(self._time())
        self._reaching = bool(hands)
        return picture


class Numbers:
    """A camera that writes boards as numbers: everything but drawing and reading can then go fast."""

    busy = 0.0
    left: tuple[float, ...] = ()

    def render(self, board: Board, hands: Sequence[Hand] = (), seed: int = 0, grain: int = 0) -> Picture:
        """Write the board, and whether a hand is there."""
        return drawn(board, bool(hands))


class NumbersGate:
    """Judges such pictures."""

    resting = False

    def step(self, frame: Frame) -> Verdict:
        """Say whether a hand is there."""
        return "hand" if (frame.picture[:, 2] == HAND).any() else "still"

    def accept(self, frame: Frame) -> None:
        """Nothing is remembered."""


class Clock:
    """A clock that goes as fast as it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Tell the time."""
        return self.now


@dataclass
class Rig:
    """A practice table with everything real but the hands and the camera."""

    tables: Tables
    table: Table
    hands: SimulatedHands
    camera: Witness | Numbers
    source: SimulatedTable
    watcher: Watcher
    changes: list[float] = field(default_factory=list)
    games: int = 1


@contextmanager
def rig(seed: int, clock: Callable[[], float], pace: Pace, fps: float, fast: bool = False) -> Iterator[Rig]:
    """Set a practice table up with its workers placed, `fast` without pictures."""
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "bench.db") as store:
        tables, chance = Tables(store), random.Random(seed)
        table = practice_table(tables, chance)
        made: list[Rig] = []

        def again(table: Table) -> None:
            finished = table.game
            tables.create_again(table, {"players": PLAYERS})
            placed(table, chance)
            tables.delete(finished)
            made[0].games += 1
            made[0].watcher.move_to(table)

        hands = SimulatedHands(table, chance, again)
        hands.placed = True
        camera, eye, gate = numbers() if fast else calibrated(table, clock)
        source = SimulatedTable(
            cast(SimulatedCamera, camera), hands.script(), pace=pace, fps=fps, clock=clock
        )
        # as at a real table, sight learns from boards that the game has confirmed
        confirm = eye.confirm if isinstance(eye, Reader) else None
        watcher = Watcher(table, source, gate, Referee(eye), confirm=confirm)
        made.append(Rig(tables, table, hands, camera, source, watcher))
        yield made[0]


def numbers() -> tuple[Numbers, Eye, Judge]:
    """Give a camera, an eye and a gate for boards as numbers."""
    return Numbers(), SureEye(tuple(COLOURS)), NumbersGate()


def calibrated(table: Table, clock: Callable[[], float]) -> tuple[Witness, Eye, Judge]:
    """Give a camera, a reader calibrated on its own pictures, and a gate."""
    camera = Witness(clock)
    taps = camera.camera.project(GRID_CORNERS)
    board = known_board(table.session)
    known = Known(camera.render(board), [(content.height, content.top) for content in board])
    empty = camera.render(EMPTY_BOARD)
    calibration = calibrate(empty, camera.profile, COLOURS, taps=taps.tolist(), known=[known])
    gate = Gate(calibration.camera.project(GRID_CORNERS), reference=calibration.empty)
    return camera, Reader(calibration), gate


# ---- live ----------------------------------------------------------------------------------------------


def run_live(seconds: float, seed: int) -> list[str]:
    """Play in real time and write how long decisions take; then watch a table where nothing happens."""
    with rig(seed, time.monotonic, Pace(hold=2.0), FPS) as live:
        steps: list[float] = []
        seen = [progress(live.table)]

        def changed() -> None:
            now = progress(live.table)
            if now != seen[0]:
                seen[0] = now
                live.table.view("A"), live.table.view("B")
                steps.append(time.monotonic())

        live.table.subscribe(changed)
        live.watcher.start()
        time.sleep(seconds)
        live.watcher.stop()
        waits = sorted(waits_of(live.camera.left, steps))
        turns = len(live.table.public().history)
    lines = [f"live: {turns} turns in {seconds:.0f} s, {len(waits)} times from hand gone to the hint"]
    if waits:
        p95 = waits[min(len(waits) - 1, int(0.95 * len(waits)))]
        lines.append(f"  median {median(waits):.2f} s   p95 {p95:.2f} s   (must p95 <= 1.5 s)")
    return [*lines, *_idle(seed)]


def progress(table: Table) -> tuple[object, ...]:
    """Say how far a game is, as everybody sees it, with what it says about mistakes."""
    shown = table.public()
    notice = shown.notice.kind if shown.notice is not None else None
    return len(shown.history), shown.turn, shown.phase, notice, shown.asked


def waits_of(left: Sequence[float], steps: Sequence[float]) -> Iterator[float]:
    """Pair every time a hand left with the first change after it, before the next hand left."""
    for number, gone in enumerate(left):
        until = left[number + 1] if number + 1 < len(left) else float("inf")
        change = next((at for at in steps if gone <= at < until), None)
        if change is not None:
            yield change - gone


def _idle(seed: int) -> list[str]:
    """Measure the share of a core while nobody moves; drawing is not counted."""
    with rig(seed, time.monotonic, Pace(), FPS) as live:
        board = known_board(live.table.session)
        assert isinstance(live.camera, Witness)
        still = SimulatedTable(live.camera, iter([Act(board, hold=3600.0, hand=False)]), fps=FPS)
        watcher = Watcher(
            live.table, still, Gate(live.camera.camera.project(GRID_CORNERS)), live.watcher.referee
        )
        watcher.start()
        time.sleep(5.0)
        cpu, drawn, wall = time.process_time(), live.camera.busy, time.monotonic()
        time.sleep(IDLE_SECONDS)
        spent = time.process_time() - cpu - (live.camera.busy - drawn)
        share = spent / (time.monotonic() - wall)
        watcher.stop()
    return [f"  nothing happens: {100 * share:.1f} % of one core, drawing not counted (must <= 25 %)"]


# ---- soak ----------------------------------------------------------------------------------------------


def run_soak(games: int, seed: int, fast: bool) -> Iterator[str]:
    """Play many games on an accelerated clock and write how much memory the process holds."""
    clock = Clock()
    pace = Pace(reach=0.2, work=0.2, leave=0.2, hold=0.8)
    with rig(seed, clock, pace, SOAK_FPS, fast) as soak:
        last, glances, began = 0, 0, time.monotonic()
        every = max(1, games // 20)
        while soak.games <= games:
            clock.now += 1 / SOAK_FPS
            frame = soak.source.latest()
            if frame is not None:
                soak.watcher.glance(frame)
            glances += 1
            if soak.games > last:
                last, glances = soak.games, 0
                if (last - 1) % every == 0 or last > games:
                    held = f"{memory():7.1f} MB now  {peak():7.1f} MB at most"
                    took = f"{(time.monotonic() - began) / 60:6.1f} min"
                    yield f"soak: {last - 1:4d} games  {held}  {took}  {soak.hands.people.told()}"
            if glances > MOST_GLANCES:
                yield f"soak: game {last} does not end; given up: {state_of(soak)}"
                return


def state_of(soak: Rig) -> str:
    """Say where a game is: what everybody is shown, and where the pieces in the hands' picture are not."""
    shown, session = soak.table.public(), soak.table.session
    aside = differing(soak.hands.board, board_of(observe_public(session.game).position))
    looked = soak.watcher.shown
    reading = looked.reading.status if looked is not None and looked.reading is not None else "none"
    told = f"{shown.notice.kind} {shown.notice.key}" if shown.notice is not None else "none"
    return (
        f"{len(shown.history)} turns, {shown.phase}, {shown.to_move} to move, steps {shown.turn}, "
        f"camera {shown.camera}, last reading {reading}, notice {told}, asked {shown.asked}, "
        f"out of sync {shown.sync is not None}, {soak.hands.people.told()}, "
        f"hands differ at {', '.join(map(format_cell, aside)) or '-'}"
    )


def memory() -> float:
    """Megabytes that the process holds now."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except OSError:
        return peak()
    return pages * resource.getpagesize() / 1e6


def peak() -> float:
    """Megabytes that the process held at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
