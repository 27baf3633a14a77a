"""What can go wrong with the store, each with its evidence.

StoreError
├── Closed             the store was closed
├── UnknownGame        no such game
├── GameExists         a game of that name is there already
├── Conflict           somebody else appended first
├── ClearSecret        a private event whose payload is not sealed
├── NotWritten         the database refused: disk full, locked, connection lost
├── NewerEvent         an event of a later version of the program
├── BadExport          a file of exported games that is damaged
├── PairingRefused     a pairing code that does not open a seat (`why`)
└── DatabaseProblem    the database cannot be used as it is
    ├── BrokenDatabase     damaged, or not ours
    ├── NewerDatabase      written by a later version of the program
    └── UnreachableDatabase    cannot be opened: rights, lock, network
"""

from __future__ import annotations

from typing import Literal

PairingReason = Literal["unknown", "used", "expired", "taken"]


class StoreError(Exception):
    """Anything the store reports."""


class Closed(StoreError):
    """The store was closed; nothing was written."""


class UnknownGame(StoreError):
    """No such game."""

    def __init__(self, game: str) -> None:
        super().__init__(f"there is no game '{game}'")
        self.game = game


class GameExists(StoreError):
    """A game of that name is there already."""

    def __init__(self, game: str) -> None:
        super().__init__(f"there is a game '{game}' already")
        self.game = game


class Conflict(StoreError):
    """Somebody else appended first: read again, decide again."""

    def __init__(self, game: str, expected: int, found: int) -> None:
        super().__init__(f"game '{game}' stands at event {found}, not {expected}: read it again first")
        self.game, self.expected, self.found = game, expected, found


class ClearSecret(StoreError):
    """A private event must carry a sealed payload; this one did not."""

    def __init__(self, game: str, event_type: str, visibility: str) -> None:
        super().__init__(f"event '{event_type}' for {visibility} of game '{game}' is not sealed; not written")
        self.game, self.event_type, self.visibility = game, event_type, visibility


class NotWritten(StoreError):
    """The database refused or went away: nothing of this may be shown.

    Read the game again before going on: a server lost in the very moment of a commit may have written it.
    """


class NewerEvent(StoreError):
    """An event of a later version of the program."""

    def __init__(self, event_type: str, schema: int, known: int) -> None:
        super().__init__(
            f"event '{event_type}' has schema {schema}, this program knows {known}: install the later version"
        )
        self.event_type, self.schema, self.known = event_type, schema, known


class BadExport(StoreError):
    """A file of exported games that is damaged or of another kind; nothing was imported."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}; nothing was imported")
        self.line, self.what = line, what


class PairingRefused(StoreError):
    """This code does not open a seat."""

    def __init__(self, why: PairingReason) -> None:
        super().__init__(f"this pairing code is {why}" if why != "taken" else "this seat is taken")
        self.why = why


class DatabaseProblem(StoreError):
    """The database cannot be used as it is."""

    def __init__(self, address: str, what: str, remedy: str) -> None:
        super().__init__(f"{address}: {what}. {remedy}")
        self.address, self.what, self.remedy = address, what, remedy


class BrokenDatabase(DatabaseProblem):
    """Damaged, or not a database of this program."""


class NewerDatabase(DatabaseProblem):
    """Written by a later version of the program."""


class UnreachableDatabase(DatabaseProblem):
    """Cannot be opened: rights, a lock, the network, a missing driver."""
