import json
from pathlib import Path

import numpy as np
import pytest

from calibration.camera import camera_from
from calibration.pieces import (
    PieceProfile,
    ProfileError,
    load_profile,
    profile_from_geometry,
    profile_from_json,
    shipped,
    shipped_names,
)
from calibration.solids import Pile, far_to_near, pile_faces, scene

ABOVE = camera_from((900, 900), (900, 900, 450, 450), (0, 0, 0, 0, 0), np.diag([1.0, -1.0, -1.0]), [0, 0, 10])


@pytest.mark.parametrize("name", shipped_names())
def test_shipped_profiles_survive_their_own_file_form(name: str, tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    path.write_text(json.dumps(shipped(name).to_json()))
    assert load_profile(path) == shipped(name)


def test_there_are_at_least_two_profiles() -> None:
    assert len(shipped_names()) >= 2


def test_a_broken_profile_names_its_file(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    path.write_text("{")
    with pytest.raises(ProfileError, match=r"own\.json"):
        load_profile(path)


def test_an_upside_down_tower_is_refused() -> None:
    data = shipped().to_json()
    data["blocks"][1]["floor"] = 0.1
    with pytest.raises(ProfileError, match="block 2"):
        profile_from_json(data)


def test_missing_geometry_is_named() -> None:
    with pytest.raises(ProfileError, match="cell_pitch"):
        profile_from_geometry({})


def test_scaling_changes_pieces_and_not_the_board() -> None:
    small = shipped().scaled(0.95)
    assert small.board == shipped().board
    assert small.rim(3) == pytest.approx(0.95 * shipped().rim(3))


@pytest.mark.parametrize("top", ["", "dome", "A"])
def test_a_pile_is_as_high_as_its_pieces(top: str) -> None:
    profile: PieceProfile = shipped()
    highest = max(float(face.points[:, 2].max()) for face in pile_faces(profile, Pile(12, 3, top)))
    expected = {"": profile.rim(3), "dome": profile.rim(3) + profile.dome.height}
    assert highest == pytest.approx(expected.get(top, profile.floor(3) + profile.worker.height), abs=0.02)


def test_far_cells_are_painted_first() -> None:
    eye = camera_from((9, 9), (9, 9, 4, 4), (0, 0, 0, 0, 0), np.diag([1.0, -1.0, -1.0]), [0, 6, 10])
    order = far_to_near(eye)
    assert eye.place[1] > 0
    assert order[0] // 5 == 0
    assert order[-1] // 5 == 4


def test_from_straight_above_no_wall_of_the_middle_cell_is_seen() -> None:
    kinds = {face.kind for _, face in scene(shipped(), [Pile(12, 2, "A")], ABOVE)}
    assert kinds == {"rim", "floor", "worker"}
