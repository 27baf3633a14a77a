"""Turns counted and listed on masks, without powers or with one that needs no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from engine.board import ALL, NEAR, cells_in
from engine.position import Position
from engine.powers import power
from engine.rules.sketch import QuickTurn, Sketch, built_from
from engine.state import State

_CELLS: Final = cells_in
Masks = tuple[int, int, int, int]
"""The spaces with at least one, two, three blocks, and those with a dome."""


def is_plain(state: State[Any]) -> bool:
    """Whether only the base rules matter: nobody has a power, no token lies anywhere, nothing is limited."""
    table, pos = state.table, state.pos
    bare = not any(table.powers.values()) and table.golden_fleece is None
    return bare and not pos.tokens.lying and not table.strict_supply and not table.hidden


def base_turns(pos: Position[Any], side: str) -> list[QuickTurn]:
    """List the turns of a side by the base rules alone."""
    mine = [cell for worker, cell in pos.workers.items() if worker[0] == side]
    found: list[QuickTurn] = []
    for start, wins, ends, shut in _moves((pos.up1, pos.up2, pos.up3, pos.domes), pos.standing, mine):
        for end in _CELLS(wins):
            found.append((start, end, -1))
        for end in _CELLS(ends):
            found += built_from(start, end, NEAR[end] & ~shut)
    return found


def quick_turns(state: State[Any]) -> list[QuickTurn] | None:
    """List the turns of the seat to move on masks, if its card can and no other card has a say in them.

    How a turn is written is said where the card lists it (`quickly`).
    """
    table, pos, seat = state.table, state.pos, state.to_move
    special = table.golden_fleece is not None or table.strict_supply or table.hidden or pos.tokens.lying
    if seat is None or special or len(table.seats) != 2:
        return None
    if any(name and not power(name).at_home for other, name in table.powers.items() if other != seat):
        return None
    name = table.powers[seat]
    if name is None:
        return base_turns(pos, seat)
    mine, theirs = [], 0
    for worker, cell in pos.workers.items():
        if worker[0] == seat:
            mine.append(cell)
        else:
            theirs |= 1 << cell
    return power(name).quickly(Sketch(pos.up1, pos.up2, pos.up3, pos.domes, tuple(mine), theirs))


def _moves(masks: Masks, standing: int, mine: list[int]) -> Iterator[tuple[int, int, int, int]]:
    """Give for each worker: its space, where a move wins, where it else may move, what is then occupied."""
    up1, up2, up3, domes = masks
    blocked = standing | domes
    for start in mine:
        bit = 1 << start
        reach = NEAR[start] & ~blocked
        if not up1 & bit:
            reach, wins = reach & ~up2, 0
        elif not up2 & bit:
            reach, wins = reach & ~up3, 0
        else:
            wins = 0 if up3 & bit else reach & up3
        yield start, wins, reach & ~wins, blocked & ~bit


def perft(state: State[Any], depth: int) -> tuple[int, int]:
    """Count the sequences of so many turns by the base rules, and how many of them end with a win."""
    pos, seat = state.pos, state.to_move
    if seat is None or depth < 1:
        return (0, 0) if seat is None else (1, 0)
    mine = [cell for worker, cell in pos.workers.items() if worker[0] == seat]
    theirs = [cell for worker, cell in pos.workers.items() if worker[0] != seat]
    return _count((pos.up1, pos.up2, pos.up3, pos.domes), mine, theirs, depth)


def _count(masks: Masks, mine: list[int], theirs: list[int], depth: int) -> tuple[int, int]:
    """Count sequences of turns; the two lists change places from turn to turn."""
    standing = 0
    for cell in (*mine, *theirs):
        standing |= 1 << cell
    turns = won = 0
    for start, wins, ends, shut in _moves(masks, standing, mine):
        if depth == 1:
            won += wins.bit_count()
            turns += wins.bit_count() + sum([(NEAR[end] & ~shut).bit_count() for end in _CELLS(ends)])
            continue
        for end in _CELLS(ends):
            moved = [end if cell == start else cell for cell in mine]
            for cell in _CELLS(NEAR[end] & ~shut):
                more, wins_more = _count(_built(masks, 1 << cell), theirs, moved, depth - 1)
                turns, won = turns + more, won + wins_more
    return turns, won


def _built(masks: Masks, bit: int) -> Masks:
    """Give the masks with one piece more."""
    up1, up2, up3, domes = masks
    if up3 & bit:
        return up1, up2, up3, domes | bit
    return up1 | bit, up2 | (up1 & bit), up3 | (up2 & bit), domes


__all__ = ["ALL", "Masks", "base_turns", "is_plain", "perft", "quick_turns"]
