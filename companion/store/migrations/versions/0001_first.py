"""The first tables: games, their events, seats, devices, settings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False)


def _time(name: str, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger, nullable=nullable)


def _belongs(table: str, column: str = "game", target: str = "game.id") -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [target], f"fk_{table}_{column}", ondelete="CASCADE")


def _key(table: str, *columns: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*columns, name=f"pk_{table}")


def upgrade() -> None:
    """Create the tables."""
    _games()
    _seats()
    _devices()
    _rest()


def _games() -> None:
    columns = (_text("id"), _text("table_id"), _time("created"), _text("state"), _text("title"))
    op.create_table("game", *columns, _key("game", "id"))
    op.create_index("ix_game_table_id", "game", ["table_id"])
    op.create_table(
        "event",
        _text("game"),
        _time("seq"),
        _text("type"),
        sa.Column("schema", sa.Integer, nullable=False),
        _text("visibility"),
        _text("payload"),
        _time("at"),
        _key("event", "game", "seq"),
        _belongs("event"),
    )


def _seats() -> None:
    wishes = (_text("name"), _text("language"), _text("hint_level"))
    op.create_table(
        "seat", _text("game"), _text("seat"), *wishes, _key("seat", "game", "seat"), _belongs("seat")
    )
    op.create_table(
        "pairing",
        _text("code_hash"),
        _text("game"),
        _text("seat"),
        _time("expires"),
        _time("used", nullable=True),
        _key("pairing", "code_hash"),
        _belongs("pairing"),
    )


def _devices() -> None:
    unique = sa.UniqueConstraint("token_hash", name="uq_device_token_hash")
    op.create_table(
        "device", _text("id"), _text("token_hash"), _time("created"), _key("device", "id"), unique
    )
    op.create_table(
        "hold",
        _text("id"),
        _text("game"),
        _text("seat"),
        _text("device"),
        sa.Column("exclusive", sa.Boolean, nullable=False),
        _time("since"),
        _time("until", nullable=True),
        _key("hold", "id"),
        _belongs("hold"),
        _belongs("hold", "device", "device.id"),
    )
    op.create_index("ix_hold_device", "hold", ["device"])
    held = sa.and_(sa.column("until").is_(None), sa.column("exclusive", sa.Boolean))
    op.create_index(
        "one_holder", "hold", ["game", "seat"], unique=True, sqlite_where=held, postgresql_where=held
    )


def _rest() -> None:
    op.create_table("setting", _text("key"), _text("value"), _key("setting", "key"))
