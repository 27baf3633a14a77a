"""The board is set right by hand where there is no camera at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.store import Store
from companion.table.commands import Actor, CellEdit, EditBoard, Reply
from companion.table.live import Table
from companion.table.tables import Tables
from tests.companion.table.playing import PLAIN, A, do, placed


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "santorini.db") as opened:
        yield opened


def edit(table: Table, **cells: CellEdit) -> Reply:
    return table.submit(A, EditBoard(do="edit_board", cells=cells, seq=table.around.seq))


def test_a_space_is_set_by_hand_and_the_game_goes_on(store: Store) -> None:
    tables = Tables(store)
    table = placed(tables.create(PLAIN))
    worker = CellEdit(height=1, top="A1")
    assert edit(table, c2=CellEdit(height=3, top="dome"), b2=CellEdit(height=0), a1=worker).ok
    board = {cell.cell: cell for cell in table.public().board}
    assert (board["c2"].height, board["c2"].dome) == (3, True)
    assert board["a1"].worker is not None and board["b2"].worker is None
    do(table, A, "A1:a1>a2", "A1+a1", "end")
    assert table.public().to_move == "B"
    again = Tables(store).open(table.game).public().board
    assert again == table.public().board


def test_what_cannot_be_a_board_is_refused_in_words(store: Store) -> None:
    table = placed(Tables(store).create(PLAIN))
    before = table.public().board
    reply = edit(table, e1=CellEdit(height=0, top="A1"))
    assert not reply.ok and reply.say is not None and reply.say.key == "sync.impossible"
    assert table.public().board == before


@pytest.mark.parametrize("actor", [A, Actor(None, "host")])
def test_before_all_workers_stand_there_is_nothing_to_set_right(store: Store, actor: Actor) -> None:
    table = Tables(store).create(PLAIN)
    command = EditBoard(do="edit_board", cells={"c2": CellEdit(height=1)}, seq=table.around.seq)
    reply = table.submit(actor, command)
    assert not reply.ok and reply.say is not None and reply.say.key == "error.too_late"
