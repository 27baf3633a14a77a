"""Hints that take a while, worked out beside the game: who could win next turn, where hidden things can be.

They come from what everybody may know, so they are the same whatever is hidden, and never hold up an answer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import structlog

from companion.table.live import Table
from companion.table.saying import names, say
from companion.table.seatview import Hints, Possible, Threat
from companion.table.session import Session
from companion.table.showing import shown_state
from companion.table.tables import Tables
from companion.texts import Text
from engine import threats as rules
from engine.board import NOWHERE, cells_in, format_cell
from engine.deduce import Deduction, deduction, learn
from engine.game import attempt, begin
from engine.match import Game, Outcome
from engine.news import news_of
from engine.view import observe_public

LOG = structlog.get_logger("hints")
MOST_THREATS: Final = 4
TOP: Final = "threats"
"""The hint level that shows them."""


@dataclass(frozen=True)
class Followed:
    """How far the public deduction of a game has come."""

    game: Game
    known: Deduction


def threats_of(session: Session) -> tuple[Threat, ...]:
    """Say who could win next turn, in words."""
    players = names(session)
    found = rules.threats(observe_public(session.game))
    return tuple(_worded(threat, players) for threat in found[:MOST_THREATS])


def _worded(threat: rules.Threat, players: dict[str, str]) -> Threat:
    """Word one threat; the player to move is told that it can win."""
    space = format_cell(threat.space) if threat.space != NOWHERE else None
    player = players.get(threat.seat, threat.seat)
    if threat.at_once:
        text = Text("hint.you_can_win")
    elif space is not None:
        text = Text("hint.threat", player=player, space=space)
    else:
        text = Text(
            "hint.threat_by", player=player, what=Text(f"power.{threat.by}.name") if threat.by else ""
        )
    said = say(text)
    return Threat(threat.seat, said.key, said.facts, (space,) if space else ())


def followed(session: Session, before: Followed | None) -> Followed:
    """Bring the public deduction up to the session; from the start where steps were taken back."""
    deeds = session.game.deeds
    usable = (
        before is not None
        and before.game.opening == session.game.opening
        and before.game.deeds == deeds[: len(before.game.deeds)]
    )
    if before is None or not usable:
        start = begin(session.game.setup, session.game.opening)
        before = Followed(start, deduction(session.game.setup))
    game, known = before.game, before.known
    for deed in deeds[len(game.deeds) :]:
        outcome = attempt(game, deed.seat, deed.step)
        assert isinstance(outcome, Outcome), deed
        if (news := news_of(game, outcome.game)) is not None:
            known = learn(known, news)
        game = outcome.game
    return Followed(game, known)


def possible_of(session: Session, known: Deduction) -> Possible | None:
    """Show where hidden things can still be."""
    powers = [session.game.table.powers[seat] for seat in sorted(session.game.table.secretive)]
    cells = tuple(format_cell(cell) for cell in cells_in(known.cells))
    return Possible(str(powers[0]), cells) if powers and cells else None


class Hinter:
    """Works hints out for all tables in one thread; the newest state of a table is always next."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._wake = threading.Condition()
        self._waiting: dict[str, None] = {}
        self._follow: dict[str, tuple[str, Followed]] = {}
        self._watched: dict[str, tuple[Table, Callable[[], None]]] = {}
        self._over = False
        self._thread = threading.Thread(target=self._work, name="hints", daemon=True)
        self._unhook = tables.on_change(self._look_around)

    def start(self) -> None:
        """Begin to work."""
        self._look_around()
        self._thread.start()

    def stop(self) -> None:
        """Stop; what is being worked out is dropped."""
        self._unhook()
        with self._wake:
            self._over = True
            self._wake.notify_all()
            watched, self._watched = self._watched, {}
        for _, leave in watched.values():
            leave()
        if self._thread.is_alive():
            self._thread.join(timeout=2.0)

    def _look_around(self) -> None:
        """Watch the tables that are open now."""
        open_ = {table.id: table for table in self._tables.all()}
        with self._wake:
            gone = [leave for name, (table, leave) in self._watched.items() if open_.get(name) is not table]
            kept = {name: entry for name, entry in self._watched.items() if open_.get(name) is entry[0]}
            new = [table for name, table in open_.items() if name not in kept and not self._over]
            self._watched = kept | {t.id: (t, t.subscribe(lambda t=t: self._note(t))) for t in new}  # type: ignore[misc]
        for leave in gone:
            leave()
        for name in set(self._follow) - set(open_):
            self._follow.pop(name, None)
        for table in new:
            self._note(table)

    def _note(self, table: Table) -> None:
        """Put a table in line; called from any thread."""
        with self._wake:
            self._waiting[table.id] = None
            self._wake.notify()

    def _work(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._waiting or self._over)
                if self._over:
                    return
                name = next(iter(self._waiting))
                del self._waiting[name]
            table = self._tables.get(name)
            if table is not None:
                self._guarded(table)

    def _guarded(self, table: Table) -> None:
        """Work out one table; a fault in a hint must not touch the game or the other tables."""
        try:
            self.hint(table)
        except Exception:  # the edge of the thread
            LOG.exception("hints failed", table=table.id)

    def hint(self, table: Table) -> None:
        """Work the hints of a table out, where a seat wants them."""
        session = table.session
        seq = shown_state(session)
        wanting = [s.seat for s in session.plan.sitters if s.hint_level == TOP]
        if not wanting or session.game.over or table.around.hints_for == (table.game, seq, tuple(wanting)):
            return
        threats = threats_of(session)
        possible = self._possible(table, session)
        shown = {
            seat: Hints(TOP, threats, possible if seat not in session.game.table.secretive else None)
            for seat in wanting
        }
        if shown_state(table.session) == seq:
            table.surround(hints=shown, hints_for=(table.game, seq, tuple(wanting)))

    def _possible(self, table: Table, session: Session) -> Possible | None:
        """Follow the public deduction; after a board was taken as it stands there is none."""
        if not session.game.table.secretive or session.chapters or session.game.truth.setup is not None:
            return None
        name, before = self._follow.get(table.id, ("", None))
        now = followed(session, before if name == table.game else None)
        self._follow[table.id] = (table.game, now)
        return possible_of(session, now.known)
