"""The MQTT half of `santorini bench things`: a real mosquitto, a real table, 200 subscribers."""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import random
import selectors
import socket
import tempfile
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from companion.bench._things_figures import Figure
from companion.bus import Bus, NotInstalled
from companion.bus.address import BrokerAddress
from companion.bus.bus import Options
from companion.bus.mosquitto import Listening, LocalBroker
from companion.store import Store
from companion.table.commands import Actor, EndTurn, TakeStep
from companion.table.live import Table
from companion.table.tables import Tables
from firmware_bridge.emulator.soak import percentile

TITLE: Final = "MQTT: table state to subscribers on loopback, mosquitto, quality of service 1"
SOON_MS: Final = 20.0
PLAN: Final = {"players": [{"seat": "A", "power": None}, {"seat": "B", "power": None}]}
QUIET: Final = 1.0


def configure(parser: argparse.ArgumentParser) -> None:
    """Take how many subscribers and how many changes."""
    parser.add_argument("--subscribers", type=int, default=200, help="subscribers to the state (200)")
    parser.add_argument("--changes", type=int, default=100, help="changes of the table (100)")


# ---- a subscriber that costs next to nothing, so that the broker and the companion are measured ------------


def _field(text: str) -> bytes:
    data = text.encode()
    return len(data).to_bytes(2, "big") + data


def _packet(kind: int, body: bytes) -> bytes:
    return bytes([kind, len(body)]) + body


def subscriber(who: BrokerAddress, topic: str) -> socket.socket:
    """Connect and subscribe by hand, with MQTT 3.1.1."""
    line = socket.create_connection((who.host, who.port))
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    words = _field(who.user or "") + _field(who.user or "") + _field(who.password or "")
    line.sendall(_packet(0x10, _field("MQTT") + bytes([4, 0xC2, 0, 0]) + words))
    if line.recv(4)[3:] != b"\0":
        raise ConnectionRefusedError(f"{who.user} is not let in")
    line.sendall(_packet(0x82, b"\0\1" + _field(topic) + b"\1"))
    return line


class Reader:
    """Cuts what comes from a socket into messages, and acknowledges them."""

    def __init__(self, line: socket.socket) -> None:
        self._line, self._left = line, b""

    def read(self) -> Iterator[bytes]:
        """Give the payload of each state that is there."""
        self._left += self._line.recv(262_144)
        while (cut := self._cut()) is not None:
            kind, body = cut
            if kind >> 4 != 3:
                continue
            name = 2 + int.from_bytes(body[:2], "big")
            if kind & 6:
                self._line.send(_packet(0x40, body[name : name + 2]))
                name += 2
            yield body[name:]

    def _cut(self) -> tuple[int, bytes] | None:
        length, shift = 0, 0
        for place in range(1, min(5, len(self._left))):
            length |= (self._left[place] & 127) << shift
            shift += 7
            if self._left[place] < 128:
                end = place + 1 + length
                if len(self._left) < end:
                    return None
                cut = self._left[0], self._left[place + 1 : end]
                self._left = self._left[end:]
                return cut
        return None


def seq_of(payload: bytes) -> int:
    """Find the number of a state without reading all of it."""
    start = payload.index(b'"seq":') + 6
    return int(payload[start : payload.index(b",", start)])


def listen(pipe: Connection, people: Sequence[BrokerAddress], topic: str) -> None:
    """In a process of its own: note when each subscriber has which state."""
    readers: dict[int, Reader] = {}
    with contextlib.ExitStack() as stack:
        poll = stack.enter_context(selectors.DefaultSelector())
        for who in people:
            line = stack.enter_context(subscriber(who, topic))
            readers[line.fileno()] = Reader(line)
            poll.register(line, selectors.EVENT_READ)
        pipe.send("ready")
        heard: list[tuple[int, float]] = []
        while not pipe.poll():
            for key, _ in poll.select(0.05):
                for payload in readers[key.fd].read():
                    heard.append((seq_of(payload), time.monotonic()))
        pipe.send(heard)


# ---- the measurement -----------------------------------------------------------------------------------


def change(table: Table, chance: random.Random) -> None:
    """Take a step at random, or begin again from the start of the game."""
    view = table.public()
    prompt = view.prompt
    if prompt is None or (prompt.may_end and (not prompt.steps or chance.random() < 0.5)):
        table.submit(Actor(None, "screen"), EndTurn(do="end", seq=view.seq))
    else:
        step = chance.choice(prompt.steps).step
        table.submit(Actor(None, "screen"), TakeStep(do="step", step=step, seq=view.seq))


def measure(args: argparse.Namespace) -> Iterator[Figure]:
    """Start everything, change the table, compare the times."""
    with tempfile.TemporaryDirectory() as name, Store.open(Path(name) / "bench.db") as store:
        tables = Tables(store)
        table = tables.create(PLAN)
        names = [f"reader-{number}" for number in range(args.subscribers)]
        bus = Bus(tables, "local", Path(name), Options(listening=Listening(port=0)))
        bus.broker = LocalBroker(Path(name), Listening(port=0), more=[(reader, "screen") for reader in names])
        try:
            bus.start()
        except NotInstalled as error:
            print(f"  {error}")
            return
        try:
            people = [bus.broker.address(reader) for reader in names]
            yield from figures(table, people, args.changes)
        finally:
            bus.stop()


def figures(table: Table, people: Sequence[BrokerAddress], changes: int) -> Iterator[Figure]:
    """Change the table and say how long it took until everybody knew."""
    told: dict[int, float] = {}
    here, there = multiprocessing.get_context("spawn").Pipe()
    topic = f"santorini/v1/{table.id}/state"
    child = multiprocessing.get_context("spawn").Process(target=listen, args=(there, people, topic))
    child.start()
    try:
        here.recv()
        forget = table.subscribe(lambda: told.update({table.around.seq: time.monotonic()}))
        chance = random.Random(1)
        for _ in range(changes):
            change(table, chance)
            time.sleep(0.05)
        forget()
        time.sleep(QUIET)
        here.send("end")
        heard = here.recv()
    finally:
        child.join(10)
        if child.is_alive():
            child.kill()
    times = tuple(at - told[seq] for seq, at in heard if seq in told)
    yield Figure("subscribers", len(people))
    yield Figure("changes of the table", len(told))
    yield Figure("states that did not arrive", len(told) * len(people) - len(times), most=0)
    for share, limit in ((0.50, None), (0.99, SOON_MS), (1.0, None)):
        label = "slowest" if share == 1.0 else f"p{round(100 * share)}"
        yield Figure(f"change to subscriber, {label}", 1000 * percentile(times, share), "ms", most=limit)
