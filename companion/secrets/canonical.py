"""One text for one value: JSON in the canonical form of RFC 8785, without fractions.

Allowed are null, booleans, whole numbers up to 2**53 - 1 in size, strings of whole characters, arrays
and objects, nested at most 32 deep. Keys are sorted by UTF-16 code units, as JavaScript sorts them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from companion.secrets.errors import NotCanonical

LARGEST: Final = 2**53 - 1
DEEPEST: Final = 32


def canonical(value: object) -> bytes:
    """Write a value in its canonical form, as UTF-8."""
    return _text(value, DEEPEST).encode()


def _text(value: object, depth: int) -> str:
    if depth < 0:
        raise NotCanonical(f"nested more than {DEEPEST} deep")
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, (int, float)):
        return _number(value)
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(_text(part, depth - 1) for part in value) + "]"
    if isinstance(value, Mapping):
        return _object(value, depth - 1)
    raise NotCanonical(f"a {type(value).__name__} has no canonical form")


def _number(value: int | float) -> str:
    # 1.0 and 1 are the same number in JavaScript, so they have the same text here.
    if value != value or abs(value) > LARGEST or value != int(value):
        raise NotCanonical("numbers are whole and at most 2**53 - 1 in size")
    return str(int(value))


def _string(value: str) -> str:
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise NotCanonical("a string with half a surrogate pair")
    return json.dumps(value, ensure_ascii=False)


def _object(value: Mapping[object, object], depth: int) -> str:
    names = [name for name in value if isinstance(name, str)]
    if len(names) != len(value):
        raise NotCanonical("the keys of an object are strings")
    texts = {name: _string(name) for name in names}
    names.sort(key=lambda name: name.encode("utf-16-be"))
    return "{" + ",".join(f"{texts[name]}:{_text(value[name], depth)}" for name in names) + "}"
