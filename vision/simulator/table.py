"""A simulated table as a camera source: plays a script of boards; it knows no rules and tells no truth."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator

from vision.reading import EMPTY_BOARD, Board, Picture
from vision.simulator.camera import SimulatedCamera
from vision.simulator.script import Act, Pace, moment, seconds_of
from vision.sources.base import Frame, State


class SimulatedTable:
    """Draws the script's pictures when they are asked for, from any thread.

    The script is pulled one act at a time, when the one before is over, so it may be a generator
    that never ends. Time comes from `clock`, so a test may run it as fast as it can draw.
    """

    def __init__(
        self,
        camera: SimulatedCamera,
        script: Iterable[Act],
        *,
        pace: Pace | None = None,
        fps: float = 10.0,
        seed: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._camera = camera
        self._script: Iterator[Act] = iter(script)
        self._pace = pace or Pace()
        self._fps = fps
        self._seed = seed
        self._clock = clock
        self._began: float | None = None
        self._before: Board = EMPTY_BOARD
        self._act: Act | None = None
        self._act_began = 0.0
        self._acts = 0
        self._frame: Frame | None = None
        self._lock = threading.Lock()
        self._phase: str = "connecting"
        self.drawing_seconds = 0.0

    @property
    def state(self) -> State:
        """Say whether the script is still running."""
        frames = self._frame.number if self._frame else 0
        if self._phase == "closed":
            return State("closed", "simulated table: closed", frames)
        if self._phase == "ended":
            return State("ended", "simulated table: the script is over", frames)
        return State("live", "simulated table: live", frames)

    def latest(self) -> Frame | None:
        """Draw the picture of this moment, or return the last one when the next is not yet due."""
        with self._lock:
            return self._latest(self._clock())

    def _latest(self, now: float) -> Frame | None:
        if self._phase == "closed":
            return self._frame
        if self._began is None:
            self._began = self._act_began = now
        number = int((now - self._began) * self._fps) + 1
        if self._frame is None or number > self._frame.number:
            self._frame = Frame(self._draw(now, number), now, number)
        return self._frame

    def close(self) -> None:
        """Draw no more."""
        self._phase = "closed"

    def _draw(self, now: float, number: int) -> Picture:
        self._forward(now)
        act = self._act or Act(self._before)
        shown = moment(self._before, act, self._pace, now - self._act_began, self._acts)
        began = time.perf_counter()
        picture = self._camera.render(shown.board, shown.hands, self._seed, number)
        self.drawing_seconds += time.perf_counter() - began
        return picture

    def _forward(self, now: float) -> None:
        """Pull the next acts of the script until one is not yet over."""
        while self._phase != "ended":
            if self._act is not None:
                lasts = max(1 / self._fps, seconds_of(self._before, self._act, self._pace))
                if now - self._act_began < lasts:
                    return
                self._before, self._act_began = self._act.board, self._act_began + lasts
            self._next()

    def _next(self) -> None:
        act = next(self._script, None)
        if act is None:
            self._phase, self._act = "ended", None
            return
        if self._act is None and not self._acts:
            self._before = act.board
        self._act, self._acts = act, self._acts + 1
        if act.camera is not None:
            self._camera = act.camera
