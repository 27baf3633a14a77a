"""From what the rules say to texts without a language: refusals, put-back lists, how a game ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from companion.table.seatview import ContentSeen, PutBack, Say
from companion.table.session import Session
from companion.texts import Text, put_back, refusal_text
from engine.board import CELLS
from engine.position import Position, Seen
from engine.refusal import Refusal
from engine.steps import Step
from engine.view import observe

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
