"""A camera whose pictures have another size than when it was set up is told of, and nothing is read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from companion.live.watcher import Watcher
from companion.referee.fakes import SureEye, drawn
from companion.referee.referee import Referee
from companion.store import Store
from companion.table.live import Table
from companion.table.tables import Tables
from tests.companion.live.sitting import WORKERS, board_after
from tests.companion.live.test_watcher import NoSource, ToldGate
from vision.gate import Verdict
from vision.reading import size_of
from vision.sources import Frame


class StrictGate(ToldGate):
    """Counts what it is shown."""

    steps = 0

    def step(self, frame: Frame) -> Verdict:
        self.steps += 1
        return self.verdict


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    players = [{"seat": seat, "power": None, "name": seat} for seat in "AB"]
    position = {"board": ["00000"] * 5, "domes": [], "workers": WORKERS, "to_move": "A"}
    with Store.open(tmp_path / "santorini.db") as store:
        yield Tables(store).create({"players": players, "opening": {"position": position}})


def test_reading_pauses_while_the_picture_is_turned_and_goes_on_after(table: Table) -> None:
    eye, gate = SureEye(), StrictGate()
    picture = drawn(board_after(table.session.game, "A1:b2>c3 A1+c4"))
    watcher = Watcher(table, NoSource(), gate, Referee(eye), size=size_of(picture))
    turned = np.ascontiguousarray(picture.transpose())
    for number in range(1, 6):
        watcher.glance(Frame(turned, 0.1 * number, number))
    assert (table.public().camera, eye.looks, gate.steps) == ("size", 0, 0)
    assert watcher.shown is not None and watcher.shown.frame.picture is turned
    for number in range(6, 26):
        watcher.glance(Frame(picture, 0.1 * number, number))
    assert (table.public().camera, len(table.public().history)) == ("ok", 1)
