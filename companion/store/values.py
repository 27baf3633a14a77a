"""JSON values as they are kept: text that reads back as the very same value."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
Payload: TypeAlias = Mapping[str, Json]


def dump(value: Json) -> str:
    """Write a value as ASCII text; NaN and infinities are refused, since JSON has none."""
    return json.dumps(value, allow_nan=False, separators=(",", ":"))


def load(text: str) -> Json:
    """Read a value back."""
    value: Json = json.loads(text)
    return value


def load_object(text: str) -> Payload:
    """Read back a value that was written from an object."""
    value = load(text)
    if not isinstance(value, Mapping):
        raise ValueError(f"not an object: {text[:40]}")
    return value
