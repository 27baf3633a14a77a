import numpy as np
import pytest

from calibration.camera import Camera
from calibration.pose import GRID_CORNERS, PoseError, find_tags, solve_pose
from tests import pictures

pytestmark = pytest.mark.pictures
TOPS = GRID_CORNERS * [0.8, 0.8, 0] + [0, 0, 1.5]


def apart(one: Camera, two: Camera, spots: np.ndarray) -> float:
    return float(np.linalg.norm(one.project(spots) - two.project(spots), axis=1).mean())


@pytest.mark.parametrize("name", ["game-02", "game-05", "game-34"])
@pytest.mark.parametrize("tags", [True, False])
def test_pose_is_found_to_within_a_pixel_or_two(name: str, tags: bool) -> None:
    album, picture = pictures.album(name), pictures.picture(name, "000.jpg")
    seen = find_tags(picture, album.tag_layout, album.profile.pitch_mm) if tags else None
    solution = solve_pose(picture, album.profile, album.taps, seen)
    truth = pictures.camera(name, "000.jpg")
    assert apart(solution.camera, truth, GRID_CORNERS) < 0.7
    assert apart(solution.camera, truth, TOPS) < 2.0
    assert solution.height_error < 4.0


def test_tags_alone_are_enough() -> None:
    album, picture = pictures.album("game-02"), pictures.picture("game-02", "000.jpg")
    solution = solve_pose(picture, album.profile, None, find_tags(picture, album.tag_layout, 43.0))
    assert apart(solution.camera, pictures.camera("game-02", "000.jpg"), GRID_CORNERS) < 0.7


def test_the_mat_may_lie_askew() -> None:
    album, picture = pictures.album("game-34"), pictures.picture("game-34", "000.jpg")
    solution = solve_pose(picture, album.profile, album.taps, find_tags(picture, album.tag_layout, 43.0))
    truth = pictures.labels("game-34")["mat_in_board_frame"]
    assert abs(solution.mat[0] * 43 - truth["x"]) < 1.0
    assert abs(np.degrees(solution.mat[2]) - truth["rot_deg"]) < 0.5


def test_taps_a_few_pixels_off_change_little() -> None:
    album, picture = pictures.album("game-05"), pictures.picture("game-05", "000.jpg")
    assert album.taps is not None
    moved = np.add(album.taps, [[4, -3], [-4, 2], [3, 4], [-2, -4]])
    one = solve_pose(picture, album.profile, album.taps).camera
    two = solve_pose(picture, album.profile, moved).camera
    assert apart(one, two, GRID_CORNERS) < 0.3


def test_a_picture_without_a_board_is_refused() -> None:
    album = pictures.album("game-05")
    with pytest.raises(PoseError, match="printed lines"):
        solve_pose(np.full((720, 1280, 3), 90, np.uint8), album.profile, album.taps)


def test_without_taps_or_tags_nothing_is_guessed() -> None:
    album = pictures.album("game-05")
    with pytest.raises(PoseError, match="neither"):
        solve_pose(np.zeros((720, 1280, 3), np.uint8), album.profile)
