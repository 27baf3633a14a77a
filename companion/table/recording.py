"""From the kept events of a game to its record, and whether a record holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from companion.secrets import Broken, ChainRecord, Owner, Published, Revealed
from companion.table import facts
from companion.table.facts import Payload
from companion.table.secrecy import hidden_value
from companion.table.session import Session, SetRight, applied, begun
from engine.game import Game
from engine.record import (
    Accepted,
    Bound,
    Entry,
    Record,
    RecordError,
    Shown,
    Taken,
    TakenBack,
    playing,
    replayed,
    started,
)  # fmt: skip
from engine.rules.arbiter import Deed
from engine.steps import End

AGAIN: Final = "again"
"""In a board that was accepted: the seat that entered its secret again, after its phone was lost."""


class NotYetError(Exception):
    """The game goes on and hides something: its record is told when it is over."""


def record_of_events(game: str, events: Sequence[tuple[str, Payload]]) -> Record:
    """Make the record of a game from its opened events; raises NotYetError while it hides something."""
    session: Session | None = None
    entries: list[Entry] = []
    for kind, payload in events:
        if session is None:
            session = begun(payload)
            continue
        after = applied(session, kind, payload)
        entries += _entry(session, after, kind, payload)
        session = after
    assert session is not None
    if session.game.table.secretive and not session.game.over:
        raise NotYetError
    first = begun(events[0][1])
    names = {s.seat: s.name for s in session.plan.sitters}
    result = (session.game.winner or "") if session.game.over else None
    opening = first.game.opening.to_json()
    return Record(first.game.setup, tuple(_joined(entries)), names, opening, None, result, game)


def _entry(before: Session, after: Session, kind: str, payload: Payload) -> list[Entry]:
    """Give what an event adds to the record."""
    match kind:
        case facts.STEP:
            deed = after.game.deeds[-1]
            return [Taken(deed.seat, ((deed.seat, deed.step),), is_open=True)]
        case facts.REDONE:
            return [_again(again) for again in before.redoable[: int(payload["steps"])]]
        case facts.UNDONE:
            return [TakenBack(int(payload["steps"]))]
        case facts.ACCEPTED:
            return [Accepted(after.game.opening.to_json() or {})]
        case facts.ENTERED_AGAIN:
            if "position" not in payload:
                return []  # The board is taken up with the last of the lost phones.
            lost = " ".join(payload.get("seats", [str(payload["seat"])]))
            return [Accepted({**(after.game.opening.to_json() or {}), AGAIN: lost})]
        case facts.COMMITTED:
            made = after.commitments[-1]
            return [Bound(made.seat, made.turn, made.commitment, made.link)]
        case facts.SALTED:
            return [Shown(payload["seat"], int(payload["turn"]), str(payload["salt"]), payload["value"])]
        case _:
            return []


def _again(again: Deed | SetRight) -> Entry:
    """Give what was played, or set right, once more."""
    match again:
        case Deed(seat, step):
            return Taken(seat, ((seat, step),), is_open=True)
        case SetRight(opening):
            return Accepted(opening.to_json() or {})


def _joined(entries: Iterable[Entry]) -> Iterable[Entry]:
    """Join the steps of a turn to one line."""
    open_: Taken | None = None
    for entry in entries:
        if not isinstance(entry, Taken):
            if open_ is not None:
                yield open_
            open_ = None
            yield entry
            continue
        ((seat, step),) = entry.steps
        if open_ is not None and isinstance(step, End) and open_.seat == seat:
            yield Taken(open_.seat, open_.steps)
            open_ = None
        elif open_ is not None and open_.seat == seat:
            open_ = Taken(seat, (*open_.steps, (seat, step)), is_open=True)
        else:
            if open_ is not None:
                yield open_
            open_ = entry
    if open_ is not None:
        yield open_


# ---- checking ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """What checking a record found: lines for a person, and whether it holds."""

    holds: bool
    lines: tuple[str, ...]


def verify(record: Record) -> Verdict:
    """Replay a record and check every commitment against what was revealed and what was played."""
    try:
        game = replayed(record)
        wrong = _unlike_what_was_played(record)
    except RecordError as error:
        return Verdict(False, (f"rules: {error}",))
    lines = [f"rules: {len(game.records)} turns replayed, {_ending(game)}"]
    checks = [_verify_chain(record, game, seat) for seat in sorted(game.table.secretive)]
    holds = not wrong and all(good for good, _ in checks)
    return Verdict(holds, (*lines, *(line for _, line in checks), *wrong))


def _ending(game: Game) -> str:
    """Word how a game stands."""
    if not game.over:
        return "the game goes on"
    return f"won by {game.winner}" if game.winner else "nobody won"


def _unlike_what_was_played(record: Record) -> list[str]:
    """Compare what was revealed with what stood there when it was bound."""
    shown = {(e.seat, e.turn): dict(e.value) for e in record.entries if isinstance(e, Shown)}
    wrong = []
    # What was played before a phone was lost is in no record: nothing can be compared with it.
    since = max(_since(record, seat) for seat in record.setup.seats)
    for number, (entry, game) in enumerate(playing(record, started(record))):
        if isinstance(entry, Bound) and number >= since:
            told = shown.get((entry.seat, entry.turn))
            if told is not None and told != hidden_value(game, entry.seat):
                wrong.append(
                    f"seat {entry.seat}: turn {entry.turn} was bound to something that was not there"
                )
    return wrong


def _since(record: Record, seat: str) -> int:
    """Give the number of the entry with which a seat's last chain may begin: 0, or after a lost phone."""
    lost = (
        number
        for number, entry in enumerate(record.entries)
        if isinstance(entry, Accepted) and seat in str(entry.opening.get(AGAIN, "")).split()
    )
    return max(lost, default=0)


def _verify_chain(record: Record, game: Game, seat: str) -> tuple[bool, str]:
    """Check one seat's chain; one that begins later, after a lost phone, holds but proves less."""
    since = _since(record, seat)
    bound = [e for e in record.entries[since:] if isinstance(e, Bound) and e.seat == seat]
    shown = [e for e in record.entries if isinstance(e, Shown) and e.seat == seat]
    if not bound:
        lost = "the phone with the key was lost and " if since else ""
        return bool(since), f"seat {seat}: {lost}nothing was bound, so nothing can be checked"
    owner = Owner(record.id, seat, game.table.powers[seat] or "", bound[0].turn)
    published = tuple(Published(e.turn, e.commitment, e.link) for e in bound)
    turns = {entry.turn for entry in published}
    revealed = tuple(Revealed(e.turn, e.value, e.salt) for e in shown if e.turn in turns)
    try:
        ChainRecord(owner, published, revealed).verify()
    except Broken as error:
        return False, f"seat {seat}: the seal of turn {error.turn} is broken ({error.why})"
    rest = (
        "" if owner.verifiable else "; the phone with the key was lost, so what came before cannot be checked"
    )
    return True, f"seat {seat}: {len(published)} seals hold{rest}"
