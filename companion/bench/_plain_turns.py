"""For comparison: turns of the base rules listed by plain Python that knows nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_WAYS: Final = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
NEIGHBOURS: Final = tuple(
    tuple(
        5 * (cell // 5 + dy) + cell % 5 + dx
        for dy, dx in _WAYS
        if 0 <= cell // 5 + dy < 5 and 0 <= cell % 5 + dx < 5
    )
    for cell in range(25)
)
DOME: Final = 4


def plain_turns(heights: list[int], workers: list[int], others: list[int]) -> list[tuple[int, int, int]]:
    """List (start, end, space of the build) for every turn; -1 where the move wins; height 4 is a dome."""
    found: list[tuple[int, int, int]] = []
    taken = [False] * 25
    for cell in workers + others:
        taken[cell] = True
    for start in workers:
        most = heights[start] + 1
        taken[start] = False
        for end in NEIGHBOURS[start]:
            height = heights[end]
            if height > most or height == DOME or taken[end]:
                continue
            if height == 3 and most == 3:
                found.append((start, end, -1))
                continue
            for cell in NEIGHBOURS[end]:
                if heights[cell] < DOME and not taken[cell]:
                    found.append((start, end, cell))
        taken[start] = True
    return found


@dataclass(frozen=True, slots=True)
class Plain:
    """A position: heights, the workers of the player to move, the others."""

    heights: tuple[int, ...]
    workers: tuple[int, ...]
    others: tuple[int, ...]


def plain_positions(now: Plain) -> list[Plain]:
    """List the position after every turn, the other player to move; a winning turn leaves no workers."""
    heights, workers, others = now.heights, now.workers, now.others
    found: list[Plain] = []
    for start, end, cell in plain_turns(list(heights), list(workers), list(others)):
        moved = tuple(end if worker == start else worker for worker in workers)
        if cell < 0:
            found.append(Plain(heights, (), moved))
            continue
        built = list(heights)
        built[cell] += 1
        found.append(Plain(tuple(built), others, moved))
    return found
