"""The mat: prints at its true size on A3 and A4, and its tags are found where the layout says."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from calibration.mat import (
    LAYOUTS,
    NARROW,
    PAPERS,
    SQUARE,
    MatLayout,
    Paper,
    black_squares,
    pages,
    tag_layout,
    write_mat,
)
from calibration.pieces import shipped
from calibration.pose import find_tags, solve_pose
from vision.reading import EMPTY_BOARD
from vision.simulator import SimulatedCamera, camera_at, mat_sheet

POINT = 25.4 / 72
SHEETS = {"a3": [(297, 420)], "a4": [(297, 210)] * 2, "a3x2": [(420, 297)] * 2}


def written(folder: Path, paper: Paper) -> str:
    file = folder / "mat.pdf"
    write_mat(file, paper)
    return file.read_bytes().decode("latin-1")


@pytest.mark.parametrize("paper", PAPERS)
def test_pages_have_the_size_of_the_paper(tmp_path: Path, paper: Paper) -> None:
    boxes = re.findall(r"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+)", written(tmp_path, paper))
    sizes = [(round(float(w) * POINT), round(float(h) * POINT)) for w, h in boxes]
    assert sizes == SHEETS[paper]


@pytest.mark.parametrize("paper", PAPERS)
def test_the_tags_lie_on_the_paper_with_a_white_margin(paper: Paper) -> None:
    layout = LAYOUTS[paper]
    wide, high = layout.sheet
    inside = layout.outline / 2
    for corners in layout.corners().values():
        for x, y in corners:
            assert abs(x) <= wide / 2 - 8 and abs(y) <= high / 2 - 8
        # The white edge that a tag needs stays clear of an island that stands 6 mm off.
        assert min(max(abs(x), abs(y)) for x, y in corners) > inside + 6 + 5
    assert {(left, right) for left, _, right, _ in pages(paper)} == {(-wide / 2, wide / 2)}


def test_every_module_is_in_the_pdf_in_millimetres(tmp_path: Path) -> None:
    text = written(tmp_path, "a3")
    bars = [tuple(map(float, m)) for m in re.findall(r"n ([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+) re f", text)]
    wanted = [(left, low, right - left, high - low) for left, low, right, high in black_squares(NARROW)]
    assert len(bars) == len(wanted)
    assert np.allclose(np.array(bars) * POINT, np.array(wanted), atol=0.01)


def test_the_square_layout_is_that_of_the_picture_games() -> None:
    layout = tag_layout("a3x2")
    assert layout["centres_mm"] == {"0": [-170, -170], "1": [170, -170], "2": [170, 170], "3": [-170, 170]}
    assert layout["corners_mm"]["0"] == [[-190, -150], [-150, -150], [-150, -190], [-190, -190]]
    assert layout["family"] == "36h11" and layout["size_mm"] == 40


@pytest.mark.parametrize(("layout", "azimuth"), [(NARROW, 190), (SQUARE, 245)])
def test_tags_alone_give_the_pose_and_how_the_island_stands(layout: MatLayout, azimuth: int) -> None:
    true, profile = camera_at(58, azimuth, 17), shipped()
    sheet = mat_sheet(layout, profile.pitch_mm, (4.0, -3.0), 2.0)
    picture = SimulatedCamera(true, profile, mat=sheet).render(EMPTY_BOARD)
    tags = find_tags(picture, layout.to_json(), profile.pitch_mm)
    assert tags is not None and len(tags.spots) >= 8
    found = solve_pose(picture, profile, None, tags)
    tops = np.array([(x, y, 1.5) for x in (-2, 0, 2) for y in (-2, 0, 2)])
    assert np.linalg.norm(found.camera.project(tops) - true.project(tops), axis=1).mean() < 1.2
    assert np.allclose(np.array(found.mat[:2]) * profile.pitch_mm, (4.0, -3.0), atol=1.2)
    assert abs(np.degrees(found.mat[2]) - 2.0) < 0.3


def test_writing_twice_gives_the_same_file(tmp_path: Path) -> None:
    assert written(tmp_path, "a4") == written(tmp_path, "a4")
