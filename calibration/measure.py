"""Measures the sizes of an own set of pieces from the tableau picture, and says how sure it is.

Known piles stand on row 3 and workers on row 1. For every pixel it is worked out how much more it looks
like a piece than like the empty board, lit or in shadow. A pile's outline is then drawn from its
sizes and place; the sizes that gather the most evidence are taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.build import Calibration, Known, Picture, Position, Prepared, levels_of
from calibration.camera import Camera, Floats
from calibration.colours import Colour, gaussian
from calibration.light import coarse_terms, lamp_of_empty, normalised
from calibration.pieces import Block, Dome, Figure, PieceProfile
from calibration.solids import DOME, Pile, outline_of, scene
from calibration.view import Light, View, view_of

FULL_GRAIN: Final = 400.0  # pixels a cell above which a working picture would be shrunk
CLIP: Final = 3.0
SHADOWS: Final = (0.35, 0.7, 1.1, 1.6)
SHADOW_WAY: Final = (-1.0, 0.35, 0.25)  # how grass changes in shadow: brightness, red and blue over green
FINER: Final = 2
SLACK: Final = 0.12  # share by which a size may be expected to differ from the profile's
STEPS: Final = (0.03, 0.012, 0.005)
PROBE: Final = 0.02
SPREAD_SCALE: Final = 17.0  # set so that two thirds of the errors on picture games lie within one spread
LEAST_SPREAD: Final = 0.012
AGREES: Final = 1.5  # spreads
ROUNDED: Final = 0.03  # domes and figures have no edge at their top: what their outline model may be off by

Sizes = dict[str, float]


@dataclass(frozen=True)
class Measured:
    """One size in cell pitches, and its standard deviation."""

    name: str
    value: float
    spread: float


@dataclass(frozen=True)
class Measurement:
    """A measured set: a profile to use (sizes that agree with the old one are left), and every size."""

    profile: PieceProfile
    sizes: tuple[Measured, ...]


def sizes_of(profile: PieceProfile) -> Sizes:
    """The sizes that are measured, by name."""
    found: Sizes = {}
    for level, block in enumerate(profile.blocks, start=1):
        found[f"block {level} height"] = profile.rim(level) - profile.rim(level - 1)
        found[f"block {level} width"] = block.body_width
        if block.foot_height:
            found[f"block {level} foot"] = block.base_width
    found |= {"dome radius": profile.dome.radius, "dome height": profile.dome.height}
    return found | {"worker radius": profile.worker.base_radius, "worker height": profile.worker.height}


def with_sizes(profile: PieceProfile, sizes: Mapping[str, float]) -> PieceProfile:
    """The profile with other sizes; what is not measured keeps its proportion."""
    blocks, rim = [], 0.0
    for level, block in enumerate(profile.blocks, start=1):
        rim += sizes[f"block {level} height"]
        blocks.append(_resized(block, sizes[f"block {level} width"], sizes.get(f"block {level} foot"), rim))
    one, two, three = blocks
    figure = profile.worker
    wide, high = sizes["worker radius"] / figure.base_radius, sizes["worker height"] / figure.height
    worker = Figure(
        wide * figure.base_radius, high * figure.height, wide * figure.body_radius, high * figure.head_radius
    )
    dome = Dome(sizes["dome radius"], sizes["dome height"])
    return replace(profile, name="measured", blocks=(one, two, three), dome=dome, worker=worker)


def _resized(block: Block, width: float, foot: float | None, rim: float) -> Block:
    return replace(
        block,
        base_width=width if foot is None else max(width, foot),
        body_width=width,
        top_width=width * block.top_width / block.body_width,
        rim=rim,
        floor=rim - (block.rim - block.floor),
    )


@dataclass(frozen=True, eq=False)
class Evidence:
    """For each kind of piece, how much more every pixel looks like it than like anything else."""

    view: View
    ivory: Light
    dome: Light
    workers: Mapping[str, Light]


def evidence(calibration: Calibration, tableau: Picture) -> Evidence:
    """Work out for every pixel what it looks like."""
    profile = calibration.profile
    view = view_of(calibration.camera, profile, FULL_GRAIN)
    light, _ = view.cut(calibration.empty)
    lamp, grid = lamp_of_empty(light, view, profile.board), coarse_terms(view)
    level = np.asarray(light / lamp.over(grid, view.size), dtype=np.float32)
    base = Prepared(view, lamp, grid, level)
    empty = normalised(level)
    seen = normalised(levels_of(Known(tableau, ()), base, light, profile))
    board, palette = like_board(seen, empty), calibration.palette
    white = density(empty, (palette.top, palette.side)) > -2.0
    blocks = density(seen, (palette.top, palette.side))
    # A dome stands on ivory, so ivory is what it must be told from, too.
    dome = ratio(density(seen, (palette.dome,)), np.maximum(board, blocks))
    ivory = ratio(np.maximum(blocks, density(seen, (palette.dome,))), board)
    ivory[cv2.dilate(white.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0] = 0.0
    workers = {side: ratio(density(seen, (shade,)), board) for side, shade in palette.workers.items()}
    return Evidence(view, ivory, dome, workers)


def density(features: Light, shades: Sequence[Colour]) -> Light:
    """Log density of every pixel under the best of some colours."""
    found = [gaussian(features, shade, -12.0).reshape(features.shape[:2]) for shade in shades]
    return np.asarray(np.max(found, axis=0), dtype=np.float32)


def like_board(seen: Light, empty: Light) -> Light:
    """Log density of every pixel as the board itself, in full light or in shadow."""
    away = seen - empty
    best = _bell(away, (0.15, 0.1, 0.1))
    for deep in SHADOWS:
        best = np.maximum(
            best, _bell(away - deep * np.array(SHADOW_WAY, np.float32), (0.3, 0.18, 0.18)) - 0.7
        )
    return np.asarray(best, dtype=np.float32)


def _bell(away: Light, spread: tuple[float, float, float]) -> Light:
    width = np.array(spread, np.float32)
    constant = -float(np.log(width).sum()) - 1.5 * float(np.log(2 * np.pi))
    return np.asarray(constant - 0.5 * ((away / width) ** 2).sum(axis=2), dtype=np.float32)


def ratio(piece: Light, other: Light) -> Light:
    """How much better a piece explains each pixel than something else, within limits."""
    both: Light = np.clip(piece - np.maximum(other, -12.0), -CLIP, CLIP).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(both, (0, 0), 0.6), dtype=np.float32)


@dataclass(frozen=True)
class Subject:
    """Piles that are fitted together: their cells and contents, and the sizes they tell."""

    piles: tuple[tuple[int, int, str], ...]
    tells: tuple[str, ...]
    kind: str


def subjects(position: Position, profile: PieceProfile) -> tuple[Subject, ...]:
    """All towers together (they hide each other), then each dome and each worker for itself."""
    names = tuple(sizes_of(profile))
    standing = [(cell, height, top) for cell, (height, top) in enumerate(position) if height or top]
    towers = tuple((cell, height, top) for cell, height, top in standing if height and top in ("", DOME))
    found = [Subject(towers, tuple(name for name in names if name.startswith("block")), "ivory")]
    for cell, height, top in standing:
        if top:
            kind = DOME if top == DOME else "worker"
            told = tuple(name for name in names if name.startswith(kind))
            found.append(Subject(((cell, height, top),), told, kind if top == DOME else top))
    return tuple(found)


PLACE: Final = 5  # values that say how a pile stands: two of its place, three turns


def piles_of(subject: Subject, places: Floats) -> list[Pile]:
    """The piles of a subject as they are now thought to stand."""
    piles = []
    for (cell, height, top), (x, y, one, two, three) in zip(
        subject.piles, places.reshape(-1, PLACE).tolist()
    ):
        piles.append(Pile(cell, height, top, (x, y), (one, two, three)))
    return piles


def silhouette(profile: PieceProfile, piles: Sequence[Pile], camera: Camera, kind: str) -> NDArray[np.uint8]:
    """Where the measured pieces are in a picture of the camera."""
    mask = np.zeros((camera.size[1], camera.size[0]), np.uint8)
    for _, face in scene(profile, piles, camera):
        if kind == "ivory" or face.kind in (DOME, "worker"):
            cv2.fillConvexPoly(
                mask, np.rint(outline_of(face, camera) * 16).astype(np.int32), 1, cv2.LINE_8, 4
            )
    return mask


@dataclass(frozen=True, eq=False)
class Window:
    """The evidence around a subject, enlarged."""

    camera: Camera
    weight: Light
    kind: str

    def score(self, profile: PieceProfile, piles: Sequence[Pile]) -> float:
        """How much evidence the outlines gather."""
        mask = silhouette(profile, piles, self.camera, self.kind)
        return float(cv2.sumElems(cv2.copyTo(self.weight, mask))[0])


def window_of(found: Evidence, profile: PieceProfile, subject: Subject) -> Window:
    """Cut out what a subject needs."""
    camera = found.view.camera
    piles = piles_of(subject, np.zeros(PLACE * len(subject.piles)))
    rows, columns = np.nonzero(silhouette(profile.scaled(1.35), piles, camera, subject.kind))
    left, top, right, low = int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1
    maps = {"ivory": found.ivory, DOME: found.dome, **found.workers}
    size = ((right - left) * FINER, (low - top) * FINER)
    large = cv2.resize(maps[subject.kind][top:low, left:right], size, interpolation=cv2.INTER_LINEAR)
    return Window(camera.cropped(left, top, size, FINER), np.asarray(large, dtype=np.float32), subject.kind)


def climb(values: Floats, score: Callable[[Floats], float], scales: Floats) -> None:
    """Move the values, one at a time and in shrinking steps, to where the score is best."""
    best = score(values)
    for step in STEPS:
        for _ in range(12):
            before = best
            for index, way in ((index, way) for index in range(len(values)) for way in (step, -step)):
                trial = values.copy()
                trial[index] += way * scales[index]
                new = score(trial)
                if new > best:
                    best, values[index] = new, trial[index]
            if best <= before:
                break


def measure(calibration: Calibration, tableau: Picture, position: Position) -> Measurement:
    """Measure the pieces of a tableau picture whose position is known."""
    found, prior = evidence(calibration, tableau), sizes_of(calibration.profile)
    sizes, gathered = dict(prior), list[Measured]()
    for subject in subjects(position, calibration.profile):
        gathered.extend(fitted(found, calibration, subject, sizes))
        if subject.kind == "ivory":
            sizes |= {item.name: item.value for item in gathered}
    rows = tuple(
        combined(name, items) for name in prior if (items := [m for m in gathered if m.name == name])
    )
    differing = {row.name: row.value for row in rows if differs(row, prior[row.name])}
    return Measurement(with_sizes(calibration.profile, prior | differing), rows)


def differs(row: Measured, expected: float) -> bool:
    """Whether a size was measured clearly otherwise than expected."""
    return abs(row.value - expected) > AGREES * row.spread


def combined(name: str, items: Sequence[Measured]) -> Measured:
    """Several measurements of one size as one; their disagreement counts."""
    weights = np.array([1 / item.spread**2 for item in items])
    values = np.array([item.value for item in items])
    mean = float((weights * values).sum() / weights.sum())
    spread = float(np.sqrt(1 / weights.sum()))
    if len(items) > 1:
        spread = max(spread, float(values.std(ddof=1)) / float(np.sqrt(len(items))))
    return Measured(name, mean, spread)


def fitted(found: Evidence, calibration: Calibration, subject: Subject, sizes: Sizes) -> Iterator[Measured]:
    """Fit how a subject's piles stand and the sizes they tell."""
    profile, names = calibration.profile, subject.tells
    window = window_of(found, with_sizes(profile, sizes), subject)
    count = PLACE * len(subject.piles)
    values = np.concatenate((np.zeros(count), [sizes[name] for name in names]))
    scales = np.array([1.0, 1.0, 4.0, 4.0, 4.0] * len(subject.piles) + [1.0] * len(names))
    pixels = float(
        np.sqrt(
            cv2.countNonZero(silhouette(profile, piles_of(subject, values[:count]), window.camera, "ivory"))
        )
    )

    def score(trial: Floats) -> float:
        own = dict(zip(names, trial[count:].tolist(), strict=True))
        places = trial[:count].reshape(-1, PLACE)
        held = sum(((own[name] - sizes[name]) / (SLACK * sizes[name])) ** 2 for name in names)
        held += float((places[:, :2] ** 2).sum()) / 0.06**2 + 0.1 * float((places[:, 2:] ** 2).sum()) / 0.2**2
        piles = piles_of(subject, trial[:count])
        return float(window.score(with_sizes(profile, sizes | own), piles) - 0.5 * pixels * held)

    climb(values, score, scales)
    for index, name in enumerate(names, start=count):
        yield Measured(name, float(values[index]), spread_of(values, index, score, calibration, name))


def spread_of(
    values: Floats, index: int, score: Callable[[Floats], float], calibration: Calibration, name: str
) -> float:
    """The standard deviation of a size: from how fast the evidence falls off beside it, and from the pose."""
    falls = []
    for way in (PROBE, -PROBE):
        trial = values.copy()
        trial[index] += way
        falls.append(score(values) - score(trial))
    bend = max(sum(falls) / PROBE**2, 1e-6)
    # Where the picture tells nothing, what is left is how far sets differ at all.
    own = min(SPREAD_SCALE * float(np.sqrt(FINER / bend)), SLACK * float(values[index]))
    pose = calibration.quality.height_error_mm / calibration.profile.pitch_mm if "height" in name else 0.0
    model = ROUNDED if name in ("dome height", "worker height") else 0.0
    return float(np.linalg.norm([max(own, LEAST_SPREAD), 0.5 * pose, model]))
