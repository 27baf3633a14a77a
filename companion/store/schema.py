"""The tables, the same in SQLite and PostgreSQL.

Times are whole milliseconds since 1970 (UTC). Codes and tokens are kept as hashes only.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

metadata: Final = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
    }
)


def _game(primary: bool = True) -> sa.Column[str]:
    key = sa.ForeignKey("game.id", ondelete="CASCADE")
    return sa.Column("game", sa.Text, key, primary_key=primary, nullable=False)


game = sa.Table(
    "game",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, nullable=False, index=True),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("title", sa.Text, nullable=False),
)

event = sa.Table(
    "event",
    metadata,
    _game(),
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("type", sa.Text, nullable=False),
    sa.Column("schema", sa.Integer, nullable=False),
    sa.Column("visibility", sa.Text, nullable=False),
    # Text, not JSON: both databases then keep what was written, byte for byte.
    sa.Column("payload", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
)

seat = sa.Table(
    "seat",
    metadata,
    _game(),
    sa.Column("seat", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("language", sa.Text, nullable=False),
    sa.Column("hint_level", sa.Text, nullable=False),
)

pairing = sa.Table(
    "pairing",
    metadata,
    sa.Column("code_hash", sa.Text, primary_key=True),
    _game(primary=False),
    sa.Column("seat", sa.Text, nullable=False),
    sa.Column("expires", sa.BigInteger, nullable=False),
    sa.Column("used", sa.BigInteger, nullable=True),
)

device = sa.Table(
    "device",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("token_hash", sa.Text, nullable=False, unique=True),
    sa.Column("created", sa.BigInteger, nullable=False),
)

hold = sa.Table(
    "hold",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    _game(primary=False),
    sa.Column("seat", sa.Text, nullable=False),
    sa.Column("device", sa.Text, sa.ForeignKey("device.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("exclusive", sa.Boolean, nullable=False),
    sa.Column("since", sa.BigInteger, nullable=False),
    sa.Column("until", sa.BigInteger, nullable=True),
)

_HELD: Final = sa.and_(hold.c.until.is_(None), hold.c.exclusive)

# One holder a seat, guarded by the database itself.
one_holder = sa.Index(
    "one_holder", hold.c.game, hold.c.seat, unique=True, sqlite_where=_HELD, postgresql_where=_HELD
)

setting = sa.Table(
    "setting",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
