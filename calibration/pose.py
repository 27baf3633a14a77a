"""Solves for lens and pose together: taps, tags and printed lines in one robust least-squares fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats, camera_from
from calibration.lines import Marks, find_marks
from calibration.pieces import PieceProfile

GRID_CORNERS: Final = np.array([(-2.5, -2.5, 0), (2.5, -2.5, 0), (2.5, 2.5, 0), (-2.5, 2.5, 0)], dtype=float)
TAP_SIGMA: Final = 3.5
TAG_SIGMA: Final = 0.8
LINE_SIGMA: Final = 0.6
ROUNDS: Final = ((0.32, 3), (0.2, 3), (0.12, 3), (0.1, 3), (0.1, 4))
LENS: Final = 5
POSE: Final = 11


class PoseError(RuntimeError):
    """No pose could be found: says what was tried and how far it got."""


@dataclass(frozen=True)
class Lens:
    """What is known about the lens before looking: values and how far each may be off."""

    focal: float
    centre: tuple[float, float]
    bend: tuple[float, float] = (0.0, 0.0)
    focal_slack: float = 0.22
    centre_slack: float = 8.0
    bend_slack: tuple[float, float] = (0.05, 0.015)

    def locked(self) -> Lens:
        """The same lens, trusted (a measured lens, or one that only moved)."""
        return replace(self, focal_slack=0.002, centre_slack=0.5, bend_slack=(0.002, 0.002))


def unknown_lens(size: tuple[int, int]) -> Lens:
    """A webcam or phone nobody has measured."""
    wide, high = size
    return Lens(0.76 * wide, ((wide - 1) / 2, (high - 1) / 2), centre_slack=0.006 * wide)


def lens_of(camera: Camera) -> Lens:
    """A camera's lens as something known for sure."""
    k1, k2 = camera.distortion[:2]
    return Lens(camera.focal[0], camera.centre, (k1, k2)).locked()


@dataclass(frozen=True)
class Tags:
    """Corners of the mat's tags: in the mat's frame (cell pitches, on the table) and in the picture."""

    spots: Floats
    pixels: Floats


@dataclass(frozen=True)
class Solution:
    """A solved camera with its figures."""

    camera: Camera
    lines: int
    line_error: float
    tag_error: float | None
    height_error: float
    mat: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Evidence:
    """All a fit may use."""

    lens: Lens
    taps: Floats | None = None
    tags: Tags | None = None
    marks: Marks | None = None
    table: float = -2.25
    start: Floats = field(default_factory=lambda: np.zeros(POSE + 3))


def find_tags(picture: NDArray[Any], layout: Mapping[str, Any] | None, pitch_mm: float) -> Tags | None:
    """Detect the mat's AprilTags; None without a layout or when none is seen."""
    if layout is None:
        return None
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture
    corners, ids, _ = cv2.aruco.ArucoDetector(family, settings).detectMarkers(grey)
    spots, pixels = [], []
    known = {int(key): value for key, value in layout["corners_mm"].items()}
    for number, found in zip(np.ravel(np.asarray(ids if len(corners) else [])), corners, strict=True):
        if int(number) in known:
            flat = np.asarray(known[int(number)], dtype=float)[:, :2] / pitch_mm
            spots.append(np.column_stack((flat, np.zeros(4))))
            pixels.append(np.asarray(found, dtype=float).reshape(4, 2))
    return Tags(np.vstack(spots), np.vstack(pixels)) if spots else None


def unpack(state: Floats, size: tuple[int, int]) -> Camera:
    """The camera that a state vector stands for."""
    focal = float(np.exp(state[0]))
    bend = (float(state[3]), float(state[4]), 0.0, 0.0, 0.0)
    return camera_from(
        size, (focal, focal, float(state[1]), float(state[2])), bend, state[5:8], state[8:POSE]
    )


def pack(camera: Camera, mat: Sequence[float] = (0.0, 0.0, 0.0)) -> Floats:
    """The state vector of a camera and a mat."""
    spin = np.asarray(cv2.Rodrigues(camera.turn)[0]).ravel()
    head = [np.log(camera.focal[0]), *camera.centre, *camera.distortion[:2]]
    return np.array([*head, *spin, *camera.translation, *mat], dtype=np.float64)


def tag_places(tags: Tags, mat: Floats, table: float) -> Floats:
    """The tags' corners in the board frame for a mat shifted and turned against the board."""
    c, s = np.cos(mat[2]), np.sin(mat[2])
    flat = tags.spots[:, :2] @ np.array([[c, s], [-s, c]]) + mat[:2]
    return np.column_stack((flat, np.full(len(flat), table)))


def residuals(state: Floats, evidence: Evidence, size: tuple[int, int]) -> tuple[Floats, int]:
    """All weighted residuals; the first ones (count returned) may be outliers, the rest are priors."""
    camera, lens = unpack(state, size), evidence.lens
    parts: list[Floats] = []
    if evidence.marks is not None and len(evidence.marks):
        off = camera.project(evidence.marks.spots) - evidence.marks.pixels
        parts.append((off * evidence.marks.normals).sum(axis=1) / LINE_SIGMA)
    if evidence.tags is not None:
        places = tag_places(evidence.tags, state[POSE:], evidence.table)
        parts.append((camera.project(places) - evidence.tags.pixels).ravel() / TAG_SIGMA)
    if evidence.taps is not None:
        parts.append((camera.project(GRID_CORNERS) - evidence.taps).ravel() / TAP_SIGMA)
    loose = sum(len(part) for part in parts)
    expected = [np.log(lens.focal), *lens.centre, *lens.bend]
    slack = [lens.focal_slack, lens.centre_slack, lens.centre_slack, *lens.bend_slack]
    parts.append((state[:LENS] - np.array(expected)) / np.array(slack))
    parts.append(state[POSE:] / np.array([0.09, 0.09, 0.035]))
    return np.concatenate(parts), loose


def jacobian(state: Floats, evidence: Evidence, size: tuple[int, int], base: Floats) -> Floats:
    """Numerical derivatives of the residuals."""
    steps = np.array([1e-5, 1e-2, 1e-2, 1e-5, 1e-5, *[1e-6] * 3, *[1e-5] * 3, *[1e-5] * 3])
    columns = []
    for index, step in enumerate(steps):
        moved = state.copy()
        moved[index] += step
        columns.append((residuals(moved, evidence, size)[0] - base) / step)
    return np.column_stack(columns)


def solve(evidence: Evidence, size: tuple[int, int], rounds: int = 12) -> tuple[Floats, Floats]:
    """Robust Levenberg-Marquardt from the evidence's start; returns the state and its covariance."""
    state, damping = evidence.start.copy(), 1e-3
    values, loose = residuals(state, evidence, size)
    cost = robust(values, loose)
    normal = np.eye(len(state))
    for _ in range(rounds):
        weights = np.ones(len(values))
        weights[:loose] = 1.0 / (1.0 + (values[:loose] / 2.5) ** 2)
        slope = jacobian(state, evidence, size, values)
        normal = slope.T @ (slope * weights[:, None])
        pull = slope.T @ (weights * values)
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), pull)
        trial = residuals(state - step, evidence, size)[0]
        better = robust(trial, loose)
        if better < cost:
            done = cost - better < 1e-6 * cost
            state, values, cost, damping = state - step, trial, better, damping / 5
            if done:
                break
        else:
            damping *= 8
    return state, np.asarray(np.linalg.inv(normal + 1e-9 * np.eye(len(state))), dtype=np.float64)


def robust(values: Floats, loose: int) -> float:
    """Cauchy cost of the evidence plus the squares of the priors."""
    head = 2.5**2 * np.log1p((values[:loose] / 2.5) ** 2).sum()
    return float(head + (values[loose:] ** 2).sum())


def first_guess(spots: Floats, pixels: Floats, lens: Lens, size: tuple[int, int]) -> Camera:
    """A pose from four or more points of one plane, trying several focal lengths."""
    best: tuple[float, Camera] | None = None
    flat = spots - np.array([0.0, 0.0, spots[0, 2]])
    for factor in (0.75, 0.87, 1.0, 1.15, 1.33) if lens.focal_slack > 0.05 else (1.0,):
        focal = lens.focal * factor
        matrix = np.array([[focal, 0, lens.centre[0]], [0, focal, lens.centre[1]], [0, 0, 1.0]])
        bend = np.array([*lens.bend, 0.0, 0.0, 0.0])
        good, spin, shift = cv2.solvePnP(flat, pixels, matrix, bend, flags=cv2.SOLVEPNP_IPPE)
        if not good:
            continue
        turn = np.asarray(cv2.Rodrigues(spin)[0])
        at = np.asarray(shift).ravel() - turn @ np.array([0.0, 0.0, spots[0, 2]])
        intrinsics = (focal, focal, lens.centre[0], lens.centre[1])
        camera = camera_from(size, intrinsics, (*lens.bend, 0.0, 0.0, 0.0), turn, at)
        off = float(np.sqrt(((camera.project(spots) - pixels) ** 2).sum(axis=1).mean()))
        off += 4.0 * abs(np.log(factor))
        if camera.place[2] > 0 and (best is None or off < best[0]):
            best = (off, camera)
    if best is None:
        raise PoseError("the four corner taps do not fit any view of the board from above")
    return best[1]


def begin(taps: Floats | None, tags: Tags | None, lens: Lens, size: tuple[int, int], table: float) -> Camera:
    """A rough camera from taps, or from the tags alone."""
    if taps is not None:
        return first_guess(GRID_CORNERS, taps, lens, size)
    if tags is None or len(tags.spots) < 8:
        raise PoseError("neither four corner taps nor two tags of the mat are known")
    return first_guess(tag_places(tags, np.zeros(3), table), tags.pixels, lens, size)


def solve_pose(
    picture: NDArray[Any],
    profile: PieceProfile,
    taps: Sequence[Sequence[float]] | None = None,
    tags: Tags | None = None,
    lens: Lens | None = None,
) -> Solution:
    """Find lens and pose on a picture of the board from taps (a1, e1, e5, a5), tags, or both."""
    size = (picture.shape[1], picture.shape[0])
    glass, table = lens or unknown_lens(size), -profile.board.height
    dots = None if taps is None else np.asarray(taps, dtype=np.float64).reshape(4, 2)
    start = begin(dots, tags, glass, size, table)
    evidence = Evidence(glass, dots, tags, None, table, pack(start))
    state, _ = solve(evidence, size)
    return refine(picture, profile, replace(evidence, start=state))


def refine(
    picture: NDArray[Any],
    profile: PieceProfile,
    evidence: Evidence,
    rounds: Sequence[tuple[float, int]] = ROUNDS,
) -> Solution:
    """Fit to the printed lines in rounds of growing precision, starting near the truth."""
    size, state = (picture.shape[1], picture.shape[0]), evidence.start
    cover = np.eye(len(state))
    soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7))
    for reach, steps in rounds:
        marks = find_marks(soft, unpack(state, size), profile.board, reach)
        if len(marks) < 40:
            raise PoseError(f"only {len(marks)} places of the printed lines were found; 40 are needed")
        evidence = replace(evidence, marks=marks, start=state)
        if len(marks) > 150:
            evidence = replace(evidence, taps=None)
        state, cover = solve(evidence, size, steps)
    return judged(state, cover, evidence, size)


def judged(state: Floats, cover: Floats, evidence: Evidence, size: tuple[int, int]) -> Solution:
    """Put figures to a fit."""
    camera = unpack(state, size)
    marks = evidence.marks
    assert marks is not None
    off = np.abs(((camera.project(marks.spots) - marks.pixels) * marks.normals).sum(axis=1))
    near = off < 4 * max(float(np.median(off)), 0.2)
    tag_error = None
    if evidence.tags is not None:
        places = tag_places(evidence.tags, state[POSE:], evidence.table)
        tag_error = float(np.linalg.norm(camera.project(places) - evidence.tags.pixels, axis=1).mean())
    mat = (float(state[POSE]), float(state[POSE + 1]), float(state[POSE + 2]))
    height_error = top_spread(state, cover, size)
    return Solution(camera, int(near.sum()), float(off[near].mean()), tag_error, height_error, mat)


def top_spread(state: Floats, cover: Floats, size: tuple[int, int], z: float = 1.5) -> float:
    """Expected error, in pixels, of where tower tops are drawn."""
    tops = np.array([(x, y, z) for x in (-2.0, 0.0, 2.0) for y in (-2.0, 0.0, 2.0)])
    base, columns = unpack(state, size).project(tops), []
    for index, step in enumerate(np.array([1e-5, 1e-2, 1e-2, 1e-5, 1e-5, *[1e-6] * 3, *[1e-5] * 3])):
        moved = state.copy()
        moved[index] += step
        columns.append((unpack(moved, size).project(tops) - base).ravel() / step)
    slope = np.column_stack(columns)
    spread = np.einsum("ij,jk,ik->i", slope, cover[:POSE, :POSE], slope)
    # neighbouring samples along a line share their errors: count every fourth
    return float(np.sqrt(4.0 * 2.0 * np.maximum(spread, 0.0).mean()))
