"""Questions about what cannot be seen or is in doubt; the eyes have one fault each."""

from __future__ import annotations

import pytest

from companion.live.ground import ground_of
from companion.referee.decisions import Ask, Nothing, Wait
from companion.referee.fakes import FlickeringEye, MisreadingEye, ShadedEye
from companion.table.commands import Answer, CellEdit, EditBoard
from engine.board import parse_cell
from tests.companion.live.sitting import HOST, SEAT, Sit, board_after, changed

pytestmark = pytest.mark.slow


# ---- asking --------------------------------------------------------------------------------------------


def test_what_cannot_be_seen_is_asked_on_the_movers_phone(sit: Sit) -> None:
    table = sit("demeter", None, eye=ShadedEye([parse_cell("c2")]))
    table.show(board_after(table.table.session.game, "A1:b2>c3 A1+c4 A1+c2"), looks=5)
    question = table.table.view("A").question
    assert question is not None and table.table.view("B").question is None
    assert table.table.public().asked == "A" and table.turns == []
    said = [c.id for c in question.choices if len(c.facts.get("what", ())) == 3]
    assert said, question
    assert table.answer("A", said[0]).ok
    table.look(table.board)
    assert table.turns == ["A1:b2>c3 A1+c4 A1+c2"] or table.so_far[1:] == ("A1+c4", "A1+c2")


def test_a_question_stays_the_same_while_its_choices_change_places(sit: Sit) -> None:
    table = sit("demeter", None, eye=ShadedEye([parse_cell("c2")]))
    decision = table.show(board_after(table.table.session.game, "A1:b2>c3 A1+c4 A1+c2"), looks=5)
    question, ground = table.table.view("A").question, ground_of(table.table.session)
    assert question is not None and {c.key for c in question.choices} == {
        "ask.this_turn",
        "ask.none_of_these",
    }
    assert isinstance(decision, Ask) and len(decision.candidates) > 1 and ground is not None
    turned = Ask(decision.candidates[::-1], decision.shares[::-1], decision.origins[::-1], decision.seen)
    table.desk.take(ground, turned)
    assert question is not None and table.table.view("A").question == question
    other = Ask(decision.candidates[:1], decision.shares[:1], decision.origins[:1], decision.seen)
    table.desk.take(ground, other)
    assert table.table.view("A").question not in (question, None)


def test_nobody_else_answers_for_the_mover(sit: Sit) -> None:
    table = sit("demeter", None, eye=ShadedEye([parse_cell("c2")]))
    table.show(board_after(table.table.session.game, "A1:b2>c3 A1+c4 A1+c2"), looks=5)
    question = table.table.view("A").question
    assert question is not None
    seq = table.table.around.seq
    reply = table.table.submit(SEAT["B"], Answer(do="answer", question=question.id, choice="0", seq=seq))
    assert not reply.ok and table.turns == []


def test_none_of_these_shows_what_the_camera_sees(sit: Sit) -> None:
    table = sit("demeter", None, eye=ShadedEye([parse_cell("c2")]))
    table.show(board_after(table.table.session.game, "A1:b2>c3 A1+c4 A1+c2"), looks=5)
    assert table.answer("A", "none").ok
    sync = table.table.public().sync
    assert sync is not None and {"b2", "c3", "c4"} <= {d.cell for d in sync}
    cells = {"c2": CellEdit(height=2), "c4": CellEdit(height=1)}
    seq = table.table.around.seq
    assert table.table.submit(HOST, EditBoard(do="edit_board", cells=cells, seq=seq)).ok
    assert table.table.public().sync is None and table.table.public().board[7].height == 2


def test_a_lone_dome_may_stand_for_a_complete_tower(sit: Sit) -> None:
    table = sit(board=["00003", "00000", "00000", "00000", "00000"], domes=["e5"])
    table.show(changed(table.board, e5="0dome"), looks=9)
    question = table.table.view("A").question
    assert question is not None and question.key == "ask.proxy"
    assert table.answer("A", "e5").ok
    assert isinstance(table.show(table.board), Nothing)
    assert table.table.public().board[24].proxy


# ---- eyes that err -------------------------------------------------------------------------------------


def test_one_cell_always_misread_does_not_freeze_the_game(sit: Sit) -> None:
    table = sit(eye=MisreadingEye({parse_cell("a1"): 1}))
    table.show(table.board, looks=2)
    for turn in ("A1:b2>c3 A1+c4", "B1:b4>b3 B1+b4", "A1:c3>c2 A1+c3"):
        table.hands(turn, looks=5)
    assert len(table.turns) == 3


def test_a_misreading_that_comes_and_goes_commits_nothing_wrong(sit: Sit) -> None:
    table = sit(eye=FlickeringEye({parse_cell("e5"): 1}))
    played = ["A1:b2>c3 A1+c4", "B1:b4>b3 B1+b4", "A1:c3>c2 A1+c3"]
    for number, turn in enumerate(played):
        table.hands(turn, looks=4)
        mover = "AB"[number % 2]
        question = table.table.view(mover).question
        if question is not None:
            assert table.answer(mover, "0").ok
        assert table.turns == played[: number + 1]


def test_an_unlikely_look_waits_for_more(sit: Sit) -> None:
    table = sit(eye=ShadedEye([parse_cell("c4")]))
    assert isinstance(table.hands("A1:b2>c3 A1+c4", looks=1), Wait)


# ---- secrets -------------------------------------------------------------------------------------------


def test_against_a_secret_a_turn_is_never_ended_by_sight(sit: Sit) -> None:
    """Tartarus hides a space: trying a turn out on the board must not tell whether it is there."""
    table = sit(None, "tartarus")
    table.hands("A1:b2>c3 A1+c4", looks=6)
    assert table.turns == [] and table.so_far == ("A1:b2>c3", "A1+c4")
    table.show(changed(table.board, b4="0", b3="0B"), looks=6)
    assert table.turns == []
    table.show(changed(table.board, b4="0B", b3="0"))
    table.tap("A", "end")
    assert len(table.turns) == 1


def test_where_every_step_is_answered_at_once_sight_only_asks(sit: Sit) -> None:
    table = sit(None, "tartarus", options={"hecate_check": "action"})
    table.hands("A1:b2>c3", looks=4)
    assert [*table.so_far, *table.turns] == []
    question = table.table.view("A").question
    assert question is not None and question.choices[0].id == "0"
    assert table.answer("A", "0").ok
    assert list(table.so_far) == ["A1:b2>c3"]
