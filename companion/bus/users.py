"""Who may connect to the private broker, and what each may read and write; follows from the topics."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.bus.topics import TABLE, TOPICS, Role

ROUNDS: Final = 101  # what mosquitto_passwd uses; the passwords are random, so guessing is hopeless anyway
PERMANENT: Final[Mapping[str, Role]] = {
    "screen": "screen",
    "control": "control",
    "homeassistant": "homeassistant",
    "lights": "lights",
}

REPLIES: Final[Mapping[Role, str]] = {"lights": "button", "homeassistant": "button", "seat": "open"}
"""Roles that read only one kind of reply."""


@dataclass(frozen=True)
class User:
    """Somebody who may connect. A seat's user belongs to one seat of one table."""

    name: str
    role: Role
    table: str | None = None
    seat: str | None = None


def seat_user(table: str, seat: str) -> User:
    """Name the user of a seat."""
    if not TABLE.fullmatch(table) or seat not in ("A", "B", "C", "D"):
        raise ValueError(f"no seat '{seat}' at '{table}'")
    return User(f"{table}-{seat}", "seat", table, seat)


def new_password() -> str:
    """Make a password of 128 random bits."""
    return secrets.token_urlsafe(16)


def hashed(password: str, random: Callable[[int], bytes] = os.urandom) -> str:
    """Write a password as mosquitto keeps it: PBKDF2 with SHA-512."""
    salt = random(12)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS)
    return f"$7${ROUNDS}${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"


def access_lines(users: Iterable[User]) -> Iterator[str]:
    """Write the access list: what is not named here is denied."""
    for user in users:
        yield f"user {user.name}"
        for topic in TOPICS:
            if user.role in topic.roles:
                known = {"table": user.table, "seat": user.seat, "about": REPLIES.get(user.role)}
                address = topic.filter({name: value for name, value in known.items() if value})
                # What the companion sends is read by others, and the other way round.
                yield f"topic {'read' if topic.way == 'out' else 'write'} {address}"
        if user.role == "homeassistant":
            yield "topic read homeassistant/status"


class Vault:
    """The passwords of the private broker's users, kept in one file for their owner."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._passwords: dict[str, str] = {}

    def open(self) -> None:
        """Read the file, or begin a new one; passwords stay the same from start to start."""
        try:
            found = json.loads(self._path.read_text("utf-8"))
        except (FileNotFoundError, ValueError):
            found = {}
        kept = found if isinstance(found, dict) else {}
        self._passwords = {str(name): word for name, word in kept.items() if isinstance(word, str)}

    def password(self, name: str) -> str:
        """Give a user's password; a new user gets one."""
        if name not in self._passwords:
            self._passwords[name] = new_password()
            write_private(self._path, json.dumps(self._passwords, indent=1) + "\n")
        return self._passwords[name]


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner may read; readers see the old one or the new one, never half."""
    beside = path.with_name(f".{path.name}.new")
    beside.unlink(missing_ok=True)
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    beside.replace(path)
