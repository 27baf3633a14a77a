"""Simulated people act as people would: through commands of phones, truthfully, and not before they must."""

from __future__ import annotations

from companion.live.people import ANSWERED, CLEARED, SET_RIGHT, SILENT, TAPPED, TROUBLED, Choice, People
from companion.referee.fakes import ShadedEye
from companion.table.seatview import Choice as Offered
from companion.table.seatview import ContentSeen, Difference, Notice, PutBack, Question
from engine.board import parse_cell
from engine.steps import parse_turn
from tests.companion.live.sitting import Sit, Sitting, board_after, changed
from vision.reading import Board

TURN = "A1:b2>c3 A1+c4"


def played(table: Sitting) -> Choice:
    return Choice("A", tuple(parse_turn(TURN)), board_after(table.table.session.game, TURN))


def wait(people: People, looks: int, real: Board, turn: Choice | None = None) -> None:
    for _ in range(looks):
        people.attend(real, turn)


def difference(cell: str, height: int, top: str = "") -> Difference:
    return Difference(cell, ContentSeen(0, ""), ContentSeen(height, top))


def test_a_board_that_the_camera_has_right_is_accepted_after_a_while(sit: Sit) -> None:
    table = sit()
    people, real = People(table.table), changed(table.board, a1="3", a2="2dome", e1="2", e5="3")
    table.show(real, looks=5)
    assert table.table.public().sync is not None
    wait(people, TROUBLED - 1, real)
    assert table.table.public().sync is not None and not people.done[SET_RIGHT]
    wait(people, 1, real)
    assert people.known == real and people.content and people.done[SET_RIGHT] == 1


def test_a_board_that_the_camera_has_wrong_is_set_right_space_by_space(sit: Sit) -> None:
    table = sit()
    people, real = People(table.table), changed(table.board, b2="0", b3="1A", e5="3dome")
    table.table.surround(sync=(difference("a1", 2), difference("b3", 0, "A"), difference("b2", 0)))
    wait(people, TROUBLED, real)
    assert people.known == real and people.done[SET_RIGHT] == 1


def test_where_nothing_stands_wrong_the_spaces_in_doubt_are_confirmed(sit: Sit) -> None:
    table = sit()
    people = People(table.table)
    back = PutBack("block", "1", "a1", None, "put.blocks_off", {})
    table.table.surround(notice=Notice("put_back", "put.title", {}, (back,)))
    wait(people, TROUBLED, table.board)
    assert people.known == table.board and people.content
    assert len(table.table.session.chapters) == people.done[SET_RIGHT] == 1


def test_a_turn_that_is_not_seen_is_tapped_in_whatever_was_taken_for_its_beginning(sit: Sit) -> None:
    table = sit()
    people, turn = People(table.table), played(table)
    table.tap("A", "A2:d4>d3")
    wait(people, SILENT - 1, turn.board, turn)
    assert table.so_far == ("A2:d4>d3",)
    wait(people, 1, turn.board, turn)
    assert table.turns == [TURN] and people.known == turn.board and people.done[TAPPED] == 1


def test_a_turn_that_is_called_unlawful_is_tapped_in_sooner(sit: Sit) -> None:
    table = sit()
    people, turn = People(table.table), played(table)
    back = PutBack("block", "1", "a1", None, "put.blocks_off", {})
    table.table.surround(notice=Notice("illegal", "reason.too_high", {}, (back,)))
    wait(people, TROUBLED, turn.board, turn)
    assert table.turns == [TURN] and people.done[TAPPED] == 1 and not people.done[SET_RIGHT]


def test_questions_are_answered_with_what_is_true(sit: Sit) -> None:
    table = sit()
    people = People(table.table)

    assert table.desk.ask_if_clear()
    wait(people, 1, table.board)
    assert table.desk.said == "read" and people.done[CLEARED] == 1
    choices = tuple(Offered(name, "ask.this_turn", {}) for name in ("0", "none"))
    table.table.surround(question=Question("q9", "B", "ask.which_turn", {}, choices))
    wait(people, 1, table.board)
    assert table.table.around.question is None and "questions answered: 1" in people.told()


def test_the_turn_that_was_played_is_chosen_among_those_asked_about(sit: Sit) -> None:
    table = sit("demeter", None, eye=ShadedEye([parse_cell("c2")]))
    steps = f"{TURN} A1+c2"
    turn = Choice("A", tuple(parse_turn(steps)), board_after(table.table.session.game, steps))
    table.show(turn.board, looks=5)
    people = People(table.table)
    assert table.table.view("A").question is not None
    wait(people, 1, turn.board, turn)
    assert people.known == turn.board and people.done[ANSWERED] == 1
