"""What the web needs from the rest of the companion, as small protocols."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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

    def take_in(self, record: str) -> Table:
        """Take a record in and open its table; raises `NotPossible` with what is wrong with it."""

    def delete(self, game: str) -> bool:
        """Delete a game and all that belongs to it; false when there is none."""

    def record(self, game: str, as_json: bool) -> str:
        """Return the record of a game; raises `NotPossible` while it would tell a secret."""


class NotPossible(Exception):
    """Something that was asked for cannot be done; carries a text without a language."""

    def __init__(self, key: str, facts: Mapping[str, Any] | None = None) -> None:
        super().__init__(key)
        self.key = key
        self.facts = dict(facts or {})


class SeatDevices(Protocol):
    """Devices of the seats' own, over MQTT."""

    def offers_seats(self, table: str) -> bool | None:
        """Tell whether a table offers them; None where it cannot."""

    def seal_seats(self, table: str, on: bool) -> None:
        """Offer them at a table, or no longer."""

    def seat_ticket(self, table: str, seat: str) -> Mapping[str, Any] | None:
        """Let a seat's device in; None where that is not offered."""


class Cameras(Protocol):
    """The camera side of the tables: the host's wizard, and pictures from phones."""

    def sources(self) -> Sequence[Json]:
        """Return the cameras that were found, with an id and a kind each."""

    def choices(self) -> Json:
        """Return the sets, mats, lenses and colours that can be chosen."""

    def choose(self, table: Table, kit: Mapping[str, Any]) -> None:
        """Say what lies on the table; raises `NotPossible`."""

    def state(self, table: Table) -> Json:
        """Return how far the set-up of a table's camera is."""

    def use(self, table: Table, source: str) -> None:
        """Connect a table to a source; raises `NotPossible`."""

    def drop(self, table: Table) -> None:
        """Go on without a camera."""

    def follow(self, old: Table, new: Table) -> None:
        """Take the camera along to the next game at the same place."""

    def picture(self, table: Table, overlay: bool) -> bytes | None:
        """Return the newest picture as JPEG, with what is seen drawn over it where that is wanted."""

    def shot(self, table: Table, which: str) -> bytes | None:
        """Return a picture of the set-up: empty, check or plan; raises `NotPossible`."""

    def take(self, table: Table, step: str) -> None:
        """Take the picture of a step: empty, tableau or placed; raises `NotPossible`."""

    def confirm(self, table: Table, cells: Mapping[str, tuple[int, str]]) -> None:
        """Confirm the picture in check, with some spaces corrected; raises `NotPossible`."""

    def measure(self, table: Table) -> None:
        """Measure the pieces on the confirmed tableau; raises `NotPossible`."""

    def corners(self, table: Table, corners: Sequence[tuple[float, float]]) -> None:
        """Take the outer corners at a1, e1, e5, a5, as shares of the picture; raises `NotPossible`."""

    def skip(self, table: Table, step: str) -> None:
        """Leave a step out that may be left out."""

    def keep(self, table: Table) -> None:
        """Save the calibration and begin to watch; raises `NotPossible`."""

    def push(self, table: Table, jpeg: bytes) -> bool:
        """Take a picture from a phone; false when it cannot be read. Raises `NotPossible`."""

    def mat(self, paper: str) -> bytes:
        """Return the printable mat as PDF."""
