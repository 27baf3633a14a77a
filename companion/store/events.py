"""The event log of a game: append-only, numbered without a gap from 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from companion.store import schema
from companion.store.errors import ClearSecret, Conflict, UnknownGame
from companion.store.values import Payload, dump, load_object

T = TypeVar("T")
Work: TypeAlias = Callable[[Connection], T]

PUBLIC: Final = "public"
SEALED: Final = "sealed"


def private_to(seat: str) -> str:
    """Give the visibility of what one seat alone may know."""
    return f"seat:{seat}"


@dataclass(frozen=True)
class NewEvent:
    """An event that is to be appended."""

    type: str
    payload: Payload
    at: int
    visibility: str = PUBLIC
    schema: int = 1


@dataclass(frozen=True)
class Event:
    """An event that is on disk."""

    game: str
    seq: int
    type: str
    schema: int
    visibility: str
    payload: Payload
    at: int


def append(game: str, events: Sequence[NewEvent], expected: int) -> Work[tuple[Event, ...]]:
    """Append all or none, if the game's last event is number `expected` (0: it has none)."""
    for new in events:
        _check_sealed(game, new)

    def work(connection: Connection) -> tuple[Event, ...]:
        found = last_seq(game, lock=True)(connection)
        if found != expected:
            raise Conflict(game, expected, found)
        stored = tuple(_numbered(game, new, expected + n) for n, new in enumerate(events, 1))
        if stored:
            connection.execute(sa.insert(schema.event), [_row(event) for event in stored])
        return stored

    return work


def last_seq(game: str, lock: bool = False) -> Work[int]:
    """Give the number of the game's last event, 0 if it has none."""

    def work(connection: Connection) -> int:
        query = sa.select(schema.game.c.id).where(schema.game.c.id == game)
        # PostgreSQL: a second writer of the same game waits here; SQLite has one writer anyway.
        if connection.execute(query.with_for_update() if lock else query).first() is None:
            raise UnknownGame(game)
        highest = sa.select(sa.func.max(schema.event.c.seq)).where(schema.event.c.game == game)
        return connection.execute(highest).scalar() or 0

    return work


def stored_events(game: str, after: int = 0) -> Work[tuple[Event, ...]]:
    """Read the events behind number `after` as they were written."""

    def work(connection: Connection) -> tuple[Event, ...]:
        last_seq(game)(connection)
        columns = schema.event.c
        query = sa.select(schema.event).where(columns.game == game, columns.seq > after).order_by(columns.seq)
        return tuple(_event(row) for row in connection.execute(query).mappings())

    return work


def _check_sealed(game: str, new: NewEvent) -> None:
    if new.visibility != PUBLIC and set(new.payload) != {SEALED}:
        raise ClearSecret(game, new.type, new.visibility)


def _numbered(game: str, new: NewEvent, seq: int) -> Event:
    return Event(game, seq, new.type, new.schema, new.visibility, new.payload, new.at)


def _row(event: Event) -> dict[str, object]:
    return {**vars(event), "payload": dump(event.payload)}


def _event(row: sa.RowMapping) -> Event:
    return Event(**{**row, "payload": load_object(row["payload"])})
