"""People have set the board right or named the turn: their word outlasts an eye that errs."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from companion.referee.boards import differing
from companion.referee.fakes import MisreadingEye
from companion.table.accepting import known_board
from companion.table.commands import Answer, CellEdit, EditBoard
from companion.table.live import Table
from engine.board import format_cell, parse_cell
from tests.companion.live.sitting import HOST, SEAT, Sit, Sitting, board_after, changed
from tests.companion.live.test_watcher import Watch
from vision.reading import DOME, Board, Content, Picture, Reading

pytestmark = pytest.mark.slow


class BlindEye(MisreadingEye):
    """Does not see the figures on some cells, and is sure that nobody stands there."""

    blind: Iterable[int] = ()

    def look(self, picture: Picture, clear: bool = False) -> Reading:
        picture = picture.copy()
        picture[list(self.blind), 1] = 0
        return super().look(picture, clear)


def watched(sit: Sit, eye: MisreadingEye) -> tuple[Sitting, Watch]:
    """A table whose start the eye has read; its fault comes later."""
    sitting = sit(eye=eye)
    watch = Watch(sitting.table, eye)
    watch.frames(sitting.board, 3)
    return sitting, watch


def show(watch: Watch, board: Board, looks: int = 9) -> None:
    watch.frames(board, 1, "moving")
    watch.number += 100
    for _ in range(looks):
        watch.number += 40
        watch.frames(board)


def edit(table: Table, real: Board) -> None:
    cells = {format_cell(cell): _edit(real[cell]) for cell in differing(known_board(table.session), real)}
    assert table.submit(HOST, EditBoard(do="edit_board", cells=cells, seq=table.around.seq)).ok


def _edit(content: Content) -> CellEdit:
    top = content.top if content.top in ("", DOME) else f"{content.top}1"
    return CellEdit(height=content.height, top=top)


def answer(table: Table, seat: str, number: int) -> None:
    question = table.view(seat).question
    assert question is not None
    choice = question.choices[number].id
    command = Answer(do="answer", question=question.id, choice=choice, seq=table.around.seq_for(seat))
    assert table.submit(SEAT[seat], command).ok


@pytest.mark.parametrize("off", [{"a1": 1, "e5": 1}, {"a1": 1, "e1": 2}, {"a1": 3, "a5": 2, "e5": 2}])
def test_after_a_board_was_set_right_what_is_read_wrong_is_known_to_be(sit: Sit, off: dict[str, int]) -> None:
    sitting, watch = watched(sit, eye := MisreadingEye({}))
    table = sitting.table
    eye.off = {parse_cell(name): count for name, count in off.items()}
    real = board_after(table.session.game, "A1:b2>c3 A1+c4")
    show(watch, real)
    assert table.public().sync is not None
    edit(table, real)
    watch.frames(real, 9)
    assert (table.public().sync, table.public().notice) == (None, None)
    show(watch, board_after(table.session.game, "A1:c3>d3 A1+c3"))
    assert sitting.turns == ["A1:c3>d3 A1+c3"] and table.public().sync is None


def test_after_a_question_was_answered_what_is_read_wrong_is_known_to_be(sit: Sit) -> None:
    sitting, watch = watched(sit, eye := MisreadingEye({}))
    table = sitting.table
    eye.off = {parse_cell("a1"): 1}
    real = board_after(table.session.game, "A1:b2>c3 A1+c4")
    show(watch, real)
    answer(table, "A", 0)
    watch.frames(real, 9)
    assert sitting.turns == ["A1:b2>c3 A1+c4"] and table.public().notice is None
    show(watch, board_after(table.session.game, "B1:b4>b3 B1+b4"))
    assert len(sitting.turns) == 2


def test_a_figure_that_is_not_seen_is_taken_on_trust_while_nothing_changes(sit: Sit) -> None:
    sitting, watch = watched(sit, eye := BlindEye({}))
    table = sitting.table
    real = board_after(table.session.game, "A1:b2>c3 A1+c4")
    eye.blind = (parse_cell("c3"), parse_cell("d2"))
    show(watch, real)
    assert table.public().sync is not None or table.public().notice is not None
    edit(table, real)
    watch.frames(real, 20)
    assert (table.public().sync, table.public().notice) == (None, None)
    show(watch, real)
    assert (table.public().sync, table.public().notice) == (None, None), "it reads as it did then"
    eye.blind = ()
    show(watch, changed(real, c3="0", d3="0A", c2="1"))
    assert sitting.turns == ["A1:c3>d3 A1+c2"]


def test_nobodys_word_counts_for_a_board_that_has_been_touched_since(sit: Sit) -> None:
    sitting, watch = watched(sit, MisreadingEye({}))
    table = sitting.table
    odd = changed(sitting.board, a1="3", a5="3", e1="2")
    show(watch, odd)
    edit(table, odd)
    show(watch, board_after(table.session.game, "A1:b2>c3 A1+c4"))
    assert sitting.turns == ["A1:b2>c3 A1+c4"]
