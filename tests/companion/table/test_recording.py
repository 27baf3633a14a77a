"""Records of tables: they replay, hold, and a change anywhere in them is found out."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.store import Store
from companion.table.commands import Actor, AnswerUndo, EnterAgain, Redo, Resign, Undo
from companion.table.live import Table
from companion.table.recording import NotYetError, verify
from companion.table.tables import Tables
from engine.record import Record, format_record, parse_record
from tests.companion.table.playing import play_some
from tests.companion.table.test_secrets import AT_ONCE, A, B, do, hiding, phone_commits


def finished(store: Store) -> tuple[Tables, Table]:
    """A game with hidden workers that B has given up after three turns."""
    tables = Tables(store, beat=AT_ONCE)
    table = hiding(store)
    do(table, A, "A1:a1>b1", "A1+c1", "end")
    phone_commits(table, random.Random(2))
    do(table, B, "B1:b4>b5", "B1+b4", "end")
    assert table.submit(B, Resign(do="resign", seq=table.around.seq)).ok
    tables._house.keyring.bring(table.game, "A", table._keyring.key(table.game, "A"), None)
    return tables, table


def test_a_game_with_everything_around_it_is_recorded(store: Store) -> None:
    tables = Tables(store)
    table = tables.create({"players": [{"seat": "A", "power": "apollo"}, {"seat": "B", "power": None}]})
    play_some(table, 1, 14)
    host = Actor(None, "host")
    assert table.submit(host, Undo(do="undo", turns=1, seq=table.around.seq)).ok
    assert table.submit(host, Redo(do="redo", seq=table.around.seq)).ok
    table.submit(A, Undo(do="undo", turns=1, seq=table.around.seq))
    table.submit(B, AnswerUndo(do="undo_answer", yes=True, seq=table.around.seq))
    play_some(table, 2, 30)
    record = tables.record(table.game)
    text = format_record(record)
    assert "undo " in text
    assert parse_record(text) == record
    assert verify(record).holds


def test_a_running_game_that_hides_something_is_not_told(store: Store) -> None:
    table = hiding(store)
    tables = Tables(store, beat=AT_ONCE)
    tables._house.keyring.bring(table.game, "A", table._keyring.key(table.game, "A"), None)
    with pytest.raises(NotYetError):
        tables.record(table.game)


def test_a_finished_game_holds(store: Store) -> None:
    tables, table = finished(store)
    verdict = verify(tables.record(table.game))
    assert verdict.holds, verdict
    assert any("2 seals hold" in line for line in verdict.lines)


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("A1:a1>b1", "A1:a1>b2", "was bound to something that was not there"),
        ('{"A1": "b1"', '{"A1": "b2"', "broken"),
        ("reveal A 1 ", "reveal A 1 0", "hexadecimal"),
        ("result A", "result B", "result"),
        ("B1:b4>b5", "B1:b4>e5", "refused"),
        ("commit A 0 ", "undo 0\ncommit A 0 ", "cannot be taken back"),
    ],
)
def test_a_change_is_found_out(
    store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, found: str
) -> None:
    tables, table = finished(store)
    text = format_record(tables.record(table.game))
    changed = text.replace(old, new, 1)
    assert changed != text
    file = tmp_path / "record.txt"
    file.write_text(changed, encoding="utf-8")
    assert main(["verify", str(file)]) != 0
    said = capsys.readouterr()
    assert found in said.out + said.err


def test_the_command_says_what_holds(
    store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables, table = finished(store)
    record: Record = tables.record(table.game)
    file = tmp_path / "record.txt"
    file.write_text(format_record(record), encoding="utf-8")
    assert main(["verify", str(file)]) == 0
    assert "cannot prove that nobody peeked" in capsys.readouterr().out
    assert main(["verify", str(tmp_path / "none.txt")]) == 2
    assert "none.txt" in capsys.readouterr().err


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_a_game_whose_phone_was_lost_holds_from_there_on_and_says_so(store: Store, turns: int) -> None:
    tables, table = phone_lost(store, turns)
    record = tables.record(table.game)
    assert not table.public().verifiable
    assert parse_record(format_record(record)) == record
    verdict = verify(record)
    assert verdict.holds, verdict
    assert any("was lost" in line for line in verdict.lines)


def test_a_change_after_a_phone_was_lost_is_found_out(store: Store) -> None:
    tables, table = phone_lost(store, 1)
    text = format_record(tables.record(table.game))
    changed = text.replace("A2:a2>a3", "A2:a2>b3")
    assert changed != text and not verify(parse_record(changed)).holds


def phone_lost(store: Store, turns: int) -> tuple[Tables, Table]:
    """A game whose hidden workers were entered again after one turn; A has bound that and so many turns."""
    first = hiding(store)
    do(first, A, "A1:a1>b1", "A1+c1", "end")
    phone_commits(first, random.Random(2))
    tables = Tables(store, beat=AT_ONCE)
    table = tables.open(first.game)
    where = {"A1": "b1", "A2": "a2"}
    assert table.submit(A, EnterAgain(do="enter_again", key="cd" * 32, workers=where, seq=0)).ok
    for number in range(turns):
        assert phone_commits(table, random.Random(3 + number))
        do(table, B, *(("B1:b4>b5", "B1+b4", "end") if number == 0 else ("B1:b5>c5", "B1+b5", "end")))
        do(table, A, *(("A2:a2>a3", "A2+a4", "end") if number == 0 else ("A2:a3>b3", "A2+a3", "end")))
    if turns:
        assert phone_commits(table, random.Random(9))
    assert table.submit(B, Resign(do="resign", seq=table.around.seq)).ok
    return tables, table
