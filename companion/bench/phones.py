"""How long a decision takes to the phones: one table with four of them, and a house full of tables."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from websockets.asyncio.client import ClientConnection, connect

from companion.store import Store
from companion.table.commands import Actor, TakeStep
from companion.table.live import Table
from companion.table.tables import Tables
from companion.web.app import create_app
from companion.web.codes import HostCode
from companion.web.house import Deps
from companion.web.seating import Seating
from companion.web.server import WebServer, bind
from companion.web.shelf import Shelf

HELP = "time from a decision to the phones: 4 phones on a table, 200 phones on 50 tables"
EXAMPLE = "santorini bench phones --seconds 10"
PHONES: Final = 4
LIMIT_MS: Final = 100.0
SETTLE: Final = 60.0


@dataclass
class Measured:
    """When each table decided what, and how long every phone waited for it."""

    decided: dict[tuple[str, int], float] = field(default_factory=dict)
    waits: list[float] = field(default_factory=list)
    views: int = 0
    newest: dict[int, int] = field(default_factory=dict)
    """The newest view of each phone."""

    def seen(self, phone: int, table: str, seq: int) -> None:
        """Note that a phone has a view; one that was skipped for a newer one does not count."""
        self.views += 1
        self.newest[phone] = seq
        began = self.decided.get((table, seq))
        if began is not None:
            self.waits.append(1000 * (time.perf_counter() - began))


def configure(parser: argparse.ArgumentParser) -> None:
    """Take how long and how often."""
    parser.add_argument("--seconds", type=float, default=8.0, help="of each round (default: %(default)s)")
    parser.add_argument("--tables", type=int, default=50, help="in the large round (default: %(default)s)")
    parser.add_argument("--rate", type=float, default=10.0, help="decisions a second (default: %(default)s)")


def run(args: argparse.Namespace) -> int:
    """Run both rounds and print a line for each."""
    good = True
    for tables in (1, args.tables):
        measured = measure(tables, args.seconds, args.rate)
        good &= report(tables, measured)
    return 0 if good else 1


def report(tables: int, measured: Measured) -> bool:
    """Print what was measured; true when it is within the limit."""
    p50, p95 = (quantile(measured.waits, share) for share in (0.5, 0.95))
    phones = tables * PHONES
    print(
        f"{phones:4} phones on {tables:2} tables: {len(measured.decided)} decisions, {measured.views} views, "
        f"decision to phone p50 {p50:.1f} ms, p95 {p95:.1f} ms, worst {max(measured.waits):.1f} ms"
        f" (limit p95 {LIMIT_MS:.0f} ms)"
    )
    return p95 <= LIMIT_MS


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which this share of all lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def measure(count: int, seconds: float, rate: float) -> Measured:
    """Serve so many tables, connect four phones to each, and let the tables decide."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), count) as (port, tables, cookies):
        return asyncio.run(watched(port, tables, cookies, seconds, rate))


Cookies = dict[str, list[tuple[str, str | None]]]


@contextlib.contextmanager
def served(folder: Path, count: int) -> Iterator[tuple[int, list[Table], Cookies]]:
    """Run a server with tables on which both seats have a phone."""
    store = Store.open(folder / "bench.db")
    tables = Tables(store)
    seating = Seating(store, time.time)
    deps = Deps(tables, Shelf(tables), seating, HostCode(folder / "host-code"))
    opened = [tables.create({"players": [{"seat": "A"}, {"seat": "B"}]}) for _ in range(count)]
    cookies: Cookies = {}
    for table in opened:
        seats = [(seating.pair(seating.offer(table.game, s)[0], None).cookie, s) for s in table.seats]
        cookies[table.id] = [*seats, ("", None), ("", None)]
    with WebServer(create_app(deps), bind("127.0.0.1", 0)) as server:
        yield server.port, opened, cookies
    store.close()


async def watched(port: int, tables: list[Table], cookies: Cookies, seconds: float, rate: float) -> Measured:
    """Connect all phones, play, and collect what they waited."""
    measured = Measured()
    async with contextlib.AsyncExitStack() as stack:
        readers: list[asyncio.Task[None]] = []
        for table in tables:
            for cookie, seat in cookies[table.id]:
                headers = {"Cookie": f"santorini={cookie}"} if cookie else {}
                address = f"ws://127.0.0.1:{port}/ws"
                socket = await stack.enter_async_context(
                    connect(address, additional_headers=headers, compression=None)
                )
                place = Place(len(readers), table.id, seat)
                readers.append(asyncio.create_task(phone(socket, place, measured)))
        await until(lambda: len(measured.newest) == len(readers))
        await asyncio.to_thread(play, tables, measured, seconds, rate)
        due = [table.around.seq for table in tables for _ in cookies[table.id]]
        await until(lambda: all(measured.newest[n] >= seq for n, seq in enumerate(due)))
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)
    return measured


async def until(done: Callable[[], bool]) -> None:
    """Wait until all phones are where they should be; a machine that is too slow for that is told so."""
    async with asyncio.timeout(SETTLE):
        while not done():
            await asyncio.sleep(0.02)


@dataclass(frozen=True)
class Place:
    """A phone: its number, the table it watches, and as whom."""

    number: int
    table: str
    seat: str | None


async def phone(socket: ClientConnection, place: Place, measured: Measured) -> None:
    """Be one phone: watch, note every view, say that it was shown."""
    await socket.send(json.dumps({"ask": "watch", "id": 1, "table": place.table, "seat": place.seat}))
    async for text in socket:
        heard = json.loads(text)
        if "view" in heard:
            measured.seen(place.number, place.table, heard["view"]["seq"])
            await socket.send(json.dumps({"ask": "seen", "seq": heard["view"]["seq"]}))


def play(tables: list[Table], measured: Measured, seconds: float, rate: float) -> None:
    """Let the tables decide one after the other, at an even rate."""
    chance = random.Random(1)
    end = time.perf_counter() + seconds
    turn = 0
    while time.perf_counter() < end:
        began = time.perf_counter()
        decide(tables[turn % len(tables)], chance, measured)
        turn += 1
        time.sleep(max(0.0, 1 / rate - (time.perf_counter() - began)))


def decide(table: Table, chance: random.Random, measured: Measured) -> None:
    """Take a legal step, or end the turn; the clock starts before it is checked and on disk."""
    seat = table.public().to_move
    if seat is None:
        return
    prompt = table.view(seat).prompt
    if prompt is None:
        return
    seq = table.around.seq
    step = chance.choice(prompt.steps).step if prompt.steps else "end"
    measured.decided[table.id, seq + 1] = time.perf_counter()
    table.submit(Actor(seat, "seat"), TakeStep(do="step", step=step, seq=seq))
