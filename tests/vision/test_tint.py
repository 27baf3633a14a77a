"""Ivory of an unusual tint is taken from a picture's own roofs, for that picture alone."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.build import Palette, calibrate
from calibration.colours import Colour
from calibration.pieces import shipped
from calibration.pose import GRID_CORNERS
from vision.reader import Reader
from vision.reader import core as read_by
from vision.reader.tint import tinted
from vision.reading import DOME, EMPTY_BOARD, Board, Content
from vision.simulator import SimulatedCamera, camera_at

pytestmark = pytest.mark.slow
PILES = {
    6: Content(1),
    8: Content(2),
    12: Content(3),
    16: Content(1, "A"),
    18: Content(2),
    2: Content(3, DOME),
    4: Content(1),
    20: Content(0, "B"),
}
BOARD: Board = tuple(PILES.get(cell, Content(0)) for cell in range(25))


@pytest.fixture(scope="module")
def eye() -> Reader:
    """A reader that knows all colours by their names alone, and has read a board."""
    return read(0.0)


def read(off: float) -> Reader:
    """The same, but it believes ivory to be so much redder than it usually is."""
    camera = SimulatedCamera(camera_at(60.0), colours={"A": "blue", "B": "orange"})
    taps = camera.camera.project(GRID_CORNERS).tolist()
    empty = camera.render(EMPTY_BOARD, grain=2)
    eye = Reader(calibrate(empty, shipped(), {"A": "blue", "B": "orange"}, taps, None))
    eye.learned.palette = believed(eye.learned.palette, off)
    eye.look(camera.render(BOARD, grain=3))
    return eye


def redder(shade: Colour, by: float) -> Colour:
    return replace(shade, mean=(shade.mean[0], shade.mean[1] + by, shade.mean[2]))


def believed(palette: Palette, off: float) -> Palette:
    return replace(palette, top=redder(palette.top, off), side=redder(palette.side, off))


def tint_of(eye: Reader, palette: Palette) -> Palette | None:
    assert eye.seen is not None
    return tinted(eye.seen.search, palette, eye.seen.fair)


def explained(eye: Reader) -> float:
    """How well the board read explains the picture."""
    assert eye.seen is not None
    return sum(fit.gain for fit in eye.seen.search.fits)


def test_usual_ivory_stays_as_it_is(eye: Reader) -> None:
    assert not eye.learned.palette.top.samples
    assert tint_of(eye, eye.learned.palette) is None


def test_an_unusual_tint_is_taken_from_the_roofs(eye: Reader) -> None:
    usual = eye.learned.palette
    found = tint_of(eye, believed(usual, 0.2))
    assert found is not None
    assert found.top.mean[1] == pytest.approx(usual.top.mean[1], abs=0.08)
    # brightness is the lamp's affair, and workers and domes are not made of ivory
    assert found.top.mean[0] == usual.top.mean[0] and found.workers == usual.workers
    assert found.dome == usual.dome and found.top.cover == usual.top.cover


def test_nothing_is_taken_where_ivory_was_shown_or_hardly_shows_or_is_something_else(eye: Reader) -> None:
    off = believed(eye.learned.palette, 0.2)
    assert tint_of(eye, replace(off, top=replace(off.top, samples=800))) is None
    assert tint_of(eye, believed(eye.learned.palette, 0.5)) is None
    assert eye.seen is not None
    assert tinted(eye.seen.search, off, np.zeros_like(eye.seen.fair)) is None


def test_a_board_is_read_with_its_tint_which_is_then_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    off = read(0.28)
    assert off.last == BOARD
    # what is to be kept is learned from confirmed boards
    assert off.learned.palette == believed(off.origin.palette, 0.28) and not off.learned.memory
    monkeypatch.setattr(read_by, "tinted", lambda *_: None)
    assert explained(off) > explained(read(0.28)) + 50.0
