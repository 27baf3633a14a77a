"""Compiled filling against OpenCV's."""

import cv2
import numpy as np
import pytest

from vision.reader import filling, turning
from vision.reader.filling import FINE

SIZE = 100


def outline(random: np.random.Generator, spread: float) -> np.ndarray:
    """A convex outline in sixteenths of a pixel, any way round."""
    dots = random.uniform(30, 70, 2) + random.normal(0, spread, (random.integers(3, 12), 2))
    hull = cv2.convexHull(np.rint(dots * 16).astype(np.int32)).reshape(-1, 2)
    return hull[:: random.choice((-1, 1))].copy()


@pytest.mark.parametrize("spread", [0.5, 2.0, 8.0])
def test_an_outline_is_filled_as_opencv_fills_it(spread: float) -> None:
    random, compared = np.random.default_rng(int(10 * spread)), 0
    for _ in range(600):
        corners = outline(random, spread)
        if corners.min() < 16 or corners.max() >= 16 * (SIZE - 1):
            continue
        ours, theirs = (np.zeros((SIZE, SIZE), dtype=np.uint8) for _ in range(2))
        filling.fill(ours, corners, 7)
        cv2.fillConvexPoly(theirs, corners, 7, cv2.LINE_8, FINE)
        assert (ours == theirs).all(), corners.tolist()
        compared += 1
    assert compared > 500


def test_what_leaves_the_paper_is_cut_off() -> None:
    corners = np.array([(-400, -400), (800, -300), (900, 2400), (-300, 1000)], dtype=np.int32)
    ours, theirs = (np.zeros((SIZE, SIZE), dtype=np.uint8) for _ in range(2))
    filling.fill(ours, corners, 7)
    cv2.fillConvexPoly(theirs, corners, 7, cv2.LINE_8, FINE)
    # cut lines may be rounded the other way here and there
    assert (ours != theirs).sum() <= 4 and ours.any()
    filling.fill(np.zeros((0, 5), dtype=np.uint8), corners, 7)
    beside = np.zeros((9, 9), dtype=np.uint8)
    filling.fill(beside, corners + 16 * 400, 7)
    assert not beside.any()


def test_a_hull_leaves_inner_and_straight_corners_out() -> None:
    square = [(0, 0), (64, 0), (64, 64), (0, 64)]
    corners = np.array([*square, (32, 32), (32, 0), (64, 32), (0, 0)], dtype=np.int32)
    assert sorted(map(tuple, filling.hull(corners).tolist())) == sorted(square)


def test_hulls_are_those_that_opencv_finds() -> None:
    random = np.random.default_rng(11)
    for count in (3, 4, 8, 8, 8, 20, 40):
        corners = random.integers(0, 30, (count, 2)).astype(np.int32)
        theirs = cv2.convexHull(corners).reshape(-1, 2)
        assert sorted(filling.hull(corners).tolist()) == sorted(theirs.tolist())


def test_later_faces_cover_earlier_ones_and_hidden_ones_are_left_out() -> None:
    paper = np.zeros((20, 20), dtype=np.uint8)
    corners = np.array([(32, 32), (160, 32), (160, 160), (32, 160)], dtype=np.int32)
    stack = np.vstack([corners, corners + 64, corners + 96, corners - 16, corners + 112])
    begins, ends = np.array([0, 4, 8]), np.array([4, 8, 12])
    marks, look = np.array([1, 2, 3], dtype=np.uint8), np.array([0, 5, 9])
    shows = np.array([True, True, False])
    looks = filling.fill_faces(paper, stack, (begins, ends, marks), shows, look, 255)
    assert paper[3, 3] == 1 and paper[8, 8] == 2 and paper[16, 16] == 255 and not (paper == 3).any()
    assert (looks[1], looks[2], looks[3]) == (0, 5, 0)


def test_turned_corners_and_the_faces_that_show() -> None:
    square = np.array([(-1.0, -1, 2), (1, -1, 2), (1, 1, 2), (-1, 1, 2)])
    spots = np.empty((8, 3))
    level = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    turning.turned(np.vstack([square, square]), level, np.radians([0.0, 90.0]), 10.0, 20.0, spots)
    moved = square + np.array((10, 20, 0))
    assert spots[:4].tolist() == moved.tolist()
    assert np.allclose(spots[4:], moved[[1, 2, 3, 0]])
    # the second face runs the other way round: its back is seen
    dots = np.vstack([square[::-1, :2], square[:, :2]]) * 10.0
    begins, ends, blocks = np.array([0, 4]), np.array([4, 8]), np.array([0, 1])
    walls, turns = np.array([True, False]), np.radians([45.0, 0.0])
    fine, shows, look, bounds = turning.faced(dots, (begins, ends, blocks), np.zeros(2), walls, turns)
    assert fine.tolist() == (dots * 16).astype(int).tolist() and bounds == (-10, -10, 10, 10)
    assert shows.tolist() == [True, False]
    assert look.tolist() == [1 + turning.BEARINGS // 8, 0]
