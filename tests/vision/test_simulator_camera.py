"""The simulated camera: true geometry, the same picture for the same arguments, fast enough."""

from __future__ import annotations

import time

import numpy as np
import pytest

from calibration.pieces import shipped
from calibration.pose import GRID_CORNERS, solve_pose
from calibration.solids import cell_centre
from vision.reading import EMPTY_BOARD, Board, Content, Picture
from vision.simulator import CAREFUL, Hand, Hands, Light, SimulatedCamera, camera_at
from vision.simulator.hands import edge_distance
from vision.simulator.placing import pile_of, put_down

pytestmark = pytest.mark.slow

MIXED: Board = tuple(
    Content(cell % 4, ("", "A", "", "dome", "B", "", "C")[cell % 7]) if cell % 3 else Content(0)
    for cell in range(25)
)


@pytest.fixture(scope="module")
def camera() -> SimulatedCamera:
    return SimulatedCamera()


def with_cell(board: Board, cell: int, content: Content) -> Board:
    return tuple(content if c == cell else old for c, old in enumerate(board))


def changed(one: Picture, two: Picture) -> np.ndarray:
    return np.abs(one.astype(int) - two).max(axis=2) > 25


def test_the_same_arguments_give_the_same_picture(camera: SimulatedCamera) -> None:
    again = SimulatedCamera()
    one = camera.render(MIXED, [Hand(7)], seed=3, grain=5)
    assert one.shape == (720, 1280, 3) and one.dtype == np.uint8
    assert np.array_equal(one, again.render(MIXED, [Hand(7)], seed=3, grain=5))
    assert not np.array_equal(one, camera.render(MIXED, [Hand(7)], seed=3, grain=6))
    assert not np.array_equal(one, camera.render(MIXED, [Hand(7)], seed=4, grain=5))


@pytest.mark.parametrize(("elevation", "azimuth", "distance"), [(56, 285, 13.5), (40, 200, 15), (70, 20, 12)])
def test_the_pose_solver_finds_the_camera_from_shaky_taps(
    elevation: int, azimuth: int, distance: float
) -> None:
    true = camera_at(elevation, azimuth, distance, roll=1.5)
    picture = SimulatedCamera(true, seed=elevation).render(EMPTY_BOARD)
    taps = true.project(GRID_CORNERS) + np.random.default_rng(elevation).normal(0, 3, (4, 2))
    found = solve_pose(picture, shipped(), taps.tolist()).camera
    tops = np.array([(x, y, 1.5) for x in (-2, 0, 2) for y in (-2, 0, 2)])
    assert np.linalg.norm(found.project(tops) - true.project(tops), axis=1).mean() < 1.0


@pytest.mark.parametrize("cell", [0, 12, 24])
@pytest.mark.parametrize("content", [Content(1), Content(3, "dome"), Content(0, "A"), Content(2, "C")])
def test_a_piece_changes_the_picture_where_it_stands(
    camera: SimulatedCamera, cell: int, content: Content
) -> None:
    empty = camera.render(EMPTY_BOARD)
    moved = changed(empty, camera.render(with_cell(EMPTY_BOARD, cell, content)))
    v, u = np.nonzero(moved)
    x, y = cell_centre(cell)
    at = camera.camera.project(np.array([x, y, 0.3]))
    assert len(u) > 150
    assert np.hypot(u - at[0], v - at[1]).min() < 20
    assert np.hypot(u - at[0], v - at[1]).max() < 260


def test_pieces_lie_still_while_others_come() -> None:
    profile, hands = shipped(), Hands()
    before = {p.cell: p for p in put_down(MIXED, profile, hands, 9)}
    after = {p.cell: p for p in put_down(with_cell(MIXED, 0, Content(1)), profile, hands, 9)}
    assert {cell: after[cell] for cell in before} == before
    low, high = (pile_of(6, Content(height), profile, hands, 9) for height in (1, 2))
    assert (low.offset, low.turns[0]) == (high.offset, high.turns[0])


def test_careful_hands_put_pieces_in_the_middle() -> None:
    assert all(p.offset == (0.0, 0.0) and not any(p.lifts) for p in put_down(MIXED, shipped(), CAREFUL, 1))


def test_no_colour_is_burnt_out_in_plain_light(camera: SimulatedCamera) -> None:
    full = tuple(Content(3) for _ in range(25))
    assert (camera.render(full).max(axis=2) >= 254).mean() < 0.01


def test_shade_falls_away_from_the_lamp(camera: SimulatedCamera) -> None:
    lamp = SimulatedCamera(light=Light(azimuth=0.0, elevation=40.0), hands=CAREFUL, noise=0.0)
    grey = [
        lamp.render(board).astype(float).sum(axis=2)
        for board in (EMPTY_BOARD, with_cell(EMPTY_BOARD, 12, Content(3)))
    ]
    for x, darker in ((-1.0, True), (1.0, False)):
        u, v = np.rint(lamp.camera.project(np.array([x, 0.0, 0.0]))).astype(int)
        assert (grey[1][v, u] < 0.8 * grey[0][v, u]) == darker


def test_a_hand_reaches_in_from_the_edge_and_is_outside_at_first(camera: SimulatedCamera) -> None:
    calm = camera.render(MIXED)
    outside = camera.render(MIXED, [Hand(12, 90.0, 0.0)])
    inside = changed(calm, camera.render(MIXED, [Hand(12, 90.0, 1.0)]))
    assert changed(calm, outside).mean() < 0.002
    assert inside.mean() > 0.02 and inside[-1].any()


@pytest.mark.parametrize("held", [Content(1), Content(3), Content(0, "dome"), Content(0, "A")])
def test_a_hand_may_carry_a_piece(camera: SimulatedCamera, held: Content) -> None:
    without = camera.render(MIXED, [Hand(12, 90.0, 0.9)])
    assert changed(without, camera.render(MIXED, [Hand(12, 90.0, 0.9, holding=held)])).sum() > 100


def test_the_way_to_the_edge() -> None:
    assert edge_distance(np.array([100.0, 50.0]), np.array([0.0, 1.0]), (200, 80)) == 30.0
    assert edge_distance(np.array([100.0, 50.0]), np.array([-1.0, 0.0]), (200, 80)) == 100.0


def test_ten_frames_a_second_on_one_core(camera: SimulatedCamera) -> None:
    boards = [with_cell(MIXED, 12, Content(height)) for height in range(4)]
    began = time.process_time()
    for number in range(12):
        camera.render(boards[number % 4], [Hand(12)] if number % 3 == 0 else [], grain=number)
    assert 12 / (time.process_time() - began) > 10
