"""A table that stands still: it shows the views it is given and notes what it is told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace

from companion.table.commands import Actor, Command, Reply
from companion.table.seatview import (
    CellSeen,
    Common,
    Hints,
    PlayerSeen,
    PublicView,
    Say,
    SeatView,
    WorkerSeen,
)
from companion.web.ports import Json, NotPossible, Table

COLOURS = ("blue", "white", "grey", "tan")


def cells(heights: str = "0" * 25, workers: Mapping[str, str] | None = None) -> tuple[CellSeen, ...]:
    """Build a board from 25 digits, a1 first (4 is a dome on three blocks), and workers by space."""
    standing = {cell: worker for worker, cell in (workers or {}).items()}
    seen = []
    for index, digit in enumerate(heights):
        cell = "abcde"[index % 5] + str(index // 5 + 1)
        who = standing.get(cell)
        worker = WorkerSeen(who, who[0], None) if who else None
        seen.append(CellSeen(cell, min(3, int(digit)), digit == "4", False, worker, ()))
    return tuple(seen)


def seen_players(powers: Sequence[str | None] = (None, None)) -> tuple[PlayerSeen, ...]:
    """Build players in turn order."""
    return tuple(
        PlayerSeen(
            "ABCD"[i], "ABCD"[i], ("Ada", "Ben", "Cleo", "Dan")[i], COLOURS[i], power, False, True, "legal"
        )
        for i, power in enumerate(powers)
    )


def public_view(**changes: object) -> PublicView:
    """Build a public view of a quiet moment, with changes."""
    return replace(PublicView(**_quiet()), **changes)  # type: ignore[arg-type]


def seat_view(seat: str, **changes: object) -> SeatView:
    """Build a seat's view of a quiet moment, with changes."""
    return replace(SeatView(**_quiet(), seat=seat), **changes)  # type: ignore[arg-type]


def _quiet() -> Json:
    known = {field.name for field in fields(Common)}
    return {name: value for name, value in _values().items() if name in known}


def _values() -> Json:
    players = seen_players()
    workers = {"A1": "b2", "A2": "d4", "B1": "c3", "B2": "d2"}
    return {
        "seq": 1,
        "table": "t1",
        "game": "g1",
        "phase": "play",
        "paused": False,
        "edition": "roxley2016",
        "options": {},
        "players": players,
        "to_move": "A",
        "board": cells("0" * 25, workers),
        "tokens": {},
        "reserve": {},
        "now": Say("phase.move"),
        "turn": (),
        "provisional": False,
        "sync": None,
        "camera": "none",
        "hints": Hints("legal"),
        "undo": None,
        "may_undo": False,
        "may_redo": False,
        "end_offered_by": None,
        "history": (),
        "result": None,
        "commitments": (),
        "chains": (),
        "verifiable": True,
        "waiting_for_key": (),
        "notice": None,
    }


class StillTable:
    """A table that stands still until `show` gives it new views."""

    def __init__(self, views: Mapping[str, SeatView], public: PublicView, name: str = "t1") -> None:
        self.id = name
        self.game = public.game
        self.seats = tuple(player.seat for player in public.players)
        self.told: list[tuple[Actor, Command]] = []
        self.reply = Reply(True)
        self.around: dict[str, object] = {}
        self._views = dict(views)
        self._public = public
        self._listeners: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    def view(self, seat: str) -> SeatView:
        """Return the view of a seat that was given last."""
        with self._lock:
            return self._views[seat]

    def public(self) -> PublicView:
        """Return the public view that was given last."""
        with self._lock:
            return self._public

    def submit(self, actor: Actor, command: Command) -> Reply:
        """Note a command and answer as set."""
        self.told.append((actor, command))
        return self.reply

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call the listener with every `show`."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def surround(self, **changes: object) -> None:
        """Note which seats are joined."""
        self.around |= changes

    def show(self, views: Mapping[str, Common]) -> None:
        """Show other views (the public one under "") under the next number."""
        with self._lock:
            seq = self._public.seq + 1
            for seat, view in views.items():
                match view:
                    case SeatView():
                        self._views[seat] = view
                    case PublicView():
                        self._public = view
            self._views = {seat: replace(view, seq=seq) for seat, view in self._views.items()}
            self._public = replace(self._public, seq=seq)
        for listener in tuple(self._listeners):
            listener()


class StillTables:
    """A fixed set of tables."""

    def __init__(self, *tables: Table) -> None:
        self.tables = {table.id: table for table in tables}

    def all(self) -> Sequence[Table]:
        """Return the tables."""
        return tuple(self.tables.values())

    def get(self, table: str) -> Table | None:
        """Return a table."""
        return self.tables.get(table)


class NoGames:
    """A shelf without games, on which nothing can be put."""

    def create(self, game: Json) -> Table:
        """Refuse."""
        raise NotPossible("error.unknown")

    def saved(self) -> Sequence[Json]:
        """Return nothing."""
        return ()

    def open(self, game: str) -> Table:
        """Refuse."""
        raise NotPossible("error.not_found")

    def take_in(self, record: str) -> Table:
        """Refuse."""
        raise NotPossible("error.bad_record", {"what": record[:20]})

    def delete(self, game: str) -> bool:
        """Find nothing."""
        return False

    def record(self, game: str, as_json: bool) -> str:
        """Refuse."""
        raise NotPossible("error.not_found")
