"""How a state looks on the table, and what a look costs: per space, for every content it might have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.board import CELLS
from engine.position import Seen
from engine.state import State

Content = tuple[int, str]
"""How many blocks, and what stands on them: "" nothing, "dome", or a side's letter."""
Board = tuple[Content, ...]
Costs = Sequence[Mapping[Content, float] | None]
"""For each space what every content would cost; a missing content or space costs nothing."""

DOME: Final = "dome"


def board_of(state: State[Seen]) -> Board:
    """Say how a state looks on the table: no hidden workers; a tower taken off is a dome on the ground."""
    pos = state.pos
    hidden = state.table.hidden if not state.over else frozenset()
    tops = {cell: worker[0] for worker, cell in pos.workers.items() if worker[0] not in hidden}
    up1, up2, up3, domes, proxies = pos.up1, pos.up2, pos.up3, pos.domes, pos.proxies
    return tuple(
        (
            0 if proxies >> cell & 1 else (up1 >> cell & 1) + (up2 >> cell & 1) + (up3 >> cell & 1),
            DOME if domes >> cell & 1 else tops.get(cell, ""),
        )
        for cell in CELLS
    )


class Prices:
    """What each content of each space costs, and the least it can still come to."""

    def __init__(self, costs: Costs, sides: Sequence[str], unsettled: bool) -> None:
        tops = ("", DOME, *sides)
        self.now: list[dict[Content, float]] = []
        self.loose: list[dict[Content, float]] = []
        self.fixed: list[dict[Content, float]] = []
        for cell in CELLS:
            given = (costs[cell] if cell < len(costs) else None) or {}
            now = {(h, top): given.get((h, top), 0.0) for top in tops for h in range(4)}
            self.now.append(now)
            self.loose.append(_loosest(now, tops, unsettled))
            self.fixed.append(_settled(now, tops))
        self.best = [min(now.values()) for now in self.now]


def _loosest(now: Mapping[Content, float], tops: Sequence[str], unsettled: bool) -> dict[Content, float]:
    """For each content the least that may follow it while workers may still come and go."""
    if unsettled:
        least = min(now.values())
        return dict.fromkeys(now, least)
    rising = _rising([min(now[h, top] for top in tops) for h in range(4)])
    return {(h, top): now[h, top] if top == DOME else rising[h] for h, top in now}


def _settled(now: Mapping[Content, float], tops: Sequence[str]) -> dict[Content, float]:
    """For each content the least that may follow it while workers stay and pieces are only added."""
    found: dict[Content, float] = {}
    for top in tops:
        ways = (top,) if top else ("", DOME)
        rising = _rising([min(now[h, way] for way in ways) for h in range(4)])
        for h in range(4):
            found[h, top] = now[h, top] if top == DOME else rising[h]
    return found


def _rising(costs: list[float]) -> list[float]:
    """Give for each height the least from there up."""
    for height in (2, 1, 0):
        costs[height] = min(costs[height], costs[height + 1])
    return costs
