import json
from pathlib import Path

import numpy as np
import pytest

from calibration.store import CalibrationFileError, load, save, to_json
from tests import pictures

pytestmark = pytest.mark.pictures


def test_a_saved_calibration_comes_back_whole(tmp_path: Path) -> None:
    calibration, path = pictures.calibration("game-05"), tmp_path / "table.json"
    save(calibration, path)
    again = load(path)
    assert again.camera == calibration.camera
    assert again.palette == calibration.palette
    assert again.quality == calibration.quality
    assert again.figures == calibration.figures
    assert np.abs(again.empty.astype(int) - calibration.empty).mean() < 1.5
    assert [item.name for item in tmp_path.iterdir()] == ["table.json"]


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text('{"schema": 1}')
    with pytest.raises(CalibrationFileError, match=r"table\.json"):
        load(path)


def test_another_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(json.dumps(to_json(pictures.calibration("game-05")) | {"schema": 99}))
    with pytest.raises(CalibrationFileError, match="99"):
        load(path)


def test_every_calibration_has_figures() -> None:
    quality = pictures.calibration("game-05").quality
    assert 0 < quality.reprojection_px < 1
    assert quality.lines > 200
    assert quality.elevation_deg == pytest.approx(67, abs=4)


def test_a_flat_view_is_advised_against() -> None:
    from calibration.quality import advice

    said = advice(elevation=35, pitch=30, clipped=0.2, white=0.05, line_error=2.0, shot=0.01)
    assert any("raise the camera to 50 degrees" in line for line in said)
    assert any("ivory is clipped" in line for line in said)
    assert advice(elevation=60, pitch=80, clipped=0, white=0.5, line_error=0.5, shot=1e-4) == ()
