"""Outlines as evidence."""

import numpy as np

from vision.reader.edges import across, odds


def sheet(step: float, at: int = 20) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two faces side by side, the second brighter by a step that lies at some column."""
    labels = np.ones((24, 40), dtype=np.uint8)
    labels[:, 20:] = 2
    light = np.zeros((24, 40), dtype=np.float32)
    light[:, at:] = step
    return labels, light, np.full((24, 40), 1e-4, dtype=np.float32)


def test_a_step_where_faces_meet_speaks_for_them() -> None:
    assert across(*sheet(0.3)).sum() > 3.0


def test_no_step_speaks_against_them() -> None:
    assert across(*sheet(0.0)).sum() < -3.0


def test_a_step_elsewhere_is_none_of_theirs() -> None:
    assert across(*sheet(0.3, at=30)).sum() < -3.0


def test_noise_hides_a_weak_step() -> None:
    labels, light, _ = sheet(0.1)
    clear = across(labels, light, np.full(light.shape, 1e-4, dtype=np.float32)).sum()
    noisy = across(labels, light, np.full(light.shape, 1.0, dtype=np.float32)).sum()
    assert clear > abs(noisy)


def test_few_pixels_say_nothing() -> None:
    place = np.zeros(2, dtype=np.intp)
    assert len(odds(place, np.ones(2, np.float32), np.ones(2, np.float32), 3.0)) == 0
