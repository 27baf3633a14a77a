"""A step as a short phrase: "move to c3", "dome on d4"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from companion.texts.text import Fact, Text
from engine.board import DIRECTIONS, format_cell
from engine.steps import (
    Agree,
    Build,
    Draw,
    End,
    Force,
    Lay,
    Mark,
    Move,
    Pass,
    Place,
    Proxy,
    Remove,
    Resign,
    Step,
    Swap,
    Turn,
    Unbuild,
    Use,
)

Places = Mapping[str, int]


def step_text(step: Step, places: Places | None = None) -> Text:
    """Return the phrase of a step; `places` (worker to cell) lets it name workers by their spaces."""
    where = places or {}
    match step:
        case Move(start=start, end=end):
            return _between("step.move", start, end)
        case Force(start=start, end=end):
            return _between("step.force", start, end)
        case Build(worker=worker, cell=cell, dome=dome):
            below = not dome and where.get(worker) == cell
            return Text("step.dome" if dome else "step.block_under" if below else "step.block", **_at(cell))
        case Swap(worker=worker, other=other):
            return Text("step.swap", worker=_who(worker, where), other=_who(other, where))
        case Remove(worker=worker):
            return Text("step.remove_worker", worker=_who(worker, where))
        case Mark(worker=worker):
            return Text("step.mark", worker=_who(worker, where))
        case _:
            return _other_step(step)


def _other_step(
    step: Unbuild | Place | Lay | Turn | Use | Pass | End | Draw | Resign | Agree | Proxy,
) -> Text:
    match step:
        case Unbuild(cell=cell):
            return Text("step.remove_block", **_at(cell))
        case Place(cell=cell):
            return Text("step.place", **_at(cell))
        case Lay(token=token, cell=cell):
            return Text("step.token", token=Text(f"term.{token}"), **_at(cell))
        case Turn(token=token, way=way):
            return arrow_text(token, way)
        case Draw(power=power):
            return Text("step.draw", power=Text(f"power.{power}.name"))
        case Proxy(cell=cell):
            return Text("step.proxy", **_at(cell))
        case Use() | Pass() | End() | Resign() | Agree():
            return Text(f"step.{type(step).__name__.lower()}")
        case _:
            assert_never(step)


def arrow_text(token: str, way: int) -> Text:
    """Return the phrase for the wind or the song in a direction, or back on its card."""
    if way < 0:
        return Text("step.arrow_card", token=Text(f"term.{token}"))
    return Text("step.arrow", token=Text(f"term.{token}"), direction=direction_text(way))


def direction_text(way: int) -> Text:
    """Return the name of a direction."""
    return Text(f"term.direction.{DIRECTIONS[way].lower()}")


def _between(key: str, start: int, end: int) -> Text:
    return Text(key, **{"from": format_cell(start), "space": format_cell(end)})


def _at(cell: int) -> dict[str, Fact]:
    return {"space": format_cell(cell)}


def _who(worker: str, where: Places) -> str:
    return format_cell(where[worker]) if worker in where else worker
