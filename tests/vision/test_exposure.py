"""Pictures brighter than the calibration: what is burnt out is taken for what it may be."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.colours import colour, spread
from calibration.light import unburnt
from calibration.quality import CLIPPED_ADVICE
from companion.bench._spoils import exposed
from tests import pictures
from vision.reader.evidence import Burnt, features_of
from vision.reading import board_from_json
from vision.seeing import read_album

WHITE = np.full((1, 1, 3), 1.9, dtype=np.float32)


def test_only_what_was_to_burn_out_is_taken_as_expected() -> None:
    level = np.full((1, 2, 3), 0.52, dtype=np.float32)
    expected = np.array([[[1.0, 1.0, 1.0], [0.2, 0.2, 0.2]]], dtype=np.float32)
    seen = unburnt(level, expected, WHITE)
    assert (seen[0, 0] == 1.0).all()
    assert np.allclose(seen[0, 1], 0.52)


def test_a_burnt_out_pixel_may_be_cream_but_not_grey() -> None:
    level = np.full((1, 1, 3), 0.52, dtype=np.float32)
    burnt, plain = Burnt(level, WHITE), features_of(level)
    cream = colour((0.0, 0.1, -0.3), spread(0.3, 0.1, 0.1))
    grey = colour((-1.4, 0.0, 0.0), spread(0.3, 0.1, 0.1))
    assert np.abs(burnt.seen(plain, cream)[0, 0] - cream.mean).max() < 0.02
    assert np.allclose(burnt.seen(plain, grey), plain)


@pytest.mark.pictures
def test_one_stop_more_is_read_and_said() -> None:
    album = pictures.album("game-05")
    album = replace(album, files=album.files[:3])
    warnings: list[str] = []
    seen = list(read_album(album, warnings.append, exposed(1.0)))
    assert any(CLIPPED_ADVICE in text for text in warnings)
    assert [item.reading.status for item in seen] == ["stable"] * len(seen)
    for item in seen:
        assert item.reading.best == board_from_json(pictures.frame("game-05", item.file))
