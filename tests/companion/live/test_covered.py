"""A board that looks covered for long: everybody is asked whether it is clear, and nobody is held up."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from companion.live.watcher import Watcher
from companion.referee.doubts import Doubts
from companion.referee.fakes import SureEye
from companion.referee.referee import Referee
from companion.table.commands import Answer, TakeStep
from companion.table.live import Table
from companion.table.tables import Tables
from tests.companion.live.glancing import LoudEye, NoSource, ToldGate, Watch, asked, loud, turns
from tests.companion.live.sitting import SEAT, board_after, changed
from vision.reading import EMPTY_BOARD, Picture, Reading
from vision.sources import Frame


class SuspiciousEye(SureEye):
    """Takes every still board for one with a hand in it, unless it is told that there is none."""

    def look(self, picture: Picture, clear: bool = False) -> Reading:
        reading = super().look(picture, clear)
        return reading if clear else replace(reading, status="busy")


def say(table: Table, choice: str, seat: str = "B") -> None:
    question = table.view(seat).question
    assert question is not None
    answer = Answer(do="answer", question=question.id, choice=choice, seq=table.around.seq_for(seat))
    assert table.submit(SEAT[seat], answer).ok


def test_everybody_is_asked_whether_a_board_that_looks_covered_for_long_is_clear(table: Table) -> None:
    watch = Watch(table, SuspiciousEye())
    board = board_after(table.session.game, "A1:b2>c3 A1+c4")
    watch.frames(board, 70)
    assert (asked(table), table.public().camera) == (None, "hand")
    watch.frames(board, 50)
    assert asked(table, "A") == asked(table, "B") == "ask.clear"
    assert (table.public().camera, table.public().asked, turns(table)) == ("covered", None, 0)
    say(table, "read")
    watch.frames(board, 10)
    assert (asked(table), turns(table), table.public().camera) == (None, 1, "ok")
    watch.frames(board, 1, "moving")
    watch.frames(board, 20)
    assert table.public().camera == "hand", "what was said holds until something moves"


def test_what_reaches_in_and_rests_is_asked_about_later_and_then_read(table: Table) -> None:
    watch = Watch(table, SureEye())
    board = board_after(table.session.game, "A1:b2>c3 A1+c4")
    watch.frames(board, 190, "hand")
    assert asked(table) is None
    watch.frames(board, 30, "hand")
    assert asked(table) == "ask.clear" and watch.eye.looks == 0
    say(table, "read", "A")
    accepted = watch.gate.accepted
    watch.frames(board, 1, "hand")
    assert watch.gate.accepted > accepted and watch.eye.looks == 1
    watch.frames(board, 6)
    assert turns(table) == 1


def test_a_hand_that_moves_is_not_asked_about_and_takes_the_question_away(table: Table) -> None:
    watch = Watch(table, SureEye())
    board = board_after(table.session.game, "")
    watch.gate.resting = False
    watch.frames(board, 400, "hand")
    assert asked(table) is None and table.public().camera == "hand"
    watch.gate.resting = True
    watch.frames(board, 250, "hand")
    assert asked(table) == "ask.clear"
    watch.frames(board, 1, "moving")
    assert (asked(table), table.public().camera) == (None, "busy")


def test_a_table_that_never_lies_still_is_told_of_without_a_question(table: Table) -> None:
    watch = Watch(table, SureEye())
    board = board_after(table.session.game, "")
    watch.frames(board, 400, "moving")
    assert table.public().camera == "busy"
    watch.frames(board, 60, "moving")
    assert (table.public().camera, asked(table)) == ("covered", None)
    watch.frames(board, 1)
    watch.frames(board, 400, "moving")
    assert table.public().camera == "busy"


def test_the_picture_that_was_asked_about_is_kept(table: Table, tmp_path: Path) -> None:
    class Covered(LoudEye):
        def look(self, picture: Picture, clear: bool = False) -> Reading:
            return replace(super().look(picture, clear), status="busy")

    doubts = Doubts(tmp_path / "doubts", draw=lambda picture, reading: picture)
    watcher = Watcher(table, NoSource(), ToldGate(), Referee(Covered()), doubts=doubts)
    for number in range(1, 15):
        watcher.glance(Frame(loud(board_after(table.session.game, ""), number), 4.0 * number, number))
    (kept,) = doubts.folder.glob("*-covered.json")
    assert json.loads(kept.read_text())["status"] == "busy" and asked(table) == "ask.clear"


def test_not_yet_asks_once_more_after_a_minute_and_by_hand_not_before_the_board_was_read(
    table: Table,
) -> None:
    watch = Watch(table, SuspiciousEye())
    board = board_after(table.session.game, "")
    watch.frames(board, 120)
    say(table, "not_yet")
    watch.frames(board, 400)
    assert asked(table) is None
    watch.frames(board, 200)
    say(table, "by_hand")
    watch.frames(board, 1, "moving")
    watch.frames(board, 900)
    assert (asked(table), table.public().camera) == (None, "covered")
    assert table.submit(SEAT["A"], TakeStep(do="step", step="A1:b2>c3", seq=table.around.seq)).ok
    watch.watcher._referee._eye = SureEye()
    watch.frames(board, 10)
    assert table.public().camera == "ok"
    watch.watcher._referee._eye = SuspiciousEye()
    watch.frames(board, 1, "moving")
    watch.frames(board, 120)
    assert asked(table) == "ask.clear"


def test_nobody_is_asked_while_a_board_out_of_step_or_another_question_is_shown(table: Table) -> None:
    watch = Watch(table, SureEye())
    wrong = changed(board_after(table.session.game, ""), a1="3", e1="2", e5="3dome")
    watch.frames(wrong, 8)
    assert table.public().sync is not None
    watch.frames(wrong, 300, "hand")
    assert table.public().sync is not None and asked(table) is None
    assert table.public().camera == "covered", "still everybody is told"


def test_while_workers_are_placed_a_covered_board_is_asked_about_too(tables: Tables) -> None:
    table = tables.create({"players": [{"seat": "A", "power": None}, {"seat": "B", "power": None}]})
    watch = Watch(table, SuspiciousEye())
    watch.frames(changed(EMPTY_BOARD, b2="0A", d4="0A"), 120)
    say(table, "read")
    watch.frames(changed(EMPTY_BOARD, b2="0A", d4="0A"), 4)
    question = table.view("A").question
    assert question is not None and question.choices[0].cells == ("b2", "d4")


def test_in_a_hidden_turn_nothing_is_waited_for_and_nobody_asked(tables: Tables) -> None:
    hidden = {"A1": "b2", "A2": "d4", "B1": "b4", "B2": "d2"}
    position = {"board": ["00000"] * 5, "domes": [], "workers": hidden, "to_move": "A"}
    players = [{"seat": "A", "power": "hecate"}, {"seat": "B", "power": None}]
    table = tables.create({"players": players, "opening": {"position": position}})
    watch = Watch(table, SuspiciousEye())
    board = changed(EMPTY_BOARD, b4="0B", d2="0B")
    watch.frames(board, 300, "hand")
    watch.frames(board, 300)
    assert asked(table) is asked(table, "B") is None and watch.eye.looks == 0
    assert table.public().camera == "ok"
