"""The search: piles that stand in the way of others, and the colours that pieces may have."""

import numpy as np
import pytest

from calibration.build import Palette
from calibration.noise import Noise
from tests import pictures
from vision.reader import Reader
from vision.reader.evidence import evidence_of
from vision.reader.fit import Trial
from vision.reader.places import fitted
from vision.reader.search import other_heights
from vision.reader.shapes import Stand
from vision.reading import DOME, Content


@pytest.mark.pictures
@pytest.mark.parametrize("height", [1, 3])
def test_a_pile_in_the_way_of_true_ones_is_taken_away(height: int) -> None:
    eye = Reader(pictures.calibration("game-34"))
    eye.look(pictures.picture("game-34", "013.jpg"))
    assert eye.seen is not None
    search = eye.seen.search
    kept = [fit.content for fit in search.fits]
    hiding = [
        cell
        for cell, content in enumerate(kept)
        if content == Content(0) and any(kept[c].height for c in search.geometry.farther[cell])
    ]
    cell, stand = hiding[0], Stand(4, 5, (0,) * height)
    content = Content(height)
    # believed in as firmly as only a mistake of the search can be
    believed = Trial(content, stand, (0, 0), 400.0)
    search.fits[cell] = search.site(cell).filled(believed)
    search.tables[cell] = {Content(0): 0.0, content: 400.0}
    search.memory[cell] = {content: (stand, (0, 0))}
    search.together()
    assert [fit.content for fit in search.fits] == kept


@pytest.mark.pictures
def test_a_tower_that_lives_on_what_it_hides_is_lowered() -> None:
    eye = Reader(pictures.calibration("game-34"))
    eye.look(pictures.picture("game-34", "013.jpg"))
    assert eye.seen is not None
    search = eye.seen.search
    kept = [fit.content for fit in search.fits]
    hiding = [
        cell
        for cell, content in enumerate(kept)
        if content.height == 1 and any(kept[c].height for c in search.geometry.farther[cell])
    ]
    cell = hiding[0]
    tall = Content(3, kept[cell].top)
    believed = Trial(tall, fitted(search.fits[cell].stand, 3), (0, 0), 2000.0)
    search.fits[cell] = search.site(cell).filled(believed)
    # nothing else comes near it, as every fit behind it has made room for it
    search.tables[cell] = {Content(0): 0.0, tall: 2000.0}
    search.memory[cell] = {tall: (believed.stand, (0, 0))}
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
