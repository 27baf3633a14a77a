"""A fixed beat for answers that may depend on a secret: when they come says nothing about it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

PERIOD: Final = 0.25
"""Seconds between two beats; far above what working an answer out takes."""


@dataclass(frozen=True)
class Beat:
    """Waits until the next beat after at least one whole period."""

    period: float = PERIOD
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep

    def due(self, began: float) -> float:
        """Say when the answer to something that began then is released."""
        return (math.floor(began / self.period) + 2) * self.period

    def wait(self, began: float) -> None:
        """Wait until the beat; work that took longer is released on a later one."""
        due = self.due(began)
        while (now := self.clock()) < due:
            self.sleep(due - now)
        if now > due + self.period / 2:
            late = math.ceil(now / self.period) * self.period
            self.sleep(max(0.0, late - now))
