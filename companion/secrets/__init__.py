"""Secrets: sealed at rest, committed to in public, revealed at the end, sealed on the air."""

from companion.secrets.canonical import canonical
from companion.secrets.commit import (
    Owner,
    Published,
    Revealed,
    commitment,
    publish,
    verify_chain,
    verify_links,
)
from companion.secrets.errors import (
    Broken,
    KeyMissing,
    Malformed,
    NotCanonical,
    Replayed,
    SecretError,
    Tampered,
    TooLong,
    WrongKey,
)
from companion.secrets.frames import FrameOpener, FrameSealer, Opened, new_opening
from companion.secrets.keys import Keyring, SeatKey, forbid_core_dumps
from companion.secrets.record import (
    ChainRecord,
    parse_owner,
    parse_published,
    parse_revealed,
    verify_records,
)
from companion.secrets.sealing import Place, key_of, seal, unseal

__all__ = [
    "Broken",
    "ChainRecord",
    "FrameOpener",
    "FrameSealer",
    "KeyMissing",
    "Keyring",
    "Malformed",
    "NotCanonical",
    "Opened",
    "Owner",
    "Place",
    "Published",
    "Replayed",
    "Revealed",
    "SeatKey",
    "SecretError",
    "Tampered",
    "TooLong",
    "WrongKey",
    "canonical",
    "commitment",
    "forbid_core_dumps",
    "key_of",
    "new_opening",
    "parse_owner",
    "parse_published",
    "parse_revealed",
    "publish",
    "seal",
    "unseal",
    "verify_chain",
    "verify_links",
    "verify_records",
]
