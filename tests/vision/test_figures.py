"""Figures are counted: a surplus one without an outline goes, a missing one with an outline is found."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.build import Known, calibrate
from calibration.pieces import shipped
from calibration.pose import GRID_CORNERS
from tests import pictures
from vision.reader import Reader
from vision.reader.evidence import Flat, of_features
from vision.reader.figures import SURPLUS, drop, margin, recolour, settle, spot, standing, unseen_on
from vision.reader.fit import NOTHING, Ledger, Trial
from vision.reader.search import Search
from vision.reader.shapes import Stand
from vision.reader.silhouette import Silhouettes
from vision.reader.site import Site
from vision.reading import DOME, EMPTY_BOARD, Board, Content
from vision.simulator import SimulatedCamera, camera_at

pytestmark = pytest.mark.pictures


def read() -> tuple[Reader, Search, Silhouettes]:
    """A reader that has read a picture, its search and the outlines of that picture."""
    eye = Reader(pictures.calibration("game-05"))
    eye.look(pictures.picture("game-05", "006.jpg"))
    assert eye.seen is not None
    waver = of_features(eye.setting.calibration.noise.of(eye.seen.level))
    palette, plain = eye.learned.palette, eye.setting.ground.expected[0]
    outlines = Silhouettes(eye.seen.evidence.features, waver, palette.workers, palette.top, plain)
    return eye, eye.seen.search, outlines


def in_surplus(search: Search) -> tuple[int, Search]:
    """A bare space where one more figure of A is believed, and the search that believes it."""
    bare = next(c for c, fit in enumerate(search.fits) if fit is NOTHING and search.site(c).surely_bare())
    search.fits[bare] = search.site(bare).filled(Trial(Content(0, "A"), Stand(), (0, 0), 60.0))
    search.tables[bare] = {Content(0): 0.0, Content(0, "A"): 60.0}
    return bare, search


def coloured(search: Search, side: str, fitting: Flat) -> Search:
    """The search as it would be if a side's colour fitted every pixel so well."""
    plain = search.ledger.evidence
    ledger = Ledger(replace(plain, workers={**plain.workers, side: fitting}), search.ledger.shapes)
    ledger.levels = search.ledger.levels
    return replace(search, ledger=ledger)


def flattered(search: Search, cell: int) -> Search:
    """The search as it would be if the ground under a figure had just its colour."""
    plain, index = search.ledger.evidence, search.fits[cell].index
    fitting = plain.workers["A"].copy()
    fitting[index] = plain.ground[index] + np.float32(0.3)
    return coloured(search, "A", fitting)


def test_a_surplus_figure_without_an_outline_goes_however_well_its_colour_fits() -> None:
    eye, search, outlines = read()
    kept = [fit.content for fit in search.fits]
    cell, search = in_surplus(search)
    search = flattered(search, cell)
    assert margin(search, cell, "A") > SURPLUS
    settle(search, eye.setting.calibration.figures, outlines)
    assert [fit.content for fit in search.fits] == kept


class OutlinedEverywhere(Silhouettes):
    """Outlines that are borne out wherever a figure is looked for."""

    def of(self, search: Search, site: Site, trial: Trial) -> float | None:
        return 1.0


def test_a_surplus_figure_goes_however_well_it_is_seen() -> None:
    eye, search, outlines = read()
    kept = [fit.content for fit in search.fits]
    cell, search = in_surplus(search)
    search = flattered(search, cell)
    assert margin(search, cell, "A") > SURPLUS
    everywhere = OutlinedEverywhere(**vars(outlines))
    assert drop(search, "A", eye.setting.calibration.figures["A"], everywhere)
    assert [fit.content for fit in search.fits] == kept
    assert not drop(search, "A", eye.setting.calibration.figures["A"], everywhere)
    # nor does anybody else's figure stand there
    assert search.barred[cell] >= {Content(0, side) for side in search.sides}


def test_a_figure_is_worth_what_it_explains_now_that_its_surroundings_have_changed() -> None:
    _, search, _ = read()
    cell, search = in_surplus(search)
    assert search.fits[cell].gain > SURPLUS > margin(search, cell, "A")


def colourless(search: Search, side: str) -> Search:
    """The search as it would be if a side's figures had just the colours of what is around them."""
    return coloured(search, side, search.ledger.evidence.ground - np.float32(0.002))


def on_the_ground(search: Search) -> tuple[str, int]:
    """A side and a space where a figure of it stands on the ground in full view."""
    return next(
        (fit.content.top, cell)
        for cell, fit in enumerate(search.fits)
        if not fit.content.height and fit.content.top in search.sides
        if not search.site(cell).veil.hidden[fit.index].any()
    )


def test_a_missing_figure_whose_colour_says_nothing_is_found_by_its_outline() -> None:
    eye, search, outlines = read()
    side, cell = on_the_ground(search)
    search = colourless(search, side)
    search.fits[cell], search.tables[cell] = NOTHING, {Content(0): 0.0}
    settle(search, eye.setting.calibration.figures, outlines)
    assert search.fits[cell].content == Content(0, side)


def test_an_outline_is_asked_of_a_figure_whose_colour_says_nothing() -> None:
    _, search, outlines = read()
    for side in search.sides:
        before = standing(search, side)
        assert not spot(colourless(search, side), side, outlines)
        assert standing(search, side) == before


def mistaken(search: Search, by: float) -> tuple[str, int, Search]:
    """A figure taken for another side's, whose colour fits better by so much a pixel: its side, its space."""
    side, cell = on_the_ground(search)
    other = next(s for s in search.sides if s != side)
    workers = search.ledger.evidence.workers
    fitting, index = workers[other].copy(), search.fits[cell].index
    fitting[index] = workers[side][index] + np.float32(by)
    search = coloured(search, other, fitting)
    _, stand, crown = search.fits[cell].trial.spec
    search.fits[cell] = search.site(cell).filled(search.site(cell).fit(Content(0, other), stand, crown))
    search.tables[cell] = {Content(0): 0.0, Content(0, other): search.fits[cell].gain}
    return side, cell, search


def test_a_figure_that_odd_light_gives_another_sides_colour_is_told_by_who_lacks_one() -> None:
    eye, search, outlines = read()
    side, cell, search = mistaken(search, 0.02)
    settle(search, eye.setting.calibration.figures, outlines)
    assert search.fits[cell].content == Content(0, side)
    assert {s: len(standing(search, s)) for s in search.sides} == dict(eye.setting.calibration.figures)


def test_a_figure_that_looks_little_like_another_sides_is_not_taken_for_it() -> None:
    eye, search, _ = read()
    side, cell, search = mistaken(search, 0.02)
    other = search.fits[cell].content.top
    # nothing in the picture has the colour of the side that lacks a figure
    search = coloured(search, side, search.ledger.evidence.ground - np.float32(0.3))
    recolour(search, other, eye.setting.calibration.figures)
    assert search.fits[cell].content.top == other


HIGH = Content(3, DOME)
PLACED = {20: "A", 24: "A", 10: "B", 14: "B"}


def island(*piles: tuple[int, Content]) -> Board:
    """A board with a few piles on it."""
    return tuple(dict(piles).get(cell, Content(0)) for cell in range(25))


@pytest.fixture(scope="module")
def flat() -> tuple[SimulatedCamera, Reader]:
    """A camera that looks from 35 degrees, and a reader calibrated for it."""
    camera = SimulatedCamera(camera_at(35.0), colours={"A": "blue", "B": "orange"})
    placed = island(*((cell, Content(0, side)) for cell, side in PLACED.items()))
    known = Known(camera.render(placed, grain=1), [(c.height, c.top) for c in placed])
    taps = camera.camera.project(GRID_CORNERS).tolist()
    empty = camera.render(EMPTY_BOARD, grain=2)
    calibration = calibrate(empty, shipped(), {"A": "blue", "B": "orange"}, taps, None, [known])
    return camera, Reader(calibration)


def read_without(flat: tuple[SimulatedCamera, Reader], *piles: tuple[int, Content]) -> list[int]:
    """Where the second figure of B is believed to be when it is not in the picture."""
    camera, eye = flat
    board = island((20, Content(0, "A")), (24, Content(0, "A")), (10, Content(0, "B")), *piles)
    reading = eye.look(camera.render(board, grain=3))
    return [cell for cell, content in enumerate(reading.best) if content.top == "B" and cell != 10]


@pytest.mark.slow
def test_a_missing_figure_is_believed_where_nothing_of_it_would_show(
    flat: tuple[SimulatedCamera, Reader],
) -> None:
    assert read_without(flat, (7, HIGH)) == [12]


@pytest.mark.slow
def test_a_missing_figure_is_believed_to_have_left_where_some_of_it_would_show(
    flat: tuple[SimulatedCamera, Reader],
) -> None:
    assert read_without(flat, (17, Content(2))) == []


@pytest.mark.slow
def test_what_a_figure_out_of_sight_stands_on_may_have_been_read_wrong(
    flat: tuple[SimulatedCamera, Reader],
) -> None:
    assert read_without(flat, (7, HIGH)) == [12]
    _, eye = flat
    assert eye.seen is not None
    search = eye.seen.search
    search.fits[12] = NOTHING
    heights = [[trial.content.height for _, trial in rows] for rows in unseen_on(search, 12, "B")]
    assert [set(row) for row in heights] == [{0}, {1}, {2}, {3}]
    # where the space is in view what it holds was seen
    shown = [{trial.content.height for _, trial in rows} for rows in unseen_on(search, 2, "B")]
    assert shown in ([], [{0}])
    # a figure stands there already
    assert not list(unseen_on(search, 10, "B"))
