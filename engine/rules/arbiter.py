"""Tries committed steps on the truth: carries them out, silently finds another way, or cancels."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.events import Event, Moved
from engine.position import Position, Seen, Truth
from engine.rules.blind import meant
from engine.rules.look import Look
from engine.rules.reasons import tries
from engine.rules.search import after, offers, owes
from engine.rules.undo import PutBack, put_back
from engine.state import Holder, State
from engine.steps import Build, Move, Step, format_step
from engine.telling import Entry


@dataclass(frozen=True, slots=True)
class Deed:
    """A step, the seat that took it, and how many events of the turn came before it."""

    seat: str
    step: Step
    before: int = 0
    blind: bool = False


class Arbitrated(NamedTuple):
    """What came of a turn's steps: the truth, the mover's knowledge, what stands and what does not."""

    truth: State[Truth]
    plan: State[Seen]
    entries: tuple[Entry, ...]
    cancelled: Step | None = None
    cancelled_at: int | None = None
    cut_short: bool = False
    undo: tuple[PutBack, ...] = ()


def consequences_of(before: State[Any], later: State[Any]) -> tuple[Event, ...]:
    """List the events between two states that the step itself does not name."""
    turn = later.now
    return turn.events[len(before.now.events) + turn.named :]


def arbitrate(
    truth: State[Truth],
    deeds: Sequence[Deed],
    plan: State[Seen],
    declared: Sequence[Entry],
    *,
    at_once: bool = False,
) -> Arbitrated:
    """Carry out steps in order on the truth until one is in conflict with a secret or the game ends."""
    entries: list[Entry] = []
    stray: tuple[Step, int] | None = None
    for number, deed in enumerate(deeds):
        if truth.over:
            break
        next_ = truly(truth, deed)
        if next_ is not None:
            entries.append(Entry(deed.seat, deed.step, consequences_of(truth, next_)))
            truth = next_
        elif deed.seat != truth.now.seat:
            entries.append(Entry(deed.seat, deed.step, (), True))
            stray = (deed.step, number)
            truth = truth._replace(turn=truth.now._replace(asked=None))
        elif deed.blind and (holder := _missing(truth)):
            entries += [] if holder.power.hero else [Entry(deed.seat, deed.step)]
            truth = truth._replace(turn=truth.now._replace(deeds=(*truth.now.deeds, deed.step)))
        elif other := substitute(truth, deeds[number:], plan, at_once):
            truth = other
            entries += declared[number:]
            break
        else:
            return _conflict(truth, deeds, number, plan, entries)
    plan = reconciled(plan, truth) if at_once and not truth.over else plan
    if stray is not None:
        return Arbitrated(truth, plan, tuple(entries), stray[0], stray[1])
    return Arbitrated(truth, plan, tuple(entries))


def truly(truth: State[Truth], deed: Deed) -> State[Truth] | None:
    """Carry out one step on the truth if it is legal there."""
    step = meant(truth, deed.step, truth.table.hidden - {truth.side(truth.now.seat)})
    for attempt in tries(truth, deed.seat):
        if attempt.offer.step == step:
            next_ = after(truth, attempt)
            if not isinstance(next_, str):
                return next_
    return None


def _missing(truth: State[Truth]) -> Holder | None:
    """Name the holder of a power whose step, aimed at nobody, simply has no effect."""
    return next((h for h in truth.now.cast.mover if h.power.targets and h.power.misses == "nothing"), None)


def _conflict(
    truth: State[Truth], deeds: Sequence[Deed], number: int, plan: State[Seen], entries: list[Entry]
) -> Arbitrated:
    """Cancel a step and everything of the mover behind it."""
    deed = deeds[number]
    entries.append(Entry(deed.seat, deed.step, (), True))
    undo = put_back(plan.now.events[deed.before :], truth)
    return Arbitrated(truth, plan, tuple(entries), deed.step, number, True, undo)


# ---- another way with the same visible result ----------------------------------------------------------


def _visible(pos: Position[Any], hidden: frozenset[str]) -> tuple[object, ...]:
    """Give what everybody sees of a position."""
    workers = tuple(sorted((w, c) for w, c in pos.workers.items() if w[0] not in hidden))
    return (pos.up1, pos.up2, pos.up3, pos.domes, pos.tokens, workers)


def substitute(
    truth: State[Truth], deeds: Sequence[Deed], plan: State[Seen], at_once: bool
) -> State[Truth] | None:
    """Find another truly legal way whose visible pieces end where the declared steps put them.

    Moves may differ; everything else is done as declared and in that order. No once-only power is begun.
    Of several ways the one that displaces the fewest secret workers is taken, then the first in order.
    """
    hidden = truth.table.hidden - {truth.side(truth.now.seat)}
    step = deeds[0].step
    if not isinstance(step, Move) or step.worker[0] in hidden:
        return None
    goal = _visible(plan.pos, hidden)
    if _is_in_the_way(truth, deeds, plan, hidden):
        return None
    rest = tuple(d for d in deeds if not isinstance(d.step, Move))
    start = truth._replace(turn=truth.now._replace(duties=plan.now.duties))
    found: list[tuple[int, State[Truth]]] = []
    for state in _ways(start, rest, plan):
        if _visible(state.pos, hidden) == goal and (at_once or owes(state) is None):
            moved = sum(truth.pos.workers.get(w) != c for w, c in state.pos.workers.items() if w[0] in hidden)
            found.append((moved, state))
            if not moved:
                break  # Nothing displaces fewer, and ways come in order.
    return min(found, key=lambda way: way[0])[1] if found else None


def _is_in_the_way(
    truth: State[Truth], deeds: Sequence[Deed], plan: State[Seen], hidden: frozenset[str]
) -> bool:
    """Whether a secret worker stands where a visible one has to end or build, and nothing makes it leave."""
    if any(holder.power.displaces for holder in truth.now.cast.mover):
        return False
    secret = {cell for worker, cell in truth.pos.workers.items() if worker[0] in hidden}
    if any(cell in secret for worker, cell in plan.pos.workers.items() if worker[0] not in hidden):
        return True
    if not _is_quiet(truth) or not _is_plain(deeds):
        return False
    return any(isinstance(deed.step, Build) and deed.step.cell in secret for deed in deeds)


def _is_quiet(state: State[Any]) -> bool:
    """Whether no card does anything when a worker moves."""
    return not any(holder.power.id for holder in state.now.cast.then.get(Moved, ()))


def _is_plain(deeds: Sequence[Deed]) -> bool:
    """Whether a turn goes on with moves and builds alone."""
    return all(isinstance(deed.step, (Move, Build)) for deed in deeds)


def _may_come(state: State[Truth], rest: Sequence[Deed], plan: State[Seen]) -> bool:
    """Whether the next declared step may be taken here: who builds after a move stays where it stands."""
    step = rest[0].step
    if not isinstance(step, Build) or not state.now.moves or not _is_plain(rest):
        return True
    return not _is_quiet(state) or state.pos.workers.get(step.worker) == plan.pos.workers.get(step.worker)


def _ways(start: State[Truth], rest: Sequence[Deed], plan: State[Seen]) -> Iterator[State[Truth]]:
    """Give the states after all moves that keep the other steps as declared, the short ways first."""
    seen: set[object] = set()
    walked: set[object] = set()
    queue: deque[tuple[State[Truth], Sequence[Deed]]] = deque([(start, rest)])
    while queue:
        state, rest = queue.popleft()
        key = (state.pos.key(), state.now.key(), len(rest))
        if key in seen:
            continue
        seen.add(key)
        if not rest:
            yield state
        if state.over:
            continue
        if rest and _may_come(state, rest, plan) and (done := truly(state, rest[0])) is not None:
            queue.append((done, rest[1:]))
        queue.extend((next_, rest) for next_ in _moved_on(state, len(rest), walked))


def _moved_on(state: State[Truth], left: int, walked: set[object]) -> Iterator[State[Truth]]:
    """Give the states after one more move, in order of its text; no once-only power is begun.

    A plain move to where another way has led already is not made again.
    """
    turn = state.now
    moves = [t for t in offers(state) if isinstance(t.offer.step, Move) and (turn.hero or not t.offer.hero)]
    quiet = _is_quiet(state)
    base = Look(state, turn.cast.holders[0])
    for attempt in sorted(moves, key=lambda t: format_step(t.offer.step)):
        step = attempt.offer.step
        key: object = None
        if isinstance(step, Move) and quiet and not attempt.offer.along:
            moved = turn.with_move(base.moving(step.worker, step.start, step.end), True)
            workers = {**state.pos.workers, step.worker: step.end}
            key = (tuple(sorted(workers.items())), moved.key(), left)
        if key is not None and key in walked:
            continue
        next_ = after(state, attempt)
        if not isinstance(next_, str):
            walked.add(key)
            yield next_


# ---- step by step --------------------------------------------------------------------------------------


def reconciled(plan: State[Seen], truth: State[Truth]) -> State[Seen]:
    """Show the mover where the visible pieces really are, as a slide or a transfer left them."""
    hidden = truth.table.hidden - {truth.side(truth.now.seat)}
    workers = {w: c for w, c in truth.pos.workers.items() if w[0] not in hidden}
    shown = [w for w in plan.pos.workers if w[0] in hidden]
    if shown and truth.now.moves:
        workers[shown[0]] = truth.now.moves[-1].end
    pos = truth.pos
    seen = Position[Seen](pos.up1, pos.up2, pos.up3, pos.domes, workers, pos.tokens, proxies=pos.proxies)
    if seen == plan.pos:
        return plan
    events = tuple(e for e in truth.now.events if getattr(e, "worker", "?")[:1] not in hidden)
    moves = plan.now.moves if shown else truth.now.moves
    turn = plan.now._replace(moves=moves, events=events, named=truth.now.named, over=False)
    return plan._replace(pos=seen, turn=turn, winner=None, to_move=truth.to_move)


def shown_so_far(truth: State[Truth], deeds: Sequence[Deed], plan: State[Seen]) -> State[Seen]:
    """Tell the mover what nobody may miss before the turn is committed: where a worker came to rest.

    Nothing is told once a step is in conflict, and nothing that ends the game.
    """
    if not truth.table.hidden - {truth.side(truth.now.seat)}:
        return plan
    for deed in deeds:
        next_ = truly(truth, deed)
        if next_ is None or next_.over:
            return plan
        truth = next_
    return reconciled(plan, truth)
