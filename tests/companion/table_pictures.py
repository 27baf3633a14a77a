"""Pictures of a simulated table for the commands that set a camera up."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2

from calibration.pose import GRID_CORNERS
from calibration.session import tableau_position
from vision.reading import EMPTY_BOARD, Board, Content
from vision.simulator import SimulatedCamera

SIDES = ("A", "B")
COLOURS = "A=blue,B=orange"
TABLEAU: Board = tuple(Content(height, top) for height, top in tableau_position(SIDES))


def placed(*cells: tuple[int, Content]) -> Board:
    at = dict(cells)
    return tuple(at.get(cell, Content(0)) for cell in range(25))


PLACED = placed((6, Content(0, "A")), (7, Content(0, "A")), (17, Content(0, "B")), (18, Content(0, "B")))


@lru_cache
def camera() -> SimulatedCamera:
    return SimulatedCamera(colours={"A": "blue", "B": "orange"})


def taps() -> str:
    return " ".join(f"{x + 1.5:.1f},{y - 1.2:.1f}" for x, y in camera().camera.project(GRID_CORNERS))


def shoot(folder: Path, boards: list[Board]) -> None:
    folder.mkdir(exist_ok=True)
    for number, board in enumerate(boards):
        cv2.imwrite(str(folder / f"{number:03}.png"), camera().render(board, grain=number))


__all__ = ["COLOURS", "EMPTY_BOARD", "PLACED", "TABLEAU", "camera", "placed", "shoot", "taps"]
