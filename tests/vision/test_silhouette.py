"""Outlines of figures as evidence."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest

from calibration.colours import colour, spread
from tests import pictures
from vision.reader import Reader
from vision.reader.fit import Trial
from vision.reader.search import Search
from vision.reader.shapes import Stand
from vision.reader.silhouette import Silhouettes, outlined, unfounded
from vision.reading import Content

ROOF = colour((0.0, 0.0, 0.0), spread(0.1, 0.1, 0.1))
FIGURE = np.flatnonzero(
    cv2.ellipse(np.zeros((40, 60), np.uint8), (30, 20), (6, 11), 0, 0, 360, 1, -1).ravel()
)
NOWHERE = np.zeros(40 * 60, dtype=np.bool_)


def silhouettes(step: float, feature: int = 0, shade: float = 0.0) -> Silhouettes:
    """A plain surface, from its middle on in shade, with a figure that differs in one feature."""
    features = np.zeros((40, 60, 3), dtype=np.float32)
    features[:, 30:, 0] = shade
    features.reshape(-1, 3)[FIGURE, feature] += step
    waver = np.full((40, 60, 3), 1e-4, dtype=np.float32)
    return Silhouettes(features, waver, {}, ROOF, features)


def borne(seen: Silhouettes, hidden: np.ndarray = NOWHERE) -> float:
    """How well the figure's outline is borne out."""
    found = seen.borne(FIGURE.astype(np.int32), hidden)
    assert found is not None
    return found


def test_a_figure_shows_in_whichever_feature_it_differs() -> None:
    assert all(borne(silhouettes(-0.5, feature)) > 0.6 for feature in range(3))


def test_a_plain_surface_has_no_outline() -> None:
    assert borne(silhouettes(0.0)) < -0.6


def test_the_edge_of_a_shadow_through_it_is_no_outline() -> None:
    assert borne(silhouettes(0.0, shade=-0.8)) < 0.2


def test_outlines_along_a_nearer_pile_do_not_count() -> None:
    hidden = NOWHERE.copy().reshape(40, 60)
    hidden[:, 30:] = True
    seen = silhouettes(-0.5)
    seen.features[hidden] = 2.0
    assert borne(seen, hidden.ravel()) > 0.6


def test_steps_of_the_print_are_no_outline() -> None:
    seen = silhouettes(-0.5)
    printed = seen.borne(FIGURE.astype(np.int32), NOWHERE, printed=True)
    assert borne(seen) > 0.6
    assert printed is not None
    assert printed < -0.6


def test_a_figure_on_print_of_its_own_colour_is_told_by_what_has_changed() -> None:
    seen = silhouettes(-0.5)
    seen = replace(seen, ground=silhouettes(0.0, shade=-0.8).features)
    found = seen.borne(FIGURE.astype(np.int32), NOWHERE, printed=True)
    assert found is not None
    assert found > 0.4


@pytest.mark.pictures
def test_a_figure_that_was_only_believed_in_is_taken_back() -> None:
    eye = Reader(pictures.calibration("game-05"))
    eye.look(pictures.picture("game-05", "006.jpg"))
    assert eye.seen is not None
    search, kept = eye.seen.search, [fit.content for fit in eye.seen.search.fits]
    bare = next(c for c, content in enumerate(kept) if content == Content(0) and search.site(c).surely_bare())
    believed = Trial(Content(0, "A"), Stand(), (0, 0), 30.0)
    search.fits[bare] = search.site(bare).filled(believed)
    search.tables[bare] = {Content(0): 0.0, Content(0, "A"): 30.0}
    base = eye.setting.ground.expected[0]
    palette = eye.learned.palette
    waver = np.full(base.shape, 1e-4, dtype=np.float32)
    seen = Silhouettes(eye.seen.evidence.features, waver, palette.workers, palette.top, base)
    outlined(search, seen, eye.setting.calibration.figures)
    assert [fit.content for fit in search.fits] == kept


@dataclass(frozen=True, eq=False)
class OneOutline(Silhouettes):
    """Sees the same outline around everything."""

    found: float = 0.0

    def share(self, search: Search, cell: int) -> float | None:
        """What it always sees."""
        return self.found


def taken_back(found: float, gain: float, crown: tuple[int, int], count: int) -> bool:
    """Whether a figure of so many, that is believed to stand on bare ground, is taken back."""
    eye = Reader(pictures.calibration("game-05"))
    eye.look(pictures.picture("game-05", "006.jpg"))
    assert eye.seen is not None
    search, plain = eye.seen.search, silhouettes(0.0)
    bare = next(c for c, fit in enumerate(search.fits) if fit.content == Content(0))
    search.fits[bare] = search.site(bare).filled(Trial(Content(0, "A"), Stand(), crown, gain))
    search.tables[bare] = {Content(0): 0.0, Content(0, "A"): gain}
    seen = OneOutline(plain.features, plain.waver, {}, ROOF, plain.ground, found)
    return unfounded(search, seen, bare, {"A": count})


@pytest.mark.pictures
def test_a_figure_at_the_edge_of_its_space_must_be_worth_more_than_an_outline() -> None:
    assert taken_back(1.2, 30.0, (6, -2), 0)
    assert not taken_back(1.2, 60.0, (6, -2), 0)


@pytest.mark.pictures
def test_a_faint_outline_counts_for_more_against_one_figure_too_many() -> None:
    assert taken_back(0.2, 70.0, (0, 0), 0)
    assert not taken_back(0.2, 70.0, (0, 0), 9)
