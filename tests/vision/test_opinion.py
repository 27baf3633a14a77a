from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from calibration.view import Light
from tests import pictures
from vision.reader import Reader
from vision.reader.crops import FOOT, FOOT_RISE, GRAIN, PLANES, WIDE, Bytes, planes_of, upright
from vision.reader.opinion import (
    WEIGHTS,
    Network,
    Opinion,
    Rows,
    as_row,
    knows,
    network_from,
    shipped_network,
)
from vision.reading import CELLS, Board, Content, alternatives, board_from_json, cell_index

pytestmark = pytest.mark.pictures
GAME, FILE = "game-05", "006.jpg"
RECORDED = Path(__file__).parents[1] / "data" / "opinion" / "crops.npz"


@dataclass
class Swears:
    """Says the same of every cell: sure of one content, whatever it sees."""

    content: Content
    sureness: float
    asked: list[int] = field(default_factory=list)

    def rows(self, crops: Bytes, views: Light, sides: Sequence[str]) -> list[Rows]:
        self.asked.append(len(crops))
        contents = alternatives(sides)
        return [{c: 0.0 if c == self.content else -self.sureness for c in contents} for _ in crops]


def truth() -> Board:
    return board_from_json(pictures.frame(GAME, FILE))


def reader(opinion: Opinion | None) -> Reader:
    return Reader(pictures.calibration(GAME), lambda: opinion)


def test_the_shipped_network_is_small_and_answers_as_it_was_trained_to() -> None:
    assert WEIGHTS.stat().st_size < 2_000_000
    network = shipped_network()
    assert network is not None
    with np.load(RECORDED) as recorded:
        crops, views, answers, true = (recorded[key] for key in ("crops", "views", "answers", "truth"))
    network.net.setInput(planes_of(crops, views))
    assert np.abs(np.asarray(network.net.forward()) - answers).max() < 0.01
    best = [max(row, key=lambda content: row[content]) for row in network.rows(crops, views, ("A", "B"))]
    tops = ("", "dome", "A", "B")
    assert best == [Content(int(height), tops[top]) for height, top in true]


def test_chances_of_a_cell_sum_to_one() -> None:
    for sides in (("A",), ("A", "B"), ("A", "B", "C")):
        row = as_row(np.linspace(-3, 4, 9, dtype=np.float32), sides)
        assert set(row) == set(alternatives(sides))
        assert sum(np.exp(value) for value in row.values()) == pytest.approx(1.0, abs=1e-5)


def test_nothing_is_asked_of_nothing() -> None:
    network = shipped_network()
    assert isinstance(network, Network)
    empty = np.empty((0, 13, 72, 40), dtype=np.uint8)
    assert network.rows(empty, np.empty((0, 2), dtype=np.float32), ("A", "B")) == []
    assert planes_of(empty, np.empty((0, 2), dtype=np.float32)).shape == (0, PLANES, 72, 40)


def test_a_broken_or_missing_network_is_named_and_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(WEIGHTS.read_bytes()[:1000])
    assert network_from(broken) is None
    assert network_from(tmp_path / "missing.onnx") is None
    assert "broken.onnx" in caplog.text
    assert "missing.onnx" in caplog.text


def test_the_reader_works_without() -> None:
    reading = reader(None).look(pictures.picture(GAME, FILE))
    assert reading.best == truth()
    assert reading.status == "stable"


def test_a_network_that_is_not_sure_changes_nothing() -> None:
    swears = Swears(Content(3, "dome"), 2.0)
    reading = reader(swears).look(pictures.picture(GAME, FILE))
    assert reading.best == truth()
    assert 0 < swears.asked[0] < CELLS


def test_a_network_that_is_quite_sure_is_believed_where_the_search_may_err() -> None:
    swears = Swears(Content(0), 40.0)
    reading = reader(swears).look(pictures.picture(GAME, FILE))
    seen = [cell for cell in range(CELLS) if reading.visible[cell] > 0.5]
    assert all(reading.best[cell] == Content(0) for cell in seen)
    assert min(reading.confidence(cell) for cell in seen) > 0.9


def test_a_network_that_contradicts_leaves_less_confidence() -> None:
    picture, sure = pictures.picture(GAME, FILE), reader(None)
    tower = next(cell for cell, content in enumerate(truth()) if content == Content(1))
    plain = sure.look(picture).confidence(tower)
    doubted = reader(Swears(Content(2), 6.0)).look(picture)
    assert doubted.best[tower] == Content(1)
    assert doubted.confidence(tower) < plain


def test_figures_are_counted_before_one_more_is_believed() -> None:
    # two of each colour stand in full view: a third needs more than the second opinion's word
    reading = reader(Swears(Content(0, "A"), 7.0)).look(pictures.picture(GAME, FILE))
    assert reading.best == truth()


def test_windows_stand_upright() -> None:
    camera = reader(None).setting.base.view.camera
    for name in ("a1", "c3", "e5"):
        cell = cell_index(name)
        warp, rise, slope = upright(camera, cell)
        x, y = cell % 5 - 2.0, cell // 5 - 2.0
        low, high = (np.append(camera.project(np.array([x, y, z])), 1.0) @ warp.T for z in (0.0, 0.5))
        assert low == pytest.approx([WIDE / 2 - 0.5, FOOT - FOOT_RISE * slope], abs=1e-6)
        assert low[1] - high[1] == pytest.approx(GRAIN * rise / 2, rel=0.1)
        assert abs(high[0] - low[0]) < 0.4 * abs(high[1] - low[1])


def test_more_seats_than_it_has_places_for_are_read_without_it() -> None:
    assert knows(("A", "B", "C"))
    assert not knows(("A", "B", "C", "D"))
