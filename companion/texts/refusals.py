"""From a refusal of the engine to a sentence, with the facts that the step and the view add."""

from __future__ import annotations

from collections.abc import Mapping

from companion.texts.reasons import reason
from companion.texts.text import Fact, Text
from engine.board import AHEAD, NOWHERE, format_cell, way_from
from engine.position import Position, Seen
from engine.refusal import Refusal
from engine.state import State, Turn
from engine.steps import (
    Build,
    End,
    Force,
    Lay,
    Mark,
    Move,
    Pass,
    Place,
    Remove,
    Step,
    Swap,
    Unbuild,
    Use,
)
from engine.steps import Turn as TurnArrow
from engine.view import View

Facts = dict[str, Fact]


def refusal_text(
    refusal: Refusal, view: View, step: Step | None = None, names: Mapping[str, str] | None = None
) -> Text:
    """Say a refusal: `names` are the players' names by seat, `step` what was tried."""
    facts: Facts = dict(refusal.facts)
    turn = facts.get("turn")
    if refusal.code == "wrong_worker" and isinstance(turn, str):
        return Text("error.not_your_turn", player=(names or {}).get(turn, turn))
    if refusal.code in ("wrong_space", "spent") and (power := _own_power(view)):
        facts.setdefault("power", power)
    if step is not None:
        facts |= _facts_of_step(step, view.state.pos)
        facts |= _kind(refusal.code, step, view.state, view.state.table.sides.get(view.seat, view.seat))
    return reason(refusal.code, facts)


def _own_power(view: View) -> str | None:
    """Name the power the seat has now: held in this turn, or printed on its card."""
    turn = view.state.turn
    held = [holder.power.id for holder in turn.cast.holders if holder.seat == view.seat] if turn else []
    return held[-1] if held and held[-1] else view.state.table.powers.get(view.seat)


def _facts_of_step(step: Step, pos: Position[Seen]) -> Facts:
    match step:
        case Move(start=start, end=end) | Force(start=start, end=end):
            level, stands = pos.level(end), pos.level(start)
            ways: Facts = {"from": format_cell(start), "space": format_cell(end)}
            return ways | {"level": level, "stands": stands, "rise": level - stands}
        case Build(worker=worker, cell=cell):
            built: Facts = {"space": format_cell(cell), "level": pos.level(cell)}
            builder = pos.workers.get(worker, NOWHERE)
            return built | {"from": format_cell(builder)} if builder >= 0 else built
        case Place(cell=cell) | Lay(cell=cell) | Unbuild(cell=cell):
            return {"space": format_cell(cell), "level": pos.level(cell)}
        case _:
            return {}


def _kind(code: str, step: Step, state: State[Seen], side: str) -> Facts:
    """Choose between the sentences of one code by what the step was and what stands there."""
    pos, kind = state.pos, ""
    match code.partition(":")[0]:
        case "no_power":
            kind = _unoffered(step)
        case "must_move" if isinstance(step, Build) and state.turn is not None and state.turn.moves:
            kind = "all"
        case "must_build" if state.turn is not None and state.turn.builds:
            kind = "all"
        case "must_build" if isinstance(step, Move):
            kind = "second_move"
        case "wrong_piece":
            kind = _piece(step, pos)
        case "wrong_worker":
            return _worker(step, pos, state.turn, side)
        case "occupied" | "dome":
            return _obstacle(code, step, pos, side)
        case "not_neighbour" if isinstance(step, Build) and pos.workers.get(step.worker) == step.cell:
            kind = "here"
        case "dead_end":
            kind = {Move: "no_build", Build: "no_move"}.get(type(step), "")
        case "cannot" if state.table.revised:
            kind = "revised"
        case _:
            pass
    return {"kind": kind} if kind else {}


def _unoffered(step: Step) -> str:
    match step:
        case Move():
            return "second_move"
        case Build():
            return "second_build"
        case Force():
            return "force"
        case Place():
            return "place"
        case Remove() | Unbuild():
            return "remove"
        case Lay() | TurnArrow():
            return "token"
        case Swap():
            return "swap"
        case Use() | Mark():
            return "use"
        case Pass():
            return "pass"
        case End():
            return "end"
        case _:
            return ""


def _piece(step: Step, pos: Position[Seen]) -> str:
    if not isinstance(step, Build):
        return "not_a_dome" if isinstance(step, Unbuild) else ""
    level = pos.level(step.cell)
    if step.dome:
        return "dome" if level < 3 else "only_block"
    return "block" if level == 3 else "only_dome"


def _worker(step: Step, pos: Position[Seen], turn: Turn | None, side: str) -> Facts:
    match step:
        case Move(worker=worker, start=start) if pos.workers.get(worker) != start:
            return {"kind": "not_there"}
        case Move(worker=worker) | Build(worker=worker) if worker[:1] not in ("", side):
            return {"kind": "not_yours"}
        case Build() if turn is not None and turn.moves:
            return {"kind": "did_not_move", "builder": format_cell(turn.moves[-1].end)}
        case _:
            return {}


def _obstacle(code: str, step: Step, pos: Position[Seen], side: str) -> Facts:
    """Name what is in the way; if the space itself is free of it, it is behind the worker there."""
    cell = getattr(step, "end", getattr(step, "cell", NOWHERE))
    if not isinstance(cell, int) or cell < 0:
        return {}
    if code == "dome":
        return {} if pos.domes >> cell & 1 else _behind(step)
    tokens = pos.tokens
    if worker := pos.worker_at(cell):
        return {"kind": "own" if worker.startswith(side) else "worker"}
    for kind, held in (("talus", cell == tokens.talus), ("ram", cell == tokens.ram)):
        if held:
            return {"kind": kind}
    if tokens.coins >> cell & 1:
        return {"kind": "coin"}
    return {"kind": "token"} if tokens.lying >> cell & 1 else _behind(step)


def _behind(step: Step) -> Facts:
    if not isinstance(step, Move):
        return {}
    way = way_from(step.start, step.end)
    behind = AHEAD[step.end][way] if way >= 0 else NOWHERE
    return {"kind": "behind", "space": format_cell(behind)} if behind >= 0 else {}
