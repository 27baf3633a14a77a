"""Light: the white printed wall as the measure of the lamp, and colours divided by it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats
from calibration.pieces import BoardPrint
from calibration.view import Light, View

FLOOR: Final = 0.008
TERMS: Final = 6
GRAIN: Final = 8
REACH: Final = 2.75
PALE: Final = 0.55
# a value is common that so many have, as a share of the commonest
COMMON: Final = 0.5
LEAST_WHITE: Final = 400
# linear light from which a channel counts as burnt out, and from which it would be
BURNT: Final = 0.94
LEAST_FAIR: Final = 200


def terms(x: Floats, y: Floats) -> Floats:
    """The six quadratic terms of board places."""
    u, v = np.clip(x / 2.5, -1.1, 1.1), np.clip(y / 2.5, -1.1, 1.1)
    return np.stack((np.ones_like(u), u, v, u * v, u * u, v * v), axis=-1)


@dataclass(frozen=True)
class Lamp:
    """The logarithm of white's colour over the board: quadratic in the place, per channel."""

    curve: tuple[tuple[float, float, float], ...]

    @property
    def middle(self) -> Floats:
        """White at the board's centre, linear, blue, green, red."""
        return np.asarray(np.exp(np.array(self.curve[0])))

    def over(self, grid: Floats, size: tuple[int, int]) -> Light:
        """White's linear colour at every pixel, from the terms of a coarse grid."""
        coarse = np.exp(grid @ np.array(self.curve)).astype(np.float32)
        return np.asarray(cv2.resize(coarse, size, interpolation=cv2.INTER_LINEAR))

    def to_json(self) -> dict[str, Any]:
        """A dictionary for the calibration file."""
        return {"curve": [list(row) for row in self.curve]}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Lamp:
        """Read back what to_json wrote."""
        return lamp_from(np.array(data["curve"], dtype=np.float64))


def lamp_from(curve: Floats) -> Lamp:
    """A lamp from its 6x3 terms."""
    return Lamp(tuple((float(b), float(g), float(r)) for b, g, r in curve))


def coarse_terms(view: View) -> Floats:
    """The quadratic terms at a coarse grid of the working picture, on the playing surface."""
    wide, high = view.size
    columns, rows = max(2, wide // GRAIN), max(2, high // GRAIN)
    x = (np.arange(columns) + 0.5) * wide / columns - 0.5
    y = (np.arange(rows) + 0.5) * high / rows - 0.5
    dots = np.stack(np.meshgrid(x, y), axis=-1)
    spots = view.camera.unproject(dots)
    return terms(spots[..., 0], spots[..., 1])


def highest(values: NDArray[Any]) -> NDArray[Any]:
    """The largest of blue, green and red; numpy's own `max` over three neighbours takes ten times as long."""
    return np.asarray(np.maximum(np.maximum(values[..., 0], values[..., 1]), values[..., 2]))


def fit_terms(matrix: Floats, values: Floats, start: Floats, slack: float, rounds: int = 6) -> Floats:
    """Robust quadratic fit, held to the start where the values say little."""
    curve = start.copy()
    hold = np.diag([1e-6, 1, 1, 1, 1, 1]) * (0.02 * len(values))
    for _ in range(rounds):
        off = highest(np.abs(values - matrix @ curve))
        weight = 1.0 / (1.0 + (off / slack) ** 2) ** 2
        side = matrix * weight[:, None]
        curve = np.asarray(
            np.linalg.solve(side.T @ matrix + hold, side.T @ values + hold @ start), np.float64
        )
    return curve


def wall_spots(board: BoardPrint, count: int = 160) -> Floats:
    """Places along the middle of the white outer wall."""
    u = np.linspace(-board.wall_at, board.wall_at, count)
    rows = []
    for at in (-board.wall_at, board.wall_at):
        rows.append(np.column_stack((u, np.full(count, at), np.zeros(count))))
        rows.append(np.column_stack((np.full(count, at), u, np.zeros(count))))
    return np.vstack(rows)


def fetch(image: Light, camera: Camera, spots: Floats) -> tuple[Light, NDArray[np.bool_]]:
    """Colours of a working picture at board places, and which of them it shows."""
    dots = camera.project(spots).astype(np.float32)
    wide, high = camera.size
    seen = (dots[:, 0] > 0) & (dots[:, 1] > 0) & (dots[:, 0] < wide - 1) & (dots[:, 1] < high - 1)
    values = cv2.remap(image, dots[:, :1], dots[:, 1:], cv2.INTER_LINEAR)
    return np.asarray(values, dtype=np.float32).reshape(len(spots), -1), np.asarray(seen)


def lamp_of_empty(light: Light, view: View, board: BoardPrint) -> Lamp:
    """Measure the lamp on the white wall of the empty board."""
    spots = wall_spots(board)
    colours, seen = fetch(light, view.camera, spots)
    values = np.log(np.maximum(colours[seen].astype(np.float64), 1e-4))
    matrix = terms(spots[seen, 0], spots[seen, 1])
    start = np.zeros((TERMS, 3))
    start[0] = np.quantile(values, 0.6, axis=0)
    return lamp_from(fit_terms(matrix, values, start, 0.15, 12))


@dataclass(frozen=True)
class Reference:
    """Bare places of the empty picture whose brightness tells how the light has changed.

    White places measure the lamp; the grass keeps its own account, for its colour follows the lamp less.
    """

    index: NDArray[np.intp]
    matrix: Floats
    logs: Light
    white: NDArray[np.bool_]


def reference_of(light: Light, view: View, board: BoardPrint, every: int = 2) -> Reference:
    """Choose pixels of the plateau that are neither dark nor clipped: all white ones, some of the rest."""
    wide, high = view.size
    x, y = np.meshgrid(np.arange(0, wide, 1), np.arange(0, high, 1))
    spots = view.camera.unproject(np.stack((x, y), axis=-1).astype(np.float64))
    on = np.abs(spots[..., :2]).max(axis=-1) < board.plateau - 0.05
    colours = light.reshape(high, wide, 3)
    fair = on & (colours[..., 1] > 0.01) & (colours.max(axis=-1) < 0.9)
    logs = np.log(colours + FLOOR * 0.5)
    pale = np.abs(logs[..., 0] - logs[..., 1]) + np.abs(logs[..., 2] - logs[..., 1]) < PALE
    sparse = (x % (2 * every) == 0) & (y % (2 * every) == 0)
    chosen = fair & (pale | sparse)
    place = spots[chosen]
    index = np.flatnonzero(chosen.ravel())
    return Reference(index, terms(place[:, 0], place[:, 1]), logs[chosen], pale[chosen])


def lamp_now(light: Light, base: Lamp, reference: Reference) -> tuple[Lamp, float]:
    """The lamp of this picture, and how far it is from the calibrated one (log of the gain)."""
    logs = np.log(light.reshape(-1, 3)[reference.index] + FLOOR * 0.5)
    ratio = (logs - reference.logs).astype(np.float64)
    use = fair_places(light.reshape(-1, 3)[reference.index], reference)
    start = np.zeros((TERMS, 3))
    start[0] = common_gain(ratio[use])
    change = fit_terms(reference.matrix[use], ratio[use], start, 0.12)
    return lamp_from(np.array(base.curve) + change), float(np.abs(change[0]).max())


def fair_places(colours: Light, reference: Reference) -> NDArray[np.bool_]:
    """Which places measure the lamp: the white ones, unless they are few or burnt out."""
    fair = highest(colours) < BURNT
    white = reference.white & fair
    # of a burnt-out wall only its shadows are left
    if white.sum() > max(LEAST_WHITE, 0.5 * reference.white.sum()):
        return np.asarray(white)
    return np.asarray(fair if fair.sum() > LEAST_FAIR else np.ones_like(fair))


def unburnt(level: Light, expected: Light, white: Light | Floats) -> Light:
    """Colours against white; where a channel is burnt out and was to be, the expected colour."""
    full = np.float32(BURNT) / np.asarray(white, dtype=np.float32)
    burnt = (level >= full) & (expected >= full)
    return np.where(burnt, expected, level) if burnt.any() else level


def common_gain(ratio: Floats) -> Floats:
    """The gain most places agree on; pieces and shadows are the minority at any one value, or darker."""
    counts, edges = np.histogram(ratio[:, 1], bins=80, range=(-2.0, 2.0))
    smooth = np.convolve(counts, [1, 2, 3, 2, 1], mode="same")
    top = edges[brightest(smooth)] + 0.025
    near = np.abs(ratio[:, 1] - top) < 0.15
    return np.median(ratio[near], axis=0) if near.any() else np.median(ratio, axis=0)


def brightest(counts: Floats) -> int:
    """The brightest of the common values: what covers or shades white places makes them darker."""
    peaks = (
        (counts >= np.roll(counts, 1)) & (counts >= np.roll(counts, -1)) & (counts >= COMMON * counts.max())
    )
    return int(np.flatnonzero(peaks)[-1])


def normalised(level: Light) -> Light:
    """Features of colours against white: brightness, red over green, blue over green, in logarithms."""
    logs = np.asarray(cv2.log(level + np.float32(FLOOR)), dtype=np.float32)
    blue, green, red = cv2.split(logs)
    return np.asarray(cv2.merge((green, red - green, blue - green)), dtype=np.float32)
