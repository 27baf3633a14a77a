"""What the web needs from the rest of the companion, as small protocols."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.table.commands import Actor, Command, Reply
from companion.table.seatview import PublicView, SeatView

Json = dict[str, Any]


class Table(Protocol):
    """One table as a phone sees it."""

    @property
    def id(self) -> str:
        """Return the table's name in addresses."""

    @property
    def game(self) -> str:
        """Return the name of the game that is played here now."""

    @property
    def seats(self) -> tuple[str, ...]:
        """Return the seats in turn order."""

    def view(self, seat: str) -> SeatView:
        """Return what this seat may know."""

    def public(self) -> PublicView:
        """Return what everybody may know."""

    def submit(self, actor: Actor, command: Command) -> Reply:
        """Carry out a command; it is on disk before this returns."""

    def surround(self, **changes: object) -> None:
        """Change what surrounds the game; the web tells which seats are `joined`."""

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call the listener after every change, from any thread; returns how to stop it."""


class Tables(Protocol):
    """All tables of this process."""

    def all(self) -> Sequence[Table]:
        """Return the open tables, the newest last."""

    def get(self, table: str) -> Table | None:
        """Return an open table."""


class Games(Protocol):
    """New games and those on disk."""

    def create(self, game: Json) -> Table:
        """Open a table with a new game; raises `NotPossible` with the reason."""

    def saved(self) -> Sequence[Json]:
        """Return a line about every game on disk, the newest first."""

    def open(self, game: str) -> Table:
        """Open the table of a game on disk; raises `NotPossible`."""

    def delete(self, game: str) -> bool:
        """Delete a game and all that belongs to it; false when there is none."""

    def record(self, game: str) -> str:
        """Return the text record of a game as the public may know it; raises `NotPossible`."""


class NotPossible(Exception):
    """Something that was asked for cannot be done; carries a text without a language."""

    def __init__(self, key: str, facts: Mapping[str, Any] | None = None) -> None:
        super().__init__(key)
        self.key = key
        self.facts = dict(facts or {})


@dataclass(frozen=True)
class Picture:
    """A JPEG of the table, with or without the overlay."""

    jpeg: bytes
    number: int


class Cameras(Protocol):
    """The camera side of a table, for the host's wizard."""

    def sources(self) -> Sequence[Json]:
        """Return the cameras that were found, with a name each."""

    def attach(self, table: str, source: str) -> None:
        """Connect a table to a source; raises `NotPossible`."""

    def detach(self, table: str) -> None:
        """Go on without a camera."""

    def picture(self, table: str, overlay: bool) -> Picture | None:
        """Return the newest picture."""

    def calibrate(self, table: str, corners: Sequence[tuple[float, float]] | None) -> Json:
        """Calibrate from the outer corners at a1, e1, e5, a5, or else from the mat; return the verdict."""

    def push(self, table: str, jpeg: bytes) -> bool:
        """Take a frame from a phone; false while the last one is still being read."""

    def mat(self) -> bytes:
        """Return the printable mat as PDF."""
