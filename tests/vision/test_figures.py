"""Figures are counted: a surplus one without an outline goes, a missing one with an outline is found."""

from dataclasses import replace

import numpy as np
import pytest

from tests import pictures
from vision.reader import Reader
from vision.reader.evidence import of_features
from vision.reader.figures import settle, spot, standing
from vision.reader.fit import NOTHING, Ledger, Trial
from vision.reader.search import Search
from vision.reader.shapes import Stand
from vision.reader.silhouette import Silhouettes
from vision.reading import Content

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


def test_a_surplus_figure_without_an_outline_goes_however_well_its_colour_fits() -> None:
    eye, search, outlines = read()
    kept = [fit.content for fit in search.fits]
    bare = next(c for c, content in enumerate(kept) if content == Content(0) and search.site(c).surely_bare())
    search.fits[bare] = search.site(bare).filled(Trial(Content(0, "A"), Stand(), (0, 0), 60.0))
    search.tables[bare] = {Content(0): 0.0, Content(0, "A"): 60.0}
    settle(search, eye.setting.calibration.figures, outlines)
    assert [fit.content for fit in search.fits] == kept


def colourless(search: Search, side: str) -> Search:
    """The search as it would be if a side's figures had just the colours of what is around them."""
    plain = search.ledger.evidence
    nowhere = {**plain.workers, side: plain.ground - np.float32(0.002)}
    ledger = Ledger(replace(plain, workers=nowhere), search.ledger.shapes)
    ledger.levels = search.ledger.levels
    return replace(search, ledger=ledger)


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
