"""Turns decisions of the referee into what the table keeps, asks and shows; answers what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

import structlog

from companion.live.covered import CHOICES, SAID, Said
from companion.live.ground import Ground, ground_of, keeps_secret
from companion.live.placing import Placing, placing_seen
from companion.live.wording import (
    differences,
    lone_domes,
    visible_part,
    way_back,
    why_unlawful,
    worded,
)  # fmt: skip
from companion.referee.boards import standing
from companion.referee.decisions import (
    Ask,
    Behind,
    Busy,
    Candidate,
    Decision,
    Illegal,
    Nothing,
    Origin,
    OutOfSync,
    Played,
    Prefix,
    Wait,
)  # fmt: skip
from companion.table.accepting import accepted, edited, likely_next
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
from companion.table.facts import UNDONE, Fact, step_taken
from companion.table.live import Table
from companion.table.seatview import Choice, Notice, Question
from companion.table.session import CorruptGameError, applied
from engine.board import format_cell
from engine.steps import End, Proxy, Step, format_step
from vision.reading import Board, Reading

LOG = structlog.get_logger("referee")
NONE = "none"
YES = "yes"
CAMERA = "camera"


@dataclass(frozen=True)
class Open:
    """What the desk has asked or shown and still waits for."""

    candidates: tuple[Candidate, ...] = ()
    origins: tuple[Origin, ...] = ()
    seen: Board | None = None
    towers: tuple[int, ...] = ()
    placing: Placing | None = None
    covered: bool = False


class RefereeDesk:
    """Between one table and its referee."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._open = Open()
        self._asked = 0
        self._confirmed = 0
        """So many steps of the game have been seen on the board; later ones were tapped ahead of it."""
        self.said: Said | None = None
        """What was last answered to whether the table is clear."""
        self.vouched: Board | None = None
        """How the board stands, as somebody has just said by setting it right or by naming the turn."""
        table.staff(self.answer)

    # ---- what the referee decides ------------------------------------------------------------------

    def take(self, ground: Ground, decision: Decision) -> None:
        """Act on a decision; one that was made for an older state is dropped."""
        if self._table.session is not ground.session:
            return
        self._confirmed = min(self._confirmed, len(ground.session.game.deeds))
        match decision:
            case Busy() | Wait():
                return
            case Nothing():
                self._in_step(ground)
            case Behind(seen, _, goal):
                self._behind(ground, seen, goal)
            case Prefix(candidate, _, origin) | Played(candidate, _, origin):
                self._play(ground, candidate, origin)
            case Ask(candidates, _, origins, seen):
                self._ask(ground, candidates, origins, seen)
            case Illegal(candidate, seen):
                self._illegal(ground, candidate, seen)
            case OutOfSync(seen):
                self._out_of_step(ground, seen)
            case _:
                assert_never(decision)

    def _clear(self, provisional: bool = False) -> None:
        """Take down question, notice and differences."""
        self._open = Open()
        self._table.surround(question=None, notice=None, sync=None, provisional=provisional)

    def _in_step(self, ground: Ground) -> None:
        """The board stands where the game is."""
        self._confirmed = len(ground.session.game.deeds)
        self._clear(provisional=bool(ground.taken) and isinstance(ground.closing, End))

    def _behind(self, ground: Ground, seen: Board, goal: Board | None = None) -> None:
        """The board is not where the game is: say what goes where, unless a tap is just being carried out."""
        start = ground.scene.start
        if start is not None and seen == standing(start):
            self._table.surround(question=None, sync=None)
            return
        if self._table.around.sync is not None and seen == self._open.seen:
            # Still as it was when it fell out of step: what is offered stays until somebody chooses or moves.
            self._show_differences(seen)
            return
        if self._table.around.question is not None and self._open.candidates and seen == self._open.seen:
            return  # Still as it was when somebody was asked: the question stays until it is answered.
        back = way_back(ground.session, seen, goal)
        known = self._table.around.notice
        notice = Notice("put_back", "put.title", {}, back) if known is None else replace(known, put_back=back)
        self._open = Open(seen=seen)
        self._table.surround(notice=notice, question=None, sync=None)

    @property
    def follows_back(self) -> bool:
        """Whether pieces are still to be put back though nothing can be played on the board now."""
        notice, game = self._table.around.notice, self._table.session.game
        return notice is not None and bool(notice.put_back) and not game.over

    def take_back(self, decision: Decision) -> None:
        """Shorten the list of what goes back; take it down when everything is there."""
        notice = self._table.around.notice
        match decision:
            case Nothing():
                self._clear()
            case Behind(seen) if notice is not None:
                back = way_back(self._table.session, seen)
                self._table.surround(notice=replace(notice, put_back=back))
            case _:
                return

    # ---- playing -----------------------------------------------------------------------------------

    def _play(self, ground: Ground, candidate: Candidate, origin: Origin, answered: bool = False) -> None:
        """Take the steps that stand on the board, and end the turn where nothing can follow."""
        if _is_proxy(candidate):
            self._towers_gone(ground, candidate.board)
            return
        if ground.hands_off and not answered:
            self._ask(ground, (candidate,), (origin,), candidate.board)
            return
        count = len(ground.session.game.deeds)
        if origin is Origin.START and self._confirmed < count and not answered:
            self._behind(ground, candidate.board)
            return
        seat, facts = self._facts(ground, candidate, origin)
        steps = visible_part(candidate.steps)
        complete = candidate.ends and steps == candidate.steps
        seat = candidate.seats[-1] if candidate.seats else seat
        ends = complete and not candidate.goes_on and self._may_close(ground, facts, seat)
        if ends:
            facts.append(step_taken(seat, format_step(End()), CAMERA))
        if facts and not self._table.play(facts).ok:
            return
        self._confirmed = len(self._table.session.game.deeds)
        self._open = Open()
        notice = self._table.around.notice if facts else None
        self._table.surround(notice=notice, sync=None, question=None, provisional=complete and not ends)

    def _facts(self, ground: Ground, candidate: Candidate, origin: Origin) -> tuple[str, list[Fact]]:
        """Write what happened as facts: what is taken back, what ends, and the new steps."""
        facts: list[Fact] = []
        seat = ground.seat
        steps = visible_part(candidate.steps)
        if origin is Origin.NEXT and ground.scene.next is not None and ground.closing is not None:
            facts.append(step_taken(seat, format_step(ground.closing), CAMERA))
            seat = ground.scene.next.seat
        elif origin is Origin.START:
            taken = tuple(deed.step for deed in ground.taken)
            same = _common(taken, steps)
            if len(taken) > same:
                facts.append(Fact(UNDONE, {"steps": len(taken) - same, "seat": seat}))
            return seat, facts + self._steps(candidate, steps, seat, same)
        return seat, facts + self._steps(candidate, steps, seat, 0)

    def _steps(self, candidate: Candidate, steps: Sequence[Step], seat: str, skip: int) -> list[Fact]:
        """Write steps as facts, each of the seat that takes it."""
        seats = candidate.seats or (seat,) * len(steps)
        return [
            step_taken(who, format_step(step), CAMERA)
            for who, step in list(zip(seats, steps, strict=False))[skip:]
        ]

    def _may_close(self, ground: Ground, facts: Sequence[Fact], seat: str) -> bool:
        """Whether sight may end the turn: nobody's secret or choice could answer, and the game goes on."""
        after = ground.session
        if keeps_secret(after.game, seat):
            return False
        try:
            for fact in facts:
                after = applied(after, fact.type, fact.payload)
        except CorruptGameError:
            return False
        return not after.game.over and after.game.to_move == seat and set(after.game.waiting) <= {seat}

    # ---- asking and showing ------------------------------------------------------------------------

    def _ask(
        self, ground: Ground, candidates: Sequence[Candidate], origins: Sequence[Origin], seen: Board
    ) -> None:
        """Put the choice to the player whose turn it is."""
        known, new = ({(c.board, c.steps) for c in some} for some in (self._open.candidates, candidates))
        if known == new and self._table.around.question is not None:
            return  # The same question, if in another order: the one on the phone may be being answered.
        self._open = Open(candidates=tuple(candidates), origins=tuple(origins), seen=seen)
        choices = [
            Choice(str(number), *worded(ground, candidate, origin))
            for number, (candidate, origin) in enumerate(zip(candidates, origins, strict=True))
        ]
        self._put(ground.seat, "ask.which_turn", {}, [*choices, Choice(NONE, "ask.none_of_these", {})])

    def ask_if_clear(self) -> bool:
        """Ask everybody whether the table is clear, unless they are asked or offered something already."""
        around = self._table.around
        free = around.question is None and around.sync is None
        if free:
            self._open = replace(self._open, covered=True)
            self._put(None, "ask.clear", {}, CHOICES)
        return free

    def ask_no_more(self) -> None:
        """Take that question back: something has moved, or the board was read."""
        if self._open.covered:
            self._open = replace(self._open, covered=False)
            self._table.surround(question=None)

    def _put(self, seat: str | None, key: str, facts: dict[str, object], choices: Sequence[Choice]) -> None:
        """Put a question to a seat, or to all of them."""
        self._asked += 1
        question = Question(f"q{self._asked}", seat, key, facts, tuple(choices))
        self._table.surround(question=question, sync=None)

    def _illegal(self, ground: Ground, candidate: Candidate, seen: Board) -> None:
        """Name the rule and what to put back."""
        if self._towers_gone(ground, seen):
            return
        key, facts = why_unlawful(ground.session, ground, candidate)
        self._open = Open(seen=seen)
        notice = Notice("illegal", key, facts, way_back(ground.session, seen))
        self._table.surround(notice=notice, question=None, sync=None)

    def _out_of_step(self, ground: Ground, seen: Board) -> None:
        """Show camera board against known board."""
        if self._towers_gone(ground, seen):
            return
        self._open = Open(seen=seen)
        self._show_differences(seen, notice=None, question=None)

    def _show_differences(self, seen: Board, **more: None) -> None:
        """Show where camera board and known board differ, and who would probably be to move."""
        session = self._table.session
        guess = likely_next(session, seen)
        self._table.surround(sync=differences(session, seen), sync_next=guess, **more)

    def _towers_gone(self, ground: Ground, seen: Board) -> bool:
        """Ask whether a complete tower gave its pieces, where only its dome is left."""
        towers = lone_domes(ground.session, seen)
        if not towers:
            return False
        if self._open.towers != towers or self._table.around.question is None:
            self._open = Open(towers=towers, seen=seen)
            names = [format_cell(cell) for cell in towers]
            cells = [Choice(name, "ask.proxy_here", {"space": name}, (name,)) for name in names]
            self._put(ground.seat, "ask.proxy", {}, [*cells, Choice(NONE, "ask.none_of_these", {})])
        return True

    def place(self, reading: Reading) -> None:
        """During the setup: when all workers of a seat stand on the board, ask whether they may stay."""
        placing = placing_seen(self._table.session, reading)
        if placing is None or placing == self._open.placing:
            return
        self._open = Open(placing=placing)
        spaces = ", ".join(format_cell(cell) for cell in placing.cells)
        cells = tuple(format_cell(cell) for cell in placing.cells)
        choices = [Choice(YES, "ask.yes", {}, cells), Choice(NONE, "ask.not_now", {})]
        self._put(placing.seat, "ask.placed", {"spaces": spaces}, choices)

    # ---- what comes back ---------------------------------------------------------------------------

    def answer(self, table: Table, actor: Actor, command: Command) -> Reply | Decided | None:
        """Answer a command that concerns the camera; None where it does not."""
        match command:
            case Answer(question=question, choice=choice):
                return self._answered(actor, question, choice)
            case AcceptBoard(to_move=to_move):
                return self._accepted(self._open.seen, to_move)
            case Restore():
                return self._restored()
            case EditBoard(to_move=to_move):
                return self._accepted(edited(table.session, command), to_move)
            case _:
                return None

    def _answered(self, actor: Actor, question: str, choice: str) -> Reply | Decided:
        """Do what was chosen."""
        asked = self._table.around.question
        if asked is None or asked.id != question:
            return refused("error.too_late")
        if None not in (actor.seat, asked.seat) and actor.seat != asked.seat:
            return refused("error.not_allowed")
        open_, self._open = self._open, Open(seen=self._open.seen)
        self._table.surround(question=None)
        if open_.covered:
            self.said = SAID.get(choice)
            return Reply(True)
        return self._chosen(actor, asked.seat or "", open_, choice)

    def _chosen(self, actor: Actor, seat: str, open_: Open, choice: str) -> Reply | Decided:
        """Do what one seat has chosen."""
        if choice == NONE:
            return self._none_of_these(open_)
        if open_.placing is not None:
            return Decided(tuple(step_taken(seat, step, actor.role) for step in open_.placing.steps))
        if open_.towers and choice in (format_cell(cell) for cell in open_.towers):
            tower = next(cell for cell in open_.towers if format_cell(cell) == choice)
            return Decided((step_taken(seat, format_step(Proxy(tower)), actor.role),))
        ground = ground_of(self._table.session)
        if ground is None or not choice.isdigit() or int(choice) >= len(open_.candidates):
            return refused("error.too_late")
        number = int(choice)
        candidate = open_.candidates[number]
        self.vouched = candidate.board if candidate.steps else None
        self._play(ground, candidate, open_.origins[number], answered=True)
        return Reply(True)

    def _none_of_these(self, open_: Open) -> Reply:
        """What was played was not among the choices: show what the camera sees, to be set right by hand."""
        if open_.candidates and open_.seen is not None:
            self._show_differences(open_.seen)
        return Reply(True)

    def _restored(self) -> Reply:
        """Show what goes where; the game goes on by itself when it is there."""
        seen = self._open.seen
        if seen is None:
            return refused("error.too_late")
        notice = Notice("put_back", "put.title", {}, way_back(self._table.session, seen))
        self._table.surround(sync=None, notice=notice)
        return Reply(True)

    def _accepted(self, board: Board | None, to_move: str | None) -> Reply | Decided:
        """Go on from a board as it stands, where it can be one."""
        if board is None:
            return refused("error.too_late")
        made = accepted(board, self._table.session, to_move)
        if isinstance(made, Reply):
            return made
        self._clear()
        self.vouched = board
        return Decided((made,))


def _is_proxy(candidate: Candidate) -> bool:
    """Whether only a tower was taken off for its pieces."""
    return bool(candidate.steps) and isinstance(candidate.steps[0], Proxy)


def _common(one: Sequence[Step], other: Sequence[Step]) -> int:
    """Count the steps with which both begin."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count
