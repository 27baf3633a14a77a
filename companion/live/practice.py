"""The practice table: simulated players and camera, everything else real."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog

from calibration.build import Calibration, Known, calibrate
from calibration.pose import GRID_CORNERS
from companion.live.hands import SLIPS, SimulatedHands
from companion.live.watcher import Watcher
from companion.live.watching import watcher_for
from companion.referee.boards import board_of
from companion.table.commands import Actor, TakeStep
from companion.table.live import Table
from companion.table.tables import Tables
from engine.legal import next_steps
from engine.steps import Place, format_step
from engine.view import observe, observe_public
from vision.reader.batch import primed_aside
from vision.simulator import Pace, SimulatedCamera, SimulatedTable, camera_at

LOG = structlog.get_logger("practice")
NAME: Final = "practice"
COLOURS: Final = {"A": "blue", "B": "grey"}
PLAYERS: Final = [
    {"seat": "A", "power": None, "name": "Ada", "colour": "blue"},
    {"seat": "B", "power": None, "name": "Ben", "colour": "grey"},
]


def placed(table: Table, chance: random.Random) -> Table:
    """Place the workers as the players say."""
    while table.session.game.truth.setup is not None:
        seat = table.session.game.to_move or ""
        view = observe(table.session.game, seat)
        step = chance.choice([s for s in next_steps(view) if isinstance(s, Place)])
        command = TakeStep(do="step", step=format_step(step), seq=table.around.seq)
        table.submit(Actor(seat, "seat"), command)
    return table


def practice_table(tables: Tables, chance: random.Random) -> Table:
    """Go on with the practice game of the last time, or begin one."""
    for line in tables.saved():
        if line.table == NAME and line.state == "running":
            return placed(tables.open(line.game), chance)
    return placed(tables.create({"players": PLAYERS}, table=NAME), chance)


class Practice:
    """Runs the practice table in a thread of its own: set up the camera, then watch."""

    def __init__(
        self,
        tables: Tables,
        chance: random.Random,
        pace: Pace | None = None,
        fps: float = 10.0,
        clock: Callable[[], float] = time.monotonic,
        debug: Path | None = None,
    ) -> None:
        self._debug = debug
        self.slips = SLIPS
        """How often the players make a mistake."""
        self._tables, self._chance = tables, chance
        self._pace, self._fps, self._clock = pace or Pace(hold=2.0), fps, clock
        self._stop = threading.Event()
        self._acting = threading.Lock()
        """Held while something is done to the table; drawing and calibrating can be left where they are."""
        self._thread = threading.Thread(target=self._run, name=NAME, daemon=True)
        self.table = practice_table(tables, chance)
        self.watcher: Watcher | None = None
        self.calibration: Calibration | None = None

    def start(self) -> None:
        """Begin to play; what the reader needs is compiled while the workers are placed."""
        primed_aside()
        self._thread.start()

    def stop(self) -> None:
        """Stop playing; the game is on disk."""
        self._stop.set()
        with self._acting:
            watcher = self.watcher
        if watcher is not None:
            watcher.stop()

    def _run(self) -> None:
        camera = SimulatedCamera(camera_at(elevation=56, azimuth=285, distance=13.5), colours=COLOURS)
        hands = SimulatedHands(self.table, self._chance, self._again, self.slips)
        source = SimulatedTable(camera, hands.script(), pace=self._pace, fps=self._fps, clock=self._clock)
        calibration = self._set_up(camera, hands, source)
        if calibration is None:
            return
        self.calibration = calibration
        watcher = watcher_for(self.table, source, calibration, self._debug)
        with self._acting:
            if not self._stop.is_set():
                self.watcher = watcher
                watcher.start()

    def _set_up(
        self, camera: SimulatedCamera, hands: SimulatedHands, source: SimulatedTable
    ) -> Calibration | None:
        """Calibrate as a host would: corners tapped on the empty board, then the placed workers confirmed."""
        empty = shown = source.latest()
        while not hands.placed and not self._stop.is_set():
            with self._acting:
                shown = None if self._stop.is_set() else source.latest()
            self._stop.wait(0.05)
        if empty is None or shown is None:
            return None
        board = board_of(observe_public(self.table.session.game).position)
        known = Known(shown.picture, [(content.height, content.top) for content in board])
        taps = camera.camera.project(GRID_CORNERS)
        return calibrate(empty.picture, camera.profile, COLOURS, taps=taps.tolist(), known=[known])

    def _again(self, table: Table) -> None:
        """Begin the next game on the same table; practice games are not collected."""
        finished = table.game
        self._tables.create_again(table, {"players": PLAYERS})
        placed(table, self._chance)
        self._tables.delete(finished)
        if self.watcher is not None:
            self.watcher.move_to(table)
