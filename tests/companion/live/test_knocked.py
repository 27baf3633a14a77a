"""A camera that is knocked, put out of focus or given another lamp while a table is watched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.camera import Floats
from calibration.pose import GRID_CORNERS
from companion.live.practice import COLOURS
from companion.live.watcher import Watcher
from companion.live.watching import doubts_in, watcher_for
from companion.store import Store
from companion.table.accepting import known_board
from companion.table.live import Table
from companion.table.tables import Tables
from tests.companion.live.sitting import WORKERS, board_after, changed
from tests.companion.live.test_drawn import FLAT, camera, draw, known
from tests.companion.live.test_watcher import NoSource
from vision.overlay import overlay
from vision.reader import Reader
from vision.reading import EMPTY_BOARD, Board, Picture
from vision.simulator import Light, SimulatedCamera
from vision.sources import Frame

pytestmark = pytest.mark.slow
KNOCK = (24.0, 9.0)
LAMP = Light(azimuth=90.0, elevation=60.0, sun=(0.35, 0.31, 0.24))
TURN = "A1:b2>c3 A1+c4"
BUILT = changed(EMPTY_BOARD, b2="0A", d4="1A", b4="0B", d2="2B", c3="3dome")


def knocked(picture: Picture, by: tuple[float, float] = KNOCK) -> Picture:
    """The picture of a camera that was knocked."""
    (across, down), (high, wide) = by, picture.shape[:2]
    move = np.array([(1, 0, across), (0, 1, down)], dtype=np.float32)
    moved = cv2.warpAffine(picture, move, (wide, high), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, dtype=np.uint8)


def off(found: Floats, by: tuple[float, float] = KNOCK) -> float:
    """How far corners are from where a knock has put them."""
    truth = known().camera.project(GRID_CORNERS) + by
    return float(np.linalg.norm(found - truth, axis=1).max())


def soft(picture: Picture, sigma: float) -> Picture:
    """The picture of a camera that lost its focus."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), dtype=np.uint8)


@dataclass
class Evening:
    """A table that is watched: pictures are shown for a second each."""

    table: Table
    watcher: Watcher
    at: float = 0.0
    number: int = 0

    def show(self, picture: Picture, seconds: float = 1.0) -> list[str]:
        """What is said of the camera while a picture is shown."""
        said: list[str] = []
        for _ in range(round(seconds / 0.2)):
            self.at, self.number = self.at + 0.2, self.number + 1
            self.watcher.glance(Frame(picture, self.at, self.number))
            said.append(self.table.public().camera)
        return said

    @property
    def turns(self) -> list[str]:
        return [line.turn for line in self.table.public().history]

    @property
    def start(self) -> Board:
        return known_board(self.table.session)

    @property
    def undisturbed(self) -> bool:
        public = self.table.public()
        return (public.sync, public.notice, public.asked, self.turns) == (None, None, None, [])


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    players = [{"seat": s, "power": None, "colour": COLOURS[s]} for s in "AB"]
    opening = {"position": {"board": FLAT, "domes": [], "workers": WORKERS, "to_move": "A"}}
    with Store.open(tmp_path / "santorini.db") as store:
        table = Tables(store).create({"players": players, "opening": opening})
        yield Evening(table, watcher_for(table, NoSource(), known()))


def test_after_a_knock_everybody_looks_at_the_board_where_it_is_now(evening: Evening) -> None:
    still = draw(evening.start, hand=False)
    evening.show(still)
    evening.show(knocked(still))
    shown = evening.watcher.shown
    assert shown is not None and shown.reading is not None and shown.known is not None
    assert shown.reading.best == evening.start and evening.undisturbed
    assert off(shown.known.camera.project(GRID_CORNERS)) < 1.5
    played = draw(board_after(evening.table.session.game, TURN), hand=False)
    evening.show(knocked(played), 2.0)
    assert evening.turns == [TURN]


def test_pictures_that_are_kept_are_drawn_on_from_where_the_camera_is_now(tmp_path: Path) -> None:
    reader = Reader(known())
    doubts = doubts_in(tmp_path, lambda: reader.setting.calibration)
    picture = knocked(draw(BUILT, hand=False))
    reading = reader.look(picture)
    assert (reading.status, reading.camera, reading.best) == ("stable", "moved", BUILT)
    now = reader.setting.calibration
    assert off(now.camera.project(GRID_CORNERS)) < 1.5
    drawn = overlay(picture, reading, now.camera, now.profile, dict(now.colours))
    assert doubts.draw is not None and (doubts.draw(picture, reading) == drawn).all()


def test_after_a_restart_a_knock_is_found_again(evening: Evening) -> None:
    """What is saved is how the camera stood when it was set up."""
    said = evening.show(knocked(draw(evening.start, hand=False)), 2.0)
    shown = evening.watcher.shown
    assert shown is not None and shown.known is not None and shown.reading is not None
    assert off(shown.known.camera.project(GRID_CORNERS)) < 1.5
    assert shown.reading.best == evening.start and evening.undisturbed and said[-1] != "moved"


def test_a_knock_is_told_of_as_found_again_and_then_no_more(evening: Evening) -> None:
    still = draw(evening.start, hand=False)
    assert evening.show(still)[-1] == "ok"
    assert "found_again" in evening.show(knocked(still), 0.4)
    said = evening.show(knocked(still), 7.0)
    assert said[0] == "found_again" and said[-1] == "ok" and evening.undisturbed


def test_another_lamp_is_told_of_and_reading_goes_on(evening: Evening) -> None:
    lamp = SimulatedCamera(camera().camera, light=LAMP, colours=COLOURS)
    assert evening.show(draw(evening.start, hand=False))[-1] == "ok"
    assert "light" in evening.show(lamp.render(evening.start), 0.4)
    assert evening.undisturbed
    said = evening.show(lamp.render(board_after(evening.table.session.game, TURN)), 8.0)
    assert said[-1] == "ok" and evening.turns == [TURN]


@pytest.mark.parametrize(("by", "says"), [((220.0, 60.0), "moved"), (None, "soft")])
def test_what_cannot_be_read_any_more_is_told_and_nothing_is_played(
    evening: Evening, by: tuple[float, float] | None, says: str
) -> None:
    still = draw(evening.start, hand=False)
    played = draw(board_after(evening.table.session.game, TURN), hand=False)
    evening.show(still)
    spoiled = soft(played, 7.0) if by is None else knocked(played, by)
    assert says in evening.show(spoiled, 0.4 if by else 0.8), "a blur moves nothing, so it has to settle"
    assert evening.show(spoiled, 2.0)[-1] == says and evening.undisturbed
    assert evening.show(played, 3.0)[-1] in ("ok", "found_again", "light") and evening.turns == [TURN]
