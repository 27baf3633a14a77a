"""Games and settings: small rows beside the event log."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from companion.store import schema
from companion.store.errors import GameExists, UnknownGame
from companion.store.events import Work
from companion.store.values import Json, dump, load


@dataclass(frozen=True)
class GameRow:
    """A game as the list of games shows it."""

    id: str
    table_id: str
    created: int
    state: str = "setup"
    title: str = ""


def create_game(row: GameRow) -> Work[None]:
    """Enter a new game."""

    def work(connection: Connection) -> None:
        if game(row.id)(connection) is not None:
            raise GameExists(row.id)
        connection.execute(sa.insert(schema.game), vars(row))

    return work


def game(name: str) -> Work[GameRow | None]:
    """Read one game's row, if there is such a game."""

    def work(connection: Connection) -> GameRow | None:
        found = connection.execute(sa.select(schema.game).where(schema.game.c.id == name)).mappings().first()
        return GameRow(**found) if found else None

    return work


def games(table_id: str | None = None) -> Work[tuple[GameRow, ...]]:
    """List the games, newest first; those of one table, or all."""

    def work(connection: Connection) -> tuple[GameRow, ...]:
        query = sa.select(schema.game).order_by(schema.game.c.created.desc(), schema.game.c.id)
        if table_id is not None:
            query = query.where(schema.game.c.table_id == table_id)
        return tuple(GameRow(**row) for row in connection.execute(query).mappings())

    return work


def mark_game(name: str, state: str | None = None, title: str | None = None) -> Work[None]:
    """Change a game's state (running, paused, over …) or title."""
    changes = {key: value for key, value in (("state", state), ("title", title)) if value is not None}

    def work(connection: Connection) -> None:
        query = sa.update(schema.game).where(schema.game.c.id == name)
        if changes and connection.execute(query.values(changes)).rowcount == 0:
            raise UnknownGame(name)

    return work


def delete_game(name: str) -> Work[None]:
    """Delete a game and all that belongs to it, and devices that hold nothing any more."""

    def work(connection: Connection) -> None:
        if connection.execute(sa.delete(schema.game).where(schema.game.c.id == name)).rowcount == 0:
            raise UnknownGame(name)
        holding = sa.select(schema.hold.c.device)
        connection.execute(sa.delete(schema.device).where(schema.device.c.id.not_in(holding)))

    return work


def set_setting(key: str, value: Json) -> Work[None]:
    """Keep one setting."""

    def work(connection: Connection) -> None:
        connection.execute(sa.delete(schema.setting).where(schema.setting.c.key == key))
        connection.execute(sa.insert(schema.setting), {"key": key, "value": dump(value)})

    return work


def setting(key: str, default: Json = None) -> Work[Json]:
    """Read one setting."""

    def work(connection: Connection) -> Json:
        query = sa.select(schema.setting.c.value).where(schema.setting.c.key == key)
        found = connection.execute(query).scalar()
        return default if found is None else load(found)

    return work
