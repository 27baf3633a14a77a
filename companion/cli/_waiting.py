"""Says on a terminal that a command is still at work, and for how long."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Final, TextIO

FIRST: Final = 2.0
BETWEEN: Final = 1.0
ERASE: Final = "\x1b[K"


@contextlib.contextmanager
def waiting(
    out: TextIO, first: float = FIRST, between: float = BETWEEN, clock: Callable[[], float] = time.monotonic
) -> Iterator[None]:
    """Show the seconds that have passed while the block runs; nothing where the stream is no terminal."""
    if not out.isatty():
        yield
        return
    over, begun = threading.Event(), clock()

    def tick() -> None:
        pause = first
        while not over.wait(pause):
            # The cursor goes back to the margin, so that whatever is printed next takes the place of this.
            out.write(f"… {clock() - begun:.0f} s{ERASE}\r")
            out.flush()
            pause = between

    thread = threading.Thread(target=tick, name="waiting", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        if clock() - begun >= first:
            out.write(ERASE)
            out.flush()
