"""Simulated people with their phones: they say what is true when they are asked, or when a game hangs.

They send what phones send; how the pieces really stand they know, for they have set them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from companion.live.covered import READ
from companion.referee.boards import board_of, differing
from companion.table.commands import (
    AcceptBoard,
    Actor,
    Answer,
    CellEdit,
    Command,
    EditBoard,
    EndTurn,
    TakeStep,
    Undo,
)  # fmt: skip
from companion.table.live import Table
from companion.table.saying import say
from companion.table.seatview import PublicView, SeatView
from companion.texts import Text, step_text
from engine.board import format_cell, parse_cell
from engine.steps import Step, format_step
from engine.view import observe_public
from vision.reading import DOME, Board, Content

TROUBLED: Final = 8
"""So many looks at a phone that tells of a wrong board, and somebody sets it right."""
SILENT: Final = 30
"""So many looks without a word about what was played, and it is tapped in."""
ANSWERED: Final = "questions answered"
CLEARED: Final = "said clear"
SET_RIGHT: Final = "set right by hand"
TAPPED: Final = "turns tapped in"
GIVEN_IN: Final = "played on from the phones' board"


@dataclass(frozen=True)
class Choice:
    """A turn that a simulated player has chosen, and the board it leads to."""

    seat: str
    steps: tuple[Step, ...]
    board: Board


class People:
    """Those who sit at a simulated table; counts what they had to do."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._idle = self._troubled = 0
        self.done: Counter[str] = Counter(dict.fromkeys((ANSWERED, CLEARED, SET_RIGHT, TAPPED, GIVEN_IN), 0))

    @property
    def known(self) -> Board:
        """How the pieces stand on everybody's phone."""
        return board_of(observe_public(self._table.session.game).position)

    @property
    def content(self) -> bool:
        """Whether the phones ask for nothing to be sorted out."""
        shown = self._table.public()
        return shown.sync is None and not (shown.notice and shown.notice.put_back)

    def told(self) -> str:
        """Write down what they had to do."""
        return ", ".join(f"{what}: {count}" for what, count in self.done.items())

    def acted(self) -> None:
        """Hands have changed the board, or somebody has tapped: the table is given time anew."""
        self._idle = self._troubled = 0

    def attend(self, real: Board, turn: Choice | None = None) -> None:
        """Look at the phones once; `turn` is what was just played, if anything was."""
        if self.answer(turn):
            self.acted()
            return
        self._idle += 1
        self._troubled = 0 if self.content else self._troubled + 1
        if self._troubled >= TROUBLED or self._idle >= SILENT:
            self._help(real, turn)
            self.acted()

    # ---- what is asked -----------------------------------------------------------------------------

    def answer(self, turn: Choice | None) -> bool:
        """Answer a question, or end the turn where that is asked; whether there was anything to say."""
        for seat in self._table.seats:
            view = self._table.view(seat)
            if view.question is not None:
                clear = view.question.key == "ask.clear"
                choice = READ if clear else self._true_choice(view, turn)
                answer = Answer(do="answer", question=view.question.id, choice=choice, seq=view.seq)
                return self._send(seat, answer, CLEARED if clear else ANSWERED)
            if view.provisional and turn is not None and view.to_move == seat == turn.seat:
                return self._send(seat, EndTurn(do="end", seq=view.seq))
        return False

    def _true_choice(self, view: SeatView, turn: Choice | None) -> str:
        """Find what was played among the choices; "none" where it is not there."""
        if view.question is None or turn is None:
            return "none"
        where = dict(observe_public(self._table.session.game).position.workers)
        mine = say(Text("ask.this_turn", what=tuple(step_text(s, where) for s in turn.steps)))
        return next((c.id for c in view.question.choices if c.facts == mine.facts), "none")

    # ---- what is sorted out ------------------------------------------------------------------------

    def _help(self, real: Board, turn: Choice | None) -> None:
        """Say how the board stands: as the camera has it, or space by space; or tap the turn in."""
        shown, known = self._table.public(), self.known
        if shown.sync is not None and _by_camera(shown, known) == real:
            self._send(self._speaker, AcceptBoard(do="accept_board", seq=shown.seq), SET_RIGHT)
        elif shown.sync is None and turn is not None and self._tap(real, turn):
            self.done[TAPPED] += 1
        elif cells := {*differing(known, real), *_doubted(shown)}:
            edit = EditBoard(do="edit_board", cells=_edits(real, cells), seq=self._seq(self._speaker))
            self._send(self._speaker, edit, SET_RIGHT)

    def _tap(self, real: Board, turn: Choice) -> bool:
        """Tap in what was played; whether the game has come to the board as it stands."""
        session = self._table.session
        if session.game.to_move != turn.seat or self.known == real:
            return False
        if len(session.game.deeds) > session.turn_start:
            self._send(turn.seat, Undo(do="undo", turns=0, seq=self._seq(turn.seat)))
        taken = all(self._take(turn.seat, step) for step in turn.steps)
        if taken and self._table.session.game.to_move == turn.seat:
            self._send(turn.seat, EndTurn(do="end", seq=self._seq(turn.seat)))
        return taken and self.known == real

    def _take(self, seat: str, step: Step) -> bool:
        return self._send(seat, TakeStep(do="step", step=format_step(step), seq=self._seq(seat)))

    @property
    def _speaker(self) -> str:
        """Who speaks for all: the player to move, who has the phone in hand."""
        return self._table.session.game.to_move or self._table.seats[0]

    def _seq(self, seat: str) -> int:
        return self._table.around.seq_for(seat)

    def _send(self, seat: str, command: Command, counts: str | None = None) -> bool:
        """Send what a phone would send; whether it was taken."""
        taken = self._table.submit(Actor(seat, "seat"), command).ok
        if counts is not None:
            self.done[counts] += taken
        return taken


def _by_camera(shown: PublicView, known: Board) -> Board:
    """Give the board that the phones show as the camera's."""
    board = list(known)
    for difference in shown.sync or ():
        board[parse_cell(difference.cell)] = Content(difference.camera.height, difference.camera.top)
    return tuple(board)


def _doubted(shown: PublicView) -> frozenset[int]:
    """List the spaces that the phones say are wrong."""
    back = shown.notice.put_back if shown.notice is not None else ()
    names = {d.cell for d in shown.sync or ()} | {name for b in back for name in (b.origin, b.target) if name}
    return frozenset(parse_cell(name) for name in names)


def _edits(real: Board, cells: Iterable[int]) -> dict[str, CellEdit]:
    """Write how spaces stand as a phone does."""
    return {format_cell(cell): CellEdit(height=real[cell].height, top=_top(real[cell])) for cell in cells}


def _top(content: Content) -> str:
    """Name the figure on a space; which of a player's two makes no difference."""
    return content.top if content.top in ("", DOME) else f"{content.top}1"
