"""How turns follow each other: whose turn it is, who has which power, who is stuck."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from engine.board import NEAR, NOWHERE
from engine.events import STAGES, Began, Built, Closing, Ended, Lost, Moved, Started, Value
from engine.position import K
from engine.powers import power
from engine.rules.base import Base
from engine.rules.play import follow, free_tokens, record
from engine.rules.search import duties_of
from engine.state import RAM_CARD, Cast, Holder, State, Turn

BASE = Base()


@lru_cache(maxsize=4096)
def cast_of(holders: tuple[Holder, ...], seat: str, side: str) -> Cast:
    """Sort the powers in force by the questions they answer, the mover's first."""
    base = Holder(seat, side, BASE, seat)
    everyone = (base, *holders)
    mover = tuple(h for h in everyone if h.seat == seat)

    def asked(question: str, among: tuple[Holder, ...] = everyone) -> tuple[Holder, ...]:
        return tuple(h for h in among if h.power.answers(question))

    def bars(kind: type) -> tuple[Holder, ...]:
        return tuple(h for h in asked("cannot") if kind in h.power.bars)

    staged = sorted(asked("then"), key=lambda h: STAGES.index(h.power.stage))
    kinds = {kind for h in staged for kind in h.power.hears}
    return Cast(
        holders=everyone,
        mover=mover,
        due=asked("due", mover),
        may=tuple(h for h in asked("may", mover) if not h.power.interrupts or h.seat == seat),
        interrupts=tuple(h for h in asked("may") if h.power.interrupts),
        cannot={kind: barring for kind in (Moved, Built) if (barring := bars(kind))},
        insists=asked("insists"),
        instead=tuple(sorted(asked("instead"), key=lambda h: h.power.late)),
        shuts=asked("shuts"),
        then={kind: tuple(h for h in staged if kind in h.power.hears) for kind in kinds},
        wraps=any(h.power.wraps for h in mover),
        forgetful=any(h.power.forgetful for h in mover),
    )


def seats_from(state: State[Any], seat: str) -> tuple[str, ...]:
    """List the seats in the order of effects: the mover, the partner, then the opponents in turn order."""
    seats = state.table.seats
    at = seats.index(seat)
    turning = seats[at:] + seats[:at]
    side = state.side(seat)
    return tuple(sorted(turning, key=lambda s: state.side(s) != side))


def printed_holders(state: State[Any], seat: str) -> tuple[Holder, ...]:
    """List who has which card on the table, before any power changes that."""
    table = state.table
    if table.golden_fleece is not None:
        return _ram_holders(state, seat, table.golden_fleece)
    found = []
    for other in seats_from(state, seat):
        name = table.powers[other]
        if name is not None and state.side(other) not in state.out:
            found.append(Holder(other, state.side(other), power(name), other))
    return tuple(found)


def _ram_holders(state: State[Any], seat: str, name: str) -> tuple[Holder, ...]:
    """List who stands next to the Ram now."""
    ram = state.pos.tokens.ram
    near = NEAR[ram] if ram != NOWHERE else 0
    beside = {w[0] for w, cell in state.pos.workers.items() if near >> cell & 1}
    card = power(name)
    return tuple(
        Holder(s, state.side(s), card, s if card.personal else RAM_CARD)
        for s in seats_from(state, seat)
        if state.side(s) in beside
    )


def begin_turn(state: State[K], seat: str, extra: bool = False, *, duties: bool = True) -> State[K]:
    """Begin a seat's turn: ownership of powers, facts fixed for the turn, effects at the start, duties."""
    if extra:
        state = spend_extra(state, seat)  # Before a card changes hands: it is the taker's to count.
    holders = printed_holders(state, seat)
    for holder in holders:
        if holder.power.answers("owning"):
            state = holder.power.owning(state, seat, holder)
    for holder in sorted(holders, key=lambda h: not h.power.takes):
        same = [h for h in holders if h.card == holder.card and h.power is holder.power]
        now = holder if holder in same or not same else same[0]
        holders = now.power.roster(state, holders, now) if same else holders
    cast = cast_of(holders, seat, state.side(seat))
    state = state._replace(turn=Turn(seat, extra, cast), to_move=seat)
    for event in (Began(seat), Started(seat)):
        if cast.then.get(type(event)):
            state = follow(state, event)
    state = state._replace(turn=state.now._replace(events=()))
    if cast.insists and duties:
        state = state._replace(turn=state.now._replace(duties=duties_of(state)))
    return state


def finish_turn(state: State[K], *, cut_short: bool = False) -> State[K]:
    """End the turn: compulsory effects at its end (unless it was cut short), then bookkeeping."""
    seat = state.now.seat
    for event in (Ended(seat),) if cut_short else (Closing(seat), Ended(seat)):
        if state.winner is None:
            if isinstance(event, Ended):
                state = state._replace(turn=state.now._replace(over=True))
            state = follow(state, event)
    return state if state.winner is not None else _cards_turned(state)


def _cards_turned(state: State[K]) -> State[K]:
    """Let the cards on the table change after a turn, whoever has their power."""
    table = state.table
    cards = {RAM_CARD: table.golden_fleece} if table.golden_fleece else dict(table.powers)
    for card, name in cards.items():
        if name is not None and table.sides.get(card) not in state.out:
            state = power(name).afterwards(state, card)
    return state


def next_seat(state: State[Any], seat: str) -> str:
    """Name the seat whose turn comes after this one."""
    seats = state.table.seats
    at = seats.index(seat)
    order = seats[at + 1 :] + seats[: at + 1]
    return next(s for s in order if state.side(s) not in state.out)


def eliminate(state: State[K], seat: str) -> State[K]:
    """Let a seat's side lose; where others go on, its workers, tokens and powers leave."""
    state = record(state, Lost(seat))
    if state.winner is not None:
        return state
    side = state.side(seat)
    workers = {w: c for w, c in state.pos.workers.items() if w[0] != side}
    state = state._replace(pos=state.pos.with_workers(workers), out=(*state.out, side))
    gone = [s for s in state.table.seats if state.side(s) == side]
    for name in (state.table.powers[s] for s in gone):
        if name is not None:
            state = free_tokens(state, power(name).tokens)
    secrets = {s: secret for s, secret in state.secrets.items() if s not in gone}
    memory = {card: memory for card, memory in state.memory.items() if card not in gone}
    return state._replace(secrets=secrets, memory=memory)


def extra_owed(state: State[Any], seat: str) -> int:
    """Count the extra turns that a seat may take now, from its own card or one it has taken over."""
    return sum(_number(state.memory.get(card, {}).get("extra_turns", 0)) for card in _served(state, seat))


def spend_extra(state: State[K], seat: str) -> State[K]:
    """Take one extra turn off the count."""
    for card in _served(state, seat):
        if count := _number(state.memory.get(card, {}).get("extra_turns", 0)):
            return state.remember(card, "extra_turns", count - 1)
    return state


def _served(state: State[Any], seat: str) -> tuple[str, ...]:
    """Name the cards whose extra turns are this seat's to take."""
    taken = bool(state.memory.get(seat, {}).get("stolen"))
    shared = (RAM_CARD,) if state.table.golden_fleece else ()
    return (seat, *(s for s in state.table.seats if s != seat)) if taken else (seat, *shared)


def _number(value: Value) -> int:
    """Read a number that is remembered."""
    return int(value) if isinstance(value, (int, bool)) else 0
