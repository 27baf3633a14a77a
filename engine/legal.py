"""What a seat may do and why not something else; everything here is asked of a view."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.position import Seen
from engine.refusal import GAME_OVER, NO_POWER, WRONG_WORKER, Refusal, rank
from engine.rules.flow import finish_turn
from engine.rules.look import Look
from engine.rules.reasons import reason
from engine.rules.search import legal, owes
from engine.rules.setting import current, refused_in_setup, set_up, setup_steps
from engine.rules.supply import left_in_box
from engine.state import State
from engine.steps import Build, Draw, End, Force, Lay, Move, Pass, Place, Resign, Step, Unbuild
from engine.view import View, waiting_for_card


def _acting(view: View) -> bool:
    """Whether the seat has something to say now: its turn, or an answer it is asked for."""
    turn = view.state.turn
    if view.state.over or turn is None:
        return False
    return turn.seat == view.seat or (turn.asked is not None and turn.asked[0] == view.seat)


def next_steps(view: View) -> tuple[Step, ...]:
    """List the legal next steps of the view's seat: those that a complete turn or a win can follow."""
    state = view.state
    if state.over:
        return ()
    if state.setup is not None:
        task = current(state)
        return setup_steps(state) if task.seat == view.seat or task.kind == "card" else ()
    if card := waiting_for_card(state):
        deck = state.memory[card].get("deck")
        return tuple(Draw(name) for name in sorted(deck)) if isinstance(deck, tuple) else ()
    if not _acting(view):
        return ()
    steps = tuple(step for step in legal(state, view.seat))
    return (*steps, Pass()) if may_pass(view) else steps


def supplies(view: View) -> tuple[int, ...]:
    """Count the blocks for level 1, 2 and 3 and the domes that are left in the box, as far as the seat sees.

    At zero the 2017 book takes a complete tower off the board and leaves its dome: `Proxy(cell)`.
    """
    return left_in_box(view.state)


def may_pass(view: View) -> bool:
    """Whether the seat may decline an extra turn."""
    turn = view.state.turn
    if turn is None or turn.seat != view.seat or turn.over:
        return False
    return turn.extra and not (turn.moves or turn.builds or turn.deeds)


def may_end(view: View) -> bool:
    """Whether the seat's turn is complete and may be ended."""
    return why_not_end(view) is None


def why_not_end(view: View) -> Refusal | None:
    """Say what the turn still lacks, or None when it may end."""
    turn = view.state.turn
    if turn is None:
        return Refusal(GAME_OVER if view.state.over else NO_POWER)
    if turn.seat != view.seat:
        return Refusal(WRONG_WORKER, {"turn": turn.seat})
    code = owes(view.state)
    return None if code is None else Refusal(code, {})


def why_not(view: View, what: Step | int) -> Refusal | None:
    """Say why a step is not legal now, or why nothing can be done on a space; None when it can."""
    return _why_nothing_on(view, what) if isinstance(what, int) else _why_not_step(view, what)


def _why_nothing_on(view: View, cell: int) -> Refusal | None:
    """Say why no step goes to a space: of all that could be meant the one nearest to being legal."""
    if any(cell in cells_of(step) for step in next_steps(view)):
        return None
    refusals = [refusal for step in _meant(view, cell) if (refusal := _why_not_step(view, step))]
    return max(refusals, key=lambda r: rank(r.code)) if refusals else Refusal(NO_POWER)


def cells_of(step: Step) -> tuple[int, ...]:
    """Name the spaces that a step goes to: those to light for it."""
    match step:
        case Move(end=cell) | Force(end=cell) | Build(cell=cell) | Place(cell=cell) | Lay(cell=cell):
            return (cell,)
        case Unbuild(cell=cell):
            return (cell,)
        case _:
            return ()


def _meant(view: View, cell: int) -> list[Step]:
    """List the steps that somebody pointing at a space may mean."""
    state = view.state
    if state.setup is not None:
        kinds: dict[str, Step] = {type(step).__name__: step for step in next_steps(view)}
        return [replace(step, cell=cell) for step in kinds.values() if isinstance(step, (Place, Lay))]
    if not _acting(view) or state.turn is None:
        return [Build("", cell, False)]
    due = Look(state, state.now.cast.holders[0]).due
    workers = [w for w in due.workers if w in state.pos.workers]
    if due.kind == "move":
        return [Move(worker, state.pos.workers[worker], cell) for worker in workers]
    return [Build(worker, cell, bool(state.pos.up3 >> cell & 1)) for worker in workers]


def _why_not_step(view: View, step: Step) -> Refusal | None:
    """Say why a step is not legal now, or None when it is."""
    state = view.state
    if state.over and (state.turn is None or state.turn.seat != view.seat):
        return Refusal(GAME_OVER)
    if isinstance(step, Resign):
        return None
    if state.setup is not None:
        code = refused_in_setup(state, view.seat, step)
        return Refusal(code) if code else None
    if isinstance(step, End):
        return why_not_end(view)
    if isinstance(step, Pass) and may_pass(view):
        return None
    if state.turn is None or not _acting(view):
        return Refusal(GAME_OVER if state.over else WRONG_WORKER)
    return reason(state, view.seat, step)


def forward(view: View, step: Step) -> View | Refusal:
    """Take a step in the view alone, as a plan: nothing is committed and no secret is asked."""
    if refusal := why_not(view, step):
        return refusal
    state = view.state
    if state.setup is not None:
        return _with(view, set_up(state, step))
    found = legal(state, view.seat).get(step)
    return Refusal(NO_POWER) if found is None else _with(view, found[1])


def _with(view: View, state: State[Seen]) -> View:
    """Give the view with another state."""
    return View(view.seat, state, view.secret, view.told, view.telling, view.waiting, view.setup, view.drawn)


def complete_turns(view: View) -> Iterator[tuple[tuple[Step, ...], State[Seen]]]:
    """List complete turns one after the other as asked for: the steps and the state after them.

    Of several ways to the same point of a turn one is followed, so endless walks end. The effects at the
    end of the turn have happened in the state; a won one has a `winner`.
    """
    seen: set[object] = set()
    path: list[tuple[tuple[Step, ...], State[Seen]]] = [((), view.state)]
    while path:
        done, state = path.pop()
        if done and owes(state) is None:
            yield done, finish_turn(state) if state.winner is None else state
        if state.turn is None or state.turn.over:
            continue
        for step, (_, next_) in reversed(legal(state, view.seat).items()):
            key = (next_.pos.key(), next_.now.key(), next_.winner)
            if key not in seen:
                seen.add(key)
                path.append(((*done, step), next_))
