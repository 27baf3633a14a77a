"""The bus: follows the tables as they open and close, in a thread and an event loop of its own."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Final, Protocol

import structlog

from companion.bus.address import BrokerAddress
from companion.bus.link import Habits, TableLink
from companion.bus.mosquitto import Listening, LocalBroker
from companion.bus.sealed import BEAT
from companion.bus.topics import TABLE
from companion.bus.users import seat_user
from companion.bus.wording import Wording
from companion.lights.buttons import BUTTONS, Meaning
from companion.lights.picture import Look
from companion.table.live import Table

LOG: Final = structlog.get_logger("bus")
LOCAL: Final = "local"
GOODBYE: Final = 0.8
LAST: Final = 0.3


class Tables(Protocol):
    """The tables of this process."""

    def all(self) -> tuple[Table, ...]:
        """List the open tables."""

    def on_change(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call the listener when a table opens or closes."""


@dataclass(frozen=True)
class Options:
    """What may be chosen about a bus."""

    language: str = "en"
    look: Look = field(default_factory=Look)
    buttons: Mapping[int, Meaning] = field(default_factory=lambda: dict(BUTTONS))
    sealed: bool = False
    """Whether new tables offer sealed seats; off unless asked for."""
    listening: Listening = field(default_factory=Listening)
    chance: Random = field(default_factory=Random)
    birth_delay: float = 5.0
    beat: float = BEAT


@dataclass(frozen=True)
class SeatTicket:
    """What a seat's own device needs; handed to that seat's phone and to nobody else."""

    broker: BrokerAddress = field(repr=False)
    table: str
    seat: str
    key: str = field(repr=False)

    def to_json(self) -> dict[str, str | int | bool | None]:
        """Write the ticket as the seat's phone gets it."""
        broker = self.broker
        return {
            "host": broker.host,
            "port": broker.port,
            "user": broker.user,
            "password": broker.password,
            "secure": broker.secure,
            "table": self.table,
            "seat": self.seat,
            "key": self.key,
        }


class Bus:
    """Connects every open table to a broker. `where` is mqtt://user:password@host, or local."""

    def __init__(self, tables: Tables, where: str, folder: Path, options: Options | None = None) -> None:
        self._tables, self._options = tables, options or Options()
        self.broker = LocalBroker(folder, self._options.listening) if where == LOCAL else None
        self._address = None if self.broker else BrokerAddress.parse(where)
        self._habits = Habits(
            session=secrets.token_hex(8),
            wording=Wording(self._options.language),
            look=self._options.look,
            buttons=self._options.buttons,
            chance=self._options.chance,
            birth_delay=self._options.birth_delay,
            beat=self._options.beat,
        )
        self._links: dict[str, TableLink] = {}
        self._tasks: dict[TableLink, asyncio.Task[None]] = {}
        self._sealed: dict[str, bool] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed: asyncio.Event | None = None
        self._stopping = False
        self._thread: threading.Thread | None = None
        self._forget: Callable[[], None] = lambda: None

    @property
    def address(self) -> BrokerAddress:
        """Where the companion connects; after `start`."""
        if self.broker is not None:
            return self.broker.hub
        assert self._address is not None
        return self._address

    @property
    def session(self) -> str:
        """The name of this run, which every command has to repeat."""
        return self._habits.session

    @property
    def links(self) -> Mapping[str, TableLink]:
        """The connections by table."""
        return dict(self._links)

    def start(self) -> None:
        """Start the private broker, if it is to be that, and begin to connect; never waits for a broker.

        NotInstalled or BrokerFailed when the private broker cannot be started.
        """
        if self.broker is not None:
            self.broker.start()
        self._forget = self._tables.on_change(self._wake)
        ready = threading.Event()
        self._thread = threading.Thread(target=self._work, args=(ready,), name="mqtt-bus", daemon=True)
        self._thread.start()
        ready.wait()

    def stop(self) -> None:
        """Say goodbye and stop, within two seconds also when the broker is deaf."""
        self._forget()
        self._stopping = True
        self._wake()
        if self._thread is not None:
            self._thread.join(GOODBYE + LAST + 0.2)
        if self.broker is not None:
            self.broker.stop()

    def seal_seats(self, table: str, on: bool) -> None:
        """Offer sealed seats at a table, or no longer."""
        self._sealed[table] = on
        self._wake()

    def offers_seats(self, table: str) -> bool:
        """Whether a table offers sealed seats."""
        return self._sealed.get(table, self._options.sealed)

    def seat_ticket(self, table: str, seat: str) -> SeatTicket | None:
        """Let a device of a seat's own in; None where the table does not offer that, or is not there."""
        link = self._links.get(table)
        if link is None or link.lines is None or seat not in link.table.seats:
            return None
        key = link.lines.key(seat, link.table.game).hex()
        link.changed()
        if self.broker is not None:
            return SeatTicket(self.broker.admit(table, seat), table, seat, key)
        # On a broker of somebody else's its owner makes the user; the name is what ours would be.
        somebody = replace(self.address, user=seat_user(table, seat).name, password=None)
        return SeatTicket(somebody, table, seat, key)

    # --- the thread

    def _wake(self) -> None:
        loop, changed = self._loop, self._changed
        if loop is not None and changed is not None and not loop.is_closed():
            loop.call_soon_threadsafe(changed.set)

    def _work(self, ready: threading.Event) -> None:
        """The edge of the thread: whatever happens here, the game goes on."""
        try:
            with asyncio.Runner() as runner:
                loop = runner.get_loop()
                # A table may make its callers wait for its beat; others must not wait with them.
                loop.set_default_executor(_Impatient(max_workers=16, thread_name_prefix="mqtt"))
                runner.run(self._follow(ready))
        except Exception:
            LOG.exception("the bus has stopped after a fault")
        finally:
            ready.set()

    async def _follow(self, ready: threading.Event) -> None:
        """Keep one connection for every open table."""
        self._loop, self._changed = asyncio.get_running_loop(), asyncio.Event()
        self._match()
        ready.set()
        while not self._stopping:
            await self._changed.wait()
            self._changed.clear()
            self._match()
        await self._leave_all()

    def _match(self) -> None:
        """Open and close connections until they are those of the open tables."""
        # A name that is no level of a topic cannot be on the bus; its table is played without.
        tables = {table.id: table for table in self._tables.all() if TABLE.fullmatch(table.id)}
        for name, link in list(self._links.items()):
            sealed = link.lines is not None
            if tables.get(name) is not link.table or sealed != self.offers_seats(name):
                link.leave("stop" if name in tables else "remove")
                del self._links[name]
        for name, table in tables.items():
            if name not in self._links:
                self._open(name, table)

    def _open(self, name: str, table: Table) -> None:
        link = TableLink(table, self.address, self._habits, sealed=self.offers_seats(name))
        before = []
        for other, earlier in self._tasks.items():
            if other.table.id == name:
                other.hurry()
                before.append(earlier)
                if other.table is table:
                    link.inbox.follow(other.inbox)
        self._links[name] = link
        task = asyncio.create_task(self._run(link, before))
        self._tasks[link] = task
        task.add_done_callback(lambda _: self._tasks.pop(link, None))

    async def _run(self, link: TableLink, before: list[asyncio.Task[None]]) -> None:
        """Run a connection once its predecessor of the same name has said goodbye; log what breaks it."""
        if before:
            _done, late = await asyncio.wait(before, timeout=GOODBYE)
            for task in late:
                task.cancel()
        while True:
            try:
                await link.run()
                return
            except Exception:
                LOG.exception("a table's connection begins again after a fault", table=link.table.id)
                await asyncio.sleep(1)

    async def _leave_all(self) -> None:
        for link in self._links.values():
            link.leave("stop")
        for link in self._tasks:
            link.hurry()
        tasks = list(self._tasks.values())
        if not tasks:
            return
        _done, late = await asyncio.wait(tasks, timeout=GOODBYE)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late, timeout=LAST)


class _Impatient(ThreadPoolExecutor):
    """Does not wait at the end for threads that still try to reach a broker."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let them end by themselves."""
        super().shutdown(wait=False, cancel_futures=True)
