"""A tower read too tall hides others, which then stand wrongly, too: it is lowered on trial."""

import pytest

from tests.pictures import search_of
from vision.reader.lowering import lower, lowered
from vision.reader.places import fitted, refined
from vision.reader.search import Search
from vision.reading import Content

pytestmark = pytest.mark.pictures


def in_front(search: Search) -> list[int]:
    """Towers of one or two blocks with others behind them."""
    return [
        cell
        for cell, fit in enumerate(search.fits)
        if fit.content.height in (1, 2)
        and any(search.fits[other].content.height for other in search.geometry.farther[cell])
    ]


def test_heights_that_are_right_stay() -> None:
    search = search_of("game-34", "013.jpg")
    kept = [fit.content for fit in search.fits]
    lowered(search)
    assert [fit.content for fit in search.fits] == kept


def test_a_tower_read_too_tall_is_lowered_and_those_behind_come_back() -> None:
    search = search_of("game-05", "010.jpg")
    right = [fit.content for fit in search.fits]
    towers = in_front(search)
    assert len(towers) > 2
    for cell in towers:
        site = search.site(cell)
        taller, stand = Content(right[cell].height + 1, right[cell].top), search.fits[cell].stand
        believed = refined(site, site.fit(taller, fitted(stand, taller.height), search.fits[cell].crown))
        search.fits[cell] = site.filled(believed)
        for other in search.geometry.farther[cell]:
            search.visit(other)
        assert lower(search, cell)
        assert [fit.content for fit in search.fits] == right


def test_a_tower_with_nothing_behind_it_was_seen_for_what_it_is() -> None:
    search = search_of("game-34", "013.jpg")
    alone = [
        cell
        for cell, fit in enumerate(search.fits)
        if fit.content.height
        and not any(search.fits[c].content.height for c in search.geometry.farther[cell])
    ]
    assert not any(lower(search, cell) for cell in alone)
