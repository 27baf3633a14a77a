"""A companion on a private broker, and people who connect to it."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.bus import Bus
from companion.bus.bus import Options
from companion.bus.mosquitto import Listening, LocalBroker
from companion.store import Store
from companion.table.beat import Beat
from companion.table.live import Table
from companion.table.tables import Tables
from tests.companion.bus.probes import Probe

PLAIN = {"players": [{"seat": "A", "power": None}, {"seat": "B", "power": None}]}
BEAT = 0.1


@dataclass
class House:
    """Tables, their bus and its private broker."""

    tables: Tables
    table: Table
    bus: Bus
    folder: Path

    @property
    def broker(self) -> LocalBroker:
        assert self.bus.broker is not None
        return self.bus.broker

    def probe(self, name: str, **how: Any) -> Probe:
        return Probe(self.broker.address(name), **how)

    def seat(self, seat: str, table: Table | None = None) -> Probe:
        """A seat's own device; the broker needs a moment to learn its name."""
        who = self.broker.address(f"{(table or self.table).id}-{seat}")
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            probe = Probe(who)
            probe.__enter__()
            if probe.code == 0:
                return probe
            probe.__exit__()
        raise AssertionError(f"seat {seat} is not let in")

    def witness(self) -> Probe:
        """Somebody who may hear everything, where the companion itself connects."""
        return Probe(self.broker.hub, "witness")

    def topic(self, rest: str, table: Table | None = None) -> str:
        return f"santorini/v1/{(table or self.table).id}/{rest}"

    def command(self, transaction: str, **more: Any) -> dict[str, Any]:
        now = {"schema": 1, "transaction": transaction, "session": self.bus.session}
        return now | {"seq": self.table.public().seq} | more


def options(**more: Any) -> Options:
    usual = {"listening": Listening(port=0), "chance": random.Random(1), "birth_delay": 0.2, "beat": BEAT}
    return Options(**usual | more)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "santorini.db") as opened:
        yield opened


@pytest.fixture
def tables(store: Store) -> Tables:
    return Tables(store, beat=Beat(period=1e-6))


@pytest.fixture
def house(tables: Tables, tmp_path: Path) -> Iterator[House]:
    table = tables.create(PLAIN)
    bus = Bus(tables, "local", tmp_path, options(sealed=True))
    bus.start()
    try:
        yield House(tables, table, bus, tmp_path)
    finally:
        bus.stop()
