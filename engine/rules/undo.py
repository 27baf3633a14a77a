"""What has to be put back on the real board when steps are cancelled, last one first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from engine.board import NOWHERE, format_cell
from engine.events import Built, Event, Forced, Laid, Lifted, Moved, Placed, Removed, Unbuilt
from engine.state import State


@dataclass(frozen=True, slots=True)
class PutBack:
    """One hand movement: a piece goes from a space to a space; NOWHERE is off the board or on its card."""

    piece: str
    start: int
    end: int

    @property
    def text(self) -> str:
        """Write it shortly, for records."""
        start, end = (format_cell(c) if c != NOWHERE else "-" for c in (self.start, self.end))
        return f"{self.piece} {start} {end}"


def put_back(events: Iterable[Event], standing: State[Any]) -> tuple[PutBack, ...]:
    """List how to take events back, the last one first; `standing` is what stands without them."""
    found: list[PutBack] = []
    for event in reversed(tuple(events)):
        found += _reverse(event, standing)
    return tuple(found)


def _reverse(event: Event, standing: State[Any]) -> list[PutBack]:
    """Take one event back."""
    match event:
        case Moved(worker, start, end) | Forced(worker, start, end):
            return [PutBack(worker, end, start)]
        case Placed(worker, cell):
            return [PutBack(worker, cell, NOWHERE)]
        case Removed(worker, cell):
            return [PutBack(worker, NOWHERE, cell)]
        case Built(_, cell, dome):
            return [PutBack("dome" if dome else "block", cell, NOWHERE)]
        case Unbuilt(cell, blocks):
            return [PutBack("block", NOWHERE, cell)] * blocks
        case Laid("wind" | "song" as token, at):
            return [PutBack(token, at, getattr(standing.pos.tokens, token))]
        case Laid("talus", at):
            return [PutBack("talus", at, standing.pos.tokens.talus)]
        case Laid(token, at):
            return [PutBack(token, at, NOWHERE)]
        case Lifted(token, cell):
            return [PutBack(token, NOWHERE, cell)]
        case _:
            return []
