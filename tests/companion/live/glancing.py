"""A watcher that is shown board after board; its gate says what it is told to say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.live.camera import CameraWatch
from companion.live.watcher import Watcher
from companion.referee.doubts import Doubts
from companion.referee.fakes import SureEye, drawn
from companion.referee.referee import Referee
from companion.table.live import Table
from vision.gate import Verdict
from vision.reading import Board, Picture, Reading
from vision.sources import Frame
from vision.sources.base import State


class ToldGate:
    """Says what it is told to say."""

    def __init__(self) -> None:
        self.verdict: Verdict = "still"
        self.resting = True
        self.accepted = 0

    def step(self, frame: Frame) -> Verdict:
        return self.verdict

    def accept(self, frame: Frame) -> None:
        self.accepted += 1


class NoSource:
    """Gives no picture."""

    state = State("live", "")

    def latest(self) -> Frame | None:
        return None

    def close(self) -> None:
        return None


class Watch:
    def __init__(
        self, table: Table, eye: SureEye, doubts: Doubts | None = None, camera: CameraWatch | None = None
    ) -> None:
        self.table, self.eye, self.gate = table, eye, ToldGate()
        self.taught: list[Board] = []
        self.watcher = Watcher(
            table,
            NoSource(),
            self.gate,
            Referee(eye),
            doubts=doubts,
            confirm=lambda picture, board: self.taught.append(board),
            camera=camera,
        )
        self.number = 0

    def frames(self, board: Board, count: int = 1, verdict: Verdict = "still") -> None:
        self.gate.verdict = verdict
        for _ in range(count):
            self.number += 1
            self.watcher.glance(Frame(drawn(board), 0.1 * self.number, self.number))


def turns(table: Table) -> int:
    return len(table.public().history)


class LoudEye(SureEye):
    """Sees pictures of a real size; only their corner matters."""

    def look(self, picture: Picture, clear: bool = False) -> Reading:
        return super().look(picture[:25, 0, :], clear)

    def weigh(self, picture: Picture, boards: Sequence[Board]) -> tuple[float, ...]:
        return super().weigh(picture[:25, 0, :], boards)


def loud(board: Board, number: int) -> Picture:
    """A picture of a real size."""
    picture = np.random.default_rng(number).integers(0, 255, (90, 90, 3), dtype=np.uint8)
    picture[:25, 0, :] = drawn(board)
    return picture


def asked(table: Table, seat: str = "A") -> str | None:
    question = table.view(seat).question
    return question.key if question is not None else None
