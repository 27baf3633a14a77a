"""Turns decisions of the referee into what the table keeps, asks and shows; answers what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

import structlog

from companion.live.accepting import accepted_position
from companion.live.ground import Ground, ground_of
from companion.referee.boards import board_of, differing
from companion.referee.decisions import (
    Ask,
    Busy,
    Candidate,
    Decision,
    Illegal,
    Nothing,
    OutOfSync,
    Played,
    Prefix,
    Wait,
)  # fmt: skip
from companion.referee.legal import wins
from companion.table.commands import (
    AcceptBoard,
    Actor,
    Answer,
    Command,
    EditBoard,
    Reply,
    Restore,
    refused,
)  # fmt: skip
from companion.table.deciding import Decided
from companion.table.facts import ACCEPTED, UNDONE, Fact, step_taken
from companion.table.live import Table
from companion.table.saying import contents, names, put_back_list, say
from companion.table.seatview import Choice, ContentSeen, Difference, Notice, Question
from companion.texts import Text, refusal_text, step_text
from engine.board import format_cell
from engine.steps import End, format_step
from engine.view import observe_public
from vision.reading import DOME, Board, Content, cell_index

LOG = structlog.get_logger("referee")


@dataclass
class Open:
    """What the desk has asked or shown and still waits for."""

    candidates: tuple[Candidate, ...] = ()
    seen: Board | None = None


class RefereeDesk:
    """Between one table and its referee."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._open = Open()
        self._asked = 0
        self._by_sight = False
        table.staff(self.answer)

    # ---- what the referee decides ------------------------------------------------------------------

    def take(self, ground: Ground, decision: Decision) -> None:
        """Act on a decision."""
        match decision:
            case Busy() | Wait():
                return
            case Nothing():
                self._back_at_start(ground)
            case Prefix(candidate) | Played(candidate):
                self._play(ground, candidate, isinstance(decision, Played))
            case Ask(candidates):
                self._ask(ground, candidates)
            case Illegal(candidate, seen):
                self._illegal(ground, candidate, seen)
            case OutOfSync(seen):
                self._out_of_step(seen)
            case _:
                assert_never(decision)

    def _clear(self) -> None:
        """Take down question, notice and differences."""
        self._open = Open()
        self._table.surround(question=None, notice=None, sync=None, provisional=False)

    def _back_at_start(self, ground: Ground) -> None:
        """The board stands as at the beginning of the turn."""
        # Steps taken by tap may be ahead of the board; only what was seen there is taken back by sight.
        if ground.taken and self._by_sight:
            self._table.play([Fact(UNDONE, {"steps": ground.taken, "seat": ground.seat})])
        self._clear()

    def _play(self, ground: Ground, candidate: Candidate, complete: bool) -> None:
        """Take the steps that stand on the board, and end the turn where nothing can follow."""
        session = self._table.session
        taken = [deed.step for deed in session.game.deeds[session.turn_start :]]
        wanted = list(candidate.steps)
        facts: list[Fact] = []
        if taken != wanted[: len(taken)]:
            facts.append(Fact(UNDONE, {"steps": len(taken), "seat": ground.seat}))
            taken = []
        facts += [step_taken(ground.seat, format_step(step), "camera") for step in wanted[len(taken) :]]
        ends = complete and not candidate.goes_on and not self._needs_tap(ground)
        if ends and not self._wins(candidate, ground):
            facts.append(step_taken(ground.seat, format_step(End()), "camera"))
        if facts:
            self._by_sight = not ends
            self._table.play(facts)
        if self._open != Open():
            self._clear()
        self._table.surround(notice=None, sync=None, question=None, provisional=complete and not ends)

    def _needs_tap(self, ground: Ground) -> bool:
        """Whether trying a turn out by sight could tell something about a secret."""
        table = ground.view.state.table
        return any(table.sides[seat] != table.sides[ground.seat] for seat in table.secretive)

    def _wins(self, candidate: Candidate, ground: Ground) -> bool:
        """Whether these steps end the game by themselves."""
        return wins(ground.view, candidate.steps)

    def _ask(self, ground: Ground, candidates: Sequence[Candidate]) -> None:
        """Put the choice to the player whose turn it is."""
        if self._open.candidates == tuple(candidates):
            return
        self._asked += 1
        self._open = Open(tuple(candidates))
        choices = tuple(
            Choice(str(number), *_worded(ground, candidate)) for number, candidate in enumerate(candidates)
        )
        none = Choice("none", "ask.none_of_these", {})
        question = Question(f"q{self._asked}", ground.seat, "ask.which_turn", {}, (*choices, none))
        self._table.surround(question=question)

    def _illegal(self, ground: Ground, candidate: Candidate, seen: Board) -> None:
        """Name the rule and what to put back."""
        if candidate.refusal is None:
            return
        step = candidate.steps[candidate.at or 0]
        players = names(self._table.session)
        why = say(refusal_text(candidate.refusal, ground.view, step, players))
        wanted = contents(ground.view.position)
        back = put_back_list(_shown(seen), wanted, players)
        self._open = Open(seen=seen)
        self._table.surround(notice=Notice("illegal", why.key, why.facts, back), question=None, sync=None)

    def _out_of_step(self, seen: Board) -> None:
        """Show camera board against known board."""
        known = board_of(observe_public(self._table.session.game).position)
        cells = differing(seen, known)
        shown = tuple(Difference(format_cell(c), _content(known, c), _content(seen, c)) for c in cells)
        self._open = Open(seen=seen)
        self._table.surround(sync=shown, notice=None, question=None)

    # ---- what comes back ---------------------------------------------------------------------------

    def answer(self, table: Table, actor: Actor, command: Command) -> Reply | Decided | None:
        """Answer a command that concerns the camera; None where it does not."""
        match command:
            case Answer(question=question, choice=choice):
                return self._answered(question, choice)
            case AcceptBoard():
                return self._accepted(self._open.seen)
            case Restore():
                return self._restored()
            case EditBoard():
                return self._accepted(edited(table, command))
            case _:
                return None

    def _answered(self, question: str, choice: str) -> Reply | Decided:
        """Take the turn that was chosen."""
        candidates = self._open.candidates
        if question != f"q{self._asked}" or not candidates:
            return refused("error.too_late")
        self._open = Open()
        self._table.surround(question=None)
        if choice == "none" or not choice.isdigit() or int(choice) >= len(candidates):
            return Reply(True)
        ground = ground_of(self._table.session)
        if ground is not None:
            self._play(ground, candidates[int(choice)], candidates[int(choice)].ends)
        return Reply(True)

    def _restored(self) -> Reply:
        """Show what goes where; the game goes on by itself when it is there."""
        seen = self._open.seen
        if seen is None:
            return refused("error.too_late")
        session = self._table.session
        wanted = contents(observe_public(session.game).position)
        back = put_back_list(_shown(seen), wanted, names(session))
        self._table.surround(sync=None, notice=Notice("put_back", "put.title", {}, back))
        return Reply(True)

    def _accepted(self, board: Board | None) -> Reply | Decided:
        """Go on from a board as it stands, where it can be one."""
        if board is None:
            return refused("error.too_late")
        session = self._table.session
        payload = accepted_position(board, session)
        if isinstance(payload, str):
            return refused("sync.impossible", {"what": {"key": payload, "facts": {}}})
        self._clear()
        return Decided((Fact(ACCEPTED, payload),))


def _worded(ground: Ground, candidate: Candidate) -> tuple[str, dict[str, object]]:
    """Word a candidate as the phrases of its steps."""
    where = dict(ground.view.position.workers)
    phrases = tuple(step_text(step, where) for step in candidate.steps)
    said = say(Text("told.turn", player="", what=phrases)) if phrases else say(Text("ask.no"))
    return said.key, dict(said.facts)


def _shown(board: Board) -> tuple[ContentSeen, ...]:
    """Turn a reading's board into what a view carries."""
    return tuple(ContentSeen(content.height, content.top) for content in board)


def _content(board: Board, cell: int) -> ContentSeen:
    """One cell of it."""
    return ContentSeen(board[cell].height, board[cell].top)


def edited(table: Table, command: EditBoard) -> Board:
    """Give the known board with the spaces that were set by hand."""
    board = list(board_of(observe_public(table.session.game).position))
    for name, edit in command.cells.items():
        board[cell_index(name)] = Content(edit.height, edit.top[:1] if edit.top != DOME else DOME)
    return tuple(board)
