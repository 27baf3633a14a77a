"""The turn in play: steps, replies of others, ending it, and who comes next."""

from __future__ import annotations

from dataclasses import replace

from engine.match import Game, Outcome, added
from engine.position import Seen, Truth
from engine.refusal import NO_POWER, WRONG_WORKER, Refusal
from engine.rules.arbiter import Arbitrated, Deed, arbitrate, consequences_of, shown_so_far
from engine.rules.blind import is_blind
from engine.rules.flow import begin_turn, eliminate, extra_owed, finish_turn, next_seat, spend_extra
from engine.rules.reasons import normal, reason, take
from engine.rules.search import Search, owes
from engine.state import State
from engine.steps import End, Pass, Step
from engine.telling import Entry, TurnRecord
from engine.view import begun, observe, project, waiting_for_card


def take_step(game: Game, seat: str, step: Step) -> Outcome | Refusal:
    """Take an ordinary step of a turn."""
    plan = game.plan
    asked = plan.now.asked
    if seat != plan.now.seat:
        if asked is None or asked[0] != seat:
            return Refusal(WRONG_WORKER, {"turn": plan.now.seat})
        return _reply(game, seat, step)
    step = normal(plan, seat, step)
    next_ = take(plan, seat, step)
    if next_ is None:
        return reason(plan, seat, step) or Refusal(NO_POWER)
    deed = Deed(seat, step, len(plan.now.events), is_blind(plan, next_, step))
    pending = (*game.pending, deed)
    if game.deferred:
        next_ = shown_so_far(game.truth, pending, next_)
        entry = Entry(seat, step, consequences_of(plan, next_))
        record = _with_entry(game, entry)
        return Outcome(added(game, seat, step, plan=next_, pending=pending, current=record), (entry,))
    return _settle(game, added(game, seat, step, plan=next_, pending=pending))


def declared(game: Game, seat: str, step: Step) -> Game | None:
    """Add a step that would be legal if nothing had been told since the turn began, and is not now."""
    plan = begun(project(game.between, game.table.sides[seat]))
    for deed in game.pending:
        known = take(plan, deed.seat, deed.step)
        if known is None:
            return None
        plan = known
    step = normal(plan, seat, step)
    if not game.deferred or take(plan, seat, step) is None:
        return None
    deed = Deed(seat, step, len(game.plan.now.events))
    return added(game, seat, step, pending=(*game.pending, deed))


def _with_entry(game: Game, entry: Entry) -> TurnRecord:
    """Give the record of the turn in play with one more entry."""
    record = game.current
    return TurnRecord(game.plan.now.seat, (*record.entries, entry), (), game.plan.now.extra)


def _reply(game: Game, seat: str, step: Step) -> Outcome | Refusal:
    """Take a step of a seat that was asked in another's turn; it knows its own view only."""
    known = observe(game, seat).state
    if take(known, seat, step) is None:
        return reason(known, seat, step) or Refusal(NO_POWER)
    mine = take(game.plan, seat, step)
    plan = mine if mine is not None else game.plan._replace(turn=game.plan.now._replace(asked=None))
    deed = Deed(seat, step, len(game.plan.now.events))
    after = added(game, seat, step, plan=plan, pending=(*game.pending, deed))
    if game.deferred:
        entry = Entry(seat, step, consequences_of(game.plan, plan) if mine is not None else ())
        return Outcome(replace(after, current=_with_entry(game, entry)), (entry,))
    return _settle(game, after)


def _settle(before: Game, after: Game) -> Outcome:
    """Try the newest step on the truth at once."""
    result = arbitrate(before.truth, after.pending[-1:], after.plan, (), at_once=True)
    record = TurnRecord(
        before.plan.now.seat, (*before.current.entries, *result.entries), (), before.plan.now.extra
    )
    game = replace(after, truth=result.truth, current=record, plan=result.plan)
    if result.cut_short:
        return _finish(game, result)
    if result.truth.over:
        return Outcome(_over(game), result.entries)
    return Outcome(game, result.entries, result.cancelled, result.cancelled_at, result.undo)


def _over(game: Game) -> Game:
    """Close the record of a game that has ended within a turn."""
    truth = game.truth
    return replace(
        game, between=truth._replace(turn=None), records=(*game.records, game.current), current=TurnRecord("")
    )


def end_turn(game: Game, seat: str) -> Outcome | Refusal:
    """End the turn: commit what is pending, then go on to the next turn."""
    if seat != game.plan.now.seat:
        return Refusal(WRONG_WORKER, {"turn": game.plan.now.seat})
    if code := owes(game.plan):
        return Refusal(code)
    ended = added(game, seat, End())
    return commit(ended)


def commit(game: Game) -> Outcome:
    """Carry out the pending steps of the turn on the truth and close it."""
    if game.deferred:
        result = arbitrate(game.truth, game.pending, game.plan, game.current.entries)
    else:
        result = Arbitrated(game.truth, game.plan, game.current.entries)
    record = TurnRecord(game.plan.now.seat, result.entries, (), game.plan.now.extra)
    return _finish(replace(game, truth=result.truth, current=record), result)


def _finish(game: Game, result: Arbitrated) -> Outcome:
    """Close the turn after its steps have been tried on the truth."""
    truth = game.truth
    count = len(truth.now.events)
    if not truth.over:
        truth = finish_turn(truth, cut_short=result.cut_short)
    record = replace(game.current, closing=truth.now.events[count:])
    closed = replace(game, records=(*game.records, record), current=TurnRecord(""))
    closed = _over(replace(game, truth=truth, current=record)) if truth.over else next_turn(closed, truth)
    return Outcome(closed, record.entries, result.cancelled, result.cancelled_at, result.undo, record.closing)


def next_turn(game: Game, truth: State[Truth]) -> Game:
    """Go on to the next turn that can be played; players without one lose."""
    if truth.turn is not None:
        seat = truth.now.seat
        to_move = seat if extra_owed(truth, seat) else next_seat(truth, seat)
        truth = truth._replace(turn=None, to_move=to_move)
    while truth.to_move is not None and not waiting_for_card(truth):
        seat = truth.to_move
        plan = begun(project(truth, truth.side(seat)))
        if Search[Seen]().completes(plan):
            started = begin_turn(truth, seat, plan.now.extra, duties=not game.table.secretive)
            return replace(game, between=truth, truth=started, plan=plan, pending=())
        if plan.now.extra:
            truth = spend_extra(truth, seat)
            truth = truth if extra_owed(truth, seat) else truth._replace(to_move=next_seat(truth, seat))
        else:
            follower = next_seat(truth, seat)
            truth = eliminate(truth, seat)
            truth = truth if truth.over else truth._replace(to_move=still_in(truth, follower))
    return replace(game, between=truth, truth=truth, plan=project(truth, None), pending=())


def still_in(truth: State[Truth], seat: str) -> str:
    """Name this seat, or the next one that is still in the game."""
    return seat if truth.side(seat) not in truth.out else next_seat(truth, seat)


def pass_turn(game: Game, seat: str) -> Outcome | Refusal:
    """Decline an extra turn."""
    turn = game.plan.now
    if seat != turn.seat:
        return Refusal(WRONG_WORKER, {"turn": turn.seat})
    if not turn.extra or game.pending:
        return Refusal(NO_POWER)
    entry = Entry(seat, Pass())
    truth = spend_extra(game.between, seat)
    truth = truth if extra_owed(truth, seat) else truth._replace(to_move=next_seat(truth, seat))
    record = TurnRecord(seat, (entry,), (), True)
    passed = added(game, seat, Pass(), records=(*game.records, record), current=TurnRecord(""))
    return Outcome(next_turn(passed, truth), (entry,))
