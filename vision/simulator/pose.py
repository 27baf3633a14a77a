"""Cameras of the simulated table: where one stands, in words a person uses."""

from __future__ import annotations

import numpy as np

from calibration.camera import Camera, camera_from


def camera_at(
    elevation: float = 56.0,
    azimuth: float = 285.0,
    distance: float = 13.5,
    *,
    size: tuple[int, int] = (1280, 720),
    opening: float = 62.0,
    roll: float = 0.0,
    aim: tuple[float, float, float] = (0.0, 0.0, 0.0),
    bend: float = -0.02,
) -> Camera:
    """A camera so many degrees up and round (from the x axis), so many cells away, looking at the board."""
    up, around = np.radians(elevation), np.radians(azimuth)
    way = np.array([np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up)])
    ahead, level = -way, np.array([-np.sin(around), np.cos(around), 0.0])
    down = np.cross(ahead, level)
    c, s = np.cos(np.radians(roll)), np.sin(np.radians(roll))
    turn = np.array([c * level + s * down, c * down - s * level, ahead])
    shift = -turn @ (np.array(aim) + distance * way)
    focal = size[0] / 2 / float(np.tan(np.radians(opening) / 2))
    intrinsics = (focal, focal, (size[0] - 1) / 2, (size[1] - 1) / 2)
    return camera_from(size, intrinsics, (bend, 0.0, 0.0, 0.0, 0.0), turn, shift)
