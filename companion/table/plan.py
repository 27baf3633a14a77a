"""A new game as it was agreed: the line-up, and who sits where under what name and colour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from companion.table.seatview import HintLevel
from engine.setup import Setup, SetupError

COLOURS: Final = ("blue", "grey", "white", "tan", "purple", "pink")
LEVELS: Final[tuple[HintLevel, ...]] = ("off", "next", "legal", "explain", "threats")
DEFAULT_LEVEL: Final[HintLevel] = "explain"


@dataclass(frozen=True)
class Sitter:
    """Somebody at the table."""

    seat: str
    name: str
    colour: str
    hint_level: HintLevel = DEFAULT_LEVEL


@dataclass(frozen=True)
class NewGame:
    """Setup of the rules plus names, colours and hint levels of the seats."""

    setup: Setup
    sitters: tuple[Sitter, ...]

    def sitter(self, seat: str) -> Sitter:
        """Return who sits in a seat."""
        return next(s for s in self.sitters if s.seat == seat)

    def changed(self, seat: str, **what: Any) -> NewGame:
        """Give the game with something about one seat changed."""
        return replace(self, sitters=tuple(replace(s, **what) if s.seat == seat else s for s in self.sitters))

    def to_json(self) -> dict[str, Any]:
        """Write the agreement as plain JSON data."""
        return {"setup": self.setup.to_json(), "sitters": [vars(sitter) for sitter in self.sitters]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> NewGame:
        """Read an agreement; raise SetupError naming the field that is wrong."""
        setup = Setup.from_json(data.get("setup", data))
        return cls(setup, seated(setup, data.get("sitters") or data.get("players") or []))


def seated(setup: Setup, wishes: Any) -> tuple[Sitter, ...]:
    """Seat everybody: wishes for names and colours are kept, the rest is filled in."""
    if not isinstance(wishes, list) or not all(isinstance(wish, dict) for wish in wishes):
        raise SetupError("players", "must be a list of objects")
    by_seat = {str(wish.get("seat")): wish for wish in wishes}
    colours: dict[str, str] = {}
    for seat in setup.seats:
        side = setup.sides[seat]
        wanted = str(by_seat.get(seat, {}).get("colour") or "")
        free = [c for c in COLOURS if c not in colours.values()]
        # Partners share their workers, so they share the colour.
        colours[seat] = colours.get(side) or (wanted if wanted in free else free[0])
    return tuple(
        Sitter(seat, _name(by_seat.get(seat, {}), seat), colours[seat], _level(by_seat.get(seat, {})))
        for seat in setup.seats
    )


def _name(wish: Mapping[str, Any], seat: str) -> str:
    """Read a name, or give the seat's letter."""
    return str(wish.get("name") or "").strip()[:24] or seat


def _level(wish: Mapping[str, Any]) -> HintLevel:
    """Read a hint level, or give the usual one."""
    return next((level for level in LEVELS if level == wish.get("hint_level")), DEFAULT_LEVEL)
