"""What of a game is a secret, how it is sealed on its way to disk, and what a phone has to commit to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from companion.secrets import (
    ChainRecord,
    Keyring,
    Owner,
    Place,
    Published,
    Revealed,
    SecretError,
    commitment,
    publish,
    seal,
    unseal,
)  # fmt: skip
from companion.store import PUBLIC, Event, NewEvent, private_to
from companion.table import facts
from companion.table.facts import Fact, Payload
from companion.table.session import Session
from engine.board import NOWHERE, format_cell
from engine.game import Game
from engine.steps import Agree, Draw, Lay, Proxy, Resign, Step
from engine.view import observe

SECRET_TOKENS: Final = ("fate", "abyss")
AROUND: Final = (facts.BEGUN, facts.KEYED, facts.HINTS, facts.RENAMED, facts.COMMITTED)
LASTING: Final = (facts.SALTED, facts.CARRIED, facts.ENTERED_AGAIN)
"""What of a seat that kept its key outlives somebody else's lost phone."""


def is_secret(game: Game, seat: str, step: Step) -> bool:
    """Whether a step may be known to its own seat only."""
    if isinstance(step, Lay) and step.token in SECRET_TOKENS:
        return True
    open_ = isinstance(step, Resign | Agree | Draw | Proxy)
    return game.table.sides[seat] in game.table.hidden and not open_


# ---- on the way to disk and back -----------------------------------------------------------------------


def sealed_events(
    kept: Sequence[Fact], game: str, first: int, now: int, keyring: Keyring
) -> tuple[NewEvent, ...]:
    """Make events of facts; a secret one is a public note and, right behind it, a sealed box.

    Raises KeyMissing where a seat's phone has not brought its key.
    """
    made: list[NewEvent] = []
    for fact in kept:
        seat = fact.secret_of
        if seat is None:
            made.append(NewEvent(fact.type, dict(fact.payload), now))
            continue
        note = facts.AGAIN if fact.type == facts.ENTERED_AGAIN else facts.HIDDEN
        made.append(NewEvent(note, {"seat": seat}, now))
        place = Place(game, seat, first + len(made))
        box = seal(keyring.key(game, seat), place, {"type": fact.type, "payload": dict(fact.payload)})
        made.append(NewEvent(facts.HIDDEN, box, now, private_to(seat)))
    return tuple(made)


def owner(event: Event) -> str | None:
    """Say whose sealed event it is; None for a public one."""
    return None if event.visibility == PUBLIC else event.visibility.removeprefix("seat:")


def relevant(events: Iterable[Event]) -> tuple[Event, ...]:
    """Leave out what cannot be used any more after a secret was entered again.

    That is everything sealed with the key of the lost phone, and everything that was played in public.
    """
    known = tuple(events)
    again = {str(e.payload["seat"]): number for number, e in enumerate(known) if e.type == facts.AGAIN}
    start = max(again.values(), default=0)

    def counts(number: int, event: Event) -> bool:
        seat = owner(event)
        return event.type in AROUND if seat is None else number > again.get(seat, -1)

    return tuple(event for number, event in enumerate(known) if number >= start or counts(number, event))


def opened(event: Event, game: str, keyring: Keyring) -> tuple[str, Payload]:
    """Open one sealed event; raises KeyMissing naming the seat whose phone has to bring its key."""
    seat = owner(event)
    assert seat is not None
    content = unseal(keyring.key(game, seat), Place(game, seat, event.seq), event.payload)
    payload = content["payload"]
    assert isinstance(payload, dict)
    return str(content["type"]), payload


def lasting(event: Event, game: str, keyring: Keyring) -> tuple[str, Payload] | None:
    """Open what lasts of a time that cannot be replayed any more; None for what was played then."""
    if event.visibility == PUBLIC:
        return (event.type, event.payload) if event.type in AROUND else None
    kind, payload = opened(event, game, keyring)
    if kind not in LASTING:
        return None
    return kind, {name: payload[name] for name in payload if name not in ("position", "memory")}


def opened_events(events: Iterable[Event], game: str, keyring: Keyring) -> list[tuple[str, Payload]]:
    """Open what was sealed; raises KeyMissing naming the seat whose phone has to bring its key."""
    known = relevant(events)
    start = max((number for number, event in enumerate(known) if event.type == facts.AGAIN), default=0)
    found = [told for event in known[:start] if (told := lasting(event, game, keyring)) is not None]
    for event in known[start:]:
        plain = event.visibility == PUBLIC
        found.append((event.type, event.payload) if plain else opened(event, game, keyring))
    return found


def wanted_keys(events: Iterable[Event], game: str, keyring: Keyring) -> tuple[str, ...]:
    """List the seats whose keys are needed and not here."""
    seats = {owner(event) for event in relevant(events)} - {None}
    return tuple(sorted(str(seat) for seat in seats if not keyring.has(game, str(seat))))


def key_id(events: Iterable[tuple[str, Payload]], seat: str) -> str | None:
    """Find the name of the key that a seat uses now."""
    ids = [str(p["id"]) for kind, p in events if kind == facts.KEYED and p["seat"] == seat]
    return ids[-1] if ids else None


# ---- commitments ---------------------------------------------------------------------------------------


def owner_of(session: Session, game: str, seat: str) -> Owner:
    """Say whose chain it is and with which turn it starts."""
    power = session.game.setup.table().powers[seat] or ""
    return Owner(game, seat, power, session.chain_starts.get(seat, 0))


def hidden_value(game: Game, seat: str) -> dict[str, Any] | None:
    """Give what a seat hides now, as it is committed to; None while there is nothing."""
    view = observe(game, seat)
    side = game.table.sides[seat]
    if side in game.table.hidden:
        workers = {w: format_cell(c) for w, c in sorted(view.position.workers.items()) if w[0] == side}
        return {"workers": workers} if view.state.setup is None else None
    pairs = (("fate", view.secret.fate), ("abyss", view.secret.abyss))
    return {name: format_cell(cell) for name, cell in pairs if cell != NOWHERE} or None


def secret_value(session: Session, seat: str) -> dict[str, Any] | None:
    """Give what a seat of a session hides now."""
    return hidden_value(session.game, seat)


def due(session: Session, seat: str) -> int | None:
    """Number the commitment that a seat's phone owes; None when it owes none.

    A hidden space is bound once; hidden workers when they are placed and after each own turn.
    """
    table = session.game.table
    if seat not in table.secretive or session.game.over or secret_value(session, seat) is None:
        return None
    made = sum(entry.seat == seat for entry in session.commitments)
    start = session.chain_starts.get(seat, 0)
    wanted = 1
    if table.sides[seat] in table.hidden:
        wanted += session.own_turns(seat) - session.turns_before.get(seat, 0)
    return start + made if made < wanted else None


def checked(
    session: Session, game: str, seat: str, turn: int, value: dict[str, Any], salt: str, made: str
) -> tuple[Fact, Fact] | None:
    """Check a phone's commitment against the truth; the facts to keep, or None where it does not hold."""
    if due(session, seat) != turn or value != secret_value(session, seat):
        return None
    owner = owner_of(session, game, seat)
    try:
        if commitment(owner, turn, value, bytes.fromhex(salt)) != made:
            return None
    except SecretError:
        return None
    before = [Published(c.turn, c.commitment, c.link) for c in session.commitments if c.seat == seat]
    said = publish(owner, before, made)
    told = {"seat": seat, "turn": said.turn, "commitment": said.commitment, "link": said.link}
    kept = {"seat": seat, "turn": turn, "value": value, "salt": salt}
    return Fact(facts.COMMITTED, told), Fact(facts.SALTED, kept, secret_of=seat)


def chains(session: Session, game: str) -> tuple[ChainRecord, ...]:
    """Give the chains with what is revealed; only told when the game is over."""
    found = []
    for seat in sorted(session.game.table.secretive):
        said = tuple(Published(c.turn, c.commitment, c.link) for c in session.commitments if c.seat == seat)
        told = tuple(
            Revealed(int(s["turn"]), s["value"], str(s["salt"])) for s in session.salts if s["seat"] == seat
        )
        if said:
            found.append(ChainRecord(owner_of(session, game, seat), said, told))
    return tuple(found)
