"""What to put back where: the difference between two boards as a list of sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from companion.texts.text import Text
from engine.board import format_cell

DOME = "dome"


class Stand(Protocol):
    """What stands on a space: blocks, and "" or "dome" or the side of a worker on top."""

    @property
    def height(self) -> int:
        """The number of blocks."""

    @property
    def top(self) -> str:
        """What is on the blocks."""


Stands = Sequence[Stand]


def put_back(now: Stands, wanted: Stands, names: Mapping[str, str]) -> list[Text]:
    """Say how to come from the board as it is to the board as it should be, in a workable order.

    First what comes off, then workers that go home, then what comes on; `names` are the players by side.
    """
    changed = [cell for cell in range(len(wanted)) if _key(now[cell]) != _key(wanted[cell])]
    moved, gone, missing = _workers(now, wanted, changed)
    texts = [text for cell in changed for text in _pieces_off(cell, now[cell], wanted[cell])]
    texts += [Text("put.worker_from", **{"from": format_cell(a), "space": format_cell(b)}) for a, b in moved]
    texts += [Text("put.worker_off", space=format_cell(cell)) for cell in gone]
    texts += [text for cell in changed for text in _pieces_on(cell, now[cell], wanted[cell])]
    for cell in missing:
        side = wanted[cell].top
        texts.append(Text("put.worker_of", space=format_cell(cell), player=names.get(side, side)))
    return texts


def _key(stand: Stand) -> tuple[int, str]:
    return stand.height, stand.top


def _workers(
    now: Stands, wanted: Stands, changed: Sequence[int]
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Pair workers that stand elsewhere with where they belong; the rest is too many or missing."""
    gone = [cell for cell in changed if _side(now[cell]) and now[cell].top != wanted[cell].top]
    missing = [cell for cell in changed if _side(wanted[cell]) and now[cell].top != wanted[cell].top]
    moved: list[tuple[int, int]] = []
    for home in tuple(missing):
        nearest = min(
            (cell for cell in gone if now[cell].top == wanted[home].top),
            key=lambda cell: _distance(cell, home),
            default=None,
        )
        if nearest is not None:
            moved.append((nearest, home))
            gone.remove(nearest)
            missing.remove(home)
    return moved, gone, missing


def _side(stand: Stand) -> str:
    return "" if stand.top == DOME else stand.top


def _distance(a: int, b: int) -> int:
    return max(abs(a % 5 - b % 5), abs(a // 5 - b // 5))


def _pieces_off(cell: int, now: Stand, wanted: Stand) -> Iterator[Text]:
    space = format_cell(cell)
    if now.top == DOME and (wanted.top != DOME or now.height != wanted.height):
        yield Text("put.dome_off", space=space)
    if now.height > wanted.height:
        if _side(now) and now.top == wanted.top and now.height - wanted.height == 1:
            yield Text("put.block_from_under", space=space)
        else:
            yield Text("put.blocks_off", space=space, count=now.height - wanted.height)


def _pieces_on(cell: int, now: Stand, wanted: Stand) -> Iterator[Text]:
    space = format_cell(cell)
    if wanted.height > now.height:
        if _side(now) and now.top == wanted.top and wanted.height - now.height == 1:
            yield Text("put.block_under", space=space)
        else:
            yield Text("put.blocks_on", space=space, count=wanted.height - now.height)
    if wanted.top == DOME and (now.top != DOME or now.height != wanted.height):
        yield Text("put.dome_on", space=space)
