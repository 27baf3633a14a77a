"""A table with a referee whose eye has a known fault: boards are shown as hands would leave them."""

from __future__ import annotations

from collections.abc import Callable

from companion.live.desk import RefereeDesk
from companion.live.ground import ground_of
from companion.referee.decisions import Decision
from companion.referee.fakes import SureEye, drawn
from companion.referee.referee import Referee
from companion.table.accepting import known_board
from companion.table.commands import Actor, Answer, EndTurn, Reply, TakeStep, Undo
from companion.table.live import Table
from engine.board import parse_cell
from engine.game import Game, Outcome, attempt
from engine.steps import parse_turn
from vision.reading import Board, Content, Eye, Picture

SEAT = {seat: Actor(seat, "seat") for seat in "ABCD"}
HOST = Actor(None, "host")
WORKERS = {"A1": "b2", "A2": "d4", "B1": "b4", "B2": "d2"}


class Sitting:
    def __init__(
        self,
        table: Table,
        eye: Eye | None = None,
        draw: Callable[[Board, bool], Picture] = drawn,
    ) -> None:
        self.table = table
        self.draw = draw
        self.referee = Referee(eye or SureEye())
        self.desk = RefereeDesk(table)
        self.board = known_board(table.session)

    def show(self, board: Board, looks: int = 3) -> Decision | None:
        """Let the board stand as it is for some looks, after hands were in the picture."""
        self.board = board
        self.referee.forget()
        decision: Decision | None = None
        for _ in range(looks):
            decision = self.look(board)
        return decision

    def look(self, board: Board, hand: bool = False) -> Decision | None:
        ground = ground_of(self.table.session)
        if ground is None and self.desk.follows_back:
            decision, _ = self.referee.compare(known_board(self.table.session), self.draw(board, hand))
            self.desk.take_back(decision)
            return decision
        if ground is None:
            self.desk.place(self.referee.read(self.draw(board, False)))
            return None
        decision, _ = self.referee.consider(ground.scene, self.draw(board, hand))
        self.desk.take(ground, decision)
        return decision

    def change(self, **cells: str) -> Decision | None:
        """Set cells like c3="2A" by hand."""
        return self.show(changed(self.board, **cells))

    def hands(self, turn: str, looks: int = 3) -> Decision | None:
        """Carry out steps on the real board, from where the game is."""
        return self.show(board_after(self.table.session.game, turn), looks)

    def tap(self, seat: str, *steps: str) -> Reply:
        reply = Reply(True)
        for step in steps:
            seq = self.table.around.seq_for(seat)
            end = step == "end"
            command = EndTurn(do="end", seq=seq) if end else TakeStep(do="step", step=step, seq=seq)
            reply = self.table.submit(SEAT[seat], command)
            assert reply.ok, (step, reply)
        return reply

    def undo(self, turns: int = 1) -> Reply:
        return self.table.submit(HOST, Undo(do="undo", turns=turns, seq=self.table.around.seq))

    def answer(self, seat: str, choice: str) -> Reply:
        question = self.table.view(seat).question
        assert question is not None
        seq = self.table.around.seq_for(seat)
        return self.table.submit(
            SEAT[seat], Answer(do="answer", question=question.id, choice=choice, seq=seq)
        )

    @property
    def turns(self) -> list[str]:
        return [line.turn for line in self.table.public().history]

    @property
    def so_far(self) -> tuple[str, ...]:
        return tuple(self.table.public().turn)


Sit = Callable[..., Sitting]


def changed(board: Board, **cells: str) -> Board:
    found = list(board)
    for name, text in cells.items():
        found[parse_cell(name)] = Content(int(text[0]), text[1:])
    return tuple(found)


def board_after(game: Game, turn: str) -> Board:
    from companion.referee.tracking import board_now

    for step in parse_turn(turn):
        outcome = attempt(game, game.to_move or "", step)
        assert isinstance(outcome, Outcome), (turn, outcome)
        game = outcome.game
    return board_now(game)
