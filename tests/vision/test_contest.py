"""Where two heights score nearly alike the outlines decide, wherever the other one would have to stand."""

import pytest

from tests import pictures
from vision.reader import Reader
from vision.reader.contest import contest
from vision.reader.edges import edges_of
from vision.reader.places import fitted, refined, spun
from vision.reader.shapes import Stand
from vision.reading import Content, cell_index

pytestmark = pytest.mark.pictures


def test_another_height_is_looked_for_where_the_tower_is_turned() -> None:
    eye = Reader(pictures.calibration("game-02"))
    eye.look(pictures.picture("game-02", "020.jpg"))
    assert eye.seen is not None
    search, cell = eye.seen.search, cell_index("e4")
    right = search.fits[cell]
    site = search.site(cell)
    # white on a white mat: a lower tower explains the same colours, and the true one was tried straight only
    lower = site.filled(refined(site, site.fit(Content(1), fitted(right.stand, 1), (0, 0))))
    straight = Stand(0, 0, (0, 0, 0))
    search.fits[cell] = lower
    search.tables[cell] = {
        Content(1): lower.gain,
        right.content: site.fit(right.content, straight, (0, 0)).gain,
    }
    search.memory[cell] = {Content(1): (lower.stand, (0, 0)), right.content: (straight, (0, 0))}
    waver = eye.setting.calibration.noise.of(eye.seen.level)
    contest(search, edges_of(eye.seen.evidence, waver[..., 1]))
    assert search.fits[cell].content == right.content == Content(3)
    # its upper blocks were turned by some 45 degrees
    assert min(abs(turn) for turn in search.fits[cell].stand.turns[1:]) > 12


def test_a_tower_tries_larger_turns_than_a_hands_carelessness() -> None:
    eye = Reader(pictures.calibration("game-02"))
    eye.look(pictures.picture("game-02", "020.jpg"))
    assert eye.seen is not None
    search, cell = eye.seen.search, cell_index("e4")
    site, right = search.site(cell), search.fits[cell]
    straight = refined(site, site.fit(Content(3), Stand(right.stand.x, right.stand.y, (0, 0, 0)), (0, 0)))
    found = spun(site, straight)
    assert found.gain > straight.gain + 20.0
    assert max(abs(turn) for turn in found.stand.turns) > 12
    bare = site.fit(Content(0), Stand(), (0, 0))
    assert spun(site, bare) is bare
