"""Seats and the devices that hold them.

A pairing code is single-use and short-lived; a device keeps a token of its own instead. Both are made
by the caller (`new_code`, `new_token`) and kept as hashes only. A seat that is held cannot be paired
again before `release` has put the old device out.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from companion.store import schema
from companion.store.errors import PairingRefused
from companion.store.events import Work, last_seq

HOST: Final = "host"
SCREEN: Final = "screen"
CAMERA: Final = "camera"


@dataclass(frozen=True)
class SeatRow:
    """A seat's own wishes."""

    game: str
    seat: str
    name: str = ""
    language: str = "en"
    hint_level: str = "legal"


@dataclass(frozen=True)
class Hold:
    """A device holding a seat of a game (or the place of the host, the camera, or a screen)."""

    game: str
    seat: str
    device: str


def new_code() -> str:
    """Make a pairing code of 128 bits for a QR code."""
    return secrets.token_urlsafe(16)


def new_token() -> str:
    """Make a device token of 256 bits for a cookie."""
    return secrets.token_urlsafe(32)


def save_seat(row: SeatRow) -> Work[None]:
    """Keep a seat's name, language and hint level."""

    def work(connection: Connection) -> None:
        last_seq(row.game)(connection)
        columns = schema.seat.c
        connection.execute(sa.delete(schema.seat).where(columns.game == row.game, columns.seat == row.seat))
        connection.execute(sa.insert(schema.seat), vars(row))

    return work


def seats(game: str) -> Work[tuple[SeatRow, ...]]:
    """List the seats of a game."""

    def work(connection: Connection) -> tuple[SeatRow, ...]:
        query = sa.select(schema.seat).where(schema.seat.c.game == game).order_by(schema.seat.c.seat)
        return tuple(SeatRow(**row) for row in connection.execute(query).mappings())

    return work


def offer(game: str, seat: str, code: str, expires: int) -> Work[None]:
    """Keep a pairing code for a seat; earlier unused codes of that seat stop working."""

    def work(connection: Connection) -> None:
        last_seq(game)(connection)
        columns = schema.pairing.c
        unused = sa.delete(schema.pairing).where(
            columns.game == game, columns.seat == seat, columns.used.is_(None)
        )
        connection.execute(unused)
        row = {"code_hash": _hashed("code", code), "game": game, "seat": seat, "expires": expires}
        connection.execute(sa.insert(schema.pairing), row)

    return work


def pair(code: str, token: str, now: int, camera: bool = False) -> Work[Hold]:
    """Swap a code for a seat, or for the camera's place, held by the device with this token.

    A code of the other kind is as unknown as any, and stays unused.
    """

    def work(connection: Connection) -> Hold:
        hashed = _hashed("code", code)
        columns = schema.pairing.c
        query = sa.select(schema.pairing).where(columns.code_hash == hashed).with_for_update()
        found = connection.execute(query).mappings().first()
        if found is None or (found["seat"] == CAMERA) != camera:
            raise PairingRefused("unknown")
        if found["used"] is not None:
            raise PairingRefused("used")
        if now >= found["expires"]:
            raise PairingRefused("expired")
        connection.execute(sa.update(schema.pairing).where(columns.code_hash == hashed).values(used=now))
        hold = Hold(found["game"], found["seat"], _device(connection, token, now))
        return _take(connection, hold, hashed, now)

    return work


def holds(token: str) -> Work[tuple[Hold, ...]]:
    """Say what the device with this token holds now; nothing for an unknown one or one put out."""

    def work(connection: Connection) -> tuple[Hold, ...]:
        query = (
            sa.select(schema.hold.c.game, schema.hold.c.seat, schema.hold.c.device)
            .join(schema.device)
            .where(schema.device.c.token_hash == _hashed("token", token), schema.hold.c.until.is_(None))
            .order_by(schema.hold.c.game, schema.hold.c.seat)
        )
        return tuple(Hold(**row) for row in connection.execute(query).mappings())

    return work


def holders(game: str) -> Work[tuple[Hold, ...]]:
    """Say which devices hold the seats of a game now."""

    def work(connection: Connection) -> tuple[Hold, ...]:
        columns = schema.hold.c
        query = sa.select(columns.game, columns.seat, columns.device)
        query = query.where(columns.game == game, columns.until.is_(None)).order_by(
            columns.seat, columns.device
        )
        return tuple(Hold(**row) for row in connection.execute(query).mappings())

    return work


def release(game: str, seat: str, now: int) -> Work[tuple[Hold, ...]]:
    """Put out whoever holds a seat (lost phone, left the table) and say who that was."""

    def work(connection: Connection) -> tuple[Hold, ...]:
        out = tuple(hold for hold in holders(game)(connection) if hold.seat == seat)
        columns = schema.hold.c
        query = sa.update(schema.hold).where(
            columns.game == game, columns.seat == seat, columns.until.is_(None)
        )
        connection.execute(query.values(until=now))
        return out

    return work


def move_hold(old: str, fresh: str, seat: str) -> Work[None]:
    """Let whoever holds a place in one game hold it in another instead."""

    def work(connection: Connection) -> None:
        last_seq(fresh)(connection)
        columns = schema.hold.c
        held = sa.update(schema.hold).where(
            columns.game == old, columns.seat == seat, columns.until.is_(None)
        )
        connection.execute(held.values(game=fresh))

    return work


def _hashed(kind: str, text: str) -> str:
    # Plain SHA-256 is enough: codes and tokens are random and long, so there is nothing to guess.
    return hashlib.sha256(f"santorini {kind} {text}".encode()).hexdigest()


def _device(connection: Connection, token: str, now: int) -> str:
    hashed = _hashed("token", token)
    query = sa.select(schema.device.c.id).where(schema.device.c.token_hash == hashed)
    known = connection.execute(query).scalar()
    if known is not None:
        return str(known)
    name = hashlib.sha256(f"santorini device {hashed}".encode()).hexdigest()[:16]
    connection.execute(sa.insert(schema.device), {"id": name, "token_hash": hashed, "created": now})
    return name


def _take(connection: Connection, hold: Hold, code_hash: str, now: int) -> Hold:
    if hold in holders(hold.game)(connection):
        return hold
    # The code is used once, so its hash names the hold.
    row = {**vars(hold), "id": code_hash, "exclusive": hold.seat != SCREEN, "since": now}
    try:
        connection.execute(sa.insert(schema.hold), row)
    except IntegrityError as error:
        raise PairingRefused("taken") from error
    return hold
