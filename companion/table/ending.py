"""How a game ended, in words; asked only when it is over and nothing is hidden any more."""

from __future__ import annotations

from companion.table.saying import names, say
from companion.table.seatview import Say
from companion.table.session import Session
from companion.texts import Text
from companion.texts.catalogue import FALLBACK, catalogue
from engine.board import NOWHERE, format_cell
from engine.events import Event, Lost, Moved, Won
from engine.game import Game
from engine.steps import Agree, Resign
from engine.view import observe_public


def how(session: Session) -> Say:
    """Word how the game ended."""
    return say(_agreed(session) or _won(session.game) or _lost(session) or _last(session))


def _agreed(session: Session) -> Text | None:
    """Somebody gave up, or all agreed."""
    last = session.game.deeds[-1] if session.game.deeds else None
    if last is not None and isinstance(last.step, Agree):
        return Text("end.how.agreed" if last.step.winner else "end.draw")
    if last is not None and isinstance(last.step, Resign):
        return Text("end.how.resigned", player=names(session).get(last.seat, last.seat))
    return None


def _won(game: Game) -> Text | None:
    """A condition for winning held: the usual one, or that of the winner's power."""
    events = _events(game)
    won = next((event for event in reversed(events) if isinstance(event, Won)), None)
    if won is None or game.winner is None:
        return None
    moved = next((event for event in reversed(events) if isinstance(event, Moved)), None)
    own = moved is not None and won.cell != NOWHERE and moved.worker[0] == game.table.sides[won.seat]
    view = observe_public(game)
    up = own and moved is not None and moved.rise > 0 and view.position.level(won.cell) == 3
    secret = view.revealed.get(won.seat)
    space = won.cell if own or secret is None or secret.fate == NOWHERE else secret.fate
    facts = {"space": format_cell(space)} if space != NOWHERE else {}
    by = None if up else _of_power(game.table.powers.get(won.seat), facts)
    return by or (Text("end.how.up", space=facts["space"]) if facts else None)


def _of_power(power: str | None, facts: dict[str, str]) -> Text | None:
    """The words for a power's own way of winning, where there are any."""
    key = f"end.how.{power}"
    return Text(key, **facts) if power and key in catalogue(FALLBACK).entries else None


def _lost(session: Session) -> Text | None:
    """Somebody entered a secret space, or had no turn left."""
    game, players = session.game, names(session)
    if not game.losers:
        return None
    abyss = [secret.abyss for secret in observe_public(game).revealed.values() if secret.abyss != NOWHERE]
    if abyss and any(isinstance(event, Lost) for event in _events(game)):
        return Text("end.how.abyss", space=format_cell(abyss[0]))
    return Text("end.how.stuck", player=players.get(game.losers[-1], game.losers[-1]))


def _last(session: Session) -> Text:
    winner = session.game.winner or ""
    return Text("end.wins", player=names(session).get(winner, winner))


def _events(game: Game) -> tuple[Event, ...]:
    """What happened in the last turn."""
    if not game.records:
        return ()
    record = game.records[-1]
    return (*(event for entry in record.entries for event in entry.events), *record.closing)
