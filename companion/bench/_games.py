"""Labelled games one after the other: a bad one, or a bad picture of it, is named and loses nothing else."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Final

from calibration.pose import PoseError
from engine.setup import SetupError
from vision.album import AlbumError


class GameError(ValueError):
    """A labelled game that cannot be scored; the text names the file and the reason."""


BAD_GAME: Final = (GameError, AlbumError, PoseError, SetupError, OSError)
"""What may be wrong with one game, and with it alone."""
BAD_LABELS: Final = (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError)


@dataclass
class Faults:
    """What could not be scored: said at once, and remembered for the exit code."""

    prog: str
    texts: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        """Say something that spoils no figure."""
        print(f"{self.prog}: {text}", file=sys.stderr)

    def add(self, text: str) -> None:
        """Say what is missing from the figures, or wrong in them."""
        self.texts.append(text)
        self.note(text)

    @property
    def code(self) -> int:
        """The exit code."""
        return 1 if self.texts else 0
