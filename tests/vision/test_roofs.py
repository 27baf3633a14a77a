"""The lines of roofs at the camera's own grain tell heights that colours leave open."""

import numpy as np
import pytest

from calibration.pieces import shipped
from tests import pictures
from vision.reader import Reader
from vision.reader.crisp import Crisp, crisp_of, roof_of
from vision.reader.places import fitted, refined
from vision.reader.roofs import CLEAR, SURELY, lines_of, said, told_by_roofs, worth
from vision.reader.search import Search
from vision.reader.shapes import Stand
from vision.reading import Content

pytestmark = pytest.mark.pictures


def looked(game: str, file: str) -> tuple[Search, Crisp]:
    eye = Reader(pictures.calibration(game))
    picture = pictures.picture(game, file)
    eye.look(picture)
    assert eye.seen is not None
    calibration = eye.setting.calibration
    return eye.seen.search, crisp_of(picture, calibration.camera, calibration.profile)


def lone_blocks(search: Search) -> list[int]:
    return [cell for cell, fit in enumerate(search.fits) if fit.content.height == 1 and not fit.content.top]


def test_a_roof_has_a_border_and_a_recess() -> None:
    for height, corners in ((1, 4), (2, 4), (3, 8)):
        roof = roof_of(shipped(), height)
        assert roof.border.sum() == corners and len(roof.lines) == 2 * corners
        wide = shipped().blocks[height - 1].top_width
        assert np.abs(roof.lines).max() <= wide / 2 and np.abs(roof.floor).max() < wide / 2


def test_lines_are_clear_where_a_roof_is_and_nowhere_else() -> None:
    search, crisp = looked("game-02", "020.jpg")
    better = 0
    for cell in lone_blocks(search):
        site, spec = search.site(cell), search.fits[cell].trial.spec
        here = lines_of(search, crisp, site, spec)
        taller = (Content(2), fitted(spec[1], 2), spec[2])
        better += said(lines_of(search, crisp, site, taller), here) < 0
    assert better == len(lone_blocks(search)) > 1


def test_what_is_out_of_sight_says_nothing() -> None:
    search, crisp = looked("game-02", "020.jpg")
    cell = lone_blocks(search)[0]
    spec = search.fits[cell].trial.spec
    wide, high = search.ledger.evidence.size
    profile = search.geometry.shapes.profile
    unseen = crisp.lines(profile, cell, spec, np.ones((high, wide), dtype=np.bool_))
    assert np.isnan(unseen).all() and said(unseen, unseen) == 0.0
    # what is usual is neither clear enough to be believed unseen nor a reason to doubt much
    assert abs(worth(unseen) - CLEAR) < 2 * SURELY


def test_a_turned_roof_is_looked_for_where_it_is() -> None:
    search, crisp = looked("game-02", "020.jpg")
    cell = lone_blocks(search)[0]
    site, (content, stand, crown) = search.site(cell), search.fits[cell].trial.spec
    straight = lines_of(search, crisp, site, (content, stand, crown))
    aside = lines_of(search, crisp, site, (content, Stand(stand.x, stand.y, (stand.turns[0] + 18,)), crown))
    assert worth(aside) < worth(straight)


def test_heights_that_are_right_stay() -> None:
    search, crisp = looked("game-02", "020.jpg")
    kept = [fit.content for fit in search.fits]
    told_by_roofs(search, crisp)
    assert [fit.content for fit in search.fits] == kept


def test_a_tower_believed_too_tall_is_told_by_its_roof() -> None:
    search, crisp = looked("game-02", "020.jpg")
    for cell in lone_blocks(search):
        right = search.fits[cell]
        site = search.site(cell)
        believed = refined(site, site.fit(Content(2), fitted(right.stand, 2), (0, 0)))
        search.fits[cell] = site.filled(believed)
        search.tables[cell] = {Content(1): right.gain, Content(2): believed.gain, Content(0): 0.0}
        search.memory[cell] = {Content(1): (right.stand, (0, 0)), Content(2): (believed.stand, (0, 0))}
        told_by_roofs(search, crisp)
        assert search.fits[cell].content == right.content
        rows = search.scores(cell, (Content(1), Content(2)))
        assert rows[0] > rows[1]
