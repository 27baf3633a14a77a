"""Measuring an own set from the tableau picture: sizes far from the profile are found, others left."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.build import Calibration, Known, calibrate
from calibration.measure import Measured, combined, differs, measure, sizes_of, subjects, with_sizes
from calibration.pieces import PieceProfile, checked, shipped
from calibration.pose import GRID_CORNERS
from calibration.session import tableau_position
from vision.reading import EMPTY_BOARD, Content, Picture
from vision.simulator import SimulatedCamera, camera_at

POSITION = tableau_position(("A", "B"))
TABLEAU = tuple(Content(height, top) for height, top in POSITION)
COLOURS = {"A": "blue", "B": "orange"}


def pictures(profile: PieceProfile) -> tuple[Picture, Picture, list[list[float]]]:
    camera = SimulatedCamera(camera_at(50, 275, 12), profile, COLOURS)
    return (
        camera.render(EMPTY_BOARD),
        camera.render(TABLEAU, seed=4),
        camera.camera.project(GRID_CORNERS).tolist(),
    )


def calibration_on(profile: PieceProfile) -> tuple[Calibration, Picture]:
    empty, tableau, taps = pictures(profile)
    return calibrate(empty, shipped(), COLOURS, taps, None, [Known(tableau, POSITION)]), tableau


@pytest.mark.slow
def test_larger_pieces_are_measured() -> None:
    factor = 1.12
    calibration, tableau = calibration_on(shipped().scaled(factor))
    measurement = measure(calibration, tableau, POSITION)
    true, start = sizes_of(shipped().scaled(factor)), sizes_of(shipped())
    off = np.array([abs(row.value - true[row.name]) for row in measurement.sizes])
    before = np.array([abs(start[row.name] - true[row.name]) for row in measurement.sizes])
    assert off.mean() < 0.5 * before.mean()
    assert np.mean([abs(row.value - true[row.name]) < 2.5 * row.spread for row in measurement.sizes]) >= 0.75
    assert abs(measurement.profile.rim(3) / shipped().scaled(factor).rim(3) - 1) < 0.05
    assert checked(measurement.profile).name == "measured"


@pytest.mark.slow
def test_pieces_that_fit_the_profile_are_left_alone() -> None:
    calibration, tableau = calibration_on(shipped())
    measurement = measure(calibration, tableau, POSITION)
    start = sizes_of(shipped())
    assert sum(not differs(row, start[row.name]) for row in measurement.sizes) >= 9


def test_sizes_go_into_a_profile_and_come_back() -> None:
    profile = shipped()
    sizes = {name: 1.1 * value for name, value in sizes_of(profile).items()}
    assert sizes_of(with_sizes(profile, sizes)) == pytest.approx(sizes)
    assert with_sizes(profile, sizes_of(profile)).blocks[0].floor == pytest.approx(profile.blocks[0].floor)


def test_towers_are_fitted_together_and_crowns_alone() -> None:
    found = subjects(POSITION, shipped())
    assert sorted(subject.kind for subject in found) == ["A", "A", "B", "B", "dome", "ivory"]
    towers = found[0]
    assert [cell for cell, _, _ in towers.piles] == [11, 12, 13, 14]
    assert all(name.startswith("block") for name in towers.tells)


def test_measurements_that_disagree_are_less_sure() -> None:
    calm = combined("x", [Measured("x", 1.0, 0.01), Measured("x", 1.0, 0.01)])
    torn = combined("x", [Measured("x", 0.9, 0.01), Measured("x", 1.1, 0.01)])
    assert calm.value == torn.value == pytest.approx(1.0)
    assert torn.spread > 5 * calm.spread
