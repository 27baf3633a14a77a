"""Colours by what they mean. `safe` keeps them apart for every kind of colour blindness."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from firmware_bridge.frames import Colour

Meaning = Literal["go", "build", "take", "put", "differ", "last", "win"]
DARK: Final[Colour] = (0, 0, 0)


@dataclass(frozen=True)
class Palette:
    """A colour for every meaning, and one for every colour of workers."""

    name: str
    meanings: Mapping[Meaning, Colour]
    workers: Mapping[str, Colour]

    def of(self, meaning: Meaning) -> Colour:
        """The colour of a meaning."""
        return self.meanings[meaning]

    def worker(self, colour: str) -> Colour:
        """The colour that stands for a side's workers."""
        return self.workers.get(colour, self.meanings["last"])


# Which meanings can be lit at the same time, so that nobody may mix them up.
TOGETHER: Final[tuple[tuple[Meaning, Meaning], ...]] = (
    ("go", "build"),
    ("go", "last"),
    ("build", "last"),
    ("take", "put"),
)
WORKERS: Final[Mapping[str, Colour]] = {
    "blue": (0, 60, 255),
    "grey": (70, 90, 110),
    "white": (220, 220, 220),
    "tan": (200, 110, 40),
    "purple": (130, 0, 200),
    "pink": (255, 70, 150),
}
SAFE: Final = Palette(
    "safe",
    {
        "go": (0, 160, 255),
        "build": (255, 170, 0),
        "take": (255, 40, 0),
        "put": (60, 190, 255),
        "differ": (255, 220, 120),
        "last": (40, 40, 40),
        "win": (255, 255, 255),
    },
    WORKERS,
)
BRIGHT: Final = Palette(
    "bright",
    {
        "go": (0, 255, 0),
        "build": (255, 150, 0),
        "take": (255, 0, 0),
        "put": (0, 0, 255),
        "differ": (255, 0, 255),
        "last": (40, 40, 40),
        "win": (255, 255, 255),
    },
    WORKERS,
)
PALETTES: Final[Mapping[str, Palette]] = {palette.name: palette for palette in (SAFE, BRIGHT)}
