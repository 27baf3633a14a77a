"""What has to be put back on the real board when steps are cancelled, last one first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.state import State


def undo_texts(truth: State[Any], deeds: Sequence[Any], plan: State[Any]) -> tuple[str, ...]:
    """List the events to undo in reverse order."""
    return ()
