"""Stores with a fault, for the tests of whoever uses a store."""

from __future__ import annotations

from typing import TypeVar

from companion.store.errors import NotWritten
from companion.store.events import Work
from companion.store.store import Store

T = TypeVar("T")


class FullDisk(Store):
    """A real store whose disk has room for `room` more works and refuses every one behind them."""

    room: int = 0

    def write(self, work: Work[T]) -> T:
        """Refuse if there is no room left."""
        self._use()
        return super().write(work)

    async def write_async(self, work: Work[T]) -> T:
        """Refuse if there is no room left."""
        self._use()
        return await super().write_async(work)

    def _use(self) -> None:
        if self.room <= 0:
            raise NotWritten(
                "the database refused (database or disk is full); read the game again before going on"
            )
        self.room -= 1
