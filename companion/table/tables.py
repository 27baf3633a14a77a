"""All tables of one process, and the games on disk."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import structlog

from companion.secrets import Keyring
from companion.store import PUBLIC, Event, NewEvent, Store
from companion.store.games import GameRow, create_game, delete_game, games, mark_game, set_setting
from companion.table import facts
from companion.table.asleep import read_snapshot, setting_name
from companion.table.beat import Beat
from companion.table.live import Asleep, Housing, Start, Table, milliseconds
from companion.table.recording import record_of_events
from companion.table.secrecy import AROUND, opened_events, wanted_keys
from companion.table.session import CorruptGameError, Session, begun, fold
from engine.cards import CARDS
from engine.record import Record

LOG = structlog.get_logger("tables")


class NoSuchGameError(LookupError):
    """There is no game of that name on disk."""


@dataclass(frozen=True)
class Saved:
    """A line about a game on disk."""

    game: str
    table: str
    created: int
    state: str
    title: str


class Tables:
    """Opens, finds and closes tables; each is independent of the others."""

    def __init__(self, store: Store, now: Callable[[], int] = milliseconds, beat: Beat | None = None) -> None:
        self._house = Housing(store, Keyring(), now, beat or Beat())
        self._store, self._now = store, now
        self._lock = threading.Lock()
        self._open: dict[str, Table] = {}
        self._listeners: list[Callable[[], None]] = []

    @property
    def store(self) -> Store:
        """Return where the games are kept."""
        return self._store

    def on_change(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call the listener, from any thread, after a table opened or closed; returns how to stop it."""
        with self._lock:
            self._listeners.append(listener)

        def stop() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return stop

    def _tell(self) -> None:
        with self._lock:
            listeners = tuple(self._listeners)
        for listener in listeners:
            listener()

    def create(self, plan: Mapping[str, Any], table: str | None = None) -> Table:
        """Open a table with a new game; raises SetupError when the line-up is not allowed."""
        name = table or f"t{secrets.token_hex(3)}"
        game, start = self._kept_game(plan, name)
        return self._added(Table(name, game, start, self._house))

    def create_again(self, table: Table, plan: Mapping[str, Any]) -> None:
        """Begin a new game on a table that is open; whoever watches it goes along."""
        table.set_up_again(*self._kept_game(plan, table.id))

    def _kept_game(self, plan: Mapping[str, Any], table: str) -> tuple[str, Start]:
        """Enter a new game; it is on disk when this returns."""
        session = begun(plan)
        payload = session.plan.to_json()
        if plan.get("opening"):
            payload["opening"] = plan["opening"]
        game = f"g{secrets.token_hex(6)}"
        row = GameRow(game, table, created=self._now(), state="running", title=title_of(session))
        self._store.write(create_game(row))
        self._store.append(game, [NewEvent(facts.BEGUN, payload, self._now())], expected=0)
        return game, Start(session, 1)

    def _added(self, table: Table) -> Table:
        with self._lock:
            self._open[table.id] = table
        self._tell()
        return table

    def get(self, table: str) -> Table | None:
        """Find an open table."""
        with self._lock:
            return self._open.get(table)

    def all(self) -> tuple[Table, ...]:
        """List the open tables, the newest last."""
        with self._lock:
            return tuple(self._open.values())

    def open(self, game: str) -> Table:
        """Open the table of a game on disk; raises NoSuchGameError or CorruptGameError."""
        with self._lock:
            found = next((table for table in self._open.values() if table.game == game), None)
        if found is not None:
            return found
        row = next((row for row in self._store.read(games()) if row.id == game), None)
        if row is None:
            raise NoSuchGameError(game)
        return self._added(Table(row.table_id, game, self._start(game), self._house))

    def _start(self, game: str) -> Start:
        """Fold a game from disk; where keys are missing it sleeps and shows what was shown last."""
        events = self._store.events(game)
        keyring = self._house.keyring
        missing = wanted_keys(events, game, keyring)
        if not missing:
            return Start(fold(opened_events(events, game, keyring)), len(events), shown=_seen_by_all(events))
        snapshot = read_snapshot(self._store, game)
        if snapshot is None:
            raise CorruptGameError(facts.HIDDEN, "sealed events without a snapshot")
        asleep = Asleep(snapshot, missing)
        # What lies around the game is known without keys, and a secret that is entered again needs it.
        session = fold([(event.type, event.payload) for event in events if event.type in AROUND])
        return Start(session, len(events), asleep, _seen_by_all(events))

    def reopen(self) -> tuple[Table, ...]:
        """Open every game that was running when the process ended; one that is broken is left alone."""
        found = []
        for row in self._store.read(games()):
            if row.state != "running":
                continue
            try:
                found.append(self.open(row.id))
            except CorruptGameError as error:
                LOG.error("broken game", game=row.id, problem=str(error))
        return tuple(found)

    def saved(self) -> tuple[Saved, ...]:
        """List the games on disk, the newest first."""
        rows = sorted(self._store.read(games()), key=lambda row: -row.created)
        return tuple(Saved(row.id, row.table_id, row.created, row.state, row.title) for row in rows)

    def record(self, game: str) -> Record:
        """Give the record of a game; raises NoSuchGameError, NotYetError, or KeyMissing."""
        events = self._store.events(game)
        if not events:
            raise NoSuchGameError(game)
        return record_of_events(game, opened_events(events, game, self._house.keyring))

    def close(self, table: str) -> None:
        """Take a table away; its game stays on disk."""
        with self._lock:
            self._open.pop(table, None)
        self._tell()

    def finish(self, game: str) -> None:
        """Note that a game is over."""
        self._store.write(mark_game(game, state="over"))

    def delete(self, game: str) -> bool:
        """Delete a game and all that belongs to it; false when there is none."""
        with self._lock:
            self._open = {name: t for name, t in self._open.items() if t.game != game}
        self._tell()
        if not any(row.id == game for row in self._store.read(games())):
            return False
        self._store.write(delete_game(game))
        self._store.write(set_setting(setting_name(game), None))
        self._house.keyring.forget(game)
        return True


def _seen_by_all(events: Sequence[Event]) -> int:
    """Count the events that everybody has seen: how often a seat did something in secret shows nowhere."""
    return sum(event.visibility == PUBLIC and event.type != facts.HIDDEN for event in events)


def title_of(session: Session) -> str:
    """Name a game for the list of saved ones: who plays which power."""
    powers = session.plan.setup.table().powers
    return " - ".join(
        f"{sitter.name} ({CARDS[name].name})" if (name := powers[sitter.seat]) else sitter.name
        for sitter in session.plan.sitters
    )
