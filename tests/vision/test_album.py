import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import pytest

from calibration.pieces import shipped
from tests import pictures
from vision.album import Album, AlbumError, calibrated, load_picture, open_album
from vision.reading import Picture

pytestmark = pytest.mark.pictures
Data = dict[str, Any]
Change = Callable[[Data], object]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for file in ("000.jpg", "001.jpg", "002.jpg", "003.jpg", "game.json"):
        shutil.copy(pictures.FOLDER / "game-05" / file, tmp_path / file)
    change(tmp_path, lambda data: data.update(frames=data["frames"][:4]))
    return tmp_path


def change(folder: Path, how: Change) -> None:
    data = json.loads((folder / "game.json").read_text())
    how(data)
    (folder / "game.json").write_text(json.dumps(data))


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[Picture]:
    """The empty boards that calibrations would be built on; building one takes long."""
    found: list[Picture] = []
    monkeypatch.setattr("vision.album.calibrate", lambda empty, *rest: found.append(empty))
    return found


def album_of(folder: Path, how: Change) -> Album:
    change(folder, how)
    return open_album(folder)


POSITION: Data = {"heights": [[0] * 5] * 5, "domes": [[False] * 5] * 5, "workers": {}}


@pytest.mark.parametrize(
    ("how", "says"),
    [
        (lambda data: data.update(frames=[]), "frames: no pictures"),
        (lambda data: data.update(frames=None), "frames: no pictures"),
        (lambda data: data.update(frames=["000.jpg"]), r"frames\[0\]: must be an object"),
        (lambda data: data.update(frames={"file": "000.jpg"}), "frames: must be a list"),
        (lambda data: data.update(corner_taps=data["corner_taps"][:3]), "corner_taps: four .* there are 3"),
        (lambda data: data.update(corner_taps=[[1, 2], [3, 4], [None, 6], [7, 8]]), r"corner_taps\[2\]: two"),
        (lambda data: data.update(corner_taps="all"), "corner_taps: four"),
        (lambda data: data.update(tag_layout={"family": "36h11"}), "tag_layout: corners_mm is missing"),
        (lambda data: data.update(tag_layout="x"), "tag_layout: must be an object"),
        (lambda data: data.update(tag_layout={"corners_mm": {"0": [1]}}), "tag_layout: corners_mm: 0: four"),
        (lambda data: data.update(tag_layout={"corners_mm": [1]}), "tag_layout: corners_mm: must be"),
        (lambda data: data["geometry"].update(cell_pitch=0), "geometry: cell_pitch must be more"),
        (lambda data: data["geometry"].update(cell_pitch="x"), "geometry: cell_pitch must be a length"),
        (lambda data: data["geometry"].update(blocks=[1, 2]), "geometry: blocks: three"),
        (lambda data: data["geometry"].update(dome=4), "geometry: dome must be"),
        (lambda data: data.update(geometry=[3]), "geometry: must be an object"),
        (lambda data: data.update(players=[{"god": None}]), r"players\[0\]: id is missing"),
        (lambda data: data.update(players=["A"]), r"players\[0\]: must be an object"),
        (lambda data: data.update(known=[1]), "known: must be an object"),
        (lambda data: data.update(known={"000.jpg": [1]}), "000.jpg: must be an object"),
        (lambda data: data["known"]["000.jpg"].pop("domes"), "known: 000.jpg: domes: five rows"),
        (lambda data: data["known"]["000.jpg"].update(heights=[[9] * 5] * 5), "000.jpg: heights: 9 is no"),
        (lambda data: data["known"]["000.jpg"].update(heights=[["x"] * 5] * 5), "000.jpg: heights: 'x'"),
        (lambda data: data["known"]["001.jpg"].update(workers={"A": ["z9"]}), "001.jpg: 'z9' is not a cell"),
        (lambda data: data["known"]["001.jpg"].update(workers={"A": 3}), "001.jpg: workers: each side"),
    ],
)
def test_a_field_that_cannot_be_is_named_with_its_file(folder: Path, how: Change, says: str) -> None:
    with pytest.raises(AlbumError, match=says) as caught:
        album_of(folder, how)
    text = str(caught.value)
    assert text.startswith(f"{folder / 'game.json'}: ")
    assert "Error(" not in text and "\n" not in text


@pytest.mark.usefixtures("given")
@pytest.mark.parametrize(
    ("how", "says"),
    [
        (lambda data: data.update(players=[], known={}), "players: nobody"),
        (lambda data: data.pop("players"), "players: nobody"),
        (lambda data: data["players"][1].update(id="A"), "players[1]: another player is called 'A'"),
        (lambda data: data["known"]["001.jpg"].update(workers={"X": ["a1"]}), "001.jpg: workers: no player"),
        (lambda data: data["geometry"].pop("dome"), "geometry: dome is missing; the sizes of the classic"),
        (lambda data: data["frames"][3].pop("file"), "frames[3]: names no file"),
    ],
)
def test_what_is_odd_and_can_be_read_all_the_same_is_told(folder: Path, how: Change, says: str) -> None:
    album = album_of(folder, how)
    warnings: list[str] = []
    calibrated(album, warnings)
    told = warnings[0]
    assert warnings[: len(album.remarks)] == list(album.remarks)
    assert told.startswith(f"{folder / 'game.json'}: ") and says in told


def test_a_position_of_unknown_workers_is_not_confirmed(folder: Path) -> None:
    album = album_of(folder, lambda data: data["known"]["001.jpg"].update(workers={"X": ["a1"]}))
    assert list(album.known) == ["000.jpg"]


def test_without_all_sizes_the_classic_pieces_are_taken(folder: Path) -> None:
    assert album_of(folder, lambda data: data["geometry"].pop("dome")).profile == shipped()
    assert album_of(folder, lambda data: data.pop("geometry")).remarks == ()


@pytest.mark.usefixtures("given")
def test_a_colour_nobody_knows_by_name_is_told_where_no_picture_shows_it(folder: Path) -> None:
    def turquoise(data: Data) -> None:
        data["players"][1].update(color="turquoise")
        data["players"][0].update(color=None)

    album, warnings = album_of(folder, turquoise), list[str]()
    calibrated(album, warnings)
    assert warnings == [], "a confirmed picture shows both"
    calibrated(album_of(folder, lambda data: data["known"].pop("001.jpg")), warnings)
    assert any("game.json: players: B: 'turquoise' is no colour" in text for text in warnings)
    assert any("game.json: players: A: color is missing" in text for text in warnings)


# ---- which picture shows the empty board ---------------------------------------------------------------


def test_another_confirmed_empty_board_stands_in_for_a_lost_one(folder: Path, given: list[Picture]) -> None:
    shutil.move(folder / "000.jpg", folder / "again.jpg")
    album = album_of(folder, lambda data: data["known"].update({"again.jpg": POSITION}))
    warnings: list[str] = []
    calibrated(album, warnings)
    assert (given[0] == load_picture(folder / "again.jpg")).all()
    (said,) = warnings
    assert "000.jpg" in said


def test_without_confirmed_positions_the_next_picture_that_can_be_read_is_taken(
    folder: Path, given: list[Picture]
) -> None:
    shutil.move(folder / "000.jpg", folder / "001.jpg")
    warnings: list[str] = []
    calibrated(album_of(folder, lambda data: data.pop("known")), warnings)
    assert (given[0] == load_picture(folder / "001.jpg")).all()
    assert "000.jpg" in warnings[0] and "001.jpg is taken for it" in warnings[1]


@pytest.mark.parametrize("broken", [True, False])
def test_no_board_with_pieces_on_it_is_taken_for_the_empty_one(folder: Path, broken: bool) -> None:
    (folder / "000.jpg").write_bytes(b"no picture") if broken else (folder / "000.jpg").unlink()
    with pytest.raises(AlbumError, match=r"picture of the empty board is needed: .*000\.jpg: "):
        calibrated(open_album(folder), [])


def test_where_only_pieces_are_confirmed_and_no_empty_board_is_there_that_is_said(folder: Path) -> None:
    def first_placed(data: Data) -> None:
        data.update(frames=data["frames"][1:])
        data["known"].pop("000.jpg")

    with pytest.raises(AlbumError, match=r"is needed: .*game\.json: known: names none"):
        calibrated(album_of(folder, first_placed), [])


# ---- poses that cannot be found ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("taps", "says"),
    [
        (None, "corner_taps: neither"),
        ([[10, 10], [20, 10], [20, 20], [10, 20]], "corner_taps: "),
        ([[0, 0], [0, 0], [0, 0], [0, 0]], "corner_taps: "),
        ([[600, 100], [100, 100], [600, 500], [100, 500]], "corner_taps: the corners cross"),
        ([[385.4, 477.7], [462.1, 109.4], [826.6, 149.5], [811.9, 518.0]], "corner_taps: "),
    ],
)
def test_corners_that_fit_no_camera_name_the_file_and_the_picture(
    folder: Path, taps: object, says: str
) -> None:
    album = album_of(folder, lambda data: data.update(corner_taps=taps, tag_layout=None))
    with pytest.raises(AlbumError, match=says) as caught:
        calibrated(album, [])
    assert "game.json" in str(caught.value) and "000.jpg" in str(caught.value)


def test_a_mat_that_is_not_in_the_picture_is_named(folder: Path) -> None:
    layout = {"corners_mm": {"400": [[0, 0], [9, 0], [9, 9], [0, 9]]}}
    album = album_of(folder, lambda data: data.update(corner_taps=None, tag_layout=layout))
    with pytest.raises(AlbumError, match=r"game\.json: tag_layout: neither .*\(000\.jpg\)"):
        calibrated(album, [])


def test_a_grey_picture_is_read_as_a_picture(folder: Path) -> None:
    cv2.imwrite(str(folder / "003.jpg"), cv2.imread(str(folder / "003.jpg"), cv2.IMREAD_GRAYSCALE))
    assert load_picture(folder / "003.jpg").shape == (720, 1280, 3)
