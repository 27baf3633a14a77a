"""From a record back to a game on disk: the same steps as events, so that it is replayed or gone on with."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, assert_never

from companion.store import NewEvent, Store
from companion.store.games import GameRow, create_game, games
from companion.table import facts
from companion.table.facts import Fact
from companion.table.recording import AGAIN
from companion.table.session import Session, applied, begun
from companion.table.tables import title_of
from engine.record import (
    Accepted,
    Bound,
    Entry,
    Record,
    RecordError,
    Shown,
    Taken,
    TakenBack,
    parse_record,
    playing,
    replayed,
    started,
)  # fmt: skip
from engine.recordjson import record_from_json
from engine.rules.arbiter import Deed
from engine.steps import format_step

BY = "record"


class ImportProblem(ValueError):
    """A record that cannot be taken in; says why, and by `code` what kind of fault it is."""

    def __init__(self, problem: str, code: Literal["json", "secret", "there"]) -> None:
        super().__init__(problem)
        self.code = code


def record_of_text(text: str) -> Record:
    """Read a record of either form; raises RecordError or ImportProblem."""
    if not text.lstrip().startswith("{"):
        return parse_record(text)
    try:
        return record_from_json(json.loads(text))
    except (json.JSONDecodeError, RecursionError) as error:
        raise ImportProblem(str(error), "json") from error


def facts_of(record: Record) -> Iterator[Fact]:
    """Write a record as the facts that a table would have kept."""
    sitters = [{"seat": seat, "name": name} for seat, name in record.names.items()]
    first = {"setup": record.setup.to_json(), "sitters": sitters}
    yield Fact(facts.BEGUN, first | ({"opening": dict(record.opening)} if record.opening else {}))
    game = started(record)
    for entry, after in playing(record, game):
        new = after.deeds[len(game.deeds) :] if isinstance(entry, Taken) else ()
        yield from _facts(entry, new)
        game = after


def _facts(entry: Entry, new: tuple[Deed, ...]) -> Iterator[Fact]:
    """Write one entry; `new` are the steps that it added to the game, an end that goes without saying too."""
    match entry:
        case Taken():
            for deed in new:
                yield facts.step_taken(deed.seat, format_step(deed.step), BY)
        case TakenBack(steps):
            yield Fact(facts.UNDONE, {"steps": steps})
        case Accepted(opening):
            yield from _accepted(opening)
        case Bound(seat, turn, commitment, link):
            told = {"seat": seat, "turn": turn, "commitment": commitment, "link": link}
            yield Fact(facts.COMMITTED, told)
        case Shown(seat, turn, salt, value):
            yield Fact(facts.SALTED, {"seat": seat, "turn": turn, "value": dict(value), "salt": salt})
        case _:
            assert_never(entry)


def _accepted(opening: Mapping[str, Any]) -> Iterator[Fact]:
    """Write a board that was taken as it stood, or secrets that were entered again: that mark stays."""
    lost = str(opening.get(AGAIN, "")).split()
    if not lost:
        yield Fact(facts.ACCEPTED, {"position": opening["position"]})
        return
    secrets_ = opening.get("secrets", {})
    for seat in sorted(set(secrets_) - set(lost)):
        yield Fact(facts.CARRIED, {"seat": seat, "secret": dict(secrets_[seat])})
    known = {"position": opening["position"], "memory": opening.get("memory", {}), "seats": lost}
    for seat in lost:
        entered = {"seat": seat, "secret": dict(secrets_.get(seat, {}))}
        yield Fact(facts.ENTERED_AGAIN, {**entered, **(known if seat == lost[-1] else {})})


def import_record(store: Store, record: Record, now: Callable[[], int]) -> str:
    """Enter a record as a game of this folder and return its name; raises RecordError or ImportProblem."""
    game = replayed(record)
    if game.table.secretive and not game.over:
        raise ImportProblem("the game goes on and hides something, so a record of it is not whole", "secret")
    name = record.id or f"g{secrets.token_hex(6)}"
    if any(row.id == name for row in store.read(games())):
        raise ImportProblem(f"the game {name} is there already", "there")
    kept = tuple(facts_of(record))
    session = _folded(kept)
    at = now()
    state = "over" if session.game.over else "running"
    row = GameRow(name, f"t{secrets.token_hex(3)}", created=at, state=state, title=title_of(session))
    store.write(create_game(row))
    store.append(name, [NewEvent(fact.type, dict(fact.payload), at) for fact in kept], expected=0)
    return name


def _folded(kept: tuple[Fact, ...]) -> Session:
    """Fold the facts as every later start will: what does not hold is refused before it is on disk."""
    session = begun(kept[0].payload)
    for number, fact in enumerate(kept[1:], 1):
        try:
            session = applied(session, fact.type, fact.payload)
        except ValueError as error:
            raise RecordError(number, str(error)) from error
    return session
