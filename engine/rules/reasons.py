"""Why a step is not legal: the same offers that decide legality, asked also for what they hold back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.board import format_cell
from engine.refusal import DEAD_END, MUST_BUILD, MUST_MOVE, NO_POWER, SPENT, WRONG_WORKER, Refusal, rank
from engine.rules.blind import canonical
from engine.rules.look import Look
from engine.rules.search import Search, Try, Wish, after, answers, offers
from engine.state import Holder, State
from engine.steps import Build, Force, Mark, Move, Place, Remove, Step, Swap


def normal(state: State[Any], seat: str, step: Step) -> Step:
    """Write the builder into a build that leaves it out: the worker that moved last."""
    turn = state.turn
    if isinstance(step, Build) and not step.worker and turn is not None:
        moved = turn.moves[-1].worker if turn.moves else ""
        return Build(moved, step.cell, step.dome)
    side = state.side(seat)
    if isinstance(step, Swap) and step.worker[0] != side == step.other[0]:
        return Swap(step.other, step.worker)
    return canonical(state, step)


def tries(state: State[Any], seat: str, curious: bool = False) -> Iterator[Try]:
    """Go through what is offered to a seat."""
    return offers(state, curious) if seat == state.now.seat else answers(state, seat, curious)


def take(state: State[Any], seat: str, step: Step) -> State[Any] | None:
    """Take a step if it is legal, asking only for this step; None if it is not."""
    for attempt in tries(state, seat):
        if attempt.offer.step == step:
            next_ = after(state, attempt)
            if not isinstance(next_, str) and Search[Any]().completes(next_):
                return next_
    return None


def reason(state: State[Any], seat: str, step: Step) -> Refusal | None:
    """Say why a step is not legal, or None when it is."""
    step = normal(state, seat, step)
    if state.now.over:
        return Refusal("game_over")
    if take(state, seat, step) is not None:
        return None
    fitting = [t for t in tries(state, seat, curious=True) if t.offer.step == step]
    codes = [(t, code) for t in fitting if (code := _code(state, t))]
    if codes:
        return Refusal(_best(codes), _facts(state, step, _best(codes)))
    code = _unoffered(state, seat, step)
    return Refusal(code, _facts(state, step, code))


def _best(codes: list[tuple[Try, str]]) -> str:
    """Choose the reason: a power that meant this very step knows better than the base rules."""
    last = [code for _, code in codes if rank(code) >= rank("cannot")]
    if last:
        return min(last, key=rank)
    special = [code for t, code in codes if t.holder.power.id]
    return min(special or [code for _, code in codes], key=rank)


def _code(state: State[Any], attempt: Try) -> str | None:
    """Name what speaks against one offer."""
    next_ = after(state, attempt)
    if isinstance(next_, str):
        return next_
    if Search[Any]().completes(next_):
        return None
    for duty in state.now.duties:
        others = tuple(d for d in state.now.duties if d is not duty)
        if Search[Any](Wish(None, others)).completes(next_):
            return f"must:{duty.holder.power.id}"
    if state.now.duties and Search[Any](Wish(None, ())).completes(next_):
        return f"must:{state.now.duties[0].holder.power.id}"
    return DEAD_END


def _workers_of(step: Step) -> tuple[str, ...]:
    """Name the workers a step speaks of."""
    match step:
        case (
            Move(worker=w)
            | Build(worker=w)
            | Force(worker=w)
            | Remove(worker=w)
            | Place(worker=w)
            | Mark(worker=w)
        ):
            return (w,)
        case Swap(worker=w, other=o):
            return (w, o)
        case _:
            return ()


def _unoffered(state: State[Any], seat: str, step: Step) -> str:
    """Name the reason why nobody offers a step at all."""
    same_kind = [t for t in tries(state, seat, curious=True) if type(t.offer.step) is type(step)]
    if isinstance(step, Build):
        pieces = [t for t in same_kind if isinstance(t.offer.step, Build) and t.offer.step.dome == step.dome]
        same_kind = pieces or same_kind
    if same_kind:
        if not isinstance(step, (Move, Build)) and all(t.offer.flaw == SPENT for t in same_kind):
            return SPENT
        spoken = [set(place) for place in zip(*(_workers_of(t.offer.step) for t in same_kind), strict=True)]
        strange = any(w not in known for w, known in zip(_workers_of(step), spoken, strict=False))
        if strange or _misplaced(state, step):
            return WRONG_WORKER
    return _owed(state, step)


def _misplaced(state: State[Any], step: Step) -> bool:
    """Whether a step names a worker at a space where it does not stand."""
    return isinstance(step, (Move, Force)) and state.pos.workers.get(step.worker) != step.start


def _owed(state: State[Any], step: Step) -> str:
    """Name what has to come first, or say that no power allows the step."""
    kind = Look(state, state.now.cast.holders[0]).due.kind
    if kind == "move" and isinstance(step, Build):
        return MUST_MOVE
    if kind in ("move", "build") and (later := _later(state, step)):
        spent = all(h.power.hero and Look(state, h).memory("hero_used") for h in later) and not state.now.hero
        return SPENT if spent else MUST_MOVE if kind == "move" else MUST_BUILD
    return NO_POWER


def _later(state: State[Any], step: Step) -> list[Holder]:
    """List the powers of the mover that offer this kind of step once nothing is owed any more."""
    found = []
    for holder in state.now.cast.may if not isinstance(step, (Move, Build)) else ():
        t = Look(state, holder, curious=True).as_if_done()
        if any(type(offer.step) is type(step) for offer in holder.power.may(t)):
            found.append(holder)
    return found


def _facts(state: State[Any], step: Step, code: str) -> dict[str, str | int]:
    """Give the facts that a text about a refusal may need."""
    facts: dict[str, str | int] = {}
    workers = _workers_of(step)
    if workers and workers[0]:
        facts["worker"] = workers[0]
    cell = getattr(step, "end", getattr(step, "cell", None))
    if isinstance(cell, int):
        facts["space"] = format_cell(cell)
        facts["level"] = state.pos.level(cell)
        if other := state.pos.worker_at(cell):
            facts["stands_there"] = other
    if isinstance(step, (Move, Force)):
        facts["from_level"] = state.pos.level(step.start)
    if ":" in code:
        name = code.partition(":")[2]
        facts["power"] = name
        for holder in state.now.cast.holders:
            if holder.power.id == name:
                facts["seat"] = holder.seat
    return facts
