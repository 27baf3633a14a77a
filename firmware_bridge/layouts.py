"""Where the LEDs sit: plain maps from a logical LED to its place on the strip."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware_bridge.frames import Colour, Picture

SIDE: Final = 5
DARK: Final[Colour] = (0, 0, 0)
FORMAT: Final = "santorini-leds-1"


class LayoutError(Exception):
    """A map that cannot be; the text says where it is wrong."""


@dataclass(frozen=True)
class Layout:
    """`strip[n]` lists the places on the strip that show logical LED n; `number` is what a board reports."""

    name: str
    number: int
    strip: tuple[tuple[int, ...], ...]
    length: int

    @property
    def leds(self) -> int:
        """How many logical LEDs there are."""
        return len(self.strip)

    def place(self, picture: Picture) -> Picture:
        """Turn a picture of logical LEDs into one of the strip; places nobody names stay dark."""
        if len(picture.colours) != self.leds:
            raise LayoutError(f"{self.name} has {self.leds} LEDs, the picture {len(picture.colours)}")
        strip = [DARK] * self.length
        for colour, places in zip(picture.colours, self.strip, strict=True):
            for place in places:
                strip[place] = colour
        return Picture(tuple(strip), picture.brightness)


def _plain(name: str, number: int, order: tuple[int, ...]) -> Layout:
    """A layout with one LED a place: `order` is the order in which the strip visits the logical LEDs."""
    where = {logical: place for place, logical in enumerate(order)}
    return Layout(name, number, tuple((where[logical],) for logical in range(len(order))), len(order))


def ring_of(column: int, row: int) -> tuple[int, int, int, int]:
    """The four LEDs of a ring that point at a square: below, right, above, left (all counted from 0).

    The ring runs anticlockwise from below the first column: 0-4 along the near side to the right, 5-9 away
    from it, 10-14 back to the left, 15-19 towards it.
    """
    return column, SIDE + row, 3 * SIDE - 1 - column, 4 * SIDE - 1 - row


# Row by row away from you, each from left to right; the snake turns at the end of every row.
UNDER: Final = _plain("under-25", 1, tuple(range(SIDE * SIDE)))
_SNAKE: Final = tuple(
    SIDE * row + (column if row % 2 == 0 else SIDE - 1 - column)
    for row in range(SIDE)
    for column in range(SIDE)
)
SNAKE: Final = _plain("under-25-snake", 1, _SNAKE)
RING: Final = _plain("ring-20", 2, tuple(range(4 * SIDE)))
LAYOUTS: Final[Mapping[str, Layout]] = {layout.name: layout for layout in (UNDER, SNAKE, RING)}


def load(text: str) -> Layout:
    """Read a map: {"format": "santorini-leds-1", "name": …, "length": 50, "strip": [[0], [2, 3], …]}."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise LayoutError(f"not JSON: {error}") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise LayoutError(f'not an LED map: it must be an object with "format": "{FORMAT}"')
    unknown = set(found) - {"format", "name", "length", "strip"}
    if unknown:
        raise LayoutError(f"unknown entries: {', '.join(sorted(unknown))}")
    name, length, strip = found.get("name"), found.get("length"), found.get("strip")
    if not isinstance(name, str) or not name:
        raise LayoutError('"name" must be a text')
    if not isinstance(length, int) or not _whole(length, 1, 10_000):
        raise LayoutError('"length" must be the number of LEDs on the strip')
    return Layout(name, 0, _strip(strip, length), length)


def read(path: Path) -> Layout:
    """Read a map from a file."""
    try:
        return load(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise LayoutError(f"cannot read {path}: {error}") from error


def _whole(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _strip(strip: object, length: int) -> tuple[tuple[int, ...], ...]:
    if not isinstance(strip, list) or not strip:
        raise LayoutError('"strip" must list, for every LED of the picture, its places on the strip')
    seen: set[int] = set()
    for number, places in enumerate(strip):
        if not isinstance(places, list) or not all(_whole(place, 0, length - 1) for place in places):
            raise LayoutError(f'"strip" entry {number} must list places from 0 to {length - 1}')
        if seen & set(places) or len(set(places)) < len(places):
            raise LayoutError(f'"strip" entry {number} names a place twice')
        seen |= set(places)
    return tuple(tuple(places) for places in strip)
