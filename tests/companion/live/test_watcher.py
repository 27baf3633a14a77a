"""The watcher looks when it is worth it, survives its eye, and keeps what may have to be explained."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from calibration.build import Calibration
from companion.live.camera import CameraWatch, Condition
from companion.live.watcher import QUIET_LOOKS, SETTLED_LOOKS, Watcher
from companion.referee.doubts import Doubts
from companion.referee.fakes import SureEye
from companion.referee.referee import Referee
from companion.table.commands import AcceptBoard, Answer, Resign, TakeStep, Undo
from companion.table.live import Table
from companion.table.tables import Tables
from tests.companion.live.glancing import LoudEye, NoSource, ToldGate, Watch, asked, loud, turns
from tests.companion.live.sitting import HOST, SEAT, board_after, changed
from vision.reading import EMPTY_BOARD, Board, CameraState, Picture, Reading
from vision.sources import Frame


class BrokenEye(SureEye):
    """Fails on every look."""

    def look(self, picture: Picture, clear: bool = False) -> Reading:
        raise RuntimeError("the lens fell off")


def test_a_still_board_is_read_until_it_is_settled_and_then_left_alone(table: Table) -> None:
    watch = Watch(table, SureEye())
    board = board_after(table.session.game, "A1:b2>c3 A1+c4")
    watch.frames(board, 20)
    assert turns(table) == 1 and table.public().camera == "ok"
    assert watch.eye.looks <= 2 + 2 * SETTLED_LOOKS


def test_a_board_that_surely_stands_as_it_is_known_to_is_looked_at_twice(table: Table) -> None:
    watch = Watch(table, SureEye())
    watch.frames(board_after(table.session.game, ""), 20)
    assert watch.eye.looks == QUIET_LOOKS


def test_sight_learns_from_boards_as_the_game_has_them_and_from_no_others(table: Table) -> None:
    watch, start = Watch(table, SureEye()), board_after(table.session.game, "")
    after = board_after(table.session.game, "A1:b2>c3 A1+c4")
    unlawful = changed(after, a1="3")
    watch.frames(start, 6)
    watch.frames(after, 1, "moving")
    watch.frames(after, 12)
    assert watch.taught == [start, after]
    watch.frames(unlawful, 1, "moving")
    watch.frames(unlawful, 12)
    watch.frames(after, 4, "hand")
    assert watch.taught == [start, after]


def test_nothing_is_read_behind_a_hand(table: Table) -> None:
    watch = Watch(table, SureEye())
    board = board_after(table.session.game, "A1:b2>c3 A1+c4")
    watch.frames(board, 10, "hand")
    assert (watch.eye.looks, turns(table), table.public().camera) == (0, 0, "hand")
    watch.frames(board, 3, "moving")
    assert watch.eye.looks == 0


def test_a_tap_wakes_the_eye(table: Table) -> None:
    watch = Watch(table, SureEye())
    board = board_after(table.session.game, "A1:b2>c3")
    watch.frames(board, 10)
    looks = watch.eye.looks
    command = TakeStep(do="step", step="A1+c4", seq=table.around.seq)
    assert table.submit(SEAT["A"], command).ok
    watch.frames(board, 10)
    assert looks < watch.eye.looks <= looks + 2 * SETTLED_LOOKS


class SteadfastEye(SureEye):
    """Says of the camera what it is told to say; a camera that has moved away shows nothing."""

    camera: CameraState = "ok"
    blind = False
    condition = Condition()

    def look(self, picture: Picture, clear: bool = False) -> Reading:
        reading = super().look(picture, clear)
        return replace(reading, camera=self.camera, status="busy" if self.blind else "stable")


def told(table: Table) -> tuple[Watch, SteadfastEye, Board]:
    eye = SteadfastEye()
    watch = Watch(table, eye, camera=CameraWatch(lambda: eye.condition))
    return watch, eye, board_after(table.session.game, "")


def test_a_change_that_sight_finds_nothing_of_is_read_and_accepted(table: Table) -> None:
    watch, _, board = told(table)
    watch.frames(board, 2, "changed")
    assert watch.gate.accepted == 2 and table.public().camera == "ok"


def test_another_lamp_is_told_of_as_light_and_for_a_while_only(table: Table) -> None:
    watch, eye, board = told(table)
    eye.camera = "light"
    watch.frames(board, 1, "changed")
    assert table.public().camera == "light" and watch.gate.accepted == 1
    eye.camera = "ok"
    watch.frames(board, 20)
    assert table.public().camera == "light"
    watch.frames(board, 40)
    assert table.public().camera == "ok"


def test_a_knock_that_was_solved_again_is_told_of_as_found_again(table: Table) -> None:
    watch, eye, board = told(table)
    now = cast("Calibration", object())
    eye.camera, eye.condition = "moved", Condition(now)
    watch.frames(board, 1, "changed")
    assert table.public().camera == "found_again"
    assert watch.watcher.shown is not None and watch.watcher.shown.known is now
    eye.camera = "ok"
    watch.frames(board, 60)
    assert table.public().camera == "ok"


@pytest.mark.parametrize(("condition", "says"), [(Condition(), "moved"), (Condition(soft=True), "soft")])
def test_where_the_board_cannot_be_found_reading_waits_and_nobody_is_asked(
    table: Table, condition: Condition, says: str
) -> None:
    watch, eye, _ = told(table)
    board = board_after(table.session.game, "A1:b2>c3 A1+c4")
    eye.camera, eye.blind, eye.condition = "moved", True, condition
    watch.frames(board, 1, "changed")
    assert (table.public().camera, watch.gate.accepted) == (says, 0)
    watch.frames(board, 300)
    assert (table.public().camera, turns(table), asked(table)) == (says, 0, None)
    assert watch.eye.looks < 30, "there is no hurry"
    eye.camera, eye.blind, eye.condition = "ok", False, Condition()
    watch.frames(board, 1, "changed")
    watch.frames(board, 10)
    assert (table.public().camera, turns(table)) == ("ok", 1)


def test_a_picture_that_could_be_better_is_read_and_told_of(table: Table) -> None:
    watch, eye, _ = told(table)
    board = board_after(table.session.game, "A1:b2>c3 A1+c4")
    eye.condition = Condition(soft=True)
    watch.frames(board, 10)
    assert (table.public().camera, turns(table)) == ("soft", 1)
    eye.condition = Condition(glare=True)
    watch.frames(board, 1, "moving")
    assert table.public().camera == "busy"
    watch.frames(board, 5)
    assert table.public().camera == "glare"


def test_a_hand_under_another_lamp_is_a_hand(table: Table) -> None:
    watch, eye, board = told(table)
    eye.camera, eye.blind = "light", True
    watch.frames(board, 1, "changed")
    assert (table.public().camera, watch.gate.accepted) == ("hand", 0)
    watch.gate.resting = False
    watch.frames(board, 1, "changed")
    assert table.public().camera == "busy"


def test_a_change_after_the_game_is_told_of_too(table: Table) -> None:
    assert table.submit(SEAT["B"], Resign(do="resign", seq=table.around.seq)).ok
    watch, eye, board = told(table)
    eye.camera = "light"
    watch.frames(board, 1, "changed")
    assert table.public().camera == "light"


def test_a_failing_eye_stops_at_its_own_table(table: Table) -> None:
    watch = Watch(table, BrokenEye())
    watch.watcher._stop.set()
    watch.watcher._guarded(lambda: watch.frames(EMPTY_BOARD))
    assert table.public().camera == "lost"
    assert table.submit(SEAT["A"], TakeStep(do="step", step="A1:b2>c3", seq=table.around.seq)).ok


def test_placing_is_seen_and_confirmed_by_a_tap(tables: Tables) -> None:
    table = tables.create({"players": [{"seat": "A", "power": None}, {"seat": "B", "power": None}]})
    watch = Watch(table, SureEye())
    watch.frames(changed(EMPTY_BOARD, b2="0A"), 4)
    assert table.view("A").question is None
    watch.frames(EMPTY_BOARD, 1, "moving")
    watch.frames(changed(EMPTY_BOARD, b2="0A", d4="0A"), 4)
    question = table.view("A").question
    assert question is not None and question.choices[0].cells == ("b2", "d4")
    answer = Answer(do="answer", question=question.id, choice="yes", seq=table.around.seq)
    assert table.submit(SEAT["A"], answer).ok
    assert dict(table.session.game.truth.pos.workers) == {"A1": 6, "A2": 18}
    watch.frames(changed(EMPTY_BOARD, b2="0A", d4="0A", a1="0B", a2="0B"), 4)
    question = table.view("B").question
    assert question is not None and table.view("A").question is None


def test_the_picture_of_a_turn_that_is_taken_back_by_tap_is_kept(table: Table, tmp_path: Path) -> None:
    doubts = Doubts(tmp_path / "doubts", draw=lambda picture, reading: picture)
    watcher = Watcher(table, NoSource(), ToldGate(), Referee(LoudEye()), doubts=doubts)
    board = board_after(table.session.game, "A1:b2>c3 A1+c4")
    for number in range(1, 5):
        watcher.glance(Frame(loud(board, number), 10.0 * number, number))
    assert turns(table) == 1 and not (tmp_path / "doubts").exists()
    assert table.submit(HOST, Undo(do="undo", turns=1, seq=table.around.seq)).ok
    watcher.glance(Frame(loud(board, 9), 90.0, 9))
    (kept,) = (tmp_path / "doubts").glob("*-undone.json")
    assert json.loads(kept.read_text())["candidates"][0]["steps"] == ["A1:b2>c3", "A1+c4"]
    watcher.glance(Frame(loud(board, 10), 100.0, 10))
    assert len(list((tmp_path / "doubts").glob("*-undone.json"))) == 1


def test_doubtful_pictures_are_kept_and_the_folder_stays_small(table: Table, tmp_path: Path) -> None:
    folder = tmp_path / "doubts"
    doubts = Doubts(folder, cap=40_000, draw=lambda picture, reading: picture)
    watcher = Watcher(table, NoSource(), ToldGate(), Referee(LoudEye()), doubts=doubts)
    wrong = changed(board_after(table.session.game, ""), b2="0", b5="0A", c5="1")
    for number in range(1, 12):
        board = wrong if number % 4 else board_after(table.session.game, "")
        if number % 4 == 0:
            watcher._referee.forget()
        watcher.glance(Frame(loud(board, number), 10.0 * number, number))
    kept = sorted(path.name for path in folder.iterdir())
    assert any(name.endswith("-illegal.json") for name in kept)
    told = json.loads((folder / [n for n in kept if n.endswith(".json")][-1]).read_text())
    assert told["candidates"][0]["reason"] == "not_neighbour"
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 40_000


def test_a_folder_for_doubts_that_cannot_be_written_stops_no_game(table: Table, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    doubts = Doubts(tmp_path / "file" / "doubts")
    watcher = Watcher(table, NoSource(), ToldGate(), Referee(LoudEye()), doubts=doubts)
    wrong = changed(board_after(table.session.game, ""), b2="0", b5="0A", c5="1")
    for number in range(1, 6):
        watcher.glance(Frame(loud(wrong, number), 10.0 * number, number))
    notice = table.public().notice
    assert notice is not None and notice.kind == "illegal"
    assert (tmp_path / "file").read_text() == "not a folder"


def test_the_picture_after_a_board_was_set_right_by_hand_is_kept(table: Table, tmp_path: Path) -> None:
    doubts = Doubts(tmp_path / "doubts")
    watcher = Watcher(table, NoSource(), ToldGate(), Referee(LoudEye()), doubts=doubts)
    board = changed(board_after(table.session.game, ""), a1="3", e1="2", e5="3dome")
    for number in range(1, 7):
        watcher.glance(Frame(loud(board, number), 10.0 * number, number))
    assert table.public().sync is not None and not list(doubts.folder.glob("*-corrected.json"))
    assert table.submit(HOST, AcceptBoard(do="accept_board", seq=table.around.seq)).ok
    watcher.glance(Frame(loud(board, 7), 70.0, 7))
    assert table.public().sync is None and table.public().board[0].height == 3
    (kept,) = doubts.folder.glob("*-corrected.json")
    assert json.loads(kept.read_text())["read"]["heights"]


# ---- a table that lies still and looks covered ---------------------------------------------------------
