"""One table, live: commands come in from any thread, are kept on disk, and only then are shown."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Final, assert_never

import structlog

from companion.secrets import KeyMissing, Keyring, SeatKey, WrongKey
from companion.store import PUBLIC, Conflict, Event, Store
from companion.store.games import mark_game
from companion.table.again import around, facts_again
from companion.table.asleep import Snapshot, keep_snapshot, sleeping_public, sleeping_seat, snapshot_of
from companion.table.beat import Beat
from companion.table.commands import (
    Actor,
    BringKey,
    Command,
    Commit,
    EnterAgain,
    Message,
    Reply,
    Why,
    refused,
)  # fmt: skip
from companion.table.deciding import Decided, decide
from companion.table.facts import KEYED, Fact, Payload
from companion.table.saying import notice_of
from companion.table.seatview import CameraSays, Notice, PublicView, SeatView
from companion.table.secrecy import checked, key_id, opened_events, sealed_events, wanted_keys
from companion.table.session import CorruptGameError, Session, applied, fold
from companion.table.showing import Around, public_view, seat_view


def milliseconds() -> int:
    """Tell the time as the store keeps it."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True)
class Housing:
    """What the tables of a process share."""

    store: Store
    keyring: Keyring = field(default_factory=Keyring)
    now: Callable[[], int] = milliseconds
    beat: Beat = field(default_factory=Beat)


@dataclass(frozen=True)
class Asleep:
    """A game that waits for the keys of some seats."""

    snapshot: Snapshot
    missing: tuple[str, ...]
    entered: Mapping[str, Payload] = field(default_factory=dict)
    """Secrets of lost phones that were entered again, while other seats' keys are still awaited."""


@dataclass(frozen=True)
class Start:
    """What a table starts from: a session, how many events are kept, and whether keys are missing."""

    session: Session
    kept: int
    asleep: Asleep | None = None
    shown: int | None = None
    """How many of the events everybody has seen, where that is not all of them."""


@dataclass(frozen=True)
class Kept:
    """What came of facts that are on disk and not shown yet."""

    session: Session
    events: int
    alone: tuple[str, ...]
    """The seats that alone see what has changed; empty where everybody does."""
    notice: Notice | None


Listener = Callable[[], None]
Desk = Callable[["Table", Actor, Command], Reply | Decided | None]
"""Answers commands that concern the camera (questions, out of step) before the rules are asked."""

LOG: Final = structlog.get_logger("table")


class Table:
    """A table with one game on it. All its methods may be called from any thread."""

    def __init__(self, id_: str, game: str, start: Start, house: Housing) -> None:
        self._id = id_
        self._game = game
        self._store, self._keyring = house.store, house.keyring
        self._now, self._beat = house.now, house.beat
        self._order = threading.RLock()
        """Whoever changes the game holds this, also while an answer waits for its beat."""
        self._lock = threading.RLock()
        """Held for moments only: reading a view never waits for somebody's answer."""
        self._session = start.session
        self._asleep = start.asleep
        kept = self._kept = start.kept
        seq = kept if start.shown is None else start.shown
        self._kept_seq = seq
        self._kept_private: dict[str, int] = {}
        self._around = Around(seq=seq, table=id_, game=game)
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
            if self._asleep is not None:
                seq = self._around.seq_for(seat)
                return sleeping_seat(self._asleep.snapshot, seq, self._asleep.missing, seat)
            return seat_view(self._session, self._around, seat)

    def public(self) -> PublicView:
        """What everybody may know."""
        with self._lock:
            if self._asleep is not None:
                return sleeping_public(self._asleep.snapshot, self._around.seq, self._asleep.missing)
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
        """Carry out a command; what it changes is on disk before this returns and before it is shown.

        Where a seat keeps a secret, every answer comes on a fixed beat: its time tells nothing.
        """
        if isinstance(command, Why):
            return self._why(actor, command)
        began = self._beat.clock()
        with self._order:
            decided = self._decide(actor, command)
            made = self._keep(decided) if isinstance(decided, Decided) else decided
            self._wait(began)
            reply = replace(self._show(made), seq=self._around.seq_for(actor.seat))
        if isinstance(decided, Decided):
            self._tell()
        return reply

    def _why(self, actor: Actor, command: Why) -> Reply:
        """Answer a question about the rules at once; it waits for nobody else's answer."""
        with self._lock:
            asleep, session = self._asleep, self._session
            seq = self._around.seq_for(actor.seat)
        decided = refused("hidden.key_awaited") if asleep is not None else decide(session, actor, command)
        assert isinstance(decided, Reply)
        return replace(decided, seq=seq)

    def _wait(self, began: float) -> None:
        """Wait for the beat, where somebody keeps a secret."""
        if self._session.game.table.secretive:
            self._beat.wait(began)

    def _decide(self, actor: Actor, command: Command) -> Decided | Reply:
        """Ask in turn: does it concern the keys, is it stale, does it concern the camera, or the rules?"""
        if isinstance(command, BringKey | EnterAgain | Commit):
            return self._about_keys(actor, command)
        if (stale := self._stale(actor, command)) is not None:
            return stale
        if self._asleep is not None:
            return refused("hidden.key_awaited")
        asked = self._desk(self, actor, command) if self._desk is not None else None
        return asked if asked is not None else decide(self._session, actor, command)

    def _about_keys(self, actor: Actor, command: BringKey | EnterAgain | Commit) -> Decided | Reply:
        """Take a key or a commitment from a seat's own phone."""
        if actor.seat is None or actor.seat not in self._session.game.setup.table().secretive:
            return refused("error.not_allowed")
        match command:
            case BringKey(key=key):
                return self._bring(actor.seat, SeatKey.from_hex(key))
            case Commit():
                words = (command.turn, command.value, command.salt, command.commitment)
                made = checked(self._session, self._game, actor.seat, *words)
                return Decided(made) if made is not None else refused("hidden.seal_refused")
            case EnterAgain(key=key):
                return self._enter_again(actor.seat, SeatKey.from_hex(key), command)
            case _:
                assert_never(command)

    def _bring(self, seat: str, key: SeatKey) -> Decided | Reply:
        """Take a key; the first one is noted, later ones have to be the same; the last wakes the game."""
        events = self._store.events(self._game)
        known = key_id(((e.type, e.payload) for e in events if e.visibility == PUBLIC), seat)
        try:
            self._keyring.bring(self._game, seat, key, known)
        except WrongKey:
            return refused("hidden.key_wrong")
        if known is None:
            return Decided((Fact(KEYED, {"seat": seat, "id": key.id}),))
        return Reply(True) if self._asleep is None else self._woken(self._asleep, events)

    def _enter_again(self, seat: str, key: SeatKey, command: EnterAgain) -> Decided | Reply:
        """Wake the game from what everybody knows and a secret that its owner has entered again."""
        if self._asleep is None or seat not in self._asleep.missing:
            return refused("error.not_allowed")
        secret = {"workers": command.workers, "fate": command.fate, "abyss": command.abyss}
        self._keyring.bring(self._game, seat, key, None)
        asleep = replace(self._asleep, entered={**self._asleep.entered, seat: secret})
        return self._woken(asleep, self._store.events(self._game))

    def _woken(self, asleep: Asleep, events: Sequence[Event]) -> Decided | Reply:
        """Go on once every seat's key is here, or its secret was entered again; till then wait for them."""
        awaited = wanted_keys(events, self._game, self._keyring)
        if awaited:
            return self._sleeps_on(replace(asleep, missing=awaited))
        if asleep.entered:
            return self._taken_up(asleep, events)
        self._session = fold(opened_events(events, self._game, self._keyring))
        return Decided(())

    def _taken_up(self, asleep: Asleep, events: Sequence[Event]) -> Decided | Reply:
        """Go on from what everybody knows and the secrets that were entered again."""
        made = facts_again(events, self._game, self._keyring, asleep.snapshot, asleep.entered)
        session = around(events, self._game, self._keyring, lost=tuple(asleep.entered))
        try:
            reduce(lambda so_far, fact: applied(so_far, fact.type, fact.payload), made, session)
        except ValueError:
            for seat in asleep.entered:
                self._keyring.forget(self._game, seat)
            missing = wanted_keys(events, self._game, self._keyring)
            self._sleeps_on(replace(asleep, missing=missing, entered={}))
            return refused("hidden.not_there")
        self._session = session
        return Decided(made)

    def _sleeps_on(self, asleep: Asleep) -> Reply:
        """Show for whom the game still waits."""
        with self._lock:
            self._asleep = asleep
            self._around = replace(self._around, seq=self._around.seq + 1)
        self._tell()
        return Reply(True)

    def set_up_again(self, game: str, start: Start) -> None:
        """Begin another game on the same table; whoever watches goes along."""
        with self._order, self._lock:
            self._game, self._session = game, start.session
            self._asleep, self._kept = start.asleep, start.kept
            seq = self._around.seq + 1
            private = self._around.private
            self._around = Around(seq, self._id, game, camera=self._around.camera, private=private)
            self._kept_seq = seq
        self._tell()

    def play(self, facts: Sequence[Fact]) -> Reply:
        """Keep facts that the referee has decided on; they are checked like any other."""
        began = self._beat.clock()
        with self._order:
            if self._asleep is not None:
                return refused("hidden.key_awaited")
            made = self._keep(Decided(tuple(facts)))
            self._wait(began)
            reply = self._show(made)
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

    def _stale(self, actor: Actor, command: Message) -> Reply | None:
        """Refuse what was meant for an older state of what this seat knows."""
        if command.seq >= self._around.seq_for(actor.seat) - self._quiet(actor.seat):
            return None
        return refused("error.too_late")

    def _quiet(self, seat: str | None) -> int:
        """How many of the newest changes touched no piece, so that a tap is still meant as it was."""
        return self._around.seq - max(self._kept_seq, self._kept_private.get(seat or "", 0))

    def _keep(self, decided: Decided) -> Kept | Reply:
        """Fold the facts and write them down; they are not the state yet."""
        session = self._session
        try:
            for fact in decided.facts:
                session = applied(session, fact.type, fact.payload)
            events = sealed_events(decided.facts, self._game, self._kept + 1, self._now(), self._keyring)
            if events:
                self._store.append(self._game, events, expected=self._kept)
        except CorruptGameError as error:
            LOG.warning("refused", game=self._game, problem=str(error))
            return refused("error.too_late")
        except KeyMissing:
            return refused("hidden.key_awaited")
        except Conflict as conflict:
            LOG.warning("conflict", game=self._game, expected=self._kept, found=conflict.found)
            return refused("error.too_late")
        notice = notice_of(self._session, session, decided.facts)
        return Kept(session, len(events), self._alone(decided, session), notice)

    def _alone(self, decided: Decided, after: Session) -> tuple[str, ...]:
        """Name the seats that alone can see a difference, in a turn that is theirs to hide; else nobody."""
        before, around = self._session, self._around
        if not decided.facts or not before.veils(None):
            return ()
        if public_view(before, around) != public_view(after, around):
            return ()
        own = [seat for seat in self.seats if not before.veils(seat)]
        others = [seat for seat in self.seats if seat not in own]
        same = all(seat_view(before, around, s) == seat_view(after, around, s) for s in others)
        return tuple(own) if same else ()

    def _show(self, made: Kept | Reply) -> Reply:
        """Make what is on disk the state, and number it for those who see a difference."""
        if isinstance(made, Reply):
            return made
        with self._lock:
            around, self._session = self._around, made.session
            self._asleep = None
            self._kept += made.events
            if made.alone:
                own = {seat: around.private.get(seat, 0) + 1 for seat in made.alone}
                self._around = replace(around, private={**around.private, **own})
                self._kept_private |= dict.fromkeys(made.alone, around.seq)
            else:
                self._around = replace(around, seq=around.seq + 1, notice=made.notice)
                self._kept_seq = self._around.seq
            self._after_keeping()
        return Reply(True)

    def _after_keeping(self) -> None:
        """Write down what is needed to wake up without keys, and that a game is over."""
        session = self._session
        if session.game.table.secretive:
            shown = public_view(session, self._around)
            keep_snapshot(self._store, self._game, snapshot_of(session, shown))
        if session.game.over:
            self._store.write(mark_game(self._game, state="over"))

    def _tell(self) -> None:
        """Wake everybody who listens; nobody may hold up the table."""
        with self._lock:
            listeners = tuple(self._listeners)
        for listener in listeners:
            listener()
