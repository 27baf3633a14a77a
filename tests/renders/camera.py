"""The camera of a picture game: pose, lens, taps (numpy only)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT = 1280, 720
Array = NDArray[np.float64]
GRID = 107.5
CORNERS = np.array([[-GRID, -GRID, 97], [GRID, -GRID, 97], [GRID, GRID, 97], [-GRID, GRID, 97]])


@dataclass(frozen=True)
class Camera:
    """A pinhole with radial distortion, OpenCV's convention, board frame in mm."""

    focal: float
    centre: tuple[float, float]
    k1: float
    k2: float
    turn: Array
    eye: Array

    @property
    def shift(self) -> Array:
        """Return t of X_cam = R X + t."""
        return -self.turn @ self.eye

    def label(self) -> dict[str, Any]:
        """Return the camera as labels.json holds it."""
        told: dict[str, Any] = {
            "fx": self.focal,
            "fy": self.focal,
            "cx": self.centre[0],
            "cy": self.centre[1],
        }
        told |= {"k1": self.k1, "k2": self.k2, "R_world_to_camera": self.turn.tolist()}
        return told | {"t_world_to_camera_mm": self.shift.tolist(), "camera_position_mm": self.eye.tolist()}


def project(camera: Camera, points: Array) -> Array:
    """Return the pixels of points in the board frame."""
    seen = points @ camera.turn.T + camera.shift
    flat = seen[:, :2] / seen[:, 2:]
    r2 = (flat**2).sum(1, keepdims=True)
    bent = flat * (1 + camera.k1 * r2 + camera.k2 * r2**2)
    return bent * camera.focal + np.array(camera.centre)


def look(eye: Array, at: Array, roll: float) -> Array:
    """Return the rotation (rows: right, down, forward) of a camera that looks at a point."""
    forward = (at - eye) / np.linalg.norm(at - eye)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    c, s = math.cos(math.radians(roll)), math.sin(math.radians(roll))
    return np.array([c * right + s * down, -s * right + c * down, forward])


def stand(elevation: float, azimuth: float, distance: float) -> Array:
    """Return the point so far and so high from the middle of the plateau."""
    e, a = math.radians(elevation), math.radians(azimuth)
    return np.array([math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)]) * distance + [
        0,
        0,
        97,
    ]


def fitting(view: dict[str, float], rng: np.random.Generator) -> tuple[Camera, float]:
    """Return a camera at the asked angle, as close as the asked share of the picture allows."""
    focal = WIDTH / 2 / math.tan(math.radians(view["hfov"]) / 2)
    centre = (WIDTH / 2 - 0.5 + rng.normal(0, 5), HEIGHT / 2 - 0.5 + rng.normal(0, 5))
    aim = np.array([rng.uniform(-18, 18), rng.uniform(-18, 18), 80.0])
    box = np.vstack([CORNERS * [1.08, 1.08, 1], CORNERS * [0.95, 0.95, 1] + [0, 0, 92]])
    for distance in range(280, 1600, 8):
        eye = stand(view["elevation"], view["azimuth"], distance)
        camera = Camera(focal, centre, view["k1"], view["k2"], look(eye, aim, view["roll"]), eye)
        seen = project(camera, box)
        inside = seen.min() > 12 and seen[:, 0].max() < WIDTH - 12 and seen[:, 1].max() < HEIGHT - 12
        share = np.ptp(project(camera, CORNERS)[:, 1]) / HEIGHT
        if inside and share <= view["share"]:
            return camera, float(share)
    raise ValueError(f"no distance fits the board into the picture: {view}")


def knock(camera: Camera, rng: np.random.Generator) -> tuple[Camera, dict[str, Any]]:
    """Return the camera after a bump of 3-10 mm and 0.5-2 degrees, and the note."""
    push = rng.normal(size=3)
    push *= rng.uniform(3, 10) / np.linalg.norm(push)
    angle, axis = rng.uniform(0.5, 2.0), rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    note = {"shift_mm": push.tolist(), "turn_deg": float(angle)}
    return replace(camera, eye=camera.eye + push, turn=spin(axis, math.radians(angle)) @ camera.turn), note


def spin(axis: Array, angle: float) -> Array:
    """Return the rotation about an axis (Rodrigues)."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross


def taps(camera: Camera, rng: np.random.Generator) -> tuple[Array, list[list[float]]]:
    """Return the exact corners and where a finger taps them (2-4 px off)."""
    exact = project(camera, CORNERS)
    touched = exact + rng.normal(0, rng.uniform(2, 4), exact.shape)
    return exact, [[round(float(x), 1), round(float(y), 1)] for x, y in touched]


def undistorted(camera: Camera, pixels: Array) -> Array:
    """Return the ideal ray (x/z, y/z) of each pixel."""
    bent = (pixels - np.array(camera.centre)) / camera.focal
    flat = bent.copy()
    for _ in range(12):
        r2 = (flat**2).sum(-1, keepdims=True)
        flat = bent / (1 + camera.k1 * r2 + camera.k2 * r2**2)
    return flat


def canvas(camera: Camera) -> tuple[int, int]:
    """Return the size of the ideal pinhole picture (centred) which covers the distorted one."""
    edge = [(u, v) for u in np.linspace(0, WIDTH - 1, 9) for v in np.linspace(0, HEIGHT - 1, 9)]
    reach = np.abs(undistorted(camera, np.array(edge))).max(0) * camera.focal
    wide, high = np.ceil(reach + 3).astype(int) * 2
    return int(wide), int(high)


def rays(camera: Camera) -> tuple[Array, Array]:
    """Return for each picture pixel where it lies in the ideal picture."""
    u, v = np.meshgrid(np.arange(WIDTH, dtype=float), np.arange(HEIGHT, dtype=float))
    flat = undistorted(camera, np.stack([u, v], -1)) * camera.focal
    wide, high = canvas(camera)
    return flat[..., 0] + wide / 2 - 0.5, flat[..., 1] + high / 2 - 0.5
