"""What belongs to no turn: the setup, giving up, agreeing to stop, drawn cards, spare pieces."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.match import Game, Outcome, added
from engine.refusal import GAME_OVER, NO_POWER, Refusal
from engine.rules import setting
from engine.rules.flow import eliminate
from engine.state import State
from engine.steps import Agree, Draw, Proxy, Resign, Step
from engine.telling import Entry, TurnRecord
from engine.turning import next_turn, still_in
from engine.view import project, waiting_for_card


def set_up(game: Game, seat: str, step: Step) -> Outcome | Refusal:
    """Take a step of the setup."""
    if code := setting.refused_in_setup(project(game.truth, game.table.sides[seat]), seat, step):
        return Refusal(code)
    if setting.refused_in_setup(game.truth, seat, step):
        entry = Entry(seat, step, (), True)
        return Outcome(added(game, seat, step), (entry,), step, 0)
    truth = setting.set_up(game.truth, step)
    entry = Entry(seat, step)
    record = TurnRecord(seat, (*game.current.entries, entry))
    changed = truth.setup is None or setting.current(truth).group != setting.current(game.truth).group
    records = (*game.records, record) if changed else game.records
    current = TurnRecord("") if changed else record
    after = added(game, seat, step, truth=truth, between=truth, records=records, current=current)
    after = replace(after, plan=project(truth, None))
    return Outcome(after if truth.setup is not None else next_turn(after, truth), (entry,))


def beside_the_turn(game: Game, seat: str, step: Step) -> Outcome | Refusal:
    """Take a step that belongs to no turn: give up, agree to stop, turn up a card, take off a tower."""
    match step:
        case Draw():
            return _draw(game, seat, step)
        case Proxy(cell):
            return _proxy(game, seat, cell)
        case Agree(winner):
            if winner and winner not in game.table.sides:
                return Refusal("syntax")
            side = game.table.sides[winner] if winner else None
            truth = game.between._replace(winner=side, to_move=None, turn=None)
            stopped = added(game, seat, step, truth=truth, between=truth, pending=(), drawn=not winner)
            return Outcome(replace(stopped, plan=project(truth, None)), (Entry(seat, step),))
        case _:
            return _resign(game, seat)


def _resign(game: Game, seat: str) -> Outcome | Refusal:
    """Let a seat give up; a turn in play is put back to its beginning."""
    if game.table.sides[seat] in game.truth.out:
        return Refusal(GAME_OVER)
    between = game.between
    truth = eliminate(between, seat)
    entry = Entry(seat, Resign())
    after = added(game, seat, Resign(), truth=truth, between=truth, pending=(), current=TurnRecord(""))
    after = replace(after, records=(*game.records, TurnRecord(seat, (entry,))), plan=project(truth, None))
    if truth.over:
        return Outcome(after, (entry,))
    if truth.setup is not None:
        return Refusal(NO_POWER)
    truth = truth._replace(to_move=still_in(truth, truth.to_move or seat))
    return Outcome(next_turn(after, truth), (entry,))


def _draw(game: Game, seat: str, step: Draw) -> Outcome | Refusal:
    """Turn up a card, as drawn by chance."""
    if game.truth.setup is not None:
        return set_up(game, seat, step)
    card = waiting_for_card(game.truth)
    deck = game.truth.memory[card]["deck"] if card else ()
    if card is None or not isinstance(deck, tuple) or step.power not in deck:
        return Refusal(NO_POWER)
    truth = setting.turned_up(game.between, card, step.power)
    entry = Entry(seat, step)
    record = TurnRecord(seat, (entry,))
    after = added(game, seat, step, records=(*game.records, record))
    return Outcome(next_turn(after, truth), (entry,))


def _proxy(game: Game, seat: str, cell: int) -> Outcome | Refusal:
    """Note that a complete tower was taken off for its pieces; its dome lies on the ground."""
    if not game.truth.pos.complete >> cell & 1 or game.truth.pos.proxies >> cell & 1:
        return Refusal("wrong_space")

    def marked(state: State[Any]) -> State[Any]:
        return state._replace(pos=state.pos.with_proxy(cell))

    after = added(
        game,
        seat,
        Proxy(cell),
        truth=marked(game.truth),
        between=marked(game.between),
        plan=marked(game.plan),
    )
    return Outcome(after, (Entry(seat, Proxy(cell)),))
