"""With pictures of the simulated camera and the real reader: what was cancelled, and towers taken off."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.build import Calibration, Known, calibrate
from calibration.pose import GRID_CORNERS
from companion.live.practice import COLOURS
from companion.live.watcher import Watcher
from companion.referee.referee import Referee
from companion.store import Store
from companion.table.accepting import known_board
from companion.table.beat import Beat
from companion.table.commands import Answer, BringKey
from companion.table.tables import Tables
from tests.companion.live.sitting import SEAT, Sitting, board_after, changed
from tests.companion.live.test_watcher import NoSource
from tests.companion.table.test_secrets import phone_commits
from vision.gate import Gate
from vision.reader import Reader
from vision.reading import DOME, EMPTY_BOARD, Board, Content, Picture
from vision.simulator import SimulatedCamera, camera_at
from vision.sources import Frame

pytestmark = pytest.mark.slow
Sit = Callable[..., Sitting]
FLAT = ["00000"] * 5


@lru_cache
def camera() -> SimulatedCamera:
    return SimulatedCamera(camera_at(elevation=56, azimuth=285, distance=13.5), colours=COLOURS)


@lru_cache
def known() -> Calibration:
    """Learned from the empty board and one that shows every kind of piece."""
    board = changed(EMPTY_BOARD, b2="0A", d4="1A", b4="0B", d2="2B", c3="3dome")
    shown = Known(camera().render(board), [(content.height, content.top) for content in board])
    taps = camera().camera.project(GRID_CORNERS).tolist()
    return calibrate(camera().render(EMPTY_BOARD), camera().profile, COLOURS, taps=taps, known=[shown])


def draw(board: Board, hand: bool) -> Picture:
    assert not hand
    return camera().render(board, grain=random.Random(str(board)).randrange(1000))


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Sit]:
    with Store.open(tmp_path / "santorini.db") as store:
        tables = Tables(store, beat=Beat(1e-6))

        def begin(position: dict[str, Any], powers: tuple[str | None, str | None], **more: Any) -> Sitting:
            players = [{"seat": s, "power": p, "colour": COLOURS[s]} for s, p in zip("AB", powers)]
            opening = {"position": {"board": FLAT, "domes": [], **position}}
            plan = {"players": players, "options": {"allow_banned": True}, "opening": opening, **more}
            return Sitting(tables.create(plan), Reader(known()), draw)

        yield begin


def test_a_cancelled_turn_is_followed_back_on_pictures(sit: Sit) -> None:
    workers = {"A1": "c4", "A2": "e1", "B1": "b4", "B2": "d2"}
    table = sit({"workers": workers, "to_move": "B"}, ("hecate", None))
    assert table.table.submit(SEAT["A"], BringKey(do="key", key="ab" * 32, seq=0)).ok
    assert phone_commits(table.table, random.Random(1))
    table.show(table.board, looks=1)
    table.hands("B1:b4>b5 B1+c4", looks=3)
    assert table.so_far == ("B1:b4>b5", "B1+c4")
    table.tap("B", "end")
    notice = table.table.public().notice
    assert notice is not None and notice.kind == "cancelled"
    after = table.board
    table.show(after, looks=1)
    notice = table.table.public().notice
    assert notice is not None and [thing.key for thing in notice.put_back] == ["put.blocks_off"]
    table.show(changed(after, c4="0"), looks=1)
    assert table.table.public().notice is None and table.table.public().sync is None


def test_a_lone_dome_stands_for_a_complete_tower_in_pictures(sit: Sit) -> None:
    """2017: a complete tower may be taken off for its pieces; its dome stays on the ground."""
    workers = {"A1": "b2", "A2": "d4", "B1": "b4", "B2": "d2"}
    position = {"board": ["00003", *FLAT[1:]], "domes": ["e5"], "workers": workers, "to_move": "A"}
    table = sit(position, (None, None), edition="spinmaster2017")
    table.show(table.board, looks=1)
    table.show(changed(table.board, e5=f"0{DOME}"), looks=4)
    question = table.table.view("A").question
    assert question is not None and question.key == "ask.proxy"
    assert table.answer("A", "e5").ok
    assert table.table.public().supply["level3"] == 14
    table.hands("A1:b2>b3 A1+c4", looks=3)
    assert table.turns == ["A1:b2>b3 A1+c4"]
    assert table.board[24] == Content(0, DOME) and table.table.public().sync is None


def laid(picture: Picture) -> Picture:
    """A card that somebody has left on the island's edge."""
    corners = np.array([(2.0, -1.0, 0.05), (3.3, -1.3, 0.05), (3.5, 0.2, 0.05), (2.2, 0.5, 0.05)])
    spots = np.rint(camera().camera.project(corners)).astype(np.int32)
    return np.asarray(cv2.fillConvexPoly(picture.copy(), spots, (60, 30, 140), cv2.LINE_AA))


def test_a_thing_left_on_the_islands_edge_is_asked_about_once_and_then_known(tmp_path: Path) -> None:
    workers = {"A1": "b2", "A2": "d4", "B1": "b4", "B2": "d2"}
    players = [{"seat": s, "power": None, "colour": COLOURS[s]} for s in "AB"]
    opening = {"position": {"board": FLAT, "domes": [], "workers": workers, "to_move": "A"}}
    with Store.open(tmp_path / "santorini.db") as store:
        table = Tables(store).create({"players": players, "opening": opening})
        gate, reader = Gate(known().camera.project(GRID_CORNERS), reference=known().empty), Reader(known())
        watcher = Watcher(table, NoSource(), gate, Referee(reader), confirm=reader.confirm)
        seconds = iter(range(1000))

        def show(board: Board, seconds_long: int) -> None:
            picture = laid(draw(board, hand=False))
            for number in itertools.islice(seconds, seconds_long):
                watcher.glance(Frame(picture, float(number), number + 1))

        start, after = known_board(table.session), board_after(table.session.game, "A1:b2>c3 A1+c4")
        show(start, 30)
        question = table.view("B").question
        assert question is not None and question.key == "ask.clear" and table.public().camera == "covered"
        answer = Answer(do="answer", question=question.id, choice="read", seq=table.around.seq)
        assert table.submit(SEAT["B"], answer).ok
        show(start, 4)
        assert (table.public().camera, table.public().notice) == ("ok", None)
        show(after, 6)
        assert [line.turn for line in table.public().history] == ["A1:b2>c3 A1+c4"]
        assert table.public().camera == "ok" and table.view("B").question is None
