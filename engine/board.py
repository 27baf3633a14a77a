"""The island: spaces as numbers, sets of spaces as 25-bit masks, neighbours and directions."""

from __future__ import annotations

from functools import cache
from typing import Final

SIZE: Final = 5
CELLS: Final = range(SIZE * SIZE)
ALL: Final = (1 << SIZE * SIZE) - 1
NOWHERE: Final = -1
DIRECTIONS: Final = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
"""The eight directions, clockwise; a direction is kept as its index."""

_OFFSETS: Final = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))


def parse_cell(text: str) -> int:
    """Read "a1" … "e5"; raise ValueError for anything else."""
    if len(text) != 2 or text[0] not in "abcde" or text[1] not in "12345":
        raise ValueError(f"'{text}' is no space of the board")
    return "abcde".index(text[0]) + SIZE * (int(text[1]) - 1)


def format_cell(cell: int) -> str:
    """Write a space as "a1" … "e5"."""
    return "abcde"[cell % SIZE] + str(cell // SIZE + 1)


def parse_direction(text: str) -> int:
    """Read "N" … "NW"; raise ValueError for anything else."""
    if text not in DIRECTIONS:
        raise ValueError(f"'{text}' is no direction")
    return DIRECTIONS.index(text)


def _shift(cell: int, way: int, wrap: bool) -> int:
    """Name the space one step away, or NOWHERE beyond the edge."""
    column, row = cell % SIZE + _OFFSETS[way][0], cell // SIZE + _OFFSETS[way][1]
    if wrap:
        return column % SIZE + SIZE * (row % SIZE)
    return column + SIZE * row if 0 <= column < SIZE and 0 <= row < SIZE else NOWHERE


AHEAD: Final = tuple(tuple(_shift(cell, way, False) for way in range(8)) for cell in CELLS)
"""AHEAD[cell][way]: the next space in a direction, or NOWHERE."""
AROUND: Final = tuple(tuple(_shift(cell, way, True) for way in range(8)) for cell in CELLS)
"""The same where opposite edges touch."""


def mask_of(cells: tuple[int, ...] | list[int]) -> int:
    """Join spaces into a mask."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


NEAR: Final = tuple(mask_of([c for c in row if c != NOWHERE]) for row in AHEAD)
"""NEAR[cell]: the mask of its neighbours."""
NEAR_AROUND: Final = tuple(mask_of(list(row)) for row in AROUND)
"""The same where opposite edges touch."""
PERIMETER: Final = mask_of([c for c in CELLS if c % SIZE in (0, 4) or c // SIZE in (0, 4)])
CORNERS: Final = (0, 4, 20, 24)
EDGES: Final = (
    mask_of([c for c in CELLS if c % SIZE == 0]),
    mask_of([c for c in CELLS if c % SIZE == 4]),
    mask_of([c for c in CELLS if c // SIZE == 0]),
    mask_of([c for c in CELLS if c // SIZE == 4]),
)
"""West, east, south and north edge; opposite edges stand in pairs."""


@cache
def cells_in(mask: int) -> tuple[int, ...]:
    """List the spaces of a mask in board order."""
    return tuple(cell for cell in CELLS if mask >> cell & 1)


@cache
def way_from(start: int, end: int, wrap: bool = False) -> int:
    """Name the direction of one step, or NOWHERE when it is not a single step."""
    row = (AROUND if wrap else AHEAD)[start]
    return row.index(end) if end in row else NOWHERE


def near_any(cells: tuple[int, ...] | list[int]) -> int:
    """Join the neighbours of several spaces."""
    mask = 0
    for cell in cells:
        mask |= NEAR[cell]
    return mask
