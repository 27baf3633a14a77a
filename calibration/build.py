"""Builds a calibration from confirmed pictures: empty board, tableau, placed workers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats
from calibration.colours import DOME_PRIOR, SIDE_PRIOR, TOP_PRIOR, Colour, blend, named, spread
from calibration.light import Lamp, coarse_terms, lamp_now, lamp_of_empty, normalised, reference_of
from calibration.noise import Noise, measure_noise
from calibration.pieces import PieceProfile
from calibration.pose import Lens, find_tags, solve_pose
from calibration.quality import Quality, judge
from calibration.sharpness import edge_width
from calibration.solids import DOME, Pile, outline_of, scene
from calibration.view import PITCH_PIXELS, Light, View, view_of

Picture = NDArray[np.uint8]
# content of a cell as (blocks, top), as in a reading
Position = Sequence[tuple[int, str]]
BARE: Final[Position] = ((0, ""),) * 25
LEAST_SHADOW: Final = 150


@dataclass(frozen=True)
class Known:
    """A picture whose position somebody has confirmed."""

    picture: Picture
    position: Position


@dataclass(frozen=True)
class Palette:
    """Colours under this table's light: roofs, walls, domes, and each side's workers."""

    top: Colour = TOP_PRIOR
    side: Colour = SIDE_PRIOR
    dome: Colour = DOME_PRIOR
    workers: Mapping[str, Colour] = field(default_factory=dict)
    shadow: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Prepared:
    """The empty board as the reader needs it: view, lamp, white's colour, colours against white."""

    view: View
    lamp: Lamp
    grid: Floats
    level: Light

    def white(self, lamp: Lamp) -> Light:
        """White's linear colour at every working pixel under a lamp."""
        return lamp.over(self.grid, self.view.size)


def prepare(
    empty: Picture, camera: Camera, profile: PieceProfile, pitch_pixels: float = PITCH_PIXELS
) -> Prepared:
    """Measure the lamp on the empty board."""
    view = view_of(camera, profile, pitch_pixels)
    light, _ = view.cut(empty)
    lamp = lamp_of_empty(light, view, profile.board)
    grid = coarse_terms(view)
    return Prepared(view, lamp, grid, np.asarray(light / lamp.over(grid, view.size), dtype=np.float32))


def levels_of(known: Known, base: Prepared, light0: Light, profile: PieceProfile) -> Light:
    """A known picture's colours against white."""
    light, _ = base.view.cut(known.picture)
    lamp, _ = lamp_now(light, base.lamp, reference_of(light0, base.view, profile.board))
    return np.asarray(light / base.white(lamp), dtype=np.float32)


def label_map(view: View, profile: PieceProfile, position: Position) -> tuple[NDArray[np.uint8], list[str]]:
    """Which nominal piece each working pixel shows: 0 nothing, else 1 + the place in the list of names."""
    names = ["top", "side", "dome"]
    sheet = np.zeros((view.size[1], view.size[0]), dtype=np.uint8)
    piles = [Pile(cell, height, top) for cell, (height, top) in enumerate(position)]
    for pile, face in scene(profile, piles, view.camera):
        kind = face.kind if face.kind in ("side", "dome") else pile.top if face.kind == "worker" else "top"
        if kind not in names:
            names.append(kind)
        points = np.rint(outline_of(face, view.camera) * 16).astype(np.int32)
        cv2.fillConvexPoly(sheet, points, names.index(kind) + 1, cv2.LINE_8, 4)
    return sheet, names


def learn(
    known: Sequence[Known], base: Prepared, empty: Picture, profile: PieceProfile, colours: Mapping[str, str]
) -> tuple[Palette, Noise]:
    """Learn the colours of ivory, dome and workers, and the noise, from confirmed pictures."""
    light0, _ = base.view.cut(empty)
    shadows: list[Floats] = []
    plain = normalised(base.level)
    samples: dict[str, list[Floats]] = {}
    noises: list[Noise] = []
    for item in known:
        level = levels_of(item, base, light0, profile)
        features = normalised(level)
        sheet, names = label_map(base.view, profile, item.position)
        gather(samples, features, plain, sheet, names)
        free = cv2.dilate((sheet > 0).astype(np.uint8), np.ones((25, 25), np.uint8)) == 0
        shadows.append(shadow_samples(features, plain, sheet))
        close = free & (np.abs(features[..., 0] - plain[..., 0]) < 0.35)
        if close.sum() > 2000:
            noises.append(measure_noise(level[close], base.level[close]))
    noise = noises[-1] if noises else Noise()
    return replace(palette_from(samples, colours), shadow=shadow_tint(shadows)), noise


def shadow_samples(features: Light, plain: Light, sheet: NDArray[np.uint8]) -> Floats:
    """Changes of the features where no piece stands and the ground has become darker."""
    free = cv2.dilate((sheet > 0).astype(np.uint8), np.ones((9, 9), np.uint8)) == 0
    off = (features - plain)[free & (plain[..., 0] > -2.2)].astype(np.float64)
    dark: Floats = off[(off[:, 0] < -0.3) & (np.abs(off[:, 1:]).max(axis=1) < 1.6)]
    return dark


def shadow_tint(shadows: Sequence[Floats]) -> tuple[float, float]:
    """How the two colour ratios change with each unit of lost brightness; neutral without evidence."""
    found = np.vstack(shadows) if shadows else np.empty((0, 3))
    if len(found) < LEAST_SHADOW:
        return (0.0, 0.0)
    slope = np.median(found[:, 1:] / found[:, :1], axis=0)
    share = len(found) / (len(found) + LEAST_SHADOW)
    red, blue = (float(np.clip(share * v, -2.0, 2.0)) for v in slope)
    return (red, blue)


def gather(
    samples: dict[str, list[Floats]],
    features: Light,
    plain: Light,
    sheet: NDArray[np.uint8],
    names: Sequence[str],
) -> None:
    """Collect the pixels well inside each nominal piece that differ from the empty board."""
    changed = np.abs(features - plain).max(axis=2) > 0.22
    for place, name in enumerate(names, start=1):
        inner = sheet == place
        if name in ("top", "side"):
            inner = cv2.erode(inner.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
        chosen = inner & changed
        if chosen.any():
            samples.setdefault(name, []).append(features[chosen].astype(np.float64))


def palette_from(samples: Mapping[str, list[Floats]], colours: Mapping[str, str]) -> Palette:
    """Blend what was seen with what pieces and colour names promise."""

    def seen(name: str) -> Floats:
        return np.vstack(samples[name]) if name in samples else np.empty((0, 3))

    ivory, face = spread(0.2, 0.03, 0.03), spread(0.35, 0.05, 0.05)
    workers = {
        side: blend(named(name), seen(side), 60.0, spread(0.3, 0.06, 0.06)) for side, name in colours.items()
    }
    return Palette(
        blend(TOP_PRIOR, seen("top"), 400.0, ivory),
        blend(SIDE_PRIOR, seen("side"), 400.0, face),
        blend(DOME_PRIOR, seen(DOME), 200.0, spread(0.35, 0.25, 0.25)),
        workers,
    )


@dataclass(frozen=True, eq=False)
class Calibration:
    """Everything a reader needs to know about one table."""

    camera: Camera
    profile: PieceProfile
    colours: Mapping[str, str]
    palette: Palette
    noise: Noise
    empty: Picture
    quality: Quality
    figures: Mapping[str, int] = field(default_factory=dict)


def count_figures(known: Sequence[Known], sides: Sequence[str]) -> dict[str, int]:
    """How many figures of each side there are: the most seen at once; two if none was shown."""
    most = dict.fromkeys(sides, 0)
    for item in known:
        for side in sides:
            most[side] = max(most[side], sum(top == side for _, top in item.position))
    return {side: count or 2 for side, count in most.items()}


def calibrate(
    empty: Picture,
    profile: PieceProfile,
    colours: Mapping[str, str],
    taps: Sequence[Sequence[float]] | None = None,
    tag_layout: Mapping[str, Any] | None = None,
    known: Sequence[Known] = (),
    lens: Lens | None = None,
) -> Calibration:
    """Build a calibration from the empty board and any further confirmed pictures.

    `colours` names each side's worker colour; `taps` are the outer corners of a1, e1, e5, a5.
    """
    tags = find_tags(empty, tag_layout, profile.pitch_mm)
    solution = solve_pose(empty, profile, taps, tags, lens)
    base = prepare(empty, solution.camera, profile)
    palette, noise = learn(known, base, empty, profile, colours)
    _, clipped = base.view.cut(empty)
    edge = edge_width(empty, solution.camera, profile.board)
    quality = judge(solution, profile, base.lamp, noise, clipped, base.level, edge)
    figures = count_figures(known, list(colours))
    return Calibration(solution.camera, profile, dict(colours), palette, noise, empty, quality, figures)
