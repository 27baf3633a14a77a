"""Bare towers out of sight: looked for in the middle of their space once all before them is read."""

import pytest

from tests.pictures import search_of
from vision.reader.fit import NOTHING
from vision.reader.unseen import glimpsed
from vision.reading import Content

pytestmark = pytest.mark.pictures


def test_a_block_that_was_only_tried_elsewhere_is_found_in_the_middle_of_its_space() -> None:
    search = search_of("game-02", "020.jpg")
    blocks = [cell for cell, fit in enumerate(search.fits) if fit.content == Content(1)]
    assert len(blocks) >= 2
    for cell in blocks:
        search.fits[cell] = NOTHING
        search.tables[cell] = {Content(0): 0.0, Content(1): -0.9}
    glimpsed(search)
    for cell in blocks:
        assert search.fits[cell].content == Content(1)
        assert search.scores(cell, [Content(0)])[0] < 0.0


def test_open_ground_stays_open() -> None:
    search = search_of("game-02", "020.jpg")
    kept = [fit.content for fit in search.fits]
    glimpsed(search)
    assert [fit.content for fit in search.fits] == kept
