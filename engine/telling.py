"""What is told of a turn: its steps and consequences, as each seat may know them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.board import format_cell
from engine.events import Built, Event, Forced, Laid, Moved, Placed, Removed
from engine.state import Table
from engine.steps import Agree, Build, Draw, End, Lay, Move, Pass, Resign, Step, Turn, format_step


@dataclass(frozen=True, slots=True)
class Entry:
    """A step of somebody, what followed from it, and whether it was cancelled."""

    seat: str
    step: Step
    events: tuple[Event, ...] = ()
    cancelled: bool = False


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """A turn (or an action of the setup) as it happened."""

    seat: str
    entries: tuple[Entry, ...] = ()
    closing: tuple[Event, ...] = ()
    extra: bool = False

    def told(self, seat: str | None, table: Table, open_: bool = False) -> str:
        """Write the turn as a seat (None: everybody) may know it; open_ when the game has ended."""
        side = table.sides[seat] if seat is not None else None
        hidden = frozenset() if open_ else table.hidden - {side}
        words: list[str] = []
        pending: list[str] = []
        for entry in (e for e in self.entries if not e.cancelled):
            words += _bracketed(pending)
            words += _step_words(entry, hidden, seat, table, open_)
            pending = [text for event in entry.events if (text := format_event(event, hidden))]
        pending += [text for event in self.closing if (text := format_event(event, hidden))]
        words += _bracketed(pending)
        words += [f"!{format_step(e.step)}" for e in self.entries if e.cancelled]
        return " ".join(words)


def _bracketed(texts: list[str]) -> list[str]:
    """Put consequences in square brackets."""
    return [f"[{' '.join(texts)}]"] if texts else []


def _step_words(
    entry: Entry, hidden: frozenset[Any], seat: str | None, table: Table, open_: bool
) -> list[str]:
    """Write a step as far as it may be known."""
    step = entry.step
    if isinstance(step, (End, Resign, Agree)):
        return []
    if isinstance(step, Lay) and step.token in ("fate", "abyss") and seat != entry.seat and not open_:
        return []
    if table.sides[entry.seat] not in hidden:
        return [format_step(step)]
    if isinstance(step, Build):
        return [format_step(Build("", step.cell, step.dome))]
    return [format_step(step)] if isinstance(step, (Lay, Turn, Draw, Pass)) else []


def format_event(event: Event, hidden: frozenset[Any] = frozenset()) -> str:
    """Write a consequence; "" when it is not to be seen or not written."""
    match event:
        case Moved(worker, start, end):
            return "" if worker[0] in hidden else format_step(Move(worker, start, end))
        case Forced(worker, start, end):
            return "" if worker[0] in hidden else f"{worker}:{format_cell(start)}~{format_cell(end)}"
        case Placed(worker, cell):
            return "" if worker[0] in hidden else f"{worker}@{format_cell(cell)}"
        case Removed(worker, _):
            return "" if worker[0] in hidden else f"x{worker}"
        case Built(_, cell, dome):
            return f"{'^' if dome else '+'}{format_cell(cell)}"
        case Laid("coin", at):
            return f"coin@{format_cell(at)}"
        case _:
            return ""
