"""From what the rules say to texts without a language: refusals, put-back lists, how a game ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from companion.table.facts import REDONE, UNDONE, Fact
from companion.table.seatview import ContentSeen, Notice, PutBack, Say
from companion.table.session import Session, played
from companion.texts import Text, put_back, refusal_text, step_text
from engine.board import CELLS
from engine.position import Position, Seen
from engine.refusal import Refusal
from engine.steps import Step
from engine.view import observe, observe_public

DOME = "dome"


def say(text: Text) -> Say:
    """Turn a text into what a view carries."""
    data = text.as_json()
    facts = data["facts"]
    return Say(text.key, facts if isinstance(facts, dict) else {})


def say_refusal(session: Session, seat: str, refusal: Refusal, step: Step | None) -> Say:
    """Word a refusal from what the seat may know."""
    return say(refusal_text(refusal, observe(session.game, seat), step, names(session)))


def names(session: Session) -> dict[str, str]:
    """Give the players' names by seat."""
    return {sitter.seat: sitter.name for sitter in session.plan.sitters}


def contents(position: Position[Seen]) -> tuple[ContentSeen, ...]:
    """Say what a camera should see of a position; a tower taken off for its pieces is a lone dome."""
    found = []
    for cell in CELLS:
        worker = position.worker_at(cell)
        top = DOME if position.domes >> cell & 1 else worker[0] if worker else ""
        proxy = position.proxies >> cell & 1
        found.append(ContentSeen(0 if proxy else position.level(cell), top))
    return tuple(found)


def put_back_list(
    now: Sequence[ContentSeen], wanted: Sequence[ContentSeen], players: dict[str, str]
) -> tuple[PutBack, ...]:
    """List what hands have to do to come from one board to another."""
    return tuple(_thing(text) for text in put_back(now, wanted, players))


def _thing(text: Text) -> PutBack:
    """Add to a sentence what a picture of it needs: the kind of piece, where from and where to."""
    said = say(text)
    origin, space = said.facts.get("from"), said.facts.get("space")
    kind: Literal["worker", "block", "dome", "token"] = "block"
    if "worker" in text.key and "block" not in text.key:
        kind = "worker"
    elif "dome" in text.key:
        kind = "dome"
    elif "token" in text.key:
        kind = "token"
    if origin is None and text.key.endswith(("_off", "_from_under")):
        origin, space = space, None
    return PutBack(kind, kind, origin, space, text.key, said.facts)


def notice_of(before: Session, after: Session, kept: Sequence[Fact]) -> Notice | None:
    """Tell everybody what hands have to do after what was just kept: undo, redo or a cancelled action."""
    # What sight takes back to play something else stands on the board already.
    if kept and kept[-1].type in (UNDONE, REDONE):
        return taken_back_notice(before, after)
    return cancelled_notice(before, after)


def taken_back_notice(before: Session, after: Session) -> Notice | None:
    """List what goes where after turns were taken back or played again; nothing inside a turn in play."""
    same = len(played(before)) == len(played(after)) and len(before.chapters) == len(after.chapters)
    shown, wanted = (contents(observe_public(session.game).position) for session in (before, after))
    back = () if same else put_back_list(shown, wanted, names(after))
    return Notice("put_back", "put.title", {}, back) if back else None


def cancelled_notice(before: Session, after: Session) -> Notice | None:
    """Tell everybody which action was cancelled and what goes back; nothing where none was."""
    last = after.last
    if last is None or last.cancelled is None or last is before.last:
        return None
    shown, stands = observe_public(before.game), observe_public(after.game)
    back = put_back_list(contents(shown.position), contents(stands.position), names(after))
    what = step_text(last.cancelled, dict(shown.position.workers)).as_json()
    mover = before.game.to_move or ""
    facts = {"player": names(after).get(mover, mover), "what": what}
    return Notice("cancelled", "told.cancelled_turn_of", facts, back)
