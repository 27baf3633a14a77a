"""The one writer: in order, together where it can be, and one failure hurts nobody else."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from companion.store import Conflict, Event, NewEvent, NotWritten, Store, append
from companion.store.database import connect
from companion.store.fakes import FullDisk
from companion.store.games import GameRow, create_game, games, set_setting, setting
from companion.store.writer import BATCH


class Blocked:
    """Holds the writer up, so that what is queued meanwhile is committed together."""

    def __init__(self, store: Store) -> None:
        self._go = threading.Event()
        self._held = store._writer.submit(lambda _connection: self._go.wait(30))

    def let_go(self) -> None:
        self._go.set()
        assert self._held.result(30)


def commits(store: Store) -> list[int]:
    seen: list[int] = []
    sa.event.listen(store.database.writer, "commit", lambda _connection: seen.append(1))
    return seen


def queued(store: Store, count: int) -> list[Future[tuple[Event, ...]]]:
    return [store._writer.submit(append("g1", [NewEvent("step", {"n": n}, n)], n)) for n in range(count)]


def test_what_waited_together_is_committed_together_in_order(store: Store) -> None:
    blocked, seen = Blocked(store), commits(store)
    futures = queued(store, 3 * BATCH)
    blocked.let_go()
    assert [future.result(30)[0].seq for future in futures] == list(range(1, 3 * BATCH + 1))
    assert len(seen) <= 5


def test_one_failure_hurts_nobody_else(store: Store) -> None:
    blocked = Blocked(store)
    good = queued(store, 3)
    late = store._writer.submit(append("g1", [NewEvent("late", {}, 0)], 1))
    wrong = store._writer.submit(lambda connection: 1 // 0)
    broken = store._writer.submit(lambda connection: connection.exec_driver_sql("SELECT nonsense"))
    after = store._writer.submit(append("g1", [NewEvent("after", {}, 0)], 3))
    blocked.let_go()
    assert [future.result(30)[0].seq for future in good] == [1, 2, 3]
    assert isinstance(late.exception(30), Conflict)
    assert isinstance(wrong.exception(30), ZeroDivisionError)
    assert isinstance(broken.exception(30), NotWritten)
    assert after.result(30)[0].seq == 4
    assert [event.type for event in store.events("g1")] == ["step", "step", "step", "after"]


def test_a_work_that_fails_half_way_leaves_nothing(store: Store) -> None:
    def half(connection: Connection) -> None:
        set_setting("half", 1)(connection)
        raise KeyError("half way")

    with pytest.raises(KeyError):
        store.write(half)
    assert store.read(setting("half")) is None


def test_closing_writes_what_is_queued(address: str | Path) -> None:
    store = Store.open(address)
    store.write(create_game(GameRow("g1", "t", 1)))
    blocked = Blocked(store)
    futures = queued(store, 10)
    closer = threading.Thread(target=store.close)
    closer.start()
    blocked.let_go()
    closer.join(30)
    assert all(future.done() for future in futures)
    with Store.open(address) as again:
        assert len(again.events("g1")) == 10


def test_a_full_disk_is_reported_and_leaves_the_game_as_shown(tmp_path: Path) -> None:
    with Store.open(tmp_path / "santorini.db") as store:
        store.write(create_game(GameRow("g1", "t", 1)))
        store.append("g1", [NewEvent("step", {}, 0)], 0)
        with store.database.writer.connect() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
            # A limit of one connection; the pool holds one, and the writer gets the same again.
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
        with pytest.raises(NotWritten, match="full"):
            store.append("g1", [NewEvent("big", {"x": "y" * 100_000}, 0)], 1)
        assert [event.type for event in store.events("g1")] == ["step"]
        with store.database.writer.connect() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count=1000000")
        store.append("g1", [NewEvent("big", {"x": "y" * 100_000}, 0)], 1)
        assert [event.type for event in store.events("g1")] == ["step", "big"]


def test_a_lock_held_by_another_program_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.store.database.BUSY_SECONDS", 0.2)
    path = tmp_path / "santorini.db"
    with Store.open(path) as store:
        store.write(create_game(GameRow("g1", "t", 1)))
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(NotWritten, match="locked"):
            store.append("g1", [NewEvent("step", {}, 0)], 0)
        assert store.read(games())[0].id == "g1"
        other.execute("ROLLBACK")
        other.close()
        store.append("g1", [NewEvent("step", {}, 0)], 0)


def test_a_lost_server_is_reported_and_found_again(postgres_url: str) -> None:
    with Store.open(postgres_url) as store:
        store.write(create_game(GameRow("g1", "t", 1)))

        def cut_off(connection: Connection) -> Any:
            connection.exec_driver_sql("SELECT pg_terminate_backend(pg_backend_pid())")

        with pytest.raises(NotWritten):
            store.write(cut_off)
        store.append("g1", [NewEvent("step", {}, 0)], 0)
        assert len(store.events("g1")) == 1


def test_each_commit_is_forced_to_disk(tmp_path: Path) -> None:
    database = connect(tmp_path / "santorini.db")
    with database.writer.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar() == 5000
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    with database.reader.connect() as connection, pytest.raises(sa.exc.OperationalError, match="readonly"):
        connection.exec_driver_sql("CREATE TABLE x (y)")
    database.dispose()


def test_readers_of_postgresql_cannot_write(postgres_url: str) -> None:
    with Store.open(postgres_url) as store, pytest.raises(Exception, match="read-only"):
        store.read(set_setting("x", 1))


def test_the_fake_full_disk_behaves_like_a_real_one(tmp_path: Path) -> None:
    with FullDisk.open(tmp_path / "santorini.db") as store:
        store.room = 2
        store.write(create_game(GameRow("g1", "t", 1)))
        asyncio.run(store.append_async("g1", [NewEvent("step", {}, 0)], 0))
        with pytest.raises(NotWritten, match="full"):
            store.append("g1", [NewEvent("step", {}, 0)], 1)
        with pytest.raises(NotWritten, match="full"):
            asyncio.run(store.append_async("g1", [NewEvent("step", {}, 0)], 1))
        assert len(store.events("g1")) == 1
        store.room = 1
        store.append("g1", [NewEvent("step", {}, 0)], 1)
