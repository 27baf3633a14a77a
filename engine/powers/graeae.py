"""Graeae, The Gray Hags."""

from __future__ import annotations

from typing import Any

from engine.rules.look import Look
from engine.rules.power import Due, Power


class Graeae(Power):
    """Setup: Place three workers of your colour.
    Your Build: Build with any one of your workers. (Revised card: with a worker that did not move.)
    """

    workers = 3

    def due(self, t: Look[Any], due: Due) -> Due:
        """Any worker owes the build."""
        if due.kind != "build":
            return due
        return due.only(*(t.unmoved if t.table.revised else t.crew))
