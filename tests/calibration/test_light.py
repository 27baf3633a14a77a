import numpy as np
import pytest

from calibration.build import BARE, Known, count_figures, prepare, shadow_tint
from calibration.colours import NAMED, apart, blend, colour, gaussian, named, robust_mean, spread
from calibration.light import Lamp, common_gain, lamp_now, reference_of
from calibration.noise import Noise, measure_noise
from tests import pictures

RANDOM = np.random.default_rng(7)


def test_names_of_colours_differ_from_each_other() -> None:
    means = {name: named(name).mean for name in NAMED}
    assert means["cream"] != means["white"]
    assert named("no such colour").mean == named("grey").mean or named("no such colour").samples == 0


def test_a_learned_colour_leaves_outliers_out() -> None:
    good = RANDOM.normal((-1, 0.5, -0.5), 0.05, (400, 3))
    bad = RANDOM.normal((1, -2, 2), 0.05, (80, 3))
    middle, _, inside = robust_mean(np.vstack((good, bad)))
    assert np.abs(middle - (-1, 0.5, -0.5)).max() < 0.05
    assert inside[400:].sum() == 0


def test_few_samples_leave_the_promise_of_the_name() -> None:
    assert blend(named("blue"), np.zeros((5, 3))) == named("blue")


def test_density_falls_with_distance_and_stops_at_the_floor() -> None:
    shade = colour((0, 0, 0), spread(0.1, 0.1, 0.1))
    features = np.array([[[0, 0, 0], [0.2, 0, 0], [9, 9, 9]]], dtype=np.float32)
    near, off, far = gaussian(features, shade, -4.0)
    assert near > off > far == -4.0


def test_noise_is_measured_from_two_pictures() -> None:
    level = np.repeat(np.linspace(0.01, 0.9, 200, dtype=np.float32), 400)
    true = Noise(4e-5, 6e-4)
    waver = np.sqrt(true.read + true.shot * level)
    one, two = (level + RANDOM.normal(0, 1, level.size).astype(np.float32) * waver for _ in range(2))
    found = measure_noise(one.astype(np.float32), two.astype(np.float32))
    assert found.shot == pytest.approx(true.shot, rel=0.3)


def test_shadows_without_samples_have_no_tint() -> None:
    assert shadow_tint([]) == (0.0, 0.0)


def test_figures_are_counted_from_what_was_confirmed() -> None:
    position = [*BARE[:22], (0, "A"), (0, "A"), (1, "B")]
    known = [Known(np.zeros((2, 2, 3), np.uint8), position)]
    assert count_figures(known, ["A", "B", "C"]) == {"A": 2, "B": 1, "C": 2}


@pytest.mark.pictures
def test_a_darker_picture_is_a_dimmer_lamp() -> None:
    calibration = pictures.calibration("game-05")
    base = prepare(calibration.empty, calibration.camera, calibration.profile)
    light, _ = base.view.cut(calibration.empty)
    reference = reference_of(light, base.view, calibration.profile.board)
    lamp, change = lamp_now((light * np.float32(0.5)).astype(np.float32), base.lamp, reference)
    assert change == pytest.approx(np.log(2), abs=0.05)
    assert Lamp.from_json(lamp.to_json()) == lamp


def test_colours_are_as_far_apart_as_their_spread_lets_them_be() -> None:
    near, far = colour((0.0, 0.0, 0.0), spread(0.3, 0.1, 0.1)), colour((0.0, 0.4, 0.0), spread(0.3, 0.1, 0.1))
    assert apart(near, near) == pytest.approx(0.0)
    assert apart(near, far) == pytest.approx(0.4**2 / 0.1**2 / 8) == apart(far, near)
    assert apart(near, colour((0.0, 0.4, 0.0), spread(0.3, 0.4, 0.1))) < apart(near, far)


def changes(*parts: tuple[int, float]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """How many white places have changed by how much, logarithm, give or take a little."""
    rng = np.random.default_rng(5)
    return np.concatenate([rng.normal(by, 0.02, (count, 1)).repeat(3, axis=1) for count, by in parts])


def test_white_that_most_pieces_cover_still_tells_the_lamp() -> None:
    # twenty towers: more white places show ivory in shade than white
    assert common_gain(changes((600, -0.47), (400, 0.1))) == pytest.approx([0.1] * 3, abs=0.03)


def test_a_little_glare_is_no_lamp() -> None:
    assert common_gain(changes((900, -0.2), (100, 0.6))) == pytest.approx([-0.2] * 3, abs=0.03)
