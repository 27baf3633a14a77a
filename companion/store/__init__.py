"""A game that is never lost: events on disk before anybody is shown them."""

from companion.store.errors import (
    BadExport,
    BrokenDatabase,
    ClearSecret,
    Closed,
    Conflict,
    DatabaseProblem,
    GameExists,
    NewerDatabase,
    NewerEvent,
    NotWritten,
    PairingRefused,
    StoreError,
    UnknownGame,
    UnreachableDatabase,
)
from companion.store.events import PUBLIC, Event, NewEvent, Work, append, last_seq, private_to
from companion.store.store import Store
from companion.store.upcast import Upcasters
from companion.store.values import Json, Payload

__all__ = [
    "PUBLIC",
    "BadExport",
    "BrokenDatabase",
    "ClearSecret",
    "Closed",
    "Conflict",
    "DatabaseProblem",
    "Event",
    "GameExists",
    "Json",
    "NewEvent",
    "NewerDatabase",
    "NewerEvent",
    "NotWritten",
    "PairingRefused",
    "Payload",
    "Store",
    "StoreError",
    "UnknownGame",
    "UnreachableDatabase",
    "Upcasters",
    "Work",
    "append",
    "last_seq",
    "private_to",
]
