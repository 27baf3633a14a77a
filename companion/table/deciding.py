"""What a command does to a session: the facts to be kept, or why not. Nothing is changed here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from companion.table import facts
from companion.table.accepting import accepted, edited
from companion.table.commands import (
    AcceptBoard,
    Actor,
    Answer,
    AnswerEnd,
    AnswerUndo,
    BringKey,
    Command,
    Commit,
    EditBoard,
    EndTurn,
    EnterAgain,
    OfferEnd,
    PassTurn,
    Pause,
    Redo,
    Rename,
    Reply,
    Resign,
    Restore,
    Resume,
    SetHints,
    TakeStep,
    Undo,
    Why,
    refused,
)  # fmt: skip
from companion.table.facts import Fact
from companion.table.saying import say_refusal
from companion.table.seatview import Say
from companion.table.secrecy import due, is_secret
from companion.table.session import Session, SetRight, played, taken_back
from engine.board import parse_cell
from engine.game import attempt
from engine.legal import why_not, why_not_end
from engine.refusal import Refusal
from engine.steps import Agree, Build, End, Move, Pass, Step, StepSyntaxError, format_step, parse_step
from engine.steps import Resign as GiveUp
from engine.view import observe

NOT_ALLOWED = "error.not_allowed"


@dataclass(frozen=True)
class Decided:
    """The facts of an accepted command."""

    facts: tuple[Fact, ...]


Decision = Decided | Reply


def decide(session: Session, actor: Actor, command: Command) -> Decision:
    """Say what a command does, or why it does nothing."""
    match command:
        case TakeStep() | EndTurn() | PassTurn():
            return _play(session, actor, command)
        case Undo() | Redo() | AnswerUndo():
            return _take_back(session, actor, command)
        case Resign() | OfferEnd() | AnswerEnd() | Pause() | Resume():
            return _end(session, actor, command)
        case SetHints() | Rename():
            return _around(session, actor, command)
        case Why():
            return why(session, actor, command)
        case EditBoard():
            return _set_by_hand(session, command)
        case Answer() | AcceptBoard() | Restore() | Commit() | BringKey() | EnterAgain():
            # These concern the camera or the keys; the table answers them before it asks here.
            return refused("error.too_late")
        case _:
            assert_never(command)


def _set_by_hand(session: Session, command: EditBoard) -> Decision:
    """Go on from a board as somebody has set it, where it can be one; no camera is needed for that."""
    if session.game.over or session.game.truth.setup is not None:
        return refused("error.too_late")
    made = accepted(edited(session, command), session, command.to_move)
    return made if isinstance(made, Reply) else Decided((made,))


# ---- playing -------------------------------------------------------------------------------------------


def acting_seat(session: Session, actor: Actor) -> str | None:
    """Name the seat that a step of this actor is for: its own, or the one to move."""
    game = session.game
    if actor.seat is not None:
        return actor.seat
    waiting = game.waiting
    # The table itself never speaks for a seat that hides something from it.
    return waiting[0] if waiting and waiting[0] not in game.table.secretive else None


def _play(session: Session, actor: Actor, command: TakeStep | EndTurn | PassTurn) -> Decision:
    """Take a step of the turn, end it, or pass."""
    if session.paused:
        return refused("phase.paused")
    seat = acting_seat(session, actor)
    if seat is None:
        return refused(NOT_ALLOWED)
    match command:
        case TakeStep(step=text):
            try:
                step: Step = parse_step(text)
            except StepSyntaxError:
                return refused("reason.syntax")
        case EndTurn():
            step = End()
        case PassTurn():
            step = Pass()
        case _:
            assert_never(command)
    return play(session, seat, step, by=actor.role)


def unsealed(session: Session, seat: str) -> bool:
    """Whether another seat's phone still owes a commitment that has to come before this seat goes on."""
    return any(other != seat and due(session, other) is not None for other in session.game.table.secretive)


def play(session: Session, seat: str, step: Step, by: str) -> Decision:
    """Try a step on the rules."""
    if isinstance(step, End) and unsealed(session, seat):
        return refused("hidden.checking")
    result = attempt(session.game, seat, step)
    if isinstance(result, Refusal):
        return Reply(False, say_refusal(session, seat, result, step))
    taken = facts.step_taken(seat, format_step(step), by)
    if is_secret(session.game, seat, step):
        taken = replace(taken, secret_of=seat)
    return Decided((taken,))


def why(session: Session, actor: Actor, command: Why) -> Decision:
    """Say why a space is not lit, from what the asking seat may know."""
    seat = acting_seat(session, actor)
    if seat is None:
        return refused(NOT_ALLOWED)
    view = observe(session.game, seat)
    best: tuple[Refusal, Step] | None = None
    for step in _steps_meant(session, seat, command):
        refusal = why_not(view, step)
        if refusal is None:
            return Reply(True, Say("ui.cell.can_choose", {}))
        if best is None or _rank(refusal) > _rank(best[0]):
            best = (refusal, step)
    if best is None:
        refusal = why_not_end(view) or Refusal("no_power")
        return Reply(True, say_refusal(session, seat, refusal, None))
    return Reply(True, say_refusal(session, seat, *best))


def _rank(refusal: Refusal) -> int:
    """Prefer the reason that says most: a rule about the space rather than about the worker."""
    dull = ("wrong_worker", "no_power", "must_move", "must_build", "must_place", "not_neighbour")
    code = refusal.code.partition(":")[0]
    return -dull.index(code) - 1 if code in dull else 0


def _steps_meant(session: Session, seat: str, command: Why) -> list[Step]:
    """List the steps that somebody may mean by touching a space."""
    position = observe(session.game, seat).position
    cell, side = parse_cell(command.cell), session.game.table.sides[seat]
    own = {w: c for w, c in position.workers.items() if w[0] == side}
    if command.origin is not None:
        own = {w: c for w, c in own.items() if c == parse_cell(command.origin)}
    turn = observe(session.game, seat).state.turn
    if turn is not None and turn.moves and not turn.builds:
        return [Build(turn.moves[-1].worker, cell, position.level(cell) == 3)]
    return [Move(worker, start, cell) for worker, start in own.items() if start != cell]


# ---- taking back ---------------------------------------------------------------------------------------


def _take_back(session: Session, actor: Actor, command: Undo | Redo | AnswerUndo) -> Decision:
    """Take turns back, play them again, or answer somebody who wants to."""
    match command:
        case Undo():
            return _undo(session, actor, command)
        case Redo():
            return refused("undo.nothing") if session.veils(actor.seat) else _redo(session)
        case AnswerUndo(yes=yes):
            if session.undo is None:
                return refused("undo.nothing")
            if actor.seat == session.undo.seat and len(session.plan.sitters) > 1 and yes:
                return refused(NOT_ALLOWED)
            kept = facts.UNDONE if yes else facts.UNDO_REFUSED
            return Decided((Fact(kept, {"steps": session.undo.steps, "seat": actor.seat}),))
        case _:
            assert_never(command)


def _undo(session: Session, actor: Actor, command: Undo) -> Decision:
    """Take back the steps of the own turn at once; ask the others about more."""
    veiled, keep = session.veiled_from(actor.seat), command.keep
    steps = session.steps_back(command.turns, veiled) if keep is None else session.steps_to(keep)
    if steps == 0:
        return refused("undo.nothing")
    if not session.may_undo(steps):
        return refused("undo.secret")
    seat = actor.seat or _last_to_play(session, veiled)
    own = steps <= len(session.game.deeds) - session.turn_start and seat == session.game.to_move
    if own or actor.role == "host":
        return Decided((Fact(facts.UNDONE, {"steps": steps, "seat": seat}, _alone(session)),))
    asked = {"seat": seat, "steps": steps, **_what_goes(session, steps)}
    return Decided((Fact(facts.UNDO_ASKED, asked),))


def _last_to_play(session: Session, veiled: int) -> str:
    """From the table itself nobody knows who asks: it counts as asked by whoever played last."""
    known = session.game.deeds[: len(session.game.deeds) - veiled]
    return known[-1].seat if known else session.plan.setup.seats[0]


def _what_goes(session: Session, steps: int) -> dict[str, int]:
    """Count the finished turns and the boards set right that taking steps back undoes, to be told of."""
    after = taken_back(session, steps)
    turns, boards = len(played(session)) - len(played(after)), len(session.chapters) - len(after.chapters)
    return {"turns": turns, "boards": boards}


def _redo(session: Session) -> Decision:
    """Play the next turn again that was taken back."""
    count = 0
    for again in session.redoable:
        if isinstance(again, SetRight) and count:
            break
        count += 1
        if isinstance(again, SetRight) or isinstance(again.step, End | Pass):
            break
    if count == 0:
        return refused("undo.nothing")
    return Decided((Fact(facts.REDONE, {"steps": count}, _alone(session)),))


def _alone(session: Session) -> str | None:
    """Name the seat whose turn in play is its secret: how often it changes its mind is one, too."""
    return session.game.to_move if session.veils(None) else None


# ---- ending --------------------------------------------------------------------------------------------


def _end(session: Session, actor: Actor, command: Resign | OfferEnd | AnswerEnd | Pause | Resume) -> Decision:
    """Give up, agree to stop, pause, go on."""
    match command:
        case Resign():
            return play(session, actor.seat, GiveUp(), actor.role) if actor.seat else refused(NOT_ALLOWED)
        case OfferEnd():
            seat = actor.seat or session.plan.setup.seats[0]
            if actor.seat is None:
                return play(session, seat, Agree(""), actor.role)
            return Decided((Fact(facts.END_OFFERED, {"seat": seat}),))
        case AnswerEnd(yes=yes):
            if session.end_offered is None or actor.seat == session.end_offered:
                return refused(NOT_ALLOWED)
            if not yes:
                return Decided((Fact(facts.END_REFUSED, {"seat": actor.seat}),))
            return play(session, session.end_offered, Agree(""), actor.role)
        case Pause():
            return Decided((Fact(facts.PAUSED, {}),))
        case Resume():
            return Decided((Fact(facts.RESUMED, {}),))
        case _:
            assert_never(command)


def _around(session: Session, actor: Actor, command: SetHints | Rename) -> Decision:
    """Change what is around the game."""
    match command:
        case SetHints(seat=seat, level=level):
            if (actor.role == "seat" and actor.seat != seat) or seat not in session.plan.setup.seats:
                return refused(NOT_ALLOWED)
            return Decided((Fact(facts.HINTS, {"seat": seat, "level": level}),))
        case Rename(seat=seat, name=name):
            if (actor.role == "seat" and actor.seat != seat) or seat not in session.plan.setup.seats:
                return refused(NOT_ALLOWED)
            return Decided((Fact(facts.RENAMED, {"seat": seat, "name": name.strip()}),))
        case _:
            assert_never(command)
