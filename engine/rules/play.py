"""Carries out a step: the event itself, then everything that follows from it, kind by kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from engine.board import NOWHERE
from engine.events import (
    Asked,
    Began,
    Built,
    Closing,
    Ended,
    Event,
    Forced,
    Laid,
    Lifted,
    Lost,
    Moved,
    Noted,
    Placed,
    Remembered,
    Removed,
    Started,
    Unbuilt,
    Used,
    Won,
)  # fmt: skip
from engine.position import K, Position
from engine.rules.look import Look
from engine.rules.power import Offer
from engine.state import Holder, State
from engine.steps import Build, Force, Lay, Move, Place, Remove, Step, Swap, Turn, Unbuild


class ForbiddenError(Exception):
    """A compulsory consequence breaks a restriction, so its cause is illegal; carries the reason."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


# ---- what a step does first --------------------------------------------------------------------------


def first_events(t: Look[Any], step: Step) -> tuple[Event, ...]:
    """Turn a step into the events it consists of, before anything follows."""
    match step:
        case Move(worker, start, end):
            return (t.moving(worker, start, end),)
        case Build(worker, cell, dome):
            return (Built(worker, cell, dome, t.level(cell)),)
        case Force(worker, start, end):
            return (Forced(worker, start, end),)
        case Swap(worker, other):
            here, there = t.cell(worker), t.cell(other)
            return (Forced(worker, here, there), Forced(other, there, here))
        case Remove(worker):
            return (Removed(worker, t.cell(worker)),)
        case Place(worker, cell):
            return (Placed(worker, cell),)
        case Lay(token, cell):
            return (Laid(token, cell),)
        case Turn(token, way):
            return (Laid(token, way),)
        case Unbuild(cell):
            return (Unbuilt(cell, 1),)
        case _:
            return ()


# ---- bookkeeping ---------------------------------------------------------------------------------------


def _put(pos: Position[K], worker: str, cell: int) -> Position[K]:
    """Give the position with a worker on a space."""
    return pos.with_workers({**pos.workers, worker: cell})


def _moved(state: State[K], event: Moved) -> State[K]:
    return state.at(_put(state.pos, event.worker, event.end), state.now.with_move(event))


def _forced(state: State[K], event: Forced) -> State[K]:
    return state.at(_put(state.pos, event.worker, event.end), state.turn)


def _placed(state: State[K], event: Placed) -> State[K]:
    return state._replace(pos=_put(state.pos, event.worker, event.cell))


def _removed(state: State[K], event: Removed) -> State[K]:
    workers = {w: c for w, c in state.pos.workers.items() if w != event.worker}
    return state._replace(pos=state.pos.with_workers(workers))


def _built(state: State[K], event: Built) -> State[K]:
    return state.at(state.pos.built(event.cell, event.dome), state.turn)


def _unbuilt(state: State[K], event: Unbuilt) -> State[K]:
    return state._replace(pos=state.pos.unbuilt(event.cell, event.blocks))


def _laid(state: State[K], event: Laid) -> State[K]:
    tokens = state.pos.tokens
    match event.token:
        case "whirlpool":
            tokens = replace(tokens, whirlpools=tokens.whirlpools | 1 << event.at)
        case "coin":
            tokens = replace(tokens, coins=tokens.coins | 1 << event.at)
        case "talus" | "ram" | "wind" | "song" as name:
            tokens = replace(tokens, **{name: event.at})
        case _:
            return state
    return state._replace(pos=state.pos.with_tokens(tokens))


def _lifted(state: State[K], event: Lifted) -> State[K]:
    tokens, bit = state.pos.tokens, ~(1 << event.cell)
    match event.token:
        case "whirlpool":
            tokens = replace(tokens, whirlpools=tokens.whirlpools & bit)
        case "coin":
            tokens = replace(tokens, coins=tokens.coins & bit)
        case "talus" | "ram" as name:
            tokens = replace(tokens, **{name: NOWHERE})
        case _:
            return state
    return state._replace(pos=state.pos.with_tokens(tokens))


def _remembered(state: State[K], event: Remembered) -> State[K]:
    return state.remember(event.card, event.key, event.value)


def _noted(state: State[K], event: Noted) -> State[K]:
    turn = state.now
    notes = {**turn.notes, (event.card, event.key): event.value}
    return state._replace(turn=turn._replace(notes=notes))


def _asked(state: State[K], event: Asked) -> State[K]:
    return state._replace(turn=state.now._replace(asked=(event.seat, event.about)))


def _used(state: State[K], event: Used) -> State[K]:
    state = state.remember(event.card, "hero_used", True)
    return state._replace(turn=state.now._replace(hero=True))


def _won(state: State[K], event: Won) -> State[K]:
    turn = state.turn._replace(over=True) if state.turn else None
    return state._replace(winner=state.side(event.seat), to_move=None, turn=turn)


def _lost(state: State[K], event: Lost) -> State[K]:
    """Note the loser; with two sides left the other one wins."""
    side = state.side(event.seat)
    left = [s for s in dict.fromkeys(state.table.sides.values()) if s != side and s not in state.out]
    state = state._replace(losers=(*state.losers, side))
    if len(left) > 1:
        return state
    turn = state.turn._replace(over=True) if state.turn else None
    return state._replace(winner=left[0], to_move=None, turn=turn)


def _nothing(state: State[K], event: Event) -> State[K]:
    return state


_BOOKS: Final[Mapping[type, Callable[[State[Any], Any], State[Any]]]] = {
    Moved: _moved, Forced: _forced, Placed: _placed, Removed: _removed, Built: _built, Unbuilt: _unbuilt,
    Laid: _laid, Lifted: _lifted, Remembered: _remembered, Noted: _noted, Asked: _asked, Used: _used,
    Won: _won, Lost: _lost, Began: _nothing, Started: _nothing, Closing: _nothing, Ended: _nothing,
}  # fmt: skip
_SILENT: Final = frozenset({Remembered, Noted, Asked, Used})
"""Events that are no news to anybody at the table."""
_UNRECORDED: Final = _SILENT | {Moved}
"""Events that need no further entry: silent ones, and moves, which are entered as moves."""


def record(state: State[K], event: Event) -> State[K]:
    """Change the state as an event says, without anything that follows."""
    state = _BOOKS[type(event)](state, event)
    turn = state.turn
    if turn is None or type(event) in _UNRECORDED:
        return state
    return state.at(state.pos, turn.with_event(event))


# ---- what follows --------------------------------------------------------------------------------------


def _tokens_off(state: State[K], event: Event) -> State[K]:
    """Take away the tokens that were built on, or that lay on a removed block."""
    tokens = state.pos.tokens
    if isinstance(event, (Built, Unbuilt)) and tokens.lying >> event.cell & 1:
        for name, mask in (("whirlpool", tokens.whirlpools), ("coin", tokens.coins)):
            if mask >> event.cell & 1:
                state = record(state, Lifted(name, event.cell))
    return state


def _decided(state: State[K], event: Won) -> State[K]:
    """Let every power replace or prevent a win before it counts."""
    won: Event | None = event
    for holder in state.now.cast.instead:
        if won is not None:
            won = holder.power.instead(Look(state, holder), won)
    return state if won is None else record(state, won)


def happen(state: State[K], event: Event) -> State[K]:
    """Let an event happen with everything that follows from it."""
    if isinstance(event, Won):
        return _decided(state, event)
    return follow(record(state, event), event)


def follow(state: State[K], event: Event) -> State[K]:
    """Let happen what follows from an event, kind by kind; stop as soon as the game ends."""
    if type(event) is Built or type(event) is Unbuilt:
        state = _tokens_off(state, event)
    if state.turn is None:
        return state
    for holder in state.turn.cast.then.get(type(event), ()):
        for result in holder.power.then(Look(state, holder), event):
            if isinstance(result, Moved):
                _check(state, holder, result)
            state = happen(state, result)
            if state.winner is not None:
                return state
    return state


def _check(state: State[Any], holder: Holder, event: Event) -> None:
    """Refuse the cause of a compulsory move that is forbidden."""
    if code := Look(state, holder).forbidden(event):
        raise ForbiddenError(code)


def _plainly(t: Look[K], step: Move | Build) -> State[K]:
    """Take a step that is one move or one build and nothing else; the same as the long way, in one go."""
    pos, turn = t.pos, t.turn
    if isinstance(step, Build):
        built = Built(step.worker, step.cell, step.dome, pos.level(step.cell))
        return follow(t.state.at(pos.built(step.cell, step.dome), turn.with_build(built)), built)
    moved = t.moving(step.worker, step.start, step.end)
    standing = pos.standing & ~(1 << step.start) | 1 << step.end
    there = pos.with_workers({**pos.workers, step.worker: step.end}, standing)
    return follow(t.state.at(there, turn.with_move(moved, True)), moved)


def carry_out(t: Look[K], offer: Offer) -> State[K]:
    """Take an offered step; raise ForbiddenError when what must follow is forbidden."""
    state, step = t.state, offer.step
    if isinstance(step, (Move, Build)) and not (offer.along or offer.hero or offer.blind):
        return _plainly(t, step)
    first = () if offer.blind else first_events(t, step)
    events = first + offer.along
    if isinstance(step, (Move, Build)):
        state = state.at(state.pos, state.now._replace(asked=None, named=len(first)))
    else:
        state = state.at(state.pos, state.now.with_deed(step, len(first)))
    if offer.hero:
        state = record(state, Used(t.holder.card))
    for event in events:
        state = record(state, event)
        if isinstance(event, Built) and isinstance(step, Build):
            state = state._replace(turn=state.now._replace(builds=(*state.now.builds, event)))
    for event in events:
        if type(event) not in _SILENT and state.winner is None:
            state = follow(state, event)
    return state


def free_tokens(state: State[K], names: tuple[str, ...]) -> State[K]:
    """Take a power's tokens out of the game."""
    tokens = state.pos.tokens
    for name in names:
        match name:
            case "whirlpool":
                tokens = replace(tokens, whirlpools=0)
            case "coin":
                tokens = replace(tokens, coins=0)
            case _:
                tokens = replace(tokens, **{name: NOWHERE})
    return state._replace(pos=state.pos.with_tokens(tokens))
