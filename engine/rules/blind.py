"""Naming what one cannot see: steps against workers that stand secretly somewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.board import ALL, cells_in
from engine.position import K
from engine.rules.look import Look
from engine.rules.names import workers_of
from engine.rules.power import Offer
from engine.state import Holder, State
from engine.steps import Build, Force, Mark, Move, Remove, Step, Unbuild


def phantom(side: str) -> str:
    """Name the worker that stands for whichever secret worker is on the named space."""
    return f"{side}1"


def ghosts(state: State[K], side: str) -> Iterator[tuple[int, State[K]]]:
    """Give the state once for each free space, as if a secret worker stood there."""
    pos = state.pos
    for cell in cells_in(ALL & ~(pos.standing | pos.domes)):
        yield cell, state._replace(pos=pos.with_workers({**pos.workers, phantom(side): cell}))


def blind_offers(state: State[K], holder: Holder) -> Iterator[tuple[State[K], Offer]]:
    """List the steps of a power against secret workers, by the space (or the worker) they name."""
    turn = state.now
    moving = turn.extra and not holder.power.id and not turn.moves
    if not (holder.power.targets or moving):
        return
    for side in sorted(state.unseen - {state.side(turn.seat)}):
        named: set[Step] = set()
        for cell, ghost in ghosts(state, side):
            for offer in holder.power.may(Look(ghost, holder)):
                for step in _naming(ghost, offer.step, side, cell, moving):
                    if step not in named:
                        named.add(step)
                        yield (ghost, offer) if moving else (state, Offer(step, (), None, offer.hero, True))


def _naming(ghost: State[Any], step: Step, side: str, cell: int, moving: bool) -> tuple[Step, ...]:
    """Give the step if it speaks of the secret worker on a space; a name alone may be any of theirs."""
    everyone = workers_of(ghost.table, side)
    match step:
        case Move(worker, start, _) if moving and worker == phantom(side) and start == cell:
            return (step,)
        case Force(worker, start, _) if worker == phantom(side) and start == cell:
            return (step,)
        case Unbuild(place) if place == cell:
            return (step,)
        case Remove(worker) if worker == phantom(side):
            return tuple(Remove(w) for w in everyone)
        case Mark(worker) if worker == phantom(side):
            return tuple(Mark(w) for w in everyone)
        case _:
            return ()


def canonical(state: State[Any], step: Step) -> Step:
    """Write a force on a secret worker with the name that stands for any of them."""
    if isinstance(step, Force) and step.worker[0] in state.unseen and step.worker not in state.pos.workers:
        return Force(phantom(step.worker[0]), step.start, step.end)
    return step


def meant(truth: State[Any], step: Step, hidden: frozenset[str]) -> Step:
    """Name the secret worker that really stands on the space a step speaks of."""
    match step:
        case Force(worker, start, end) | Move(worker, start, end) if worker[0] in hidden:
            real = truth.pos.worker_at(start)
            same = real is not None and real[0] == worker[0]
            return type(step)(real, start, end) if real is not None and same else step
        case Build(worker, cell, dome) if worker[:1] in hidden and truth.now.moves:
            return Build(truth.now.moves[-1].worker, cell, dome)
        case _:
            return step


def is_blind(before: State[Any], later: State[Any], step: Step) -> bool:
    """Whether a step of a plan spoke of something that cannot be seen, and so changed nothing there."""
    named = isinstance(step, (Force, Remove, Mark, Unbuild))
    return bool(before.unseen) and named and len(later.now.events) == len(before.now.events)


def names_unseen(state: State[Any], step: Step) -> bool:
    """Whether a step names a worker, or a block under one, that cannot be seen."""
    match step:
        case Force(worker=worker) | Move(worker=worker) | Remove(worker=worker) | Mark(worker=worker):
            return worker[0] in state.unseen and worker not in state.pos.workers
        case Unbuild(cell=cell):
            return (
                bool(state.unseen)
                and any(h.power.targets for h in state.now.cast.mover)
                and (not state.pos.standing >> cell & 1)
            )
        case _:
            return False
