"""How the referee's findings are put for a view: candidates as phrases, boards as what stands where."""

from __future__ import annotations

from companion.live.ground import Ground
from companion.referee.boards import differing
from companion.referee.decisions import Candidate, Origin
from companion.table.accepting import known_board
from companion.table.saying import names, put_back_list, say
from companion.table.seatview import ContentSeen, Difference, PutBack
from companion.table.session import Session
from companion.texts import Text, refusal_text, step_text
from engine.board import format_cell
from engine.steps import Draw, Lay, Mark, Step, Turn, Use
from vision.reading import DOME, Board, Content

UNSEEN = (Lay, Turn, Mark, Use, Draw)
"""Steps that leave no trace on the board that a camera could see."""


def worded(ground: Ground, candidate: Candidate, origin: Origin) -> tuple[str, dict[str, object]]:
    """Word a candidate as the phrases of its steps."""
    view = dict(ground.scene.views)[origin]
    where = dict(view.position.workers)
    phrases = tuple(step_text(step, where) for step in candidate.steps)
    said = say(Text("ask.this_turn", what=phrases)) if phrases else say(Text("ask.nothing_yet"))
    return said.key, dict(said.facts)


def why_unlawful(session: Session, ground: Ground, candidate: Candidate) -> tuple[str, dict[str, object]]:
    """Word the rule that a candidate breaks, with its facts."""
    assert candidate.refusal is not None
    step = candidate.steps[candidate.at or 0]
    view = candidate.before or ground.scene.now
    said = say(refusal_text(candidate.refusal, view, step, names(session)))
    return said.key, dict(said.facts)


def way_back(session: Session, seen: Board, wanted: Board | None = None) -> tuple[PutBack, ...]:
    """List what hands have to do to come from what is seen to what is known."""
    return put_back_list(shown(seen), shown(wanted or known_board(session)), names(session))


def differences(session: Session, seen: Board) -> tuple[Difference, ...]:
    """Show camera board against known board."""
    known = known_board(session)
    cells = differing(seen, known)
    return tuple(Difference(format_cell(c), _content(known[c]), _content(seen[c])) for c in cells)


def shown(board: Board) -> tuple[ContentSeen, ...]:
    """Turn a board into what a view carries."""
    return tuple(_content(content) for content in board)


def _content(content: Content) -> ContentSeen:
    """Turn one cell into what a view carries."""
    return ContentSeen(content.height, content.top)


def visible_part(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Give the steps up to the first that the board cannot show: that one is asked for on the phone."""
    for number, step in enumerate(steps):
        if isinstance(step, UNSEEN):
            return steps[:number]
    return steps


def lone_domes(session: Session, seen: Board) -> tuple[int, ...]:
    """List complete towers of which only the dome is left: their pieces may have been needed elsewhere."""
    known = known_board(session)
    return tuple(
        c for c in differing(seen, known) if known[c] == Content(3, DOME) and seen[c] == Content(0, DOME)
    )
