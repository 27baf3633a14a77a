"""The practice table plays through pictures only: what the camera does not show has not happened."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from companion.live.practice import NAME, PLAYERS, Practice
from companion.store import Store
from companion.table.live import Table
from companion.table.tables import Tables
from vision.reading import Board, Picture
from vision.simulator import Hand, Pace, SimulatedCamera

QUICK = Pace(hold=1.2).faster(1.5)


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    with Store.open(tmp_path / "santorini.db") as store:
        yield Tables(store)


def until(condition: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.1)
    return False


def turns(table: Table) -> int:
    return len(table.public().history)


@pytest.mark.slow
@pytest.mark.pictures
def test_turns_are_read_from_pictures(tables: Tables) -> None:
    practice = Practice(tables, random.Random(3), QUICK)
    before = turns(practice.table)
    practice.start()
    try:
        assert until(lambda: turns(practice.table) >= before + 3, 90)
    finally:
        practice.stop()


@pytest.mark.slow
@pytest.mark.pictures
def test_stopping_does_not_wait_until_the_camera_is_set_up(tables: Tables) -> None:
    practice = Practice(tables, random.Random(3), QUICK)
    before = turns(practice.table)
    practice.start()
    stopping = time.monotonic()
    practice.stop()
    stopped = time.monotonic() - stopping
    assert until(lambda: not any(thread.name == NAME for thread in threading.enumerate()), 30)
    assert stopped < 0.5
    assert practice.watcher is None
    assert turns(practice.table) == before


@pytest.mark.slow
@pytest.mark.pictures
def test_nothing_has_happened_that_the_camera_did_not_show(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hands play, but every picture shows the board as it was at the start: no turn may be known."""
    practice = Practice(tables, random.Random(3), QUICK)
    before, real = turns(practice.table), SimulatedCamera.render
    frozen: list[Board] = []

    def render(
        camera: SimulatedCamera, board: Board, hands: Sequence[Hand] = (), seed: int = 0, grain: int = 0
    ) -> Picture:
        workers = sum(content.top in ("A", "B") for content in board)
        if workers == 4 and not frozen:
            frozen.append(board)
        return real(camera, frozen[0] if frozen else board, hands, seed, grain)

    monkeypatch.setattr(SimulatedCamera, "render", render)
    practice.start()
    try:
        assert until(lambda: practice.watcher is not None and practice.watcher.shown is not None, 30)
        assert not until(lambda: turns(practice.table) > before, 10)
        assert practice.watcher is not None
    finally:
        practice.stop()


@pytest.mark.slow
@pytest.mark.pictures
def test_a_slip_is_named_put_back_and_kept_for_looking_into(tables: Tables, tmp_path: Path) -> None:
    opening = {
        "position": {
            "board": ["00000", "00000", "02200", "00200", "00000"],
            "workers": {"A1": "a3", "A2": "b4", "B1": "e1", "B2": "d1"},
            "to_move": "A",
        }
    }
    tables.create({"players": PLAYERS, "opening": opening}, table=NAME)
    practice = Practice(tables, random.Random(2), QUICK, debug=tmp_path / "debug")
    practice.slips = 1.0
    seen: list[str] = []
    practice.table.subscribe(lambda: seen.append(getattr(practice.table.public().notice, "kind", "")))
    practice.start()
    try:
        assert until(lambda: "illegal" in seen, 60)
        assert until(lambda: practice.table.public().notice is None, 40)
    finally:
        practice.stop()
    assert [path for path in (tmp_path / "debug").iterdir() if "illegal" in path.name]
