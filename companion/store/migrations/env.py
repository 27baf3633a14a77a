"""Alembic's entry: runs the migrations on the connection it is given, all in its transaction."""

from __future__ import annotations

from alembic import context

from companion.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=True
)
context.run_migrations()
