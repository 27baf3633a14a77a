"""Outlines as evidence: where a pile's faces meet, brightness should step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from vision.reader.evidence import Evidence
from vision.reader.fit import Fit, Veil
from vision.reader.shapes import Index, Shapes
from vision.reading import DOME

APART: Final = 3
CHUNK: Final = 6
STEP: Final = 0.30
SMOOTH: Final = 0.03
SHOWS: Final = 0.7
MOST: Final = 1.2
SECTORS: Final = 16
HIDDEN: Final = 255
CROWN: Final = 200
LEAST: Final = 8

Light = NDArray[np.float32]
Labels = NDArray[np.uint8]


@dataclass(frozen=True)
class Edges:
    """One picture's brightness and its noise, to compare outlines with."""

    size: tuple[int, int]
    brightness: Light
    waver: Light

    def share(self, fit: Fit, cell: int, shapes: Shapes, veil: Veil) -> float:
        """How well a pile's outlines are borne out: the mean log odds of its stretches of outline.

        A mean and no sum: a taller tower has more outlines to find by chance.
        """
        labels, ring = self._labels(fit, cell, shapes, veil)
        wide, _ = self.size
        shown = np.flatnonzero((labels > 0) & (labels < HIDDEN))
        if not len(shown):
            return 0.0
        column = shown % wide
        rows = slice(max(0, int(shown[0]) // wide - APART), int(shown[-1]) // wide + APART + 1)
        columns = slice(max(0, int(column.min()) - APART), int(column.max()) + APART + 1)
        sheet = labels.reshape(-1, wide)[rows, columns]
        light, noise = (flat.reshape(-1, wide)[rows, columns] for flat in (self.brightness, self.waver))
        found = [across(sheet, light, noise), across(sheet.T, light.T, noise.T), self._ring(ring)]
        every = np.concatenate(found)
        return float(every.mean()) if len(every) >= LEAST else 0.0

    def _labels(self, fit: Fit, cell: int, shapes: Shapes, veil: Veil) -> tuple[Labels, Index]:
        """Which face of a pile each pixel shows, and the line where its roof's floor drops from its rim."""
        labels = np.zeros(self.brightness.size, dtype=np.uint8)
        ring, content = np.empty(0, dtype=np.int32), fit.content
        x, y = fit.crown
        if content.height:
            raster = shapes.tower(cell, content.height, fit.stand)
            labels[raster.index] = 1 + raster.slot
            ring = raster.ledge
            x, y = x + fit.stand.x, y + fit.stand.y
        if content.top:
            labels[shapes.crown(cell, content.height, content.top == DOME, x, y).index] = CROWN
        labels[veil.hidden] = HIDDEN
        return labels, ring[labels[ring] < CROWN]

    def _ring(self, ring: Index) -> Floats:
        """Log odds, by bearing, of the line where a roof's floor drops from its rim."""
        if len(ring) < SECTORS:
            return np.empty(0)
        wide, high = self.size
        y, x = np.divmod(ring, wide)
        u, v = x - x.mean(), y - y.mean()
        long = np.hypot(u, v) + 1e-6
        sector = ((np.arctan2(v, u) / (2 * np.pi) + 0.5) * SECTORS).astype(np.intp) % SECTORS

        def at(by: float) -> Light:
            column = np.clip(np.rint(x + by * u / long), 0, wide - 1).astype(np.intp)
            row = np.clip(np.rint(y + by * v / long), 0, high - 1).astype(np.intp)
            return np.asarray(self.brightness[row * wide + column])

        outer, inner, waver = at(2.5), at(-2.5), self.waver[ring]
        line = odds(sector, at(0.0) - 0.5 * (outer + inner), waver, 2.0)
        step = odds(sector, outer - inner, waver, 2.0)
        return line if line.sum() > step.sum() else step


def stretches(sheet: Labels) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Where two pixels of one row show different faces: the stretch of outline, the row, the first column."""
    one, two = sheet[:, :-APART], sheet[:, APART:]
    row, column = np.nonzero((one != two) & (one < HIDDEN) & (two < HIDDEN))
    first, second = one[row, column].astype(np.intp), two[row, column].astype(np.intp)
    group = ((row // CHUNK) * 256 + first) * 256 + second
    return np.unique(group, return_inverse=True)[1], row, column


def across(sheet: Labels, light: Light, noise: Light) -> Floats:
    """Log odds of steps between pixels of one row that different faces own, stretch by stretch."""
    place, row, column = stretches(sheet)
    off = light[row, column + APART] - light[row, column]
    return odds(place, off, noise[row, column + APART] + noise[row, column], float(APART))


def odds(place: NDArray[np.intp], off: Light, waver: Light, alike: float) -> Floats:
    """How much likelier each group's mean step is on an edge than on a smooth face, logarithm."""
    count = np.bincount(place).astype(np.float64)
    kept = count > 2 * alike
    if not kept.any():
        return np.empty(0)
    mean: Floats = np.bincount(place, weights=off)[kept] / count[kept]
    # neighbours that see the same step do not count twice
    spread = np.bincount(place, weights=waver)[kept] / count[kept] ** 2 * alike
    flat, edge = spread + SMOOTH**2, spread + STEP**2
    ratio = np.sqrt(flat / edge) * np.exp(np.minimum(0.5 * mean**2 * (1 / flat - 1 / edge), 50.0))
    return np.asarray(np.log(1 - SHOWS + SHOWS * ratio).clip(-MOST, MOST))


def edges_of(evidence: Evidence, waver: Light) -> Edges:
    """Prepare a picture's brightness; `waver` is its variance, pixel by pixel."""
    return Edges(evidence.size, np.ascontiguousarray(evidence.features[..., 0]).ravel(), waver.ravel())
