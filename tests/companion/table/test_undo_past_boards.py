"""Boards that were set right are taken back and played again like turns; past a secret there is no way."""

from __future__ import annotations

import random

import pytest

from companion.store import Store
from companion.table.commands import Actor, AnswerUndo, CellEdit, EditBoard, Redo, Reply, Undo
from companion.table.importing import facts_of, import_record
from companion.table.live import Table
from companion.table.recording import verify
from companion.table.session import CorruptGameError, fold, taken_back
from companion.table.tables import Tables
from engine.record import RecordError, format_record, parse_record, replayed
from tests.companion.table.playing import HOST, PLAIN, A, B, do, placed, play_some
from tests.companion.table.test_secrets import hiding, phone_commits


def edit(table: Table, **heights: int) -> None:
    cells = {name: CellEdit(height=height) for name, height in heights.items()}
    assert table.submit(HOST, EditBoard(do="edit_board", cells=cells, seq=table.around.seq)).ok


def undo(table: Table, turns: int = 1) -> Reply:
    return table.submit(HOST, Undo(do="undo", turns=turns, seq=table.around.seq))


def redo(table: Table) -> Reply:
    return table.submit(HOST, Redo(do="redo", seq=table.around.seq))


def heights(table: Table) -> dict[str, int]:
    return {cell.cell: cell.height for cell in table.public().board if cell.height}


def test_a_board_set_right_is_taken_back_and_set_right_again(store: Store, table: Table) -> None:
    do(table, A, "A1:b2>b3", "A1+b2", "end")
    before = table.session.game
    edit(table, e5=2, b2=0)
    assert table.public().may_undo and undo(table).ok
    assert table.session.game == before and heights(table) == {"b2": 1}
    notice = table.public().notice
    assert notice is not None
    assert [thing.key for thing in notice.put_back] == ["put.blocks_off", "put.blocks_on"]
    assert Tables(store).open(table.game).session == table.session
    assert table.public().may_redo and redo(table).ok
    assert heights(table) == {"e5": 2} and not table.public().may_redo
    do(table, B, "B1:b4>b5", "B1+b4", "end")
    assert Tables(store).open(table.game).session == table.session


def test_turns_and_boards_go_back_together_and_come_again_one_by_one(store: Store, table: Table) -> None:
    start = table.session.game
    do(table, A, "A1:b2>b3", "A1+b2", "end")
    edit(table, e5=1)
    edit(table, e5=2)
    do(table, B, "B1:b4>b5", "B1+b4", "end")
    do(table, A, "A1:b3>c3")
    all_played = table.session
    assert undo(table, 0).ok and undo(table, 4).ok
    assert table.session.game == start and heights(table) == {}
    for _ in range(5):
        assert redo(table).ok
    assert (table.session.game, table.session.chapters) == (all_played.game, all_played.chapters)
    assert Tables(store).open(table.game).session == table.session
    assert not redo(table).ok


def test_another_step_leaves_nothing_to_set_right_again(table: Table) -> None:
    edit(table, e5=1)
    assert undo(table).ok
    do(table, A, "A1:b2>b3")
    assert not table.public().may_redo and not redo(table).ok


def test_the_others_are_asked_and_told_what_goes(table: Table) -> None:
    do(table, A, "A1:b2>b3", "A1+b2", "end")
    edit(table, e5=1)
    do(table, B, "B1:b4>b5", "B1+b4", "end")
    assert table.submit(B, Undo(do="undo", turns=3, seq=table.around.seq)).ok
    asked = table.view("A").undo
    assert asked is not None and (asked.asked_by, asked.turns, asked.boards) == ("B", 2, 1)
    assert table.submit(A, AnswerUndo(do="undo_answer", yes=True, seq=table.around.seq)).ok
    assert heights(table) == {} and table.public().history[-1].turn == "B1@b4 B2@d2"


def test_right_after_a_board_was_set_right_the_table_itself_may_ask(table: Table) -> None:
    edit(table, e5=1)
    assert table.submit(Actor(None, "screen"), Undo(do="undo", turns=1, seq=table.around.seq)).ok
    asked = table.view("B").undo
    assert asked is not None and (asked.turns, asked.boards) == (0, 1)


def test_past_a_board_that_hides_something_there_is_no_way_and_that_is_said_before(store: Store) -> None:
    table = hiding(store)
    edit(table, e5=1)
    phone_commits(table, random.Random(1))
    for view in (table.public(), table.view("A"), table.view("B")):
        assert not view.may_undo and view.undo_barred
    reply = undo(table)
    assert not reply.ok and reply.say is not None and reply.say.key == "undo.secret"


def test_more_than_there_is_cannot_be_taken_back(table: Table) -> None:
    edit(table, e5=1)
    with pytest.raises(CorruptGameError):
        taken_back(table.session, 6)
    assert undo(table, 200).ok
    assert table.public().phase == "setup"


@pytest.mark.parametrize("seed", range(6))
def test_games_with_boards_set_right_and_taken_back_are_recorded(store: Store, seed: int) -> None:
    dice, tables = random.Random(seed), Tables(store)
    table = placed(tables.create(PLAIN))
    for number in range(14):
        if table.session.game.over:
            break
        match dice.choice(("play", "play", "edit", "undo", "redo")):
            case "play":
                play_some(table, seed * 100 + number, 5)
            case "edit":
                free = [cell for cell in table.public().board if cell.worker is None and not cell.dome]
                edit(table, **{dice.choice(free).cell: dice.randrange(4)})
            case "undo":
                undo(table, dice.randrange(1, 4))
            case "redo":
                redo(table)
        if table.session.game.truth.setup is not None:
            play_some(table, seed, 4)
    record = tables.record(table.game)
    assert parse_record(format_record(record)) == record and verify(record).holds
    assert replayed(record).truth.pos == table.session.game.truth.pos
    assert fold([(f.type, f.payload) for f in facts_of(record)]).game.deeds == table.session.game.deeds
    assert Tables(store).open(table.game).session == table.session
    tables.delete(table.game)
    assert import_record(store, record, lambda: 1) == table.game
    assert Tables(store).open(table.game).public().board == table.public().board


def test_a_record_that_takes_back_more_than_there_is_does_not_hold(store: Store, table: Table) -> None:
    do(table, A, "A1:b2>b3", "A1+b2", "end")
    edit(table, e5=1)
    text = format_record(Tables(store).record(table.game))
    assert replayed(parse_record(text + "undo 1\n")).deeds
    with pytest.raises(RecordError, match="99 steps"):
        replayed(parse_record(text + "undo 99\n"))


def test_one_goes_back_to_any_turn_at_once(table: Table) -> None:
    do(table, A, "A1:b2>b3", "A1+b2", "end")
    edit(table, e5=1)
    do(table, B, "B1:b4>b5", "B1+b4", "end")
    do(table, A, "A1:b3>c3", "A1+c4", "end")
    do(table, B, "B1:b5>a5")
    seen = {len(table.public().history): heights(table)}
    for keep in (5, 4, 3, 2):
        command = Undo(do="undo", keep=keep, seq=table.around.seq)
        assert table.submit(HOST, command).ok
        assert len(table.public().history) == keep
        seen[keep] = heights(table)
    assert seen[4] == {"b2": 1, "b4": 1, "e5": 1} and seen[3] == {"b2": 1, "e5": 1} and seen[2] == {}
    assert table.submit(A, Undo(do="undo", keep=0, seq=table.around.seq)).ok
    asked = table.view("B").undo
    assert asked is not None and asked.turns == 2
    for _ in range(9):
        redo(table)
    assert len(table.public().history) == 5
