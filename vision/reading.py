"""What sight says about a picture: likelihoods and visibility as plain data, never bare labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.solids import Pile

Picture = NDArray[np.uint8]
Status = Literal["stable", "busy"]
CameraState = Literal["ok", "moved", "light"]
CELLS: Final = 25
COLUMNS: Final = "abcde"
DOME: Final = "dome"
# fitted to how often cells were right on all rendered sets together: `bench sight`, reliability
TEMPERATURE: Final = 3.0
MISTAKEN: Final = 0.002
# more of them where hardly anything is in view: a twentieth out of sight, next to none from half in view on
UNSEEN: Final = 0.05
GLIMPSE: Final = 0.15


class SizeError(ValueError):
    """A picture of another size than that of the empty board; carries both, width first."""

    def __init__(self, size: tuple[int, int], expected: tuple[int, int]) -> None:
        turned = ", turned on its side" if size == expected[::-1] else ""
        (wide, high), (across, down) = size, expected
        super().__init__(f"the picture is {wide}x{high}{turned}; that of the empty board is {across}x{down}")
        self.size, self.expected = size, expected


@dataclass(frozen=True, order=True)
class Content:
    """What stands in one cell: so many blocks, and on them nothing, a dome or a worker of a side."""

    height: int
    top: str = ""


Board = tuple[Content, ...]
EMPTY_BOARD: Final[Board] = (Content(0),) * CELLS


@dataclass(frozen=True)
class Reading:
    """One still picture: per cell, how well each alternative explains it, and how much is in view."""

    sides: tuple[str, ...]
    contents: tuple[Content, ...]
    scores: tuple[tuple[float, ...], ...]
    visible: tuple[float, ...]
    best: Board
    status: Status
    camera: CameraState
    piles: tuple[Pile, ...] = ()
    """How everything that was read stands, to draw it; nothing where the picture was not read."""

    def confidence(self, cell: int) -> float:
        """The chance of the best alternative among all of a cell, as measured (decision 0203)."""
        row = np.array(self.scores[cell])
        plain = float(1.0 / np.exp(np.minimum(row - row.max(), 0.0) / TEMPERATURE).sum())
        mistaken = MISTAKEN + UNSEEN * float(np.exp(-self.visible[cell] / GLIMPSE))
        return (1.0 - mistaken) * plain + mistaken / len(row)


class Eye(Protocol):
    """What the referee holds: it looks at pictures and weighs whole boards."""

    def look(self, picture: Picture, clear: bool = False) -> Reading:
        """Read one picture for itself; `clear`: somebody has said that nothing covers the board in it."""

    def weigh(self, picture: Picture, boards: Sequence[Board]) -> tuple[float, ...]:
        """Joint log-likelihoods of whole boards, comparable with each other and the best reading's own."""


def size_of(picture: Picture) -> tuple[int, int]:
    """A picture's width and height."""
    return picture.shape[1], picture.shape[0]


def same_size(picture: Picture, expected: tuple[int, int]) -> None:
    """Refuse a picture of another size: nothing in it is where the calibration knows it to be."""
    if size_of(picture) != expected:
        raise SizeError(size_of(picture), expected)


def cell_name(cell: int) -> str:
    """The text form of a cell index: 0 is a1, 24 is e5."""
    return f"{COLUMNS[cell % 5]}{cell // 5 + 1}"


def cell_index(name: str) -> int:
    """The index of a cell's text form."""
    if len(name) != 2 or name[0] not in COLUMNS or name[1] not in "12345":
        raise ValueError(f"'{name}' is not a cell from a1 to e5")
    return 5 * (int(name[1]) - 1) + COLUMNS.index(name[0])


def alternatives(sides: Sequence[str]) -> tuple[Content, ...]:
    """Every content a cell can have with workers of these sides, in a fixed order."""
    tops = ("", DOME, *sides)
    return tuple(Content(height, top) for top in tops for height in range(4))


def board_from_json(data: Mapping[str, Any]) -> Board:
    """Read a position with rows 5 down to 1, as picture games write it; ValueError says what is wrong."""
    heights, domes = _rows(data, "heights"), _rows(data, "domes")
    at = _workers(data.get("workers") or {})
    found: list[Content] = []
    for cell in range(CELLS):
        row, column = 4 - cell // 5, cell % 5
        height = heights[row][column]
        if height not in range(4):
            raise ValueError(f"heights: {height!r} is no number of blocks from 0 to 3")
        found.append(Content(int(height), DOME if domes[row][column] else at.get(cell, "")))
    return tuple(found)


def _rows(data: Mapping[str, Any], field: str) -> list[list[Any]]:
    rows = data.get(field)
    five = isinstance(rows, list) and [len(row) for row in rows if isinstance(row, list)] == [5] * 5
    if not isinstance(rows, list) or not five:
        raise ValueError(f"{field}: five rows of five are needed")
    return rows


def _workers(data: Any) -> dict[int, str]:
    if not isinstance(data, dict) or not all(isinstance(names, list) for names in data.values()):
        raise ValueError("workers: each side needs a list of cells")
    return {cell_index(str(name)): str(side) for side, names in data.items() for name in names}


def board_to_json(board: Board, sides: Sequence[str]) -> dict[str, Any]:
    """Write a position with rows 5 down to 1, as picture games write it."""
    rows = [[board[5 * row + column] for column in range(5)] for row in range(4, -1, -1)]
    return {
        "heights": [[content.height for content in row] for row in rows],
        "domes": [[content.top == DOME for content in row] for row in rows],
        "workers": {
            side: [cell_name(cell) for cell, content in enumerate(board) if content.top == side]
            for side in sides
        },
    }
