"""Bringing a database to today's schema when it is opened."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Connection

from companion.store.database import Database
from companion.store.errors import BrokenDatabase, NewerDatabase

_LOCK: Final = 0x53414E54
FOLDER: Final = Path(__file__).parent / "migrations"


def configuration() -> Config:
    """Point alembic to the migrations in this package."""
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    return config


def head() -> str:
    """Name today's revision of the schema."""
    found = ScriptDirectory.from_config(configuration()).get_current_head()
    assert found is not None, "the package holds at least one migration"
    return found


def known() -> frozenset[str]:
    """Name all revisions up to today's."""
    scripts = ScriptDirectory.from_config(configuration()).walk_revisions()
    return frozenset(script.revision for script in scripts)


def revision_of(database: Database) -> str | None:
    """Name the database's revision, None for an empty one; refuse one that is newer or not ours."""
    with database.writer.begin() as connection:
        return _revision(database.address, connection)


def upgrade(database: Database) -> None:
    """Run the missing migrations in one transaction; refuse a database that is newer or not ours."""
    with database.writer.begin() as connection:
        if connection.dialect.name == "postgresql":
            # Two programs that start together: the second waits here (SQLite's transaction waits by itself).
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        present = _revision(database.address, connection)
        if present != head():
            config = configuration()
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


def _revision(address: str, connection: Connection) -> str | None:
    present = MigrationContext.configure(connection).get_current_revision()
    if present is None:
        if tables := sa.inspect(connection).get_table_names():
            what = f"this is not a database of the companion (it holds {', '.join(sorted(tables)[:3])})"
            raise BrokenDatabase(address, what, "Name another: --data DIR or --database URL")
        return None
    if present not in known():
        raise NewerDatabase(
            address,
            f"the database was written by a later version (schema {present}, this one knows {head()})",
            "Install the later version of the companion, or name another: --data DIR",
        )
    return present
