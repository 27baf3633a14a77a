"""Opening a database: SQLite in a file, or PostgreSQL by URL."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, DBAPIError, OperationalError

from companion.store.errors import BrokenDatabase, UnreachableDatabase

BUSY_SECONDS: Final[float] = 5
FILE_MODE: Final = 0o600
POSTGRES_OPTIONS: Final = f"-c synchronous_commit=on -c lock_timeout={int(BUSY_SECONDS * 1000)}"

_RESTORE: Final = "Move the file away and restore a backup: santorini backup --restore FILE"
_RIGHTS: Final = (
    "Check that the folder exists, is yours to write and on a local disk, or name another: --data DIR"
)
_OTHER: Final = (
    "Is another companion running with the same data? Stop it, or give this one its own: --data DIR"
)
_SERVER: Final = "Check the URL and that the server runs, or leave --database out to use a file"
_DRIVER: Final = "Install it with: pip install 'santorini-companion[postgres]'"


@dataclass(frozen=True)
class Database:
    """One engine that writes and one that only reads."""

    address: str
    writer: Engine
    reader: Engine

    def dispose(self) -> None:
        """Close all connections."""
        self.reader.dispose()
        self.writer.dispose()


def connect(address: str | Path) -> Database:
    """Open what the address names: a path is an SQLite file, a URL a PostgreSQL database."""
    if isinstance(address, Path):
        return _sqlite(address)
    if "://" not in address:
        return _sqlite(Path(address))
    return _postgres(address)


def shown_address(address: str | Path) -> str:
    """Give an address without its password."""
    if isinstance(address, Path) or "://" not in address:
        return str(address)
    return _url(address).render_as_string(hide_password=True)


def problem(address: str, error: DBAPIError) -> BrokenDatabase | UnreachableDatabase:
    """Put a driver's error into words that name the database and what to do."""
    cause = str(error.orig).strip().splitlines()[0] if error.orig else str(error)
    if not isinstance(error.orig, sqlite3.Error):
        return UnreachableDatabase(address, cause, _SERVER)
    if "locked" in cause or "busy" in cause:
        return UnreachableDatabase(address, "the database is in use", _OTHER)
    if isinstance(error, OperationalError):
        return UnreachableDatabase(address, cause, _RIGHTS)
    return BrokenDatabase(address, f"the file is damaged or no database ({cause})", _RESTORE)


def check(database: Database) -> None:
    """Look the database over; raise BrokenDatabase or UnreachableDatabase with what to do."""
    try:
        with database.writer.connect() as connection:
            if connection.dialect.name == "sqlite":
                _check_sqlite(database.address, connection)
    except DatabaseError as error:
        raise problem(database.address, error) from error


def _check_sqlite(address: str, connection: Connection) -> None:
    mode = connection.exec_driver_sql("PRAGMA journal_mode").scalar()
    if mode != "wal":
        raise UnreachableDatabase(address, f"the disk allows no write-ahead log (mode {mode})", _RIGHTS)
    found = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar())
    if found != "ok":
        raise BrokenDatabase(address, f"the file is damaged ({found.splitlines()[-1]})", _RESTORE)


def _sqlite(path: Path) -> Database:
    _make_private(path)
    url = URL.create("sqlite+pysqlite", database=str(path))
    arguments = {"timeout": BUSY_SECONDS, "check_same_thread": False}
    writer = sa.create_engine(url, connect_args=arguments, hide_parameters=True)
    reader = sa.create_engine(url, connect_args=arguments, hide_parameters=True)
    _prepare(writer, "BEGIN IMMEDIATE", ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"))
    _prepare(reader, "BEGIN", ("query_only=ON",))
    return Database(str(path), writer, reader)


def _prepare(engine: Engine, begin: str, pragmas: tuple[str, ...]) -> None:
    """Make the driver leave transactions to us, and set the pragmas on every new connection."""

    def on_connect(connection: Any, _record: object) -> None:
        connection.isolation_level = None
        for pragma in (f"busy_timeout={int(BUSY_SECONDS * 1000)}", "foreign_keys=ON", *pragmas):
            connection.execute(f"PRAGMA {pragma}")

    def on_begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    sa.event.listen(engine, "connect", on_connect)
    sa.event.listen(engine, "begin", on_begin)


def _make_private(path: Path) -> None:
    """Create the file for its owner alone; SQLite gives its side files the same rights."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        is_new = not path.exists()
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, FILE_MODE))
        if is_new:
            _sync_folder(path.parent)
            _sync_folder(path.parent.parent)
    except OSError as error:
        raise UnreachableDatabase(str(path), error.strerror or "cannot be opened", _RIGHTS) from error


def _sync_folder(folder: Path) -> None:
    """Force the names in a folder to disk: a file whose name is lost is lost."""
    if os.name == "nt":  # Windows opens no folders, and needs no such thing
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _url(address: str) -> URL:
    try:
        url = make_url(address)
    except (ArgumentError, ValueError) as error:
        raise UnreachableDatabase("--database", "that is no URL", _SERVER) from error
    if url.get_backend_name() not in ("postgresql", "postgres"):
        raise UnreachableDatabase(
            url.render_as_string(), "only postgresql:// is known", "Without --database a file is used"
        )
    return url.set(drivername="postgresql+psycopg")


def _postgres(address: str) -> Database:
    url = _url(address)
    shown = url.render_as_string(hide_password=True)
    try:
        engine = sa.create_engine(
            url,
            connect_args={"options": POSTGRES_OPTIONS, "connect_timeout": int(BUSY_SECONDS)},
            pool_pre_ping=True,
            hide_parameters=True,
        )
    except ModuleNotFoundError as error:
        raise UnreachableDatabase(shown, "the driver for PostgreSQL is not installed", _DRIVER) from error
    return Database(shown, engine, engine.execution_options(postgresql_readonly=True))
