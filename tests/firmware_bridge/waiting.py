"""Waits for conditions, never for a time."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_for(done: Callable[[], bool], limit: float = 60.0) -> None:
    """Wait until something holds; a slow machine has plenty of time."""
    end = time.monotonic() + limit
    while not done():
        assert time.monotonic() < end
        time.sleep(0.01)
