"""Many tables in one process: some with a live camera each, many more without, all of them played on."""

from __future__ import annotations

import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

from companion.bench._table_live import Rig, memory, peak, progress, rig, waits_of
from companion.live.practice import PLAYERS, placed
from companion.live.watcher import Judge
from companion.store import Store
from companion.table.commands import Actor, EndTurn, TakeStep
from companion.table.live import Table
from companion.table.tables import Tables
from vision.gate import Verdict
from vision.simulator import Pace
from vision.sources import Frame

FPS: Final = 5.0
PAUSE: Final = 5.0
"""Seconds between two taps at a table without a camera."""


class Counting:
    """A gate that notes which frames came to it."""

    def __init__(self, gate: Judge) -> None:
        self._gate = gate
        self.seen = 0
        self.first = self.last = 0

    def step(self, frame: Frame) -> Verdict:
        """Judge one frame."""
        self.seen += 1
        self.first = self.first or frame.number
        self.last = frame.number
        return self._gate.step(frame)

    @property
    def resting(self) -> bool:
        """Whether nothing moves over the board."""
        return self._gate.resting

    def accept(self, frame: Frame) -> None:
        """Take a frame for what the board looks like now."""
        self._gate.accept(frame)

    @property
    def offered(self) -> int:
        """How many frames the camera gave in the same time."""
        return self.last - self.first + 1 if self.seen else 0


@dataclass
class Eyes:
    """One table with a camera, and when it showed something new."""

    rig: Rig
    gate: Counting
    steps: list[float] = field(default_factory=list)

    def watch(self) -> None:
        """Note every change that a hint follows from."""
        table, seen = self.rig.table, [progress(self.rig.table)]

        def changed() -> None:
            now = progress(table)
            if now != seen[0]:
                seen[0] = now
                table.view("A"), table.view("B")
                self.steps.append(time.monotonic())

        table.subscribe(changed)
        self.rig.watcher.start()

    def waits(self) -> Iterator[float]:
        """Say how long every hint took after a hand had left."""
        return waits_of(self.rig.camera.left, self.steps)


def run_many(cameras: int, plain: int, seconds: float, seed: int) -> list[str]:
    """Play at all of them for a while and write what it takes."""
    with ExitStack() as stack:
        eyes = [_eyes(stack, seed + number) for number in range(cameras)]
        taps = stack.enter_context(_tapping(plain, seed))
        for one in eyes:
            one.watch()
        drawn = sum(one.rig.camera.busy for one in eyes)
        cpu, wall = time.process_time(), time.monotonic()
        time.sleep(seconds)
        spent = time.process_time() - cpu - (sum(one.rig.camera.busy for one in eyes) - drawn)
        share = spent / (time.monotonic() - wall)
        for one in eyes:
            one.rig.watcher.stop()
        lines = [f"{cameras} cameras at {FPS:.0f} frames/s and {plain} tables without, {seconds:.0f} s:"]
        return [*lines, *_figures(eyes, share, taps())]


def _eyes(stack: ExitStack, seed: int) -> Eyes:
    """Set one table with a camera up."""
    made = stack.enter_context(rig(seed, time.monotonic, Pace(hold=2.0), FPS))
    gate = Counting(made.watcher.gate)
    made.watcher.gate = gate
    return Eyes(made, gate)


def _figures(eyes: list[Eyes], share: float, taps: int) -> Iterator[str]:
    """Write what was measured."""
    waits = sorted(wait for one in eyes for wait in one.waits())
    turns = sum(len(one.rig.table.public().history) for one in eyes)
    offered, seen = sum(one.gate.offered for one in eyes), sum(one.gate.seen for one in eyes)
    yield f"  {100 * share:.0f} % of one core, drawing not counted; {turns} turns seen, {taps} steps tapped"
    if waits:
        p95 = waits[min(len(waits) - 1, int(0.95 * len(waits)))]
        times = f"median {median(waits):.2f} s   p95 {p95:.2f} s ({len(waits)} times)"
        yield f"  from hand gone to the hint: {times}"
    yield f"  frames given {offered}, looked at {seen}, passed over {offered - seen}"
    yield f"  {memory():.0f} MB now, {peak():.0f} MB at most"


@contextmanager
def _tapping(count: int, seed: int) -> Iterator[Callable[[], int]]:
    """Play by taps at tables without a camera; gives how many steps were taken."""
    stop, taken, chance = threading.Event(), [0], random.Random(seed)
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "many.db") as store:
        tables = Tables(store)
        all_ = [placed(tables.create({"players": PLAYERS}), chance) for _ in range(count)]

        def work() -> None:
            while all_ and not stop.wait(PAUSE / len(all_)):
                table = chance.choice(all_)
                if table.session.game.over:
                    tables.create_again(table, {"players": PLAYERS})
                    placed(table, chance)
                taken[0] += tap(table, chance)

        thread = threading.Thread(target=work, name="taps", daemon=True)
        thread.start()
        try:
            yield lambda: taken[0]
        finally:
            stop.set()
            thread.join()


def tap(table: Table, chance: random.Random) -> bool:
    """Take one step at random."""
    seat = table.session.game.to_move or "A"
    view = table.view(seat)
    if view.prompt is None:
        return False
    if view.prompt.steps:
        step = chance.choice(view.prompt.steps).step
        return table.submit(Actor(seat, "seat"), TakeStep(do="step", step=step, seq=view.seq)).ok
    return table.submit(Actor(seat, "seat"), EndTurn(do="end", seq=view.seq)).ok
