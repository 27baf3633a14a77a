import json
import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests import pictures
from vision.album import AlbumError, calibrated, load_picture, open_album
from vision.overlay import mark, overlay
from vision.reader import Reader
from vision.reading import SizeError, cell_index
from vision.seeing import read_album, seen_to_json

pytestmark = pytest.mark.pictures


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for file in ("000.jpg", "001.jpg", "002.jpg", "003.jpg", "game.json"):
        shutil.copy(pictures.FOLDER / "game-05" / file, tmp_path / file)
    data = json.loads((tmp_path / "game.json").read_text())
    data["frames"] = data["frames"][:4]
    data["surprise"] = {"of": "a later version"}
    (tmp_path / "game.json").write_text(json.dumps(data))
    return tmp_path


def test_one_object_a_picture(folder: Path) -> None:
    warnings: list[str] = []
    lines = [seen_to_json(seen) for seen in read_album(open_album(folder), warnings.append)]
    assert warnings == []
    assert [line["file"] for line in lines] == ["000.jpg", "001.jpg", "002.jpg", "003.jpg"]
    first = lines[1]
    assert set(first) == {
        "file", "status", "heights", "domes", "workers", "confidence", "hidden", "camera", "ms",
    }  # fmt: skip
    assert first["workers"] == pictures.labels("game-05")["frames"][1]["workers"] or (
        {k: sorted(v) for k, v in first["workers"].items()}
        == {k: sorted(v) for k, v in pictures.frame("game-05", "001.jpg")["workers"].items()}
    )


def test_names_of_events_other_than_the_confirmed_are_not_even_kept(folder: Path) -> None:
    data = json.loads((folder / "game.json").read_text())
    data["frames"][3]["event"] = "hand"
    (folder / "game.json").write_text(json.dumps(data))
    assert open_album(folder).events["003.jpg"] == ""


def test_without_known_positions_there_is_a_warning_and_a_reading(folder: Path) -> None:
    data = json.loads((folder / "game.json").read_text())
    del data["known"]
    (folder / "game.json").write_text(json.dumps(data))
    warnings: list[str] = []
    seen = list(read_album(open_album(folder), warnings.append))
    assert len(seen) == 4
    assert any("000.jpg" in text for text in warnings)
    assert any("red" in text for text in warnings)


def test_broken_and_missing_pictures_are_named_and_the_rest_is_read(folder: Path) -> None:
    (folder / "002.jpg").write_bytes(b"no picture")
    (folder / "003.jpg").unlink()
    warnings: list[str] = []
    seen = list(read_album(open_album(folder), warnings.append))
    assert [item.file for item in seen] == ["000.jpg", "001.jpg"]
    assert any("002.jpg" in text for text in warnings)
    assert any("003.jpg" in text for text in warnings)


def test_a_picture_of_another_size_is_named_with_both_and_the_rest_is_read(folder: Path) -> None:
    small = cv2.resize(load_picture(folder / "003.jpg"), (640, 360))
    cv2.imwrite(str(folder / "003.jpg"), small)
    cv2.imwrite(
        str(folder / "002.jpg"), cv2.rotate(load_picture(folder / "002.jpg"), cv2.ROTATE_90_CLOCKWISE)
    )
    warnings: list[str] = []
    seen = list(read_album(open_album(folder), warnings.append))
    assert [item.file for item in seen] == ["000.jpg", "001.jpg"]
    half, turned = (next(t for t in warnings if name in t) for name in ("003.jpg", "002.jpg"))
    assert "640x360" in half and "1280x720" in half
    assert "turned on its side" in turned


def test_nothing_is_learned_from_a_confirmed_picture_of_another_size(folder: Path) -> None:
    plain = calibrated(open_album(folder), [])
    cv2.imwrite(str(folder / "001.jpg"), cv2.resize(load_picture(folder / "001.jpg"), (640, 360)))
    warnings: list[str] = []
    seen = list(read_album(open_album(folder), warnings.append))
    assert [item.file for item in seen] == ["000.jpg", "002.jpg", "003.jpg"]
    assert sum("001.jpg" in text for text in warnings) == 1, "once is enough"
    assert any("red" in text for text in warnings)
    assert seen[0].calibration.palette != plain.palette


def test_the_reader_refuses_a_picture_of_another_size_and_stays_as_it_was() -> None:
    eye, picture = Reader(pictures.calibration("game-05")), pictures.picture("game-05", "006.jpg")
    before = eye.look(picture)
    with pytest.raises(SizeError) as caught:
        eye.look(np.ascontiguousarray(picture[:360, :640]))
    assert (caught.value.size, caught.value.expected) == ((640, 360), (1280, 720))
    assert eye.looked is picture and eye.last == before.best


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"frames": []}'])
def test_a_broken_game_file_is_named(folder: Path, text: str) -> None:
    (folder / "game.json").write_text(text)
    with pytest.raises(AlbumError, match=r"game\.json"):
        open_album(folder)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(AlbumError, match="nowhere"):
        open_album(tmp_path / "nowhere")


def test_an_empty_file_is_no_picture(tmp_path: Path) -> None:
    (tmp_path / "x.jpg").write_bytes(b"")
    with pytest.raises(AlbumError, match=r"x\.jpg"):
        load_picture(tmp_path / "x.jpg")


def test_the_overlay_draws_on_a_copy() -> None:
    album = pictures.album("game-05")
    eye = Reader(calibrated(album, []))
    picture = pictures.picture("game-05", "006.jpg")
    kept, camera = picture.copy(), eye.setting.calibration.camera
    drawn = overlay(picture, eye.look(picture), camera, album.profile, dict(album.colours))
    assert np.array_equal(picture, kept)
    changed = np.abs(drawn.astype(int) - picture).max(axis=2) > 20
    assert 500 < changed.sum() < 60_000
    assert not np.array_equal(mark(drawn.copy(), 12, camera), drawn)


def test_the_overlay_lies_on_pieces_that_stand_askew() -> None:
    album = pictures.album("game-02")
    eye = Reader(calibrated(album, []))
    picture = pictures.picture("game-02", "020.jpg")
    reading, known = eye.look(picture), eye.setting.calibration
    turned = reading.piles[cell_index("e4")]
    # somebody has turned this tower by 45 degrees
    assert turned.height == 3 and max(map(abs, turned.turns)) > 0.5
    straight = replace(reading, piles=())
    drawn, other = (
        overlay(picture, one, known.camera, known.profile, dict(album.colours)) for one in (reading, straight)
    )
    assert (drawn != other).any(axis=2).sum() > 1000
