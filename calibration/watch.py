"""Watches the camera: notices a knock against its stand and solves the pose anew."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.build import Calibration, Picture
from calibration.camera import Camera, Floats
from calibration.pose import Evidence, PoseError, Solution, lens_of, pack, refine

SHRINK: Final = 0.5
FEATURES: Final = 160
MOVED: Final = 2.0
AGREED: Final = 0.5
LEAST_TRACKED: Final = 24
ROUNDS: Final = ((0.3, 3), (0.16, 3), (0.1, 3), (0.1, 4))
WORST_LINES: Final = 1.6


@dataclass(frozen=True)
class Motion:
    """How the picture has moved against the calibrated one: pixels, and the map of places if it did."""

    pixels: float
    homography: Floats | None

    @property
    def unclear(self) -> bool:
        """Whether much has moved, but not together."""
        return self.pixels >= MOVED and self.homography is None


@dataclass(frozen=True, eq=False)
class Watch:
    """Features of the empty picture that are looked for in every new one."""

    grey: NDArray[np.uint8]
    dots: NDArray[np.float32]


def shrunk(picture: Picture) -> NDArray[np.uint8]:
    """A small grey copy."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, None, fx=SHRINK, fy=SHRINK, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)


def matched(grey: NDArray[np.uint8], like: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A grey picture as bright as another: following features needs equal brightness."""
    gain = float(np.clip((like.mean() + 1.0) / (grey.mean() + 1.0), 0.25, 4.0))
    return np.asarray(cv2.convertScaleAbs(grey, alpha=gain), dtype=np.uint8)


def watch_of(calibration: Calibration, picture: Picture | None = None) -> Watch:
    """Choose features near the island: outline, walls, with tags the mat; in another picture pieces, too."""
    grey = shrunk(calibration.empty if picture is None else picture)
    reach = 1.3 * calibration.profile.board.base
    corners = [(-reach, -reach, -2), (reach, -reach, -2), (reach, reach, -2), (-reach, reach, -2)]
    outline = calibration.camera.project(np.array(corners, dtype=np.float64)) * SHRINK
    mask = np.zeros(grey.shape, dtype=np.uint8)
    cv2.fillConvexPoly(mask, np.rint(cv2.convexHull(outline.astype(np.float32))).astype(np.int32), 255)
    dots = cv2.goodFeaturesToTrack(grey, FEATURES, 0.01, 9, mask=mask)
    # without any features OpenCV returns None, whatever its types say
    found = np.asarray(dots, np.float32) if np.size(dots) > 1 else np.empty((0, 1, 2), np.float32)
    return Watch(grey, found)


def motion(watch: Watch, picture: Picture) -> Motion:
    """Follow the features into a new picture."""
    if len(watch.dots) < LEAST_TRACKED:
        return Motion(0.0, None)
    now = matched(shrunk(picture), watch.grey)
    moved, state, error = cv2.calcOpticalFlowPyrLK(
        watch.grey, now, watch.dots, np.empty(0, np.float32), winSize=(17, 17), maxLevel=3
    )
    good = (np.ravel(state) == 1) & (np.ravel(error) < 30)
    if good.sum() < LEAST_TRACKED:
        return Motion(0.0, None)
    old, new = watch.dots.reshape(-1, 2)[good] / SHRINK, moved.reshape(-1, 2)[good] / SHRINK
    pixels = float(np.median(np.linalg.norm(new - old, axis=1)))
    if pixels < MOVED:
        return Motion(pixels, None)
    # things at several heights shift differently: allow for it in proportion
    plane, kept = cv2.findHomography(old, new, cv2.RANSAC, max(3.0, 0.12 * pixels))
    # a hand drags some features along; a knock moves nearly all of them together
    if np.size(plane) < 9 or float(np.mean(kept)) < AGREED or not sane(plane):
        return Motion(pixels, None)
    # on a crowded board features jump to piles beside them: those that agree may all have stayed
    agreed = np.linalg.norm(new - old, axis=1)[np.ravel(kept) > 0]
    if float(np.median(agreed)) < MOVED:
        return Motion(pixels, None)
    return Motion(pixels, np.asarray(plane, dtype=np.float64))


def motion_between(calibration: Calibration, last: Picture, picture: Picture) -> Motion:
    """How far the camera has moved since another picture, on which the same pieces stood."""
    return motion(watch_of(calibration, last), picture)


def sane(plane: Floats) -> bool:
    """Whether a map of places is near enough to a small turn and shift of the camera."""
    square = np.array([(400, 200), (900, 200), (900, 600), (400, 600)], dtype=np.float32)
    moved = cv2.perspectiveTransform(square.reshape(-1, 1, 2), plane).reshape(-1, 2)
    before, after = cv2.contourArea(square), cv2.contourArea(moved.astype(np.float32))
    return bool(cv2.isContourConvex(moved.astype(np.float32)) and 0.6 < after / before < 1.6)


def follow(calibration: Calibration, picture: Picture, moved: Motion) -> Solution:
    """Solve the pose on the new picture, the lens unchanged."""
    if moved.homography is None:
        raise PoseError("the picture has moved and nothing in it could be followed")
    grid = np.array([(x, y, 0.0) for x in (-2.5, 0.0, 2.5) for y in (-2.5, 0.0, 2.5)])
    old = calibration.camera.project(grid).astype(np.float32).reshape(-1, 1, 2)
    new = cv2.perspectiveTransform(old, moved.homography).reshape(-1, 2)
    lens = lens_of(calibration.camera)
    start = near_pose(calibration.camera, grid, np.asarray(new, dtype=np.float64))
    table = -calibration.profile.board.height
    evidence = Evidence(lens, None, None, None, table, pack(start))
    solution = refine(picture, calibration.profile, evidence, ROUNDS)
    if solution.line_error > WORST_LINES:
        raise PoseError(f"the printed lines fit badly after the knock ({solution.line_error:.1f} px)")
    return solution


def near_pose(camera: Camera, spots: Floats, pixels: Floats) -> Camera:
    """The pose near the old one that puts board places where they are seen now."""
    spin = np.asarray(cv2.Rodrigues(camera.turn)[0])
    shift = np.array(camera.translation).reshape(3, 1)
    bend = np.array(camera.distortion)
    good, spin, shift = cv2.solvePnP(
        spots, pixels, camera.matrix, bend, spin.copy(), shift.copy(), useExtrinsicGuess=True
    )
    if not good:
        raise PoseError("no pose fits the moved picture")
    turn = np.asarray(cv2.Rodrigues(spin)[0])
    x, y, z = (float(v) for v in np.ravel(shift))
    return replace(camera, rotation=tuple(float(v) for v in turn.ravel()), translation=(x, y, z))


def moved_calibration(origin: Calibration, camera: Camera) -> Calibration:
    """The first calibration seen from the new pose: its empty picture drawn from there."""
    board = origin.profile.board
    empty = redrawn(origin.empty, origin.camera, camera, board.plateau, board.height)
    return replace(origin, camera=camera, empty=empty)


def redrawn(picture: Picture, old: Camera, new: Camera, plateau: float, depth: float) -> Picture:
    """An old picture as the new camera would see it: the plateau on its plane, the rest on the table's."""
    wide, high = new.size
    step = 8
    x = np.arange(0, wide + step, step, dtype=np.float64)
    y = np.arange(0, high + step, step, dtype=np.float64)
    dots = np.stack(np.meshgrid(x, y), axis=-1)
    found = old.project(new.unproject(dots, -depth))
    on = new.unproject(dots, 0.0)
    upper = old.project(on)
    spots = _grown(on, step, (wide, high))
    inside = np.abs(spots).max(axis=-1) < plateau
    lower_map, upper_map = _grown(found, step, (wide, high)), _grown(upper, step, (wide, high))
    mix = np.where(inside[..., None], upper_map, lower_map).astype(np.float32)
    drawn: Any = cv2.remap(
        picture, mix[..., 0], mix[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(drawn, dtype=np.uint8)


def _grown(coarse: Floats, step: int, size: tuple[int, int]) -> NDArray[np.float32]:
    """Values on a coarse grid, interpolated to every pixel."""
    wide, high = size
    x, y = np.meshgrid(np.arange(wide, dtype=np.float32) / step, np.arange(high, dtype=np.float32) / step)
    values = coarse[..., :2].astype(np.float32)
    return np.asarray(cv2.remap(values, x, y, cv2.INTER_LINEAR), dtype=np.float32)
