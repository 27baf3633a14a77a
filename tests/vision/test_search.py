"""The search: piles that stand in the way of others, and the colours that pieces may have."""

import numpy as np
import pytest

from calibration.build import Palette
from calibration.noise import Noise
from tests import pictures
from vision.reader import Reader
from vision.reader.alike import other_heights
from vision.reader.evidence import evidence_of
from vision.reader.fit import Trial
from vision.reader.places import fitted
from vision.reader.search import Search
from vision.reader.shapes import Stand
from vision.reading import DOME, Content


def read_search(game: str = "game-34", file: str = "013.jpg") -> Search:
    """A search that has read a picture with towers behind one another."""
    eye = Reader(pictures.calibration(game))
    eye.look(pictures.picture(game, file))
    assert eye.seen is not None
    return eye.seen.search


def hiding(search: Search, height: int) -> int:
    """A cell of so many blocks before other piles."""
    return next(
        cell
        for cell, fit in enumerate(search.fits)
        if fit.content.height == height and not (fit.content.top and not height)
        if any(search.fits[c].content.height for c in search.geometry.farther[cell])
    )


def believe(search: Search, cell: int, content: Content, stand: Stand, gain: float) -> None:
    """Put a pile in a cell, believed in as firmly as only a mistake of the search can be."""
    search.fits[cell] = search.site(cell).filled(Trial(content, stand, (0, 0), gain))
    search.tables[cell] = {Content(0): 0.0, content: gain}
    search.memory[cell] = {content: (stand, (0, 0))}


@pytest.mark.pictures
@pytest.mark.parametrize("height", [1, 3])
def test_a_pile_in_the_way_of_true_ones_is_taken_away(height: int) -> None:
    search = read_search()
    kept = [fit.content for fit in search.fits]
    believe(search, hiding(search, 0), Content(height), Stand(4, 5, (0,) * height), 400.0)
    search.together()
    assert [fit.content for fit in search.fits] == kept


@pytest.mark.pictures
def test_a_tower_that_lives_on_what_it_hides_is_lowered() -> None:
    search = read_search()
    kept = [fit.content for fit in search.fits]
    cell = hiding(search, 1)
    believe(search, cell, Content(3, kept[cell].top), fitted(search.fits[cell].stand, 3), 2000.0)
    # nothing else comes near it, as every fit behind it has made room for it
    for other in reversed(search.geometry.farther[cell]):
        search.visit(other)
    search.together()
    assert [fit.content for fit in search.fits] == kept


def test_a_pile_read_too_tall_may_be_any_lower_one() -> None:
    assert other_heights(Content(1)) == [Content(0)]
    assert set(other_heights(Content(2, "A"))) == {
        Content(0, "A"), Content(0), Content(1, "A"), Content(1), Content(2)
    }  # fmt: skip


def test_a_dome_in_view_stays_and_may_stand_on_one_block_more() -> None:
    assert Content(3) not in other_heights(Content(3, DOME))
    assert [c for c in other_heights(Content(2, DOME)) if c.height > 1] == [Content(3, DOME)]


def walls(red: float, blue: float) -> np.ndarray:
    """How well a wall explains a patch of one colour, brightness 1."""
    level = np.full((4, 4, 3), (np.exp(blue), 1.0, np.exp(red)), dtype=np.float32)
    palette = Palette()
    colours = {"top": palette.top, "side": palette.side, "dome": palette.dome}
    bare, clipped = np.full(16, -4.0, dtype=np.float32), np.zeros((4, 4), dtype=np.float32)
    found = evidence_of(level, np.full((4, 4, 3), 0.3, np.float32), clipped, bare, colours, Noise())
    return found.ivory[16:32]


def test_a_wall_may_have_the_colour_of_the_ground_or_of_a_roof() -> None:
    top, side = Palette().top.mean, Palette().side.mean
    near_ground, high_up, neither = walls(*side[1:]), walls(*top[1:]), walls(0.5, -0.6)
    assert (near_ground > -0.2).all() and (high_up > near_ground - 0.1).all()
    assert (neither < high_up - 0.2).all()


def test_domes_of_other_blues_are_domes() -> None:
    dome = Palette().dome
    wide = np.sqrt(np.diag(np.array(dome.cover)))
    for seen in ((-2.26, -0.58, 1.57), (-3.3, -0.36, 3.0), (-2.8, -0.56, 1.1)):
        assert (np.abs(np.array(seen) - np.array(dome.mean)) < 1.6 * wide).all()


@pytest.mark.pictures
def test_where_a_figure_is_taken_back_the_piles_behind_have_a_say_again() -> None:
    search = read_search("game-02", "014.jpg")
    kept = [fit.content for fit in search.fits]
    # one block before a tower, believed to be two with a figure on top
    cell = kept.index(Content(1))
    site, believed = search.site(cell), Content(2, search.sides[0])
    search.fits[cell] = site.filled(site.fit(believed, fitted(search.fits[cell].stand, 2), (0, 0)))
    for other in reversed(search.geometry.farther[cell]):
        search.visit(other)
    search.bar(cell, believed)
    assert [fit.content for fit in search.fits] == kept
