"""A game that is never lost: kill -9 at random moments, and the power cut off."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

import pytest

from companion.bench._table_kills import Shown, _line, _Table, compare, run_kills
from companion.store import DatabaseProblem, NewEvent, Store
from companion.store.games import GameRow, create_game
from tests.companion.store.powerloss import Operation, after_power_loss, compiled, recorded
from tests.companion.store.powerloss_server import DATABASE, SHOWN

pytestmark = pytest.mark.slow

TURNS = 25


def test_killed_twenty_times_nothing_shown_is_lost() -> None:
    report = run_kills(20, seed=2)
    assert report.faults == [], str(report)
    assert report.kills == 20
    assert report.shown > 100, "hardly anything was shown, so this showed nothing"
    assert report.in_mid_write > 0, "no kill came between disk and screen"


def test_killed_with_postgresql_nothing_shown_is_lost(postgres_url: str) -> None:
    report = run_kills(4, postgres_url)
    assert report.faults == [], str(report)
    assert report.shown > 20


def server_that_shows_too_early(address: str, out: Connection, _seed: int) -> None:
    """Shows the first event of every turn before it is on disk."""
    with Store.open(address) as store:
        table = _Table(store, "table-0", Random(1))
        while True:
            early = table.turn()
            ahead = Shown("table-0", "step", early[-1].number + 100, "0" * 16)
            out.send_bytes(json.dumps(list(vars(ahead).values())).encode())


def test_a_server_that_shows_too_early_is_found_out() -> None:
    report = run_kills(2, server=server_that_shows_too_early)
    assert report.faults
    assert "shown but not on disk" in report.faults[0]


def test_a_turn_written_by_half_is_found_out(tmp_path: Path) -> None:
    with Store.open(tmp_path / "santorini.db") as store:
        shown = _Table(store, "table-0", Random(1)).turn()
        assert compare(store, shown) == ([], [])
        last = store.events("table-0")[-1].seq
        store.append("table-0", [NewEvent("step", {"turn": last, "half": 1}, 1)], last)
        extra, faults = compare(store, shown)
        assert [thing.number for thing in extra] == [last + 1]
        assert faults == ["table-0: a half-written turn"]
        store.write(lambda connection: connection.exec_driver_sql("DELETE FROM event WHERE seq = 2"))
        assert any("event 2 is missing" in fault for fault in compare(store, shown)[1])
        assert any("shown but not on disk" in fault for fault in compare(store, shown)[1])


def test_a_changed_event_is_found_out(tmp_path: Path) -> None:
    with Store.open(tmp_path / "santorini.db") as store:
        store.write(create_game(GameRow("table-0", "t", 1)))
        events = store.append("table-0", [NewEvent("other", {"n": 1}, 1)], 0)
        store.write(lambda connection: connection.exec_driver_sql("""UPDATE event SET payload = '{"n":2}'"""))
        assert len(compare(store, map(_line, events))[1]) == 1


def _shown(content: bytes) -> Iterator[Shown]:
    whole = content[: content.rfind(b"\n") + 1]
    return (Shown(*json.loads(line)) for line in whole.splitlines())


def _on_screen(operations: list[Operation]) -> list[Shown]:
    content = b"".join(operation.data for operation in operations if operation.path.name == SHOWN)
    return list(_shown(content))


def _power_losses(operations: list[Operation], count: int, folder: Path, seed: int) -> tuple[int, list[str]]:
    """Cut the power off at random moments; give how many databases would not open, and what was missing."""
    random, broken, faults = Random(seed), 0, []
    for number in range(count):
        moment = random.randrange(1, len(operations) + 1)
        past = operations[:moment]
        folder.mkdir()
        to_disk = [operation for operation in past if operation.path.name != SHOWN]
        for name, content in after_power_loss(to_disk, random).items():
            (folder / name).write_bytes(content)
        try:
            with Store.open(folder / DATABASE) as store:
                found = compare(store, _on_screen(past))[1]
                faults += [f"seed {seed}, loss {number} at operation {moment}: {fault}" for fault in found]
        except DatabaseProblem:
            broken += 1
        shutil.rmtree(folder)
    return broken, faults


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("library"))


@pytest.mark.slow
def test_the_power_fails_and_nothing_shown_is_lost(library: Path, tmp_path: Path) -> None:
    operations = recorded(library, tmp_path, TURNS, "FULL")
    assert len(_on_screen(operations)) >= 3 * 3 * TURNS
    assert len(operations) > 1000
    broken, faults = _power_losses(operations, 60, tmp_path / "after", seed=3)
    assert (broken, faults) == (0, [])


@pytest.mark.slow
def test_with_the_weaker_setting_the_power_loss_would_be_noticed(library: Path, tmp_path: Path) -> None:
    operations = recorded(library, tmp_path, TURNS, "NORMAL")
    broken, faults = _power_losses(operations, 20, tmp_path / "after", seed=3)
    assert broken == 0
    assert any("shown but not on disk" in fault for fault in faults)
