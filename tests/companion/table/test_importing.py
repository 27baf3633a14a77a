"""Records leave one data folder and come into another, as text and as JSON, and go on or replay there."""

from __future__ import annotations

import random
from dataclasses import asdict
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.store import Store
from companion.table.commands import AcceptBoard, Actor, Command, Redo, Resign, Undo
from companion.table.deciding import Decided
from companion.table.facts import ACCEPTED, Fact
from companion.table.importing import ImportProblem, import_record
from companion.table.live import Table
from companion.table.recording import verify
from companion.table.tables import Tables
from engine.opening import position_to_json
from engine.record import Record, TakenBack
from engine.recordjson import record_from_json, record_to_json
from tests.companion.table.playing import play_some
from tests.companion.table.test_recording import phone_lost
from tests.companion.table.test_secrets import AT_ONCE, A, B, do, hiding, phone_commits

HOST = Actor(None, "host")
PLAYERS = [{"seat": "A", "power": "apollo", "name": "Ada"}, {"seat": "B", "power": "demeter", "name": "Ben"}]


def played(store: Store) -> Table:
    """A game with turns taken back and played again, and a board that was taken as it stood."""
    table = Tables(store).create({"players": PLAYERS})
    play_some(table, 3, 12)
    assert table.submit(HOST, Undo(do="undo", turns=1, seq=table.around.seq)).ok
    assert table.submit(HOST, Redo(do="redo", seq=table.around.seq)).ok

    def accepts(table: Table, actor: Actor, command: Command) -> Decided | None:
        position = position_to_json(table.session.game.between.pos)
        extra: dict[str, object] = {"to_move": table.session.game.between.to_move, "out": []}
        facts = (Fact(ACCEPTED, {"position": {**position, **extra}}),)
        return Decided(facts) if isinstance(command, AcceptBoard) else None

    table.staff(accepts)
    assert table.submit(HOST, AcceptBoard(do="accept_board", seq=table.around.seq)).ok
    play_some(table, 5, 9)
    return table


def shown(table: Table) -> dict[str, object]:
    """What everybody sees of a game, without where and how often it was shown."""
    view = asdict(table.public())
    return {name: value for name, value in view.items() if name not in ("seq", "table", "camera")}


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_game_goes_on_in_another_folder(
    tmp_path: Path, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    here, there, file = tmp_path / "here", tmp_path / "there", tmp_path / "game"
    here.mkdir()
    with Store.open(here / "santorini.db") as store:
        table = played(store)
        before, game = shown(table), table.game
    more = ["--json"] if form == "json" else []
    assert main(["games", "--data", str(here), "--export", game, "--out", str(file), *more]) == 0
    assert main(["games", "--data", str(there), "--import", str(file)]) == 0
    assert main(["games", "--data", str(there)]) == 0
    assert game in capsys.readouterr().out
    with Store.open(there / "santorini.db") as store:
        (again,) = Tables(store).reopen()
        assert shown(again) == before
        play_some(again, 8, 4)
    assert main(["games", "--data", str(there), "--import", str(file)]) == 2
    assert "is there already" in capsys.readouterr().err


def test_a_finished_game_with_a_secret_holds_in_another_folder(tmp_path: Path) -> None:
    with Store.open(tmp_path / "one.db") as store:
        tables, table = Tables(store, beat=AT_ONCE), hiding(store)
        do(table, A, "A1:a1>b1", "A1+c1", "end")
        phone_commits(table, random.Random(2))
        do(table, B, "B1:b4>b5", "B1+b4", "end")
        assert table.submit(B, Resign(do="resign", seq=table.around.seq)).ok
        tables._house.keyring.bring(table.game, "A", table._keyring.key(table.game, "A"), None)
        record = tables.record(table.game)
    assert verify(record).holds
    with Store.open(tmp_path / "two.db") as store:
        name = import_record(store, record_from_json(record_to_json(record)), lambda: 1)
        tables = Tables(store)
        assert verify(tables.record(name)).holds
        assert tables.open(name).public().result is not None


def test_a_game_whose_phone_was_lost_keeps_that_mark_in_another_folder(tmp_path: Path) -> None:
    with Store.open(tmp_path / "one.db") as store:
        here, table = phone_lost(store, 2)
        record, before = here.record(table.game), table.public()
    assert not before.verifiable
    with Store.open(tmp_path / "two.db") as store:
        name = import_record(store, record_from_json(record_to_json(record)), lambda: 1)
        there = Tables(store)
        assert there.record(name) == record
        assert there.open(name).public().chains == before.chains
        assert not there.open(name).public().verifiable


def test_what_does_not_replay_is_refused_and_nothing_is_kept(tmp_path: Path) -> None:
    with Store.open(tmp_path / "one.db") as store:
        table = played(store)
        record = Tables(store).record(table.game)
    with Store.open(tmp_path / "two.db") as store:
        broken = Record(record.setup, (TakenBack(3), *record.entries), id=record.id)
        with pytest.raises(ValueError, match="cannot be taken back"):
            import_record(store, broken, lambda: 1)
        assert not Tables(store).saved()


def test_a_game_that_hides_something_is_not_taken_in_half(tmp_path: Path) -> None:
    with Store.open(tmp_path / "one.db") as store:
        hidden = Tables(store).create({"players": [{"seat": "A", "power": "hecate"}, {"seat": "B"}]})
        record = Record(hidden.session.game.setup, ())
        with pytest.raises(ImportProblem):
            import_record(store, record, lambda: 1)
