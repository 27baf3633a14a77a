"""How long one picture takes here, measured on a simulated one."""

from __future__ import annotations


def frame_ms() -> float | None:
    """Milliseconds to read one simulated picture."""
    return None
