"""Kills a writing process at random moments and compares what it had shown with what is on disk.

The process is a small server without phones: four tables append events, sealed ones among them, change a
seat and a setting, and show each thing (a line on a pipe) as soon as it is on disk. After each kill
the database is opened as the next start would open it.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import shutil
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from random import Random
from typing import Final, TypeAlias

from companion.secrets import Place, SeatKey, seal, unseal
from companion.store import Event, NewEvent, Store, UnknownGame, last_seq, private_to
from companion.store.games import GameRow, create_game, game, set_setting, setting
from companion.store.seats import SeatRow, save_seat, seats
from companion.store.values import Json

TABLES: Final = 4
# A new folder now and then, so that kills also hit the first start and its migrations.
ROUNDS_PER_FOLDER: Final = 10
LONGEST_RUN: Final = 0.12
START_SECONDS: Final = 60.0
Server: TypeAlias = Callable[[str, Pipe, int], None]
KEY: Final = SeatKey(hashlib.sha256(b"the key of a phone that is not killed").digest())


@dataclass(frozen=True)
class Shown:
    """One line on the pipe: what of which table, its number, and a digest of its content."""

    table: str
    kind: str
    number: int
    digest: str


@dataclass
class Report:
    """What the kills did."""

    seed: int
    kills: int = 0
    shown: int = 0
    unshown: int = 0
    in_mid_write: int = 0
    before_first: int = 0
    faults: list[str] = field(default_factory=list)
    reopen_ms: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        slowest = f"{max(self.reopen_ms):.0f} ms" if self.reopen_ms else "-"
        return (
            f"kills {self.kills} (seed {self.seed}), {self.in_mid_write} of them between disk and screen, "
            f"{self.before_first} before anything was shown\n"
            f"shown {self.shown}, written but not yet shown {self.unshown}, "
            f"lost or half-written {len(self.faults)}\n"
            f"opened again in at most {slowest}" + "".join(f"\n  {fault}" for fault in self.faults)
        )


def run_kills(count: int, address: str | None = None, seed: int = 1, server: Server | None = None) -> Report:
    """Kill `count` times; `address` names a PostgreSQL database, else files of its own are used."""
    random, report = Random(seed), Report(seed)
    while report.kills < count:
        with _address(address) as place:
            shown: set[Shown] = set()
            for _ in range(min(ROUNDS_PER_FOLDER, count - report.kills)):
                _round(place, random, shown, report, server or serve)
    return report


@contextmanager
def _address(given: str | None) -> Iterator[str]:
    folder = Path(tempfile.mkdtemp(prefix="santorini-kills-"))
    try:
        yield given or str(folder / "santorini.db")
    finally:
        shutil.rmtree(folder)


def _round(address: str, random: Random, shown: set[Shown], report: Report, server: Server) -> None:
    """Start, kill, open again, compare."""
    lines = _killed(address, random, server)
    if not lines:
        report.before_first += 1
    shown.update(lines)
    started = time.perf_counter()
    with Store.open(address) as store:
        report.reopen_ms.append((time.perf_counter() - started) * 1000)
        unshown, faults = compare(store, shown)
    report.kills += 1
    report.shown += len(lines)
    report.unshown += len(unshown)
    report.in_mid_write += bool(unshown)
    report.faults += [f"kill {report.kills}: {fault}" for fault in faults]
    # What was written but not shown is shown by the next start.
    shown.update(unshown)


def _killed(address: str, random: Random, server: Server) -> list[Shown]:
    """Run the process for a random while and give everything it had shown when it was killed."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    reader, writer = context.Pipe(duplex=False)
    process = context.Process(target=server, args=(address, writer, random.getrandbits(32)))
    process.start()
    writer.close()
    lines: list[bytes] = []
    if random.random() < 0.8 and reader.poll(START_SECONDS):
        lines.append(reader.recv_bytes())
    _drain(reader, lines, until=time.monotonic() + random.random() * LONGEST_RUN)
    process.kill()
    _drain(reader, lines, until=None)
    process.join()
    process.close()
    reader.close()
    return [Shown(*json.loads(line)) for line in lines]


def _drain(reader: Pipe, lines: list[bytes], until: float | None) -> None:
    """Read what is shown until a moment, or to the end; a line cut off by the kill was not shown."""
    try:
        while until is None or reader.poll(max(0.0, until - time.monotonic())):
            lines.append(reader.recv_bytes())
    except (EOFError, OSError):
        return


def compare(store: Store, shown: Iterable[Shown]) -> tuple[list[Shown], list[str]]:
    """Say what is on disk without having been shown, and everything that is wrong."""
    faults: list[str] = []
    stored = Counter(found for n in range(TABLES) for found in _stored(store, f"table-{n}", faults))
    missing = Counter(shown) - stored
    faults += [f"shown but not on disk: {lost}" for lost in missing]
    return sorted((stored - Counter(shown)).keys(), key=str), faults


def _stored(store: Store, name: str, faults: list[str]) -> Iterator[Shown]:
    """Read everything of one table, opening what is sealed."""
    if store.read(game(name)) is None:
        return
    events = store.events(name)
    for number, event in enumerate(events, 1):
        if event.seq != number:
            faults.append(f"{name}: event {number} is missing")
        if event.type == "sealed":
            unseal(KEY, Place(name, "A", event.seq), event.payload)
        yield _line(event)
    halves = Counter(str(event.payload["turn"]) for event in events if event.type == "step")
    sealed = sum(event.type == "sealed" for event in events)
    if set(halves.values()) - {2} or sealed != len(halves):
        faults.append(f"{name}: a half-written turn")
    yield from _beside(store, name)


def _beside(store: Store, name: str) -> Iterator[Shown]:
    """What lies beside the events: the setting and the seat as they are."""
    for number in range(1, 1 + _wish_number(store, name)):
        yield Shown(name, "setting", number, "")
    for seat in store.read(seats(name)):
        for number in range(1, 1 + int(seat.name)):
            yield Shown(name, "seat", number, "")


def _wish_number(store: Store, name: str) -> int:
    saved = store.read(setting(name))
    return int(str(saved["number"])) if isinstance(saved, dict) else 0


def _line(event: Event) -> Shown:
    digest = hashlib.sha256(json.dumps(event.payload, sort_keys=True).encode()).hexdigest()[:16]
    return Shown(event.game, event.type, event.seq, digest)


def serve(address: str, out: Pipe, seed: int) -> None:
    """The process that is killed: show each thing when it is on disk, and go on until the end comes."""
    store, lock = Store.open(address), threading.Lock()

    def show(things: Iterable[Shown]) -> None:
        with lock:
            for thing in things:
                out.send_bytes(json.dumps(list(vars(thing).values())).encode())

    for n in range(1, TABLES):
        table = _Table(store, f"table-{n}", Random(seed + n))
        threading.Thread(target=_play, args=(table, show), daemon=True).start()
    _play(_Table(store, "table-0", Random(seed)), show)


def _play(table: _Table, show: Callable[[Iterable[Shown]], None]) -> None:
    try:
        while True:
            show(table.turn())
    except BrokenPipeError:
        os._exit(0)


class _Table:
    """One table that plays on where the last process ended."""

    def __init__(self, store: Store, name: str, random: Random) -> None:
        self._store, self._name, self._random = store, name, random
        try:
            self._last = store.read(last_seq(name))
        except UnknownGame:
            store.write(create_game(GameRow(name, name, 1)))
            self._last = 0
        self._wishes = max((int(seat.name) for seat in store.read(seats(name))), default=0)
        self._settings = _wish_number(store, name)

    def turn(self) -> list[Shown]:
        """Write one turn, and now and then something beside it; give what may be shown now."""
        events = self._store.append(self._name, self._events(), self._last)
        self._last = events[-1].seq
        shown = [_line(event) for event in events]
        match self._random.randrange(6):
            case 0:
                self._settings += 1
                value: dict[str, Json] = {"number": self._settings, "noise": self._noise()}
                self._store.write(set_setting(self._name, value))
                shown.append(Shown(self._name, "setting", self._settings, ""))
            case 1:
                self._wishes += 1
                self._store.write(save_seat(SeatRow(self._name, "A", str(self._wishes))))
                shown.append(Shown(self._name, "seat", self._wishes, ""))
        return shown

    def _events(self) -> list[NewEvent]:
        turn: dict[str, Json] = {"turn": self._last}
        first = NewEvent("step", {**turn, "half": 1, "noise": self._noise()}, 1)
        second = NewEvent("step", {**turn, "half": 2, "noise": self._noise()}, 1)
        box = seal(KEY, Place(self._name, "A", self._last + 3), turn)
        return [first, second, NewEvent("sealed", box, 1, private_to("A"))]

    def _noise(self) -> str:
        """Fill between nothing and a few pages, so that writes end anywhere."""
        return self._random.randbytes(self._random.choice((0, 20, 500, 6000))).hex()
