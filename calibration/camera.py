"""The camera: where it stands and how it draws; one frozen value used by every part that projects.

Board frame: one unit is one cell pitch; the origin is the centre of c3 on the playing surface;
x runs along the columns a to e, y along the rows 1 to 5, z up. Pixels as in OpenCV: the centre of
the top left pixel is (0, 0).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """Intrinsics, lens distortion (k1, k2, p1, p2, k3) and pose: X_camera = R X_board + t."""

    size: tuple[int, int]
    focal: tuple[float, float]
    centre: tuple[float, float]
    distortion: tuple[float, float, float, float, float]
    rotation: tuple[float, ...]
    translation: tuple[float, float, float]

    @property
    def matrix(self) -> Floats:
        """The 3x3 intrinsic matrix."""
        (fx, fy), (cx, cy) = self.focal, self.centre
        return np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])

    @property
    def turn(self) -> Floats:
        """The 3x3 rotation from board to camera."""
        return np.array(self.rotation, dtype=np.float64).reshape(3, 3)

    @property
    def place(self) -> Floats:
        """Where the camera stands, in the board frame."""
        return np.asarray(-self.turn.T @ np.array(self.translation))

    @property
    def elevation(self) -> float:
        """Degrees above the horizon at which the board's centre sees the camera."""
        x, y, z = self.place
        return float(np.degrees(np.arctan2(z, np.hypot(x, y))))

    def project(self, points: ArrayLike) -> Floats:
        """Pixels of points in the board frame: (..., 3) gives (..., 2)."""
        board = np.asarray(points, dtype=np.float64)
        flat = board.reshape(-1, 3) @ self.turn.T + np.array(self.translation)
        return self.draw(flat).reshape(*board.shape[:-1], 2)

    def draw(self, seen: Floats) -> Floats:
        """Pixels of points in the camera's own frame (N, 3)."""
        x, y = seen[:, 0] / seen[:, 2], seen[:, 1] / seen[:, 2]
        k1, k2, p1, p2, k3 = self.distortion
        r = x * x + y * y
        radial = 1 + r * (k1 + r * (k2 + r * k3))
        bent_x = x * radial + 2 * p1 * x * y + p2 * (r + 2 * x * x)
        bent_y = y * radial + p1 * (r + 2 * y * y) + 2 * p2 * x * y
        (fx, fy), (cx, cy) = self.focal, self.centre
        return np.stack((fx * bent_x + cx, fy * bent_y + cy), axis=1)

    def rays(self, pixels: ArrayLike) -> Floats:
        """Directions in the board frame in which pixels look: (..., 2) gives (..., 3)."""
        dots = np.asarray(pixels, dtype=np.float64)
        flat = np.ascontiguousarray(dots.reshape(-1, 1, 2))
        plain = np.asarray(cv2.undistortPoints(flat, self.matrix, np.array(self.distortion))).reshape(-1, 2)
        ahead = np.column_stack((plain, np.ones(len(plain))))
        return np.asarray(ahead @ self.turn).reshape(*dots.shape[:-1], 3)

    def unproject(self, pixels: ArrayLike, z: float = 0.0) -> Floats:
        """Points of the board frame at height z that pixels show: (..., 2) gives (..., 3)."""
        ways, eye = self.rays(pixels), self.place
        return np.asarray(eye + ways * ((z - eye[2]) / ways[..., 2:3]))

    def depth(self, points: ArrayLike) -> Floats:
        """Distances of board points from the camera, along its axis."""
        board = np.asarray(points, dtype=np.float64)
        return np.asarray(board @ self.turn[2] + self.translation[2])

    def cropped(self, left: float, top: float, size: tuple[int, int], scale: float = 1.0) -> Camera:
        """The same camera for a cut-out whose pixels are `scale` times the old ones in number."""
        (fx, fy), (cx, cy) = self.focal, self.centre
        # OpenCV resizes by pixel areas: the old pixel u lands on (u + 0.5) * scale - 0.5
        centre = ((cx - left + 0.5) * scale - 0.5, (cy - top + 0.5) * scale - 0.5)
        return replace(self, size=size, focal=(fx * scale, fy * scale), centre=centre)

    def to_json(self) -> dict[str, Any]:
        """A dictionary for the calibration file."""
        return {
            "size": list(self.size),
            "focal": list(self.focal),
            "centre": list(self.centre),
            "distortion": list(self.distortion),
            "rotation": list(self.rotation),
            "translation": list(self.translation),
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Camera:
        """Read back what to_json wrote."""
        k1, k2, p1, p2, k3 = (float(v) for v in data["distortion"])
        x, y, z = (float(v) for v in data["translation"])
        return Camera(
            size=(int(data["size"][0]), int(data["size"][1])),
            focal=(float(data["focal"][0]), float(data["focal"][1])),
            centre=(float(data["centre"][0]), float(data["centre"][1])),
            distortion=(k1, k2, p1, p2, k3),
            rotation=tuple(float(v) for v in data["rotation"]),
            translation=(x, y, z),
        )


def camera_from(
    size: tuple[int, int],
    intrinsics: tuple[float, float, float, float],
    distortion: tuple[float, float, float, float, float],
    turn: ArrayLike,
    shift: ArrayLike,
) -> Camera:
    """Build a camera from (fx, fy, cx, cy), distortion, a Rodrigues vector or matrix, and t."""
    spin = np.asarray(turn, dtype=np.float64)
    matrix = spin if spin.size == 9 else np.asarray(cv2.Rodrigues(spin.reshape(3, 1))[0])
    fx, fy, cx, cy = intrinsics
    x, y, z = (float(v) for v in np.asarray(shift, dtype=np.float64).ravel())
    return Camera(size, (fx, fy), (cx, cy), distortion, tuple(float(v) for v in matrix.ravel()), (x, y, z))
