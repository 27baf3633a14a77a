"""Whoever sets the board right may say who is to move then: somebody may have played on meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.store import Store
from companion.table.accepting import known_board, likely_next
from companion.table.commands import Actor, CellEdit, EditBoard, Redo, Reply, Resign, Undo
from companion.table.importing import import_record
from companion.table.live import Table
from companion.table.recording import verify
from companion.table.tables import Tables
from engine.board import parse_cell
from engine.record import format_record, parse_record
from engine.recordjson import record_from_json, record_to_json
from tests.companion.table.playing import HOST, PLAIN, A, B, do, placed
from tests.companion.table.test_secrets import hiding
from vision.reading import Board, Content

THREE = {"players": [{"seat": seat, "power": None} for seat in "ABC"]}
STANDING = {"A": ("a1", "a2"), "B": ("b4", "d2"), "C": ("e5", "e4")}


def edit(table: Table, to_move: str | None = None) -> Reply:
    cells = {"e5": CellEdit(height=1)}
    return table.submit(HOST, EditBoard(do="edit_board", cells=cells, to_move=to_move, seq=table.around.seq))


def three(store: Store) -> Table:
    table = Tables(store).create(THREE)
    for seat, (first, second) in STANDING.items():
        do(table, Actor(seat, "seat"), f"{seat}1@{first}", f"{seat}2@{second}")
    return table


def after(table: Table, **cells: tuple[int, str]) -> Board:
    board = list(known_board(table.session))
    for name, (height, top) in cells.items():
        board[parse_cell(name)] = Content(height, top)
    return tuple(board)


@pytest.mark.parametrize(("named", "next_"), [(None, "A"), ("A", "A"), ("B", "B")])
def test_who_moves_next_is_as_it_was_or_as_somebody_says(
    store: Store, table: Table, named: str | None, next_: str
) -> None:
    assert edit(table, named).ok
    assert (table.public().to_move, table.public().acting) == (next_, (next_,))
    assert Tables(store).open(table.game).public().to_move == next_
    step = {"A": "A1:b2>b3", "B": "B1:b4>b3"}[next_]
    do(table, Actor(next_, "seat"), step, f"{next_}1+{step[3:5]}", "end")
    assert table.public().to_move != next_


def test_the_turn_goes_on_round_the_table_from_the_seat_that_was_named(store: Store) -> None:
    table = three(store)
    assert edit_height(table, "C").ok and table.public().to_move == "C"
    do(table, Actor("C", "seat"), "C2:e4>e3", "C2+e4", "end")
    assert table.public().to_move == "A"


def edit_height(table: Table, to_move: str) -> Reply:
    cells = {"c3": CellEdit(height=1)}
    return table.submit(HOST, EditBoard(do="edit_board", cells=cells, to_move=to_move, seq=table.around.seq))


@pytest.mark.parametrize("named", ["B", "D"])
def test_a_seat_that_is_out_or_not_there_is_refused(store: Store, named: str) -> None:
    table = three(store)
    assert table.submit(B, Resign(do="resign", seq=table.around.seq)).ok
    before = table.public()
    reply = edit_height(table, named)
    assert not reply.ok and reply.say is not None and reply.say.key == "error.not_allowed"
    assert table.public().board == before.board and table.public().to_move == before.to_move
    assert edit_height(table, "C").ok


def test_undo_and_redo_keep_who_was_named(store: Store, table: Table) -> None:
    do(table, A, "A1:b2>b3", "A1+b2", "end")
    assert edit(table, "A").ok and table.public().to_move == "A"
    assert table.submit(HOST, Undo(do="undo", turns=1, seq=table.around.seq)).ok
    assert table.public().to_move == "B"
    assert table.submit(HOST, Redo(do="redo", seq=table.around.seq)).ok
    assert table.public().to_move == "A"
    do(table, A, "A1:b3>c3", "A1+b3", "end")
    assert table.public().to_move == "B"
    assert Tables(store).open(table.game).session == table.session


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_record_keeps_who_was_named(store: Store, table: Table, tmp_path: Path, form: str) -> None:
    do(table, A, "A1:b2>b3", "A1+b2", "end")
    assert edit(table, "A").ok
    do(table, A, "A1:b3>c3", "A1+b3", "end")
    assert edit(table, "A").ok
    record = Tables(store).record(table.game)
    assert verify(record).holds
    again = (
        parse_record(format_record(record)) if form == "text" else record_from_json(record_to_json(record))
    )
    with Store.open(tmp_path / "two.db") as other:
        there = Tables(other).open(import_record(other, again, lambda: 1))
        assert there.public().to_move == "A" and there.public().board == table.public().board
        assert [turn.seat for turn in there.public().history] == ["A", "B", "A", "A"]


def test_after_just_one_turn_the_next_player_is_the_likeliest(store: Store, table: Table) -> None:
    turn = after(table, b2=(1, ""), b3=(0, "A"))
    assert likely_next(table.session, turn) == "B"
    do(table, A, "A1:b2>b3")
    assert likely_next(table.session, after(table, b2=(1, ""))) == "B"


def test_else_it_is_the_player_to_move(store: Store, table: Table) -> None:
    only_moved = after(table, b2=(0, ""), b3=(0, "A"))
    odd, two_turns = after(table, a1=(3, "")), after(table, b2=(1, ""), b3=(0, "A"), b4=(1, ""), b5=(0, "B"))
    assert {likely_next(table.session, board) for board in (only_moved, odd, two_turns)} == {"A"}


def test_the_next_player_is_one_who_is_not_out(store: Store) -> None:
    table = three(store)
    assert table.submit(B, Resign(do="resign", seq=table.around.seq)).ok
    assert likely_next(table.session, after(table, a1=(1, ""), b1=(0, "A"))) == "C"


def test_with_a_secret_in_play_nothing_is_guessed(store: Store) -> None:
    table = hiding(store)
    assert likely_next(table.session, after(table, b4=(1, ""), b5=(0, "B"))) == table.public().to_move


def test_a_table_that_never_heard_of_it_goes_on_as_before(store: Store) -> None:
    table = placed(Tables(store).create(PLAIN))
    assert (
        EditBoard.model_validate({"do": "edit_board", "cells": {"a1": {"height": 1}}, "seq": 0}).to_move
        is None
    )
    assert edit(table).ok and table.public().to_move == "A"
