"""How the camera does: where sight has found the board, how well it is seen, and what is said of that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from calibration.build import Calibration
from companion.table.seatview import CameraSays
from vision.reader import Reader
from vision.reading import Reading

TOLD: Final = 5.0
"""Seconds for which news are told: long enough to be read."""
SOFT: Final = 1.0
"""So much further blur, in working pixels, is told of; boards are still read right at twice that."""

GLARE: Final = 0.1
"""So much burnt out ivory is told of: far more than setting up warns of, for nobody is to be nagged."""


@dataclass(frozen=True)
class Condition:
    """What sight knows of the camera itself."""

    known: Calibration | None = None
    soft: bool = False
    glare: bool = False


def condition_of(reader: Reader) -> Condition:
    """Ask a reader for what it knows of the camera since its newest look."""
    soft, glare = reader.blur >= SOFT, reader.clipped > GLARE
    return Condition(reader.setting.calibration, soft, glare)


class CameraWatch:
    """Follows what sight finds of the camera; tells the gate where the board is, and people what to do."""

    def __init__(
        self,
        condition: Callable[[], Condition] = Condition,
        found: Callable[[Calibration], None] | None = None,
    ) -> None:
        self._condition, self._found = condition, found
        self._now = condition()
        self._news: CameraSays = "ok"
        self._until = 0.0
        self.blind = False
        """Whether the newest look has found no board that could be read."""

    @property
    def known(self) -> Calibration | None:
        """The calibration that the newest look was read with."""
        return self._now.known

    def look(self, reading: Reading, at: float) -> None:
        """Take in one look at a picture."""
        before, self._now = self._now, self._condition()
        known = self._now.known
        moved = known is not None and known is not before.known
        if known is not None and moved and self._found is not None:
            self._found(known)
        if moved or reading.camera == "light":
            self._news, self._until = "found_again" if moved else "light", at + TOLD
        self.blind = reading.status == "busy" and reading.camera == "moved" and not moved

    def says(self, at: float) -> CameraSays:
        """What people should know of the camera while nothing is in its way."""
        if self.blind:
            return "soft" if self._now.soft else "moved"
        if at < self._until:
            return self._news
        return "soft" if self._now.soft else "glare" if self._now.glare else "ok"
