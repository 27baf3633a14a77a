"""A game: its setup plus its steps. Everything else is worked out from them, the same way every time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.board import NOWHERE
from engine.events import Event
from engine.opening import Opening
from engine.position import Seen, Truth
from engine.refusal import GAME_OVER, NO_POWER, WRONG_WORKER, Refusal
from engine.rules import setting
from engine.rules.arbiter import Arbitrated, Deed, arbitrate, consequences_of
from engine.rules.blind import is_blind
from engine.rules.flow import begin_turn, eliminate, extra_owed, finish_turn, next_seat, spend_extra
from engine.rules.reasons import normal, reason, take
from engine.rules.search import Search, owes
from engine.rules.undo import PutBack
from engine.setup import SCHEMA, Setup
from engine.state import State, Table
from engine.steps import Agree, Draw, End, Pass, Proxy, Resign, Step, format_step, parse_step
from engine.telling import Entry, TurnRecord
from engine.view import begun, project, waiting_for_card


@dataclass(frozen=True)
class Game:
    """The truth of a game. Keep it inside; show views only.

    `truth` is what really stands, `plan` the turn in play as its player knows it, `between` the truth when
    the turn began. `pending` are the steps of this turn that have not been tried on the truth yet.
    """

    setup: Setup
    opening: Opening
    deeds: tuple[Deed, ...]
    table: Table
    between: State[Truth]
    truth: State[Truth]
    plan: State[Seen]
    pending: tuple[Deed, ...] = ()
    current: TurnRecord = field(default_factory=lambda: TurnRecord(""))
    records: tuple[TurnRecord, ...] = ()
    drawn: bool = False

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.truth.over

    @property
    def winner(self) -> str | None:
        """The winning side, if there is one."""
        return self.truth.winner

    @property
    def losers(self) -> tuple[str, ...]:
        """The sides that lost by themselves."""
        return self.truth.losers

    @property
    def to_move(self) -> str | None:
        """The seat whose turn (or setup action) it is."""
        return self.truth.to_move

    @property
    def waiting(self) -> tuple[str, ...]:
        """The seats that may do something now: first the one to move, then one that is asked."""
        if self.truth.to_move is None:
            return ()
        asked = self.plan.turn.asked if self.plan.turn is not None else None
        extra = (asked[0],) if asked is not None and asked[0] != self.truth.to_move else ()
        return (self.truth.to_move, *extra)

    @property
    def deferred(self) -> bool:
        """Whether the turn in play is tried on the truth only when it is ended."""
        return self.table.hecate_check == "turn" and _others_hide(self)

    def to_json(self) -> dict[str, Any]:
        """Write the game as plain JSON data: its setup and its steps."""
        return {
            "schema": SCHEMA,
            "setup": self.setup.to_json(),
            "opening": self.opening.to_json(),
            "steps": [[deed.seat, format_step(deed.step)] for deed in self.deeds],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Game:
        """Read a game and play it through again."""
        if data.get("schema") != SCHEMA:
            raise ValueError(f"schema: {data.get('schema')!r} is not {SCHEMA}")
        opening = Opening.from_json(data["opening"]) if data.get("opening") else None
        game = begin(Setup.from_json(data["setup"]), opening)
        return replay(game, [(seat, parse_step(text)) for seat, text in data["steps"]])


@dataclass(frozen=True, slots=True)
class Outcome:
    """An accepted step: the game after it, the entries it added, and what a cancellation undoes."""

    game: Game
    entries: tuple[Entry, ...] = ()
    cancelled: Step | None = None
    cancelled_at: int | None = None
    undo: tuple[PutBack, ...] = ()
    closing: tuple[Event, ...] = ()

    def told(self, seat: str | None) -> str:
        """What a seat is told of these entries."""
        record = TurnRecord(self.game.to_move or "", self.entries, self.closing)
        return record.told(seat, self.game.table, self.game.over)


class ReplayError(ValueError):
    """A recorded step is refused; carries its number and the refusal."""

    def __init__(self, number: int, refusal: Refusal) -> None:
        super().__init__(f"step {number} is refused: {refusal.code}")
        self.number = number
        self.refusal = refusal


def begin(setup: Setup, opening: Opening | None = None) -> Game:
    """Begin a game; raise SetupError when the line-up is not allowed."""
    setup.allowed()
    table = setup.table()
    opening = opening or Opening()
    truth = opening.state(setup, table)
    game = Game(setup, opening, (), table, truth, truth, project(truth, None))
    return game if truth.setup is not None else _next_turn(game, truth)


def replay(game: Game, deeds: list[tuple[str, Step]]) -> Game:
    """Play recorded steps; raise ReplayError at the first one that is refused."""
    for number, (seat, step) in enumerate(deeds):
        outcome = attempt(game, seat, step)
        if isinstance(outcome, Refusal):
            raise ReplayError(number, outcome)
        game = outcome.game
    return game


def undone(game: Game, count: int = 1) -> Game:
    """Give the game without its last steps."""
    kept = game.deeds[: len(game.deeds) - count]
    return replay(begin(game.setup, game.opening), [(d.seat, d.step) for d in kept])


def attempt(game: Game, seat: str, step: Step) -> Outcome | Refusal:
    """Try a step of a seat: an accepted game with what happened, or the reason why not."""
    if game.over:
        return Refusal(GAME_OVER)
    if isinstance(step, (Resign, Agree, Proxy, Draw)):
        return _beside_the_turn(game, seat, step)
    if game.truth.setup is not None:
        return _set_up(game, seat, step)
    if waiting_for_card(game.truth):
        return Refusal("must_place", {"card": waiting_for_card(game.truth) or ""})
    if isinstance(step, End):
        return _end(game, seat)
    if isinstance(step, Pass):
        return _pass(game, seat)
    return _step(game, seat, step)


def _added(game: Game, seat: str, step: Step, **changes: Any) -> Game:
    """Give the game with one more step recorded."""
    return replace(game, deeds=(*game.deeds, Deed(seat, step)), **changes)


def _others_hide(game: Game) -> bool:
    """Whether another side than the mover's keeps a secret (the Abyss waits for everybody)."""
    mover = game.truth.to_move
    side = game.table.sides[mover] if mover else ""
    others = any(game.table.sides[seat] != side for seat in game.table.secretive)
    return others or any(secret.abyss != NOWHERE for secret in game.truth.secrets.values())


# ---- the turn ------------------------------------------------------------------------------------------


def _step(game: Game, seat: str, step: Step) -> Outcome | Refusal:
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
    after = _added(game, seat, step, plan=next_, pending=(*game.pending, deed))
    if game.deferred:
        entry = Entry(seat, step, consequences_of(plan, next_))
        return Outcome(replace(after, current=_with_entry(game, entry)), (entry,))
    return _settle(game, after)


def _with_entry(game: Game, entry: Entry) -> TurnRecord:
    """Give the record of the turn in play with one more entry."""
    record = game.current
    return TurnRecord(game.plan.now.seat, (*record.entries, entry), (), game.plan.now.extra)


def _reply(game: Game, seat: str, step: Step) -> Outcome | Refusal:
    """Take a step of a seat that was asked in another's turn; it knows its own view only."""
    from engine.view import observe

    known = observe(game, seat).state
    if take(known, seat, step) is None:
        return reason(known, seat, step) or Refusal(NO_POWER)
    mine = take(game.plan, seat, step)
    plan = mine if mine is not None else game.plan._replace(turn=game.plan.now._replace(asked=None))
    deed = Deed(seat, step, len(game.plan.now.events))
    after = _added(game, seat, step, plan=plan, pending=(*game.pending, deed))
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


def _end(game: Game, seat: str) -> Outcome | Refusal:
    """End the turn: commit what is pending, then go on to the next turn."""
    if seat != game.plan.now.seat:
        return Refusal(WRONG_WORKER, {"turn": game.plan.now.seat})
    if code := owes(game.plan):
        return Refusal(code)
    ended = _added(game, seat, End())
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
    closed = _over(replace(game, truth=truth, current=record)) if truth.over else _next_turn(closed, truth)
    return Outcome(closed, record.entries, result.cancelled, result.cancelled_at, result.undo, record.closing)


def _next_turn(game: Game, truth: State[Truth]) -> Game:
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
            truth = truth if truth.over else truth._replace(to_move=_still_in(truth, follower))
    return replace(game, between=truth, truth=truth, plan=project(truth, None), pending=())


def _still_in(truth: State[Truth], seat: str) -> str:
    """Name this seat, or the next one that is still in the game."""
    return seat if truth.side(seat) not in truth.out else next_seat(truth, seat)


def _pass(game: Game, seat: str) -> Outcome | Refusal:
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
    passed = _added(game, seat, Pass(), records=(*game.records, record), current=TurnRecord(""))
    return Outcome(_next_turn(passed, truth), (entry,))


# ---- beside the turn -----------------------------------------------------------------------------------


def _set_up(game: Game, seat: str, step: Step) -> Outcome | Refusal:
    """Take a step of the setup."""
    if code := setting.refused_in_setup(project(game.truth, game.table.sides[seat]), seat, step):
        return Refusal(code)
    if setting.refused_in_setup(game.truth, seat, step):
        entry = Entry(seat, step, (), True)
        return Outcome(_added(game, seat, step), (entry,), step, 0)
    truth = setting.set_up(game.truth, step)
    entry = Entry(seat, step)
    record = TurnRecord(seat, (*game.current.entries, entry))
    changed = truth.setup is None or setting.current(truth).group != setting.current(game.truth).group
    records = (*game.records, record) if changed else game.records
    current = TurnRecord("") if changed else record
    after = _added(game, seat, step, truth=truth, between=truth, records=records, current=current)
    after = replace(after, plan=project(truth, None))
    return Outcome(after if truth.setup is not None else _next_turn(after, truth), (entry,))


def _beside_the_turn(game: Game, seat: str, step: Step) -> Outcome | Refusal:
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
            stopped = _added(game, seat, step, truth=truth, between=truth, pending=(), drawn=not winner)
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
    after = _added(game, seat, Resign(), truth=truth, between=truth, pending=(), current=TurnRecord(""))
    after = replace(after, records=(*game.records, TurnRecord(seat, (entry,))), plan=project(truth, None))
    if truth.over:
        return Outcome(after, (entry,))
    if truth.setup is not None:
        return Refusal(NO_POWER)
    truth = truth._replace(to_move=_still_in(truth, truth.to_move or seat))
    return Outcome(_next_turn(after, truth), (entry,))


def _draw(game: Game, seat: str, step: Draw) -> Outcome | Refusal:
    """Turn up a card, as drawn by chance."""
    if game.truth.setup is not None:
        return _set_up(game, seat, step)
    card = waiting_for_card(game.truth)
    deck = game.truth.memory[card]["deck"] if card else ()
    if card is None or not isinstance(deck, tuple) or step.power not in deck:
        return Refusal(NO_POWER)
    truth = setting.turned_up(game.between, card, step.power)
    entry = Entry(seat, step)
    record = TurnRecord(seat, (entry,))
    after = _added(game, seat, step, records=(*game.records, record))
    return Outcome(_next_turn(after, truth), (entry,))


def _proxy(game: Game, seat: str, cell: int) -> Outcome | Refusal:
    """Note that a complete tower was taken off for its pieces; its dome lies on the ground."""
    if not game.truth.pos.complete >> cell & 1 or game.truth.pos.proxies >> cell & 1:
        return Refusal("wrong_space")

    def marked(state: State[Any]) -> State[Any]:
        return state._replace(pos=state.pos.with_proxy(cell))

    after = _added(
        game,
        seat,
        Proxy(cell),
        truth=marked(game.truth),
        between=marked(game.between),
        plan=marked(game.plan),
    )
    return Outcome(after, (Entry(seat, Proxy(cell)),))
