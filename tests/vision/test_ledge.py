"""A second opinion on heights: the ledge around the lowest block's foot in a light of its own."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.pieces import shipped
from tests.pictures import search_of
from vision.reader.contest import close_heights
from vision.reader.fit import Trial
from vision.reader.ledge import NEARLY, reconsidered
from vision.reader.outlines import template
from vision.reader.places import fitted
from vision.reader.search import Search
from vision.reading import Content


def test_a_ledge_is_a_part_of_its_blocks_top_or_a_face_of_its_own_on_each_side() -> None:
    for height, more in ((1, 4), (2, 4), (3, 8)):
        plain, apart = (template(shipped(), height, ledges) for ledges in (False, True))
        assert len(np.unique(apart.marks)) == len(np.unique(plain.marks)) + more
        assert apart.marks[-1] == apart.marks[-2], "rim and floor of the uppermost roof are one"


def lone_blocks(search: Search) -> list[int]:
    return [cell for cell, fit in enumerate(search.fits) if fit.content.height == 1]


@pytest.mark.pictures
def test_heights_that_are_right_stay() -> None:
    search = search_of("game-34", "013.jpg")
    kept = [fit.content for fit in search.fits]
    reconsidered(search)
    assert [fit.content for fit in search.fits] == kept and not search.leaning


@pytest.mark.pictures
def test_one_block_taken_for_two_is_seen_for_one() -> None:
    search = search_of("game-34", "013.jpg")
    cell = lone_blocks(search)[0]
    lead = search.fits[cell]
    two = Content(2, lead.content.top)
    # two blocks explain it a little better, as they do where the ledge is in shade
    believed = Trial(two, fitted(lead.stand, 2), lead.crown, lead.gain + 5.0)
    search.fits[cell] = search.site(cell).filled(believed)
    search.tables[cell] = {lead.content: lead.gain, two: lead.gain + 5.0, Content(0): 0.0}
    assert close_heights(search, cell, NEARLY) == [lead.content]
    reconsidered(search)
    assert search.fits[cell].content == lead.content
    scores = dict(zip((lead.content, two), search.scores(cell, (lead.content, two)), strict=True))
    assert scores[lead.content] > scores[two]


@pytest.mark.pictures
def test_what_a_second_opinion_adds_counts_for_whole_boards() -> None:
    search = search_of("game-34", "013.jpg")
    cell = lone_blocks(search)[0]
    board = tuple(fit.content for fit in search.fits)
    other = (*board[:cell], replace(board[cell], height=2), *board[cell + 1 :])
    before = search.joint(board) - search.joint(other)
    search.lean(cell, 1, 7.0, search.fits[cell].gain + 15.0)
    assert search.joint(board) - search.joint(other) == pytest.approx(before + 7.0)
