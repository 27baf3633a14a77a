"""Which steps are legal: locally allowed, and able to lead to a complete turn or a win."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Generic, NamedTuple

from engine.events import Built, Closing, Moved
from engine.position import K
from engine.rules.blind import blind_offers
from engine.rules.look import Look
from engine.rules.play import ForbiddenError, carry_out, first_events, follow
from engine.rules.power import Offer
from engine.state import Duty, Holder, State
from engine.steps import Build, Force, Move, Step


class Try(NamedTuple):
    """An offer together with the power that makes it."""

    holder: Holder
    offer: Offer
    ghost: State[Any] | None = None


class Wish(NamedTuple):
    """What the end of a turn has to look like: once-only power used, unused or either; texts to keep."""

    hero: bool | None = None
    duties: tuple[Duty, ...] | None = None


ANY = Wish()


def offers(
    state: State[K],
    curious: bool = False,
    base: Look[K] | None = None,
    among: tuple[Holder, ...] | None = None,
) -> Iterator[Try]:
    """List what the mover's base rules and powers offer; curious also what they hold back, with its flaw."""
    turn = state.now
    if turn.over:
        return
    holders = turn.cast.may
    base = base or Look(state, holders[0], curious)
    for holder in holders if among is None else among:
        acts = holder.power.acts
        if acts is not None and base.due.kind not in acts and not state.unseen:
            continue
        t = base if holder is holders[0] else base.of(holder)
        spent = holder.power.hero and not turn.hero and t.memory("hero_used", False)
        if spent and not curious:
            continue
        for offer in holder.power.may(t):
            yield Try(holder, offer._replace(flaw="spent") if spent and offer.hero else offer)
        if state.unseen and not spent:
            yield from (Try(holder, offer, ghost) for ghost, offer in blind_offers(state, holder))


def answers(state: State[K], seat: str, curious: bool = False) -> Iterator[Try]:
    """List what a seat may do in reply to what just happened, in whoever's turn."""
    turn = state.now
    if turn.asked is None or turn.asked[0] != seat or turn.over:
        return
    for holder in turn.cast.interrupts:
        if holder.seat == seat:
            for offer in holder.power.may(Look(state, holder, curious)):
                yield Try(holder, offer)


_FIRST: Final[Mapping[type, type]] = {Move: Moved, Build: Built}
"""Which kind of event that may be forbidden a step begins with."""


def refused(t: Look[Any], offer: Offer) -> str | None:
    """Name the reason why an offer is flawed or forbidden, if it is."""
    if offer.flaw:
        return offer.flaw
    kind = _FIRST.get(type(offer.step))
    if kind is not None and t.turn.cast.cannot.get(kind):
        for event in first_events(t, offer.step)[:1]:
            return t.forbidden(event)
    return None


def after(state: State[K], attempt: Try) -> State[K] | str:
    """Take an offer, or name the reason why it is not possible in itself."""
    t = Look(attempt.ghost or state, attempt.holder)
    if not attempt.offer.blind and (code := refused(t, attempt.offer)):
        return code
    try:
        return carry_out(t, attempt.offer)
    except ForbiddenError as error:
        return error.code


def owes(state: State[Any], wish: Wish = ANY, base: Look[Any] | None = None) -> str | None:
    """Name what a turn still lacks to be complete, if anything."""
    if state.winner is None:
        kind = (base or Look(state, state.now.cast.holders[0])).due.kind
        if kind:
            return kind if ":" in kind else f"must_{kind}"
    for duty in _unkept(state, wish):
        return f"must:{duty.holder.power.id}"
    if wish.hero is not None and wish.hero != state.now.hero:
        return "spent"
    return None


def _unkept(state: State[Any], wish: Wish) -> Iterator[Duty]:
    """List the texts that the turn has not kept yet."""
    turn = state.now
    for duty in turn.duties if wish.duties is None else wish.duties:
        concerned = duty.always or turn.hero
        if concerned and not duty.holder.power.insists(Look(_at_end(state, duty), duty.holder)):
            yield duty


def _at_end(state: State[K], duty: Duty) -> State[K]:
    """Give the state at which a text looks: now, or after the compulsory effects at the end of the turn."""
    if not duty.holder.power.at_end or state.winner is not None:
        return state
    return follow(state, Closing(state.now.seat))


class Search(Generic[K]):
    """Looks for one way to bring a turn to a complete end, and remembers what it has seen."""

    __slots__ = ("good", "lost", "wish")

    def __init__(self, wish: Wish = ANY) -> None:
        self.wish = wish
        self.good: set[object] = set()
        self.lost: set[object] = set()

    def completes(self, state: State[K]) -> bool:
        """Tell whether the turn can be completed from here, going depth first."""
        if state.now.veiled or owes(state, self.wish) is None:
            return True
        seen: set[object] = set()
        path: list[tuple[object, Iterator[State[K]]]] = [(None, self._onward(state))]
        while path:
            next_ = next(path[-1][1], None)
            if next_ is None:
                path.pop()
                continue
            key = (next_.pos.key(), next_.now.key(), next_.winner)
            if key in seen or key in self.lost:
                continue
            seen.add(key)
            if key in self.good or owes(next_, self.wish) is None:
                self.good.update(k for k, _ in path)
                self.good.add(key)
                return True
            if next_.winner is None:
                path.append((key, self._onward(next_)))
        self.lost |= seen
        return False

    def keeps(self, state: State[K]) -> bool:
        """Whether every text about the whole turn is kept already."""
        return not state.now.duties or not any(True for _ in _unkept(state, self.wish))

    def tries(self, state: State[K], base: Look[K] | None = None) -> Iterator[Try]:
        """List what is offered, without what cannot help to keep a text that is not kept yet."""
        unkept = [d.holder for d in _unkept(state, self.wish)] if state.now.duties or self.wish.duties else ()
        return iter(self._promising(state, list(unkept))) if unkept else offers(state, False, base)

    def _onward(self, state: State[K]) -> Iterator[State[K]]:
        """Give the states one step on, the most promising first, without those that cannot help."""
        for attempt in self.tries(state):
            if self.wish.hero is False and attempt.offer.hero:
                continue
            next_ = after(state, attempt)
            if not isinstance(next_, str):
                yield next_

    def _promising(self, state: State[K], unkept: list[Holder]) -> list[Try]:
        """List the offers that may still help to keep a text; once a worker has moved, no build does."""
        mover = state.now.cast.mover
        late = not state.now.moves or any(h.power.forces_late for h in mover)
        if any(h.power.by_rising for h in unkept) and any(h.power.flat(Look(state, h)) for h in mover):
            return []
        found = [t for t in offers(state) if late or not isinstance(t.offer.step, Build)]
        goal = 0
        for holder in unkept:
            goal |= holder.power.heading(Look(state, holder))

        def far(attempt: Try) -> bool:
            step = attempt.offer.step
            return not (isinstance(step, (Move, Force)) and goal >> step.end & 1)

        return sorted(found, key=far)


def completes(state: State[K], wish: Wish = ANY) -> bool:
    """Tell whether the turn can be brought to a complete end."""
    return Search[K](wish).completes(state)


def legal(state: State[K], seat: str | None = None) -> dict[Step, tuple[Try, State[K]]]:
    """List the legal steps of a seat (by default the mover's) with the state each leads to."""
    found: dict[Step, tuple[Try, State[K]]] = {}
    search = Search[K]()
    mover = state.now.seat
    tries = offers(state) if seat in (None, mover) else answers(state, seat or "")
    for attempt in tries:
        step = attempt.offer.step
        if step in found:
            continue
        next_ = after(state, attempt)
        if not isinstance(next_, str) and search.completes(next_):
            found[step] = (attempt, next_)
    return found


def _insisting(state: State[Any]) -> list[Holder]:
    """List the opponents whose texts look at this whole turn."""
    side = state.side(state.now.seat)
    return [h for h in state.now.cast.insists if h.side != side]


def _once_only(state: State[Any]) -> bool:
    """Whether the mover has a once-only power left."""
    mover = state.now.cast.mover
    return any(h.power.hero and not Look(state, h).memory("hero_used", False) for h in mover)


def duties_of(state: State[K]) -> tuple[Duty, ...]:
    """Decide which texts about whole turns bind the turn that begins, and whether always."""
    bound: list[Duty] = []
    for holder in sorted(_insisting(state), key=lambda h: h.power.if_possible):
        asked = (*bound, Duty(holder, True))
        if not holder.power.if_possible or completes(state, Wish(False, asked)):
            bound.append(Duty(holder, True))
        elif _once_only(state) and completes(state, Wish(True, asked)):
            bound.append(Duty(holder, False))
    return tuple(bound)
