"""Opening a database: migrations, and clear words about one that cannot be used."""

from __future__ import annotations

import re
import shutil
import sqlite3
import sys
import threading
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from companion.store import (
    BrokenDatabase,
    DatabaseProblem,
    NewerDatabase,
    NewEvent,
    Store,
    UnreachableDatabase,
    migrate,
)
from companion.store.database import connect, shown_address
from companion.store.games import GameRow, create_game, games
from companion.store.schema import metadata


def test_migrations_and_metadata_agree(address: str | Path) -> None:
    with Store.open(address) as store, store.database.writer.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def _definitions(path: Path) -> set[str]:
    with sqlite3.connect(path) as connection:
        rows = connection.execute(
            "SELECT sql FROM sqlite_master WHERE sql NOTNULL AND name <> 'alembic_version'"
        )
        found = {re.sub(r"\s+|\"", " ", sql).strip() for (sql,) in rows}
    connection.close()
    # The order of constraints inside a table means nothing.
    return {" ".join(sorted(re.split(r"(?<=[,(])\s|,\s|\s\)", sql.replace(" ,", ",")))) for sql in found}


def test_migrations_and_metadata_agree_to_the_letter(tmp_path: Path) -> None:
    Store.open(tmp_path / "migrated.db").close()
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'created.db'}")
    metadata.create_all(engine)
    engine.dispose()
    assert _definitions(tmp_path / "migrated.db") == _definitions(tmp_path / "created.db")


def test_opening_again_changes_nothing(address: str | Path) -> None:
    with Store.open(address) as store:
        store.write(create_game(GameRow("g1", "t", 1)))
    with Store.open(address) as store:
        assert [game.id for game in store.read(games())] == ["g1"]


def test_programs_that_start_together_wait_for_each_other(address: str | Path) -> None:
    opened: list[Store] = []
    starters = [threading.Thread(target=lambda: opened.append(Store.open(address))) for _ in range(4)]
    for starter in starters:
        starter.start()
    for starter in starters:
        starter.join(30)
    for store in opened:
        store.close()
    assert len(opened) == 4


NEXT = '''"""A later change."""
import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("game", sa.Column("colour", sa.Text, nullable=False, server_default="white"))
    {rest}
'''


def _later_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rest: str) -> None:
    folder = tmp_path / "migrations"
    shutil.copytree(migrate.FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "versions" / "0002_next.py").write_text(NEXT.format(rest=rest))
    monkeypatch.setattr(migrate, "FOLDER", folder)


def test_a_later_program_upgrades_and_an_earlier_one_refuses(
    address: str | Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(address) as store:
        store.write(create_game(GameRow("g1", "t", 1)))
        store.append("g1", [NewEvent("step", {}, 1)], 0)
    with monkeypatch.context() as later:
        _later_program(tmp_path, later, "pass")
        with Store.open(address) as store:
            colours = store.read(
                lambda connection: connection.exec_driver_sql("SELECT colour FROM game").scalars().all()
            )
            assert colours == ["white"]
            assert len(store.events("g1")) == 1
    with pytest.raises(NewerDatabase, match="later version") as caught:
        Store.open(address)
    assert str(caught.value).startswith(
        shown_address(address).replace("postgresql://", "postgresql+psycopg://")
    )
    assert "Install the later version" in caught.value.remedy


def test_a_migration_that_fails_leaves_the_database_as_it_was(
    address: str | Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(address) as store:
        store.write(create_game(GameRow("g1", "t", 1)))
    with monkeypatch.context() as later:
        _later_program(tmp_path, later, "raise RuntimeError('half way')")
        with pytest.raises(RuntimeError, match="half way"):
            Store.open(address)
    with Store.open(address) as store:
        assert [game.id for game in store.read(games())] == ["g1"]


def _says(path: Path, kind: type[DatabaseProblem], *words: str) -> None:
    with pytest.raises(kind) as caught:
        Store.open(path)
    message = str(caught.value)
    for word in (str(path), *words):
        assert word in message
    assert "\n" not in message


def _filled(path: Path) -> Path:
    with Store.open(path) as store:
        for n in range(20):
            store.write(create_game(GameRow(f"g{n}", "t", 1)))
            store.append(f"g{n}", [NewEvent("step", {"x": "y" * 900}, 1)], 0)
    return path


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "santorini.db"
    path.write_bytes(b"These are my holiday notes, not a database. " * 100)
    before = path.read_bytes()
    _says(path, BrokenDatabase, "no database", "santorini backup --restore")
    assert path.read_bytes() == before


def test_a_damaged_database(tmp_path: Path) -> None:
    path = _filled(tmp_path / "santorini.db")
    data = bytearray(path.read_bytes())
    data[5000:30000] = b"\xa5" * 25000
    path.write_bytes(data)
    _says(path, BrokenDatabase, "damaged", "santorini backup --restore")


def test_a_database_cut_in_half(tmp_path: Path) -> None:
    path = _filled(tmp_path / "santorini.db")
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    _says(path, BrokenDatabase, "damaged", "santorini backup --restore")


def test_a_database_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "santorini.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE recipes (name)")
    connection.close()
    _says(path, BrokenDatabase, "recipes", "--data DIR")


def test_a_place_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    _says(tmp_path / "file" / "santorini.db", UnreachableDatabase, "--data DIR")
    (tmp_path / "folder").mkdir()
    _says(tmp_path / "folder", UnreachableDatabase, "--data DIR")


def test_a_database_somebody_else_has_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.store.database.BUSY_SECONDS", 0.2)
    path = _filled(tmp_path / "santorini.db")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    _says(path, UnreachableDatabase, "in use", "another companion")
    other.close()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("postgresql://lab:pa55@/postgres?host=/nowhere", ("/nowhere", "server runs")),
        ("mysql://root:pa55@host/db", ("only postgresql://",)),
        ("://", ("no URL",)),
        ("postgresql://host:port/db", ("no URL",)),
    ],
)
def test_a_server_that_is_not_there(url: str, words: tuple[str, ...]) -> None:
    with pytest.raises(UnreachableDatabase) as caught:
        Store.open(url)
    for word in words:
        assert word in str(caught.value)
    assert "pa55" not in str(caught.value)


def test_a_missing_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(UnreachableDatabase, match=r"santorini-companion\[postgres\]"):
        connect("postgresql://lab@host/db")


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "santorini.db"
    with Store.open(path) as store:
        store.write(create_game(GameRow("g1", "t", 1)))
        for file in path.parent.iterdir():
            assert file.stat().st_mode & 0o077 == 0, file
    assert path.parent.stat().st_mode & 0o077 == 0
