"""A position as a player sees it in a hurry: masks alone, for cards that can list their turns on them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from engine.board import ALL, EDGES, NEAR, cells_in

QuickTurn = tuple[int, ...]
"""A worker's space, where it moves, where it builds: -1 after a winning move, DOMED more for a low dome."""
DOMED: Final = 25
_WEST, _EAST = EDGES[0], EDGES[1]
_CELLS: Final = cells_in


@lru_cache(maxsize=1 << 16)
def built_from(start: int, end: int, spaces: int) -> tuple[QuickTurn, ...]:
    """List the turns that move from one space to another and build; there are few such questions."""
    return tuple((start, end, cell) for cell in _CELLS(spaces))


def flood(start: int, land: int) -> int:
    """Give the spaces that can be walked to on a land, the first one included."""
    seen, grown = 0, 1 << start
    while grown != seen:
        seen = grown
        wide = seen | (seen & ~_EAST) << 1 | (seen & ~_WEST) >> 1
        grown = seen | ((wide | wide << 5 | wide >> 5) & land)
    return seen


class Sketch(NamedTuple):
    """Spaces with at least one, two, three blocks, domes, the mover's workers in order, the others."""

    up1: int
    up2: int
    up3: int
    domes: int
    mine: tuple[int, ...]
    theirs: int

    @property
    def blocked(self) -> int:
        """The occupied spaces."""
        blocked = self.theirs | self.domes
        for cell in self.mine:
            blocked |= 1 << cell
        return blocked

    def level(self, cell: int) -> int:
        """The number of blocks on a space."""
        return (self.up1 >> cell & 1) + (self.up2 >> cell & 1) + (self.up3 >> cell & 1)

    def same(self, level: int) -> int:
        """The spaces of a level."""
        rows = (ALL, self.up1, self.up2, self.up3, 0)
        return rows[level] & ~rows[level + 1]

    def reach(self, start: int, shut: int) -> tuple[int, int]:
        """Give where a move wins and where it else may go."""
        bit, near = 1 << start, NEAR[start] & ~shut
        if not self.up1 & bit:
            return 0, near & ~self.up2
        if not self.up2 & bit:
            return 0, near & ~self.up3
        if self.up3 & bit:
            return 0, near
        return near & self.up3, near & ~self.up3

    def moves(self) -> Iterator[tuple[int, int, int, int]]:
        """Give for each worker: its space, where a move wins, where it else may go, what is then occupied."""
        blocked = self.blocked
        for start in self.mine:
            wins, ends = self.reach(start, blocked)
            yield start, wins, ends, blocked & ~(1 << start)

    def plain(self) -> list[QuickTurn]:
        """List the turns by the base rules."""
        found: list[QuickTurn] = []
        for start, wins, ends, shut in self.moves():
            found += self.played(start, wins, ends, shut)
        return found

    def played(self, start: int, wins: int, ends: int, shut: int) -> list[QuickTurn]:
        """List a worker's turns: winning moves, and moves with every build after them."""
        found: list[QuickTurn] = [(start, end, -1) for end in _CELLS(wins)] if wins else []
        for end in _CELLS(ends):
            found += built_from(start, end, NEAR[end] & ~shut)
        return found
