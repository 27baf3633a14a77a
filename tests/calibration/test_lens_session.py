"""A lens session on pictures drawn through a known lens, the board's PDF, and stored lenses."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.camera import Camera, camera_from
from calibration.lens_profile import (
    LensError,
    LensProfile,
    find_lens,
    lens_from_json,
    load_lens,
    save_lens,
    shipped_lenses,
)
from calibration.lens_session import LensSession, board_picture, find_corners, write_board
from vision.reading import Picture

SIZE = (640, 360)
FOCAL = 520.0
BEND = (-0.06, 0.02, 0.0, 0.0, 0.0)


def looking_at(u: float, v: float, tilt: float, lean: float, distance: float) -> Camera:
    """A camera with the known lens that sees the board's middle at (u, v), tilted about both axes."""
    turn = (
        cv2.Rodrigues(np.array([0.0, np.radians(lean), 0.0]))[0]
        @ cv2.Rodrigues(np.array([np.pi + np.radians(tilt), 0, 0]))[0]
    )
    at = np.array([(u - 319.5) / FOCAL, (v - 179.5) / FOCAL, 1.0]) * distance
    return camera_from(SIZE, (FOCAL, FOCAL, 317.0, 183.0), BEND, turn, at)


@lru_cache
def texture() -> Picture:
    """The board on grey, one square wide 1 unit in the middle of a square of 14 units."""
    board = board_picture(2)
    sheet = np.full((14 * 56, 14 * 56), 170, np.uint8)
    top, left = (sheet.shape[0] - board.shape[0]) // 2, (sheet.shape[1] - board.shape[1]) // 2
    sheet[top - 20 : top + board.shape[0] + 20, left - 20 : left + board.shape[1] + 20] = 255
    sheet[top : top + board.shape[0], left : left + board.shape[1]] = board
    return sheet


def photograph(camera: Camera) -> Picture:
    from vision.simulator.ground import meet, sample, ways

    large = camera.cropped(0, 0, (2 * SIZE[0], 2 * SIZE[1]), 2.0)
    seen = sample(texture(), 7.0, meet(large, ways(large), 0.0))
    small = cv2.resize(seen, SIZE, interpolation=cv2.INTER_AREA)
    return cv2.cvtColor(small.astype(np.uint8), cv2.COLOR_GRAY2BGR).astype(np.uint8)


VIEWS = [
    (u, v, tilt, lean, 10.0 if abs(tilt) > 25 else 8.5)
    for (u, v), (tilt, lean) in zip(
        [
            (150, 110),
            (480, 110),
            (160, 250),
            (490, 250),
            (320, 180),
            (320, 120),
            (300, 250),
            (130, 180),
            (500, 180),
            (330, 190),
        ],
        [
            (20, 25),
            (-25, 20),
            (30, -20),
            (-20, -30),
            (35, 5),
            (-35, 10),
            (15, 35),
            (-10, -35),
            (25, 30),
            (5, 5),
        ],
    )
]


@pytest.fixture(scope="module")
def session() -> LensSession:
    session = LensSession()
    for view in VIEWS:
        session.add(photograph(looking_at(*view)))
    return session


def test_a_session_finds_the_lens_and_its_error(session: LensSession) -> None:
    assert len(session.views) >= 8
    lens = session.solve("mine")
    assert abs(lens.focal / FOCAL - 1) < 0.01
    assert np.allclose(lens.centre, (317.0, 183.0), atol=4.0)
    assert abs(lens.bend[0] - BEND[0]) < 0.03
    assert lens.error_px is not None and lens.error_px < 0.4
    assert 0 < lens.focal_slack < 0.02


def test_the_session_says_what_is_missing() -> None:
    session = LensSession()
    assert "8 more" in session.wants
    picture = photograph(looking_at(*VIEWS[0]))
    assert session.add(picture) == "taken"
    assert session.add(picture) == "too like another"
    assert session.add(np.full_like(picture, 120)) == "no board"
    assert session.add(np.zeros((100, 100, 3), np.uint8)) == "other size"
    half = picture.copy()
    half[:, 160:] = 170
    assert LensSession().add(half) in ("too few corners", "no board")
    assert session.covered[0][0] and not session.covered[2][3]
    with pytest.raises(LensError, match="only 1 pictures"):
        session.solve("mine")


def test_the_covered_parts_are_named(session: LensSession) -> None:
    empty = LensSession(views=session.views[:1] * 8, size=SIZE)
    assert re.match(r"bring the board to the (top|middle|bottom), ", empty.wants)


def test_bent_boards_are_refused(session: LensSession) -> None:
    shaky = LensSession(size=SIZE)
    random = np.random.default_rng(1)
    for view in session.views:
        shaky.views.append(type(view)(view.numbers, view.pixels + random.normal(0, 2.0, view.pixels.shape)))
    with pytest.raises(LensError, match="fits badly"):
        shaky.solve("bent")


def test_the_printed_board_is_found(tmp_path: Path) -> None:
    write_board(tmp_path / "board.pdf")
    data = (tmp_path / "board.pdf").read_bytes()
    assert data.startswith(b"%PDF") and len(data) < 400_000
    found = find_corners(
        cv2.copyMakeBorder(board_picture(), 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=255).astype(np.uint8)
    )
    assert found is not None and len(found.numbers) == 40


# Stored lenses


MINE = LensProfile("mine", (1280, 720), 905.0, (640.0, 361.0), (-0.02, 0.01), 0.21, 12, 0.001, "session")


def test_a_lens_file_comes_back_the_same(tmp_path: Path) -> None:
    save_lens(MINE, tmp_path / "mine.json")
    assert load_lens(tmp_path / "mine.json") == MINE
    assert find_lens(str(tmp_path / "mine.json")) == MINE
    assert list(tmp_path.iterdir()) == [tmp_path / "mine.json"]


def test_a_lens_is_carried_to_other_sizes_of_the_same_shape() -> None:
    half = MINE.for_size((640, 360))
    assert half.focal == 452.5 and half.centre == (319.75, 180.25)
    assert MINE.lens((1280, 720)).focal_slack == 0.002
    with pytest.raises(LensError, match="says nothing about 640x480"):
        MINE.lens((640, 480))


def test_shipped_lenses_can_be_used_and_are_not_trusted_too_far() -> None:
    assert "logitech-c920" in shipped_lenses()
    for name in shipped_lenses():
        profile = find_lens(name)
        assert profile.name == name and profile.error_px is None
        assert profile.lens((1280, 720)).focal_slack >= 0.03


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"schema": 9}, "schema 9"),
        ({"focal": "x"}, "could not convert"),
        ({"focal": 3.0}, "cannot be"),
        ({"size": [1]}, "wrong"),
    ],
)
def test_a_broken_lens_file_is_named(tmp_path: Path, change: dict[str, object], says: str) -> None:
    with pytest.raises(LensError, match=says):
        lens_from_json({**MINE.to_json(), **change})
    file = tmp_path / "broken.json"
    file.write_text(json.dumps({**MINE.to_json(), **change}))
    with pytest.raises(LensError, match=r"broken\.json"):
        load_lens(file)
    with pytest.raises(LensError, match="there is no lens file 'gone'"):
        find_lens("gone")
