"""Whole games with every power: whatever the public view holds, the bus and the lights can say it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.bus.outgoing import events, led, state
from companion.bus.sealed import seat_state
from companion.bus.topics import STATE, packet
from companion.bus.wording import Wording
from companion.lights.picture import Look, Shape, shown
from companion.store import Store
from companion.table.beat import Beat
from companion.table.live import Table
from companion.table.tables import Tables
from engine.cards import CARDS
from engine.setup import SetupError
from tests.companion.table.playing import play_some

STEPS = 24
LARGEST = 65_536
SHAPES: tuple[Shape, ...] = ("cells", "ring")


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    with Store.open(tmp_path / "x.db") as store:
        yield Tables(store, beat=Beat(period=1e-6))


def say_everything(table: Table) -> None:
    view = table.public()
    for _ in range(STEPS):
        play_some(table, seed=len(view.history), steps=1)
        before, view = view, table.public()
        assert len(packet(STATE, state(view, "0" * 16, Wording()), table=table.id).payload) < LARGEST // 2
        list(events(before, view, Wording()))
        for shape in SHAPES:
            led(view.seq, shown(view, shape, Look()))
        for seat in table.seats:
            seat_state(table.view(seat), Wording())


@pytest.mark.slow
def test_every_power_can_be_said(tables: Tables) -> None:
    said = 0
    for power in sorted(CARDS):
        try:
            table = tables.create({"players": [{"seat": "A", "power": power}, {"seat": "B", "power": None}]})
        except SetupError:
            continue
        if not table.session.game.table.secretive:
            say_everything(table)
            said += 1
        tables.close(table.id)
    assert said > 40
