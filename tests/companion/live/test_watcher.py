"""The watcher looks when it is worth it, survives its eye, and keeps what may have to be explained."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from calibration.build import Calibration
from companion.live.camera import CameraWatch, Condition
from companion.live.watcher import QUIET_LOOKS, SETTLED_LOOKS, Watcher
from companion.referee.doubts import Doubts
from companion.referee.fakes import SureEye, drawn
from companion.referee.referee import Referee
from companion.store import Store
from companion.table.commands import AcceptBoard, Answer, Resign, TakeStep, Undo
from companion.table.live import Table
from companion.table.tables import Tables
from tests.companion.live.sitting import HOST, SEAT, WORKERS, board_after, changed
from vision.gate import Verdict
from vision.reading import EMPTY_BOARD, Board, CameraState, Picture, Reading
from vision.sources import Frame
from vision.sources.base import State


class ToldGate:
    """Says what it is told to say."""

    def __init__(self) -> None:
        self.verdict: Verdict = "still"
        self.resting = True
        self.accepted = 0

    def step(self, frame: Frame) -> Verdict:
        return self.verdict

    def accept(self, frame: Frame) -> None:
        self.accepted += 1


class NoSource:
    """Gives no picture."""

    state = State("live", "")

    def latest(self) -> Frame | None:
        return None

    def close(self) -> None:
        return None


class BrokenEye(SureEye):
    """Fails on every look."""

    def look(self, picture: Picture, clear: bool = False) -> Reading:
        raise RuntimeError("the lens fell off")


class Watch:
    def __init__(
        self, table: Table, eye: SureEye, doubts: Doubts | None = None, camera: CameraWatch | None = None
    ) -> None:
        self.table, self.eye, self.gate = table, eye, ToldGate()
        self.taught: list[Board] = []
        self.watcher = Watcher(
            table,
            NoSource(),
            self.gate,
            Referee(eye),
            doubts=doubts,
            confirm=lambda picture, board: self.taught.append(board),
            camera=camera,
        )
        self.number = 0

    def frames(self, board: Board, count: int = 1, verdict: Verdict = "still") -> None:
        self.gate.verdict = verdict
        for _ in range(count):
            self.number += 1
            self.watcher.glance(Frame(drawn(board), 0.1 * self.number, self.number))


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    with Store.open(tmp_path / "santorini.db") as store:
        yield Tables(store)


@pytest.fixture
def table(tables: Tables) -> Table:
    players = [{"seat": seat, "power": None, "name": seat} for seat in "AB"]
    position = {"board": ["00000"] * 5, "domes": [], "workers": WORKERS, "to_move": "A"}
    return tables.create({"players": players, "opening": {"position": position}})


def turns(table: Table) -> int:
    return len(table.public().history)


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


class LoudEye(SureEye):
    """Sees pictures of a real size; only their corner matters."""

    def look(self, picture: Picture, clear: bool = False) -> Reading:
        return super().look(picture[:25, 0, :], clear)

    def weigh(self, picture: Picture, boards: Sequence[Board]) -> tuple[float, ...]:
        return super().weigh(picture[:25, 0, :], boards)


def loud(board: Board, number: int) -> Picture:
    """A picture of a real size."""
    picture = np.random.default_rng(number).integers(0, 255, (90, 90, 3), dtype=np.uint8)
    picture[:25, 0, :] = drawn(board)
    return picture


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


class SuspiciousEye(SureEye):
    """Takes every still board for one with a hand in it, unless it is told that there is none."""

    def look(self, picture: Picture, clear: bool = False) -> Reading:
        reading = super().look(picture, clear)
        return reading if clear else replace(reading, status="busy")


def asked(table: Table, seat: str = "A") -> str | None:
    question = table.view(seat).question
    return question.key if question is not None else None


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
