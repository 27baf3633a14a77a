import numpy as np

from calibration.camera import Camera, camera_from

CAMERA = camera_from(
    (1280, 720),
    (900.0, 905.0, 641.0, 355.0),
    (0.02, 0.01, 0.0, 0.0, 0.0),
    [2.4, 0.2, -0.3],
    [0.1, -0.2, 12.0],
)
SPOTS = np.array([(-2.5, -2.5, 0.0), (2.5, 1.0, 0.0), (0.0, 0.0, 1.6)])


def test_unproject_undoes_project() -> None:
    pixels = CAMERA.project(SPOTS)
    for spot, pixel in zip(SPOTS, pixels, strict=True):
        assert np.allclose(CAMERA.unproject(pixel[None], spot[2])[0], spot, atol=1e-5)


def test_json_keeps_every_figure() -> None:
    assert Camera.from_json(CAMERA.to_json()) == CAMERA


def test_a_cut_out_draws_the_same_points_where_they_are_in_it() -> None:
    small = CAMERA.cropped(100, 50, (540, 310), 0.5)
    wide = (CAMERA.project(SPOTS) - (100, 50) + 0.5) * 0.5 - 0.5
    assert np.allclose(small.project(SPOTS), wide)


def test_elevation_is_measured_from_the_horizon() -> None:
    above = camera_from((10, 10), (9, 9, 5, 5), (0, 0, 0, 0, 0), np.diag([1.0, -1.0, -1.0]), [0, 0, 10])
    assert abs(above.elevation - 90) < 1e-9
