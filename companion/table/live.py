"""One table, live: commands come in from any thread, are kept on disk, and only then are shown."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import structlog

from companion.store import Conflict, NewEvent, Store
from companion.store.games import mark_game
from companion.table.commands import Actor, Command, Message, Reply, Why, refused
from companion.table.deciding import Decided, decide
from companion.table.facts import Fact
from companion.table.seatview import CameraSays, PublicView, SeatView
from companion.table.session import Session, applied
from companion.table.showing import Around, public_view, seat_view

Listener = Callable[[], None]
Desk = Callable[["Table", Actor, Command], Reply | Decided | None]
"""Answers commands that concern the camera (questions, out of step) before the rules are asked."""

LOG: Final = structlog.get_logger("table")


def milliseconds() -> int:
    """Tell the time as the store keeps it."""
    return time.time_ns() // 1_000_000


class Table:
    """A table with one game on it. All its methods may be called from any thread."""

    def __init__(
        self,
        id_: str,
        game: str,
        session: Session,
        store: Store,
        kept: int,
        now: Callable[[], int] = milliseconds,
    ) -> None:
        self._id = id_
        self._game = game
        self._store = store
        self._now = now
        self._lock = threading.RLock()
        self._session = session
        self._kept = kept
        self._kept_seq = kept
        self._around = Around(seq=kept, table=id_, game=game)
        self._listeners: list[Listener] = []
        self._desk: Desk | None = None

    # ---- what is shown -----------------------------------------------------------------------------

    @property
    def id(self) -> str:
        """The table's name in addresses."""
        return self._id

    @property
    def game(self) -> str:
        """The name of the game that is played here."""
        return self._game

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats in turn order."""
        return self._session.plan.setup.seats

    @property
    def session(self) -> Session:
        """The session as it is; it stays inside the process."""
        return self._session

    @property
    def around(self) -> Around:
        """What surrounds the game now."""
        return self._around

    def view(self, seat: str) -> SeatView:
        """What this seat may know."""
        with self._lock:
            return seat_view(self._session, self._around, seat)

    def public(self) -> PublicView:
        """What everybody may know."""
        with self._lock:
            return public_view(self._session, self._around)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call the listener after every change, from any thread; returns how to stop it."""
        with self._lock:
            self._listeners.append(listener)

        def stop() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return stop

    # ---- what changes it ---------------------------------------------------------------------------

    def submit(self, actor: Actor, command: Command) -> Reply:
        """Carry out a command; what it changes is on disk before this returns and before it is shown."""
        with self._lock:
            stale = self._stale(command)
            if stale is not None:
                return stale
            asked = self._desk(self, actor, command) if self._desk is not None else None
            decided = asked if asked is not None else decide(self._session, actor, command)
            if isinstance(decided, Reply):
                return replace(decided, seq=self._around.seq)
            reply = self._keep(decided)
        self._tell()
        return reply

    def play(self, facts: Sequence[Fact]) -> Reply:
        """Keep facts that the referee has decided on; they are checked like any other."""
        with self._lock:
            reply = self._keep(Decided(tuple(facts)))
        self._tell()
        return reply

    def surround(self, **changes: object) -> None:
        """Change what surrounds the game: camera, question, notice, who has joined."""
        with self._lock:
            around = replace(self._around, **changes)  # type: ignore[arg-type]
            if around == self._around:
                return
            self._around = replace(around, seq=self._around.seq + 1)
        self._tell()

    def camera(self, says: CameraSays) -> None:
        """Note how the camera is doing."""
        self.surround(camera=says)

    def staff(self, desk: Desk | None) -> None:
        """Let somebody answer what concerns the camera."""
        with self._lock:
            self._desk = desk

    def _stale(self, command: Message) -> Reply | None:
        """Refuse what was meant for an older state; questions about the rules are always answered."""
        if isinstance(command, Why) or command.seq >= self._around.seq - self._quiet():
            return None
        return replace(refused("error.too_late"), seq=self._around.seq)

    def _quiet(self) -> int:
        """How many of the newest changes touched no piece, so that a tap is still meant as it was."""
        return self._around.seq - self._kept_seq

    def _keep(self, decided: Decided) -> Reply:
        """Fold the facts, write them down, and only then make them the state."""
        session = self._session
        for fact in decided.facts:
            session = applied(session, fact.type, fact.payload)
        events = [NewEvent(fact.type, dict(fact.payload), self._now()) for fact in decided.facts]
        try:
            self._store.append(self._game, events, expected=self._kept)
        except Conflict as conflict:
            LOG.warning("conflict", game=self._game, expected=self._kept, found=conflict.found)
            return replace(refused("error.too_late"), seq=self._around.seq)
        self._session = session
        self._kept += len(events)
        self._around = replace(self._around, seq=self._around.seq + 1, notice=None)
        self._kept_seq = self._around.seq
        if session.game.over:
            self._store.write(mark_game(self._game, state="over"))
        return Reply(True, seq=self._around.seq)

    def _tell(self) -> None:
        """Wake everybody who listens; nobody may hold up the table."""
        with self._lock:
            listeners = tuple(self._listeners)
        for listener in listeners:
            listener()
