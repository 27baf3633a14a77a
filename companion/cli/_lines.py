"""Lines of JSON on standard input: whatever stands in one, the next is still read."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any, TextIO


def input_lines(stream: TextIO | None = None) -> Iterator[str]:
    """Give the lines that are not empty; bytes that are no text are replaced."""
    source = stream or sys.stdin
    raw = getattr(source, "buffer", None)
    lines = source if raw is None else (line.decode("utf-8", "replace") for line in raw)
    for line in lines:
        if line.strip():
            yield line


def read_object(line: str) -> dict[str, Any] | str:
    """Read one object, or say in one sentence why it is none."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        return f"line: no JSON ({error})"
    return value if isinstance(value, dict) else "line: must be an object"
