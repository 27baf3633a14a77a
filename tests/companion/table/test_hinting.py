"""Hints beside the game: threats, and where hidden things can be, for those who want them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.store import Store
from companion.table.commands import Actor, SetHints
from companion.table.hinting import Hinter
from companion.table.live import Table
from companion.table.seatview import ContentSeen, Difference
from companion.table.tables import Tables
from tests.companion.table.test_secrets import AT_ONCE, KEY, A, B, BringKey, do, phone_commits

HOST = Actor(None, "host")
NEAR_WINNING = {
    "players": [{"seat": "A", "power": None}, {"seat": "B", "power": None}],
    "opening": {
        "position": {
            "board": ["00000", "00000", "00230", "00000", "00000"],
            "workers": {"A1": "a1", "A2": "a2", "B1": "c3", "B2": "e1"},
            "to_move": "A",
        }
    },
}


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    with Store.open(tmp_path / "santorini.db") as store:
        yield Tables(store, beat=AT_ONCE)


@pytest.fixture
def hinter(tables: Tables) -> Iterator[Hinter]:
    running = Hinter(tables)
    running.start()
    yield running
    running.stop()


def until(condition: Callable[[], bool], seconds: float = 10.0) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def wants(table: Table, seat: str) -> None:
    command = SetHints(do="hint_level", seat=seat, level="threats", seq=table.around.seq)
    assert table.submit(HOST, command).ok


def test_a_threat_is_told_to_those_who_want_it(tables: Tables, hinter: Hinter) -> None:
    table = tables.create(NEAR_WINNING)
    wants(table, "A")
    assert until(lambda: bool(table.view("A").hints.threats))
    threat = table.view("A").hints.threats[0]
    assert (threat.seat, threat.cells) == ("B", ("d3",))
    assert table.view("B").hints.threats == ()
    assert table.public().hints.threats == ()


def test_a_hint_is_never_older_than_the_board(tables: Tables, hinter: Hinter) -> None:
    table = tables.create(NEAR_WINNING)
    wants(table, "A")
    assert until(lambda: bool(table.view("A").hints.threats))
    do(table, A, "A1:a1>b1")
    hinter.stop()
    do(table, A, "A1+b2", "end")
    assert table.view("A").hints.threats == ()


def test_where_hidden_workers_can_be_is_for_their_opponents(tables: Tables, hinter: Hinter) -> None:
    table = tables.create({"players": [{"seat": "A", "power": "hecate"}, {"seat": "B", "power": None}]})
    for seat in "AB":
        wants(table, seat)
    assert table.submit(A, BringKey(do="key", key=KEY, seq=0)).ok
    do(table, B, "B1@b4", "B2@d2")
    do(table, A, "A1@a1", "A2@a2")
    import random

    phone_commits(table, random.Random(1))
    do(table, A, "A1:a1>b1", "A1+c1", "end")
    phone_commits(table, random.Random(2))
    assert until(lambda: table.view("B").hints.possible is not None)
    possible = table.view("B").hints.possible
    assert possible is not None
    assert possible.what == "hecate"
    assert "b1" in possible.cells
    assert "b4" not in possible.cells
    assert table.view("A").hints.possible is None
    assert table.public().hints.possible is None


def test_hints_pause_while_the_board_is_out_of_step(tables: Tables, hinter: Hinter) -> None:
    table = tables.create(NEAR_WINNING)
    wants(table, "A")
    assert until(lambda: bool(table.view("A").hints.threats))
    table.surround(sync=(Difference("a5", ContentSeen(0, ""), ContentSeen(2, "")),))
    assert table.view("A").hints.threats == () and table.view("A").prompt is None
    table.surround(sync=None)
    assert table.view("A").hints.threats and table.view("A").prompt is not None


def test_a_table_that_was_closed_is_forgotten(tables: Tables, hinter: Hinter) -> None:
    table = tables.create({"players": [{"seat": "A", "power": "hecate"}, {"seat": "B", "power": None}]})
    wants(table, "B")
    assert table.submit(A, BringKey(do="key", key=KEY, seq=0)).ok
    do(table, B, "B1@b4", "B2@d2")
    do(table, A, "A1@a1", "A2@a2")
    assert until(lambda: table.id in hinter._follow)
    hinter.stop()
    assert until(lambda: not hinter._thread.is_alive())
    hinter._look_around()
    tables.close(table.id)
    hinter._look_around()
    assert table.id not in hinter._follow
