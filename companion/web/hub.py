"""Takes every change at a table to the phones that watch it, each view made once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pydantic_core import to_json

from companion.table.seatview import PublicView, SeatView
from companion.web.codes import Signs
from companion.web.ports import Json, Table, Tables
from companion.web.seating import Device


@dataclass(frozen=True)
class Frame:
    """A view ready to be sent."""

    seq: int
    text: str


def frame_of(view: SeatView | PublicView) -> Frame:
    """Write a view as the message that carries it."""
    return Frame(view.seq, '{"view":' + to_json(view).decode() + "}")


class Watcher:
    """One connection's place at a table: woken by changes, never waited for."""

    def __init__(
        self,
        seat: str | None,
        told: Callable[[Json], None],
        device: Callable[[], Device] = Device,
        sign: str | None = None,
    ) -> None:
        self.seat = seat
        self.told = told
        self.device = device
        """Which seats the connection's device holds, asked anew each time."""
        self.sign = sign
        """What a table screen shows of itself, so that the host knows which one it is."""
        self.changed = asyncio.Event()
        self.changed.set()


class Channel:
    """The watchers of one table and the views made since its last change."""

    def __init__(self, table: Table, loop: asyncio.AbstractEventLoop) -> None:
        self.table = table
        self.watchers: set[Watcher] = set()
        self._loop = loop
        self._frames: dict[str | None, asyncio.Task[Frame]] = {}
        self._stop = table.subscribe(self._changed)

    def _changed(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.wake)

    def wake(self) -> None:
        """Forget the views made so far and wake everybody in the same tick."""
        self._frames.clear()
        for watcher in self.watchers:
            watcher.changed.set()

    async def frame(self, seat: str | None) -> Frame:
        """Return the newest view of a seat, or of the public."""
        task = self._frames.get(seat)
        if task is None:
            task = asyncio.create_task(asyncio.to_thread(self._make, seat))
            self._frames[seat] = task
        try:
            return await asyncio.shield(task)
        finally:
            if task.done() and (task.cancelled() or task.exception()) and self._frames.get(seat) is task:
                del self._frames[seat]

    def _make(self, seat: str | None) -> Frame:
        return frame_of(self.table.public() if seat is None else self.table.view(seat))

    def move_to(self, table: Table) -> None:
        """Show another game that goes on under the same name."""
        self._stop()
        self.table = table
        self._stop = table.subscribe(self._changed)
        self.wake()

    def close(self) -> None:
        """Stop listening to the table."""
        self._stop()


class Hub:
    """The channels of all tables that somebody watches."""

    def __init__(self) -> None:
        self._channels: dict[str, Channel] = {}
        self.signs = Signs()

    def join(self, table: Table, watcher: Watcher) -> Channel:
        """Watch a table."""
        channel = self._channels.get(table.id)
        if channel is None:
            channel = self._channels[table.id] = Channel(table, asyncio.get_running_loop())
        channel.watchers.add(watcher)
        return channel

    def leave(self, channel: Channel, watcher: Watcher) -> None:
        """Watch no longer; a channel without watchers is closed."""
        channel.watchers.discard(watcher)
        if not channel.watchers:
            channel.close()
            if self._channels.get(channel.table.id) is channel:
                del self._channels[channel.table.id]

    def refresh(self, tables: Tables) -> None:
        """Take everybody along where a new game was opened under a table's name."""
        for name, channel in self._channels.items():
            table = tables.get(name)
            if table is not None and table is not channel.table:
                channel.move_to(table)

    def tell(self, table: str, message: Json) -> None:
        """Tell every phone at a table something about the seats (never about a secret)."""
        channel = self._channels.get(table)
        for watcher in tuple(channel.watchers) if channel else ():
            watcher.told(message)

    def move(self, old: Table, fresh: Table, places: Mapping[str, Mapping[str, str]]) -> None:
        """Send everybody to another table; each device gets the codes for its seats there."""
        channel = self._channels.get(old.id)
        for watcher in tuple(channel.watchers) if channel else ():
            own = watcher.device().seats(old.game)
            taken = [dict(places[seat]) for seat in own if seat in places]
            watcher.told({"moved": {"table": fresh.id, "seats": taken}})

    def screens(self, table: str) -> tuple[Watcher, ...]:
        """List the table screens that watch a table."""
        channel = self._channels.get(table)
        return tuple(watcher for watcher in (channel.watchers if channel else ()) if watcher.sign)
