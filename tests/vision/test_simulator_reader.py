"""The real reader reads what the simulator draws: a whole game, with a hand and a bump in it."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from calibration.build import Known, calibrate
from calibration.pieces import shipped
from calibration.pose import GRID_CORNERS
from vision.reader import Reader
from vision.reading import DOME, EMPTY_BOARD, Board, Content
from vision.simulator import Hand, SimulatedCamera, camera_at

pytestmark = pytest.mark.slow

COLOURS = {"A": "blue", "B": "orange"}


def beside(cell: int) -> list[int]:
    return [
        other
        for other in range(25)
        if other != cell and max(abs(other % 5 - cell % 5), abs(other // 5 - cell // 5)) == 1
    ]


def played(turns: int, seed: int) -> Iterator[Board]:
    """Boards that look like a game: workers step about and something grows beside them."""
    dice = random.Random(seed)
    cells = [Content(0)] * 25
    for number, cell in enumerate(dice.sample(range(25), 4)):
        cells[cell] = Content(0, "AB"[number // 2])
    yield tuple(cells)
    for turn in range(turns):
        side = "AB"[turn % 2]
        steps = [
            (start, end, site)
            for start in range(25)
            if cells[start].top == side
            for end in beside(start)
            if not cells[end].top and cells[end].height <= min(2, cells[start].height + 1)
            for site in beside(end)
            if not cells[site].top or site == start
        ]
        start, end, site = max(steps, key=lambda step: cells[step[2]].height + dice.random())
        cells[start], cells[end] = Content(cells[start].height), Content(cells[end].height, side)
        high = cells[site].height
        cells[site] = Content(high + 1) if high < 3 else Content(3, DOME)
        yield tuple(cells)


@pytest.fixture(scope="module")
def camera() -> SimulatedCamera:
    return SimulatedCamera(colours=COLOURS)


@pytest.fixture
def reader(camera: SimulatedCamera) -> Reader:
    placed = next(played(0, 3))
    known = Known(camera.render(placed, grain=90), [(content.height, content.top) for content in placed])
    shaky = np.array([[2, -1], [-2, 2], [1, 1], [-1, -2]])
    taps = camera.camera.project(GRID_CORNERS) + shaky
    empty = camera.render(EMPTY_BOARD, grain=91)
    return Reader(calibrate(empty, shipped(), COLOURS, taps.tolist(), None, [known]))


@pytest.mark.slow
def test_a_whole_game_is_read_right(camera: SimulatedCamera, reader: Reader) -> None:
    for number, board in enumerate(played(12, 3)):
        reading = reader.look(camera.render(board, grain=number))
        assert (reading.status, reading.camera) == ("stable", "ok")
        assert reading.best == board, number


def test_a_hand_over_the_board_is_busy(camera: SimulatedCamera, reader: Reader) -> None:
    *_, board = played(6, 3)
    for number, (cell, direction) in enumerate([(12, 90.0), (6, 30.0), (20, 180.0)]):
        assert reader.look(camera.render(board, [Hand(cell, direction)], grain=number)).status == "busy"


def test_a_bump_is_noticed_and_read_through(reader: Reader) -> None:
    bumped = SimulatedCamera(camera_at(56.5, 285.4, 13.5, aim=(0.12, -0.08, 0.0)), colours=COLOURS)
    *_, board = played(6, 3)
    readings = [reader.look(bumped.render(board, grain=number)) for number in range(2)]
    assert "moved" in [reading.camera for reading in readings]
    assert readings[-1].best == board
