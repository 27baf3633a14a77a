"""With pictures of the simulated camera and the real reader: what was cancelled, and towers taken off."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from calibration.build import Calibration, Known, calibrate
from calibration.pose import GRID_CORNERS
from companion.live.practice import COLOURS
from companion.store import Store
from companion.table.beat import Beat
from companion.table.commands import BringKey
from companion.table.tables import Tables
from tests.companion.live.sitting import SEAT, Sitting, changed
from tests.companion.table.test_secrets import phone_commits
from vision.reader import Reader
from vision.reading import DOME, EMPTY_BOARD, Board, Content, Picture
from vision.simulator import SimulatedCamera, camera_at

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
