"""The store: one writer, many readers, one database."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from sqlalchemy.exc import DatabaseError

from companion.store.database import Database, check, connect, problem
from companion.store.events import Event, NewEvent, Work, append, stored_events
from companion.store.games import delete_game
from companion.store.migrate import upgrade
from companion.store.upcast import Upcasters
from companion.store.writer import Writer

T = TypeVar("T")


class Store:
    """Games and what belongs to them. Whatever `append` or `write` has returned from is on disk."""

    def __init__(self, database: Database, upcasters: Upcasters) -> None:
        self.database = database
        self.upcasters = upcasters
        self._writer = Writer(database.writer)

    @classmethod
    def open(cls, address: str | Path, upcasters: Upcasters | None = None) -> Self:
        """Open a file (made if missing) or a postgresql:// URL and bring it to today's schema."""
        database = connect(address)
        with ExitStack() as undo:
            undo.callback(database.dispose)
            try:
                check(database)
                upgrade(database)
            except DatabaseError as error:
                raise problem(database.address, error) from error
            opened = cls(database, upcasters or Upcasters())
            undo.pop_all()
        return opened

    def append(self, game: str, events: Sequence[NewEvent], expected: int) -> tuple[Event, ...]:
        """Append all events or none; returns when they are on disk, and only then they may be shown."""
        return self.write(append(game, events, expected))

    async def append_async(self, game: str, events: Sequence[NewEvent], expected: int) -> tuple[Event, ...]:
        """Do the same without holding up the event loop."""
        return await self.write_async(append(game, events, expected))

    def events(self, game: str, after: int = 0) -> tuple[Event, ...]:
        """Read a game's events behind number `after`, brought to today's schema."""
        return tuple(self.upcasters.upcast(event) for event in self.read(stored_events(game, after)))

    def write(self, work: Work[T]) -> T:
        """Do a work in the writer's thread and wait until it is on disk."""
        return self._writer.submit(work).result()

    async def write_async(self, work: Work[T]) -> T:
        """Do a work in the writer's thread without holding up the event loop.

        If the awaiting task is cancelled, the work may or may not be written; it was not shown.
        """
        return await asyncio.wrap_future(self._writer.submit(work))

    def read(self, work: Work[T]) -> T:
        """Do a work that only reads, on a connection of its own."""
        try:
            with self.database.reader.connect() as connection:
                return work(connection)
        except DatabaseError as error:
            raise problem(self.database.address, error) from error

    async def read_async(self, work: Work[T]) -> T:
        """Do a work that only reads in a thread of its own."""
        return await asyncio.to_thread(self.read, work)

    def delete_game(self, game: str) -> None:
        """Delete a game and all that belongs to it, from the side file too."""
        self.write(delete_game(game))
        if self.database.writer.dialect.name == "sqlite":
            # The deleted rows are overwritten (secure_delete), but older pages wait in the log until this.
            with self.database.writer.connect() as connection:
                connection.exec_driver_sql("COMMIT")
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Write what is queued and close all connections."""
        self._writer.close()
        self.database.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
