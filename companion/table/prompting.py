"""What a seat may do now, and the one line that says what is next."""

from __future__ import annotations

from typing import Final

from companion.table.saying import names, say
from companion.table.seatview import Prompt, Say, StepKind, StepOffered
from companion.table.session import Session
from companion.texts import Text
from engine.board import format_cell
from engine.legal import may_end, next_steps
from engine.position import Seen
from engine.state import State
from engine.steps import (
    Build,
    Draw,
    Force,
    Lay,
    Mark,
    Move,
    Pass,
    Place,
    Remove,
    Step,
    Swap,
    Turn,
    Unbuild,
    Use,
    format_step,
)  # fmt: skip
from engine.view import PublicView, View, waiting_for_card

ASKS: Final = {"wind": "ask.wind", "song": "ask.song"}


def offered(step: Step, view: View) -> StepOffered:
    """Show a step, and the spaces a finger touches for it: where from, then where to."""
    where = view.position.workers
    kind: StepKind = "choose"
    cells: tuple[int, ...] = ()
    worker: str | None = None
    match step:
        case Move(who, start, end):
            kind, worker, cells = "move", who, (start, end)
        case Force(who, start, end):
            kind, worker, cells = "force", who, (start, end)
        case Build(who, cell, _):
            kind, worker, cells = "build", who or None, (cell,)
        case Swap(who, other):
            kind, worker = "swap", who
            cells = tuple(where[w] for w in (who, other) if w in where)
        case Place(who, cell):
            kind, worker, cells = "place", who, (cell,)
        case Remove(who) | Mark(who):
            kind, worker = ("remove" if isinstance(step, Remove) else "choose"), who
            cells = (where[who],) if who in where else ()
        case Unbuild(cell):
            kind, cells = "remove", (cell,)
        case Lay(_, cell):
            kind, cells = "token", (cell,)
        case _:
            pass
    return StepOffered(format_step(step), kind, worker, tuple(format_cell(c) for c in cells))


def prompt_for(view: View) -> Prompt | None:
    """Say what this seat may do now; None when it is not asked."""
    steps = next_steps(view)
    ends = view.state.turn is not None and view.seat == view.state.turn.seat and may_end(view)
    if not steps and not ends:
        return None
    shown = tuple(offered(step, view) for step in steps)
    return Prompt(view.seat, _kind(steps, ends), shown, ends)


def _kind(steps: tuple[Step, ...], ends: bool) -> str:
    """Name what is asked for, by the first kind of step there is."""
    names_of: tuple[tuple[type | tuple[type, ...], str], ...] = (
        ((Draw,), "choose"), ((Move,), "move"), ((Build,), "build"), ((Place, Lay, Turn), "place"),
    )  # fmt: skip
    for kinds, name in names_of:
        if any(isinstance(step, kinds) for step in steps):
            return name
    return "choose" if steps else "end"


def now_line(session: Session, view: View | PublicView, seat: str | None) -> Say:
    """Say in one line what is next for this viewer."""
    state, players = view.state, names(session)
    if session.game.over:
        return say(Text("phase.over"))
    if session.paused:
        return say(Text("phase.paused"))
    mover = state.to_move or session.game.to_move or ""
    card = waiting_for_card(state) if state.setup is None and isinstance(view, View) else None
    if card is not None and isinstance(view, View) and next_steps(view):
        # Whoever has drawn it may say which it was, not the one alone whose turn it is.
        return say(Text(f"ask.{state.table.powers.get(card) or state.table.golden_fleece or ''}"))
    acting = seat is not None and seat in session.game.waiting and isinstance(view, View)
    if not acting or not isinstance(view, View):
        return say(Text("phase.wait", player=players.get(mover, mover)))
    steps, ends = next_steps(view), state.turn is not None and may_end(view)
    if state.over and ends:
        # As far as this seat knows the game is won; what is hidden is tried when the turn is ended.
        return say(Text("phase.confirm_secret"))
    if state.setup is not None:
        return _setup_line(view, steps, players)
    if seat != mover:
        return say(Text("phase.place_extra"))
    return say(_turn_line(state, steps, ends, bool(state.table.secretive - {seat or ""})))


def _setup_line(view: View, steps: tuple[Step, ...], players: dict[str, str]) -> Say:
    """Word what is next in the setup."""
    first = steps[0] if steps else None
    table = view.state.table
    power = table.powers.get(view.seat) or table.golden_fleece or ""
    if isinstance(first, Place):
        hidden = table.sides[view.seat] in table.hidden
        return say(Text(f"hidden.place.{power}" if hidden else "phase.place"))
    if isinstance(first, Lay) and first.token == "ram":
        return say(Text("setup.do.ram", player=players.get(view.seat, view.seat)))
    if isinstance(first, Lay):
        return say(Text(f"hidden.place.{power}"))
    if isinstance(first, Turn):
        return say(Text(ASKS[first.token]))
    return say(Text(f"ask.{power}" if isinstance(first, Draw) else "phase.place"))


def _turn_line(state: State[Seen], steps: tuple[Step, ...], ends: bool, secret: bool) -> Text:
    """Word what is next in a turn."""
    turn = state.now
    moves = any(isinstance(step, Move) for step in steps)
    builds = any(isinstance(step, Build) for step in steps)
    if ends and not steps:
        return Text("phase.confirm_secret" if secret else "phase.confirm")
    if turn.extra and not turn.moves:
        return Text("phase.extra")
    if ends and not (moves or (builds and turn.builds)):
        return Text("phase.end_power", power=Text(f"power.{_power(state)}.name"))
    if not turn.moves:
        return _opening_line(steps, moves, builds)
    if ends and builds and turn.builds:
        return Text("phase.second_build" if len(turn.builds) == 1 else "phase.build_more")
    if not builds and not moves:
        return Text(f"ask.{_power(state)}")
    return Text("phase.move_again" if moves and not turn.builds else "phase.build")


def _power(state: State[Seen]) -> str:
    """Name the power that the seat to move has in this turn: a card of its own, or one that it holds."""
    holders = [holder.power.id for holder in state.now.cast.holders if holder.seat == state.now.seat]
    return next((name for name in reversed(holders) if name), state.table.powers.get(state.now.seat) or "")


def _opening_line(steps: tuple[Step, ...], moves: bool, builds: bool) -> Text:
    """Word what is next at the beginning of a turn."""
    if any(isinstance(step, Force | Use | Pass) for step in steps) and moves:
        return Text("phase.force_first")
    if builds:
        return Text("phase.build_first" if moves else "phase.build")
    return Text("phase.move")
