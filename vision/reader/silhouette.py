"""Figures have an outline: shade that happens to have a worker's colour has none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import hypot, inf
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.colours import Colour
from calibration.view import Light
from vision.reader.edges import APART, CROWN, HIDDEN, Labels, odds, stretches
from vision.reader.fit import Trial
from vision.reader.search import Search
from vision.reader.shapes import Index
from vision.reader.site import Site, crown_key
from vision.reading import CELLS, DOME

# a figure of which less is in view is not judged by its outline
SEEN: Final = 0.6
# nor one that nowhere differs more from what it stands on: cream on ivory
CONTRAST: Final = 0.3
# an outline below this counts against a figure, so many points for each unit
USUAL: Final = 0.42
WORTH: Final = 800.0
# of a side with no more figures than there are
FEWER: Final = 300.0
ROUNDS: Final = 3
# a figure on the ground that has crept so far to the edge of its space must be worth more
EDGE: Final = 5.5
CREPT: Final = 40.0


@dataclass(frozen=True, eq=False)
class Silhouettes:
    """One picture's features, their variances, and the colours between which an outline would run."""

    features: Light
    waver: Light
    workers: Mapping[str, Colour]
    roof: Colour
    ground: Light

    def share(self, search: Search, cell: int) -> float | None:
        """How well a figure's outline is borne out: mean log odds; None where it would not show."""
        site, trial = search.site(cell), search.fits[cell].trial
        return self.of(search, site, trial) if self._stands_out(pixels(search, site, trial), trial) else None

    def of(self, search: Search, site: Site, trial: Trial) -> float | None:
        """How well the outline of a figure that may stand somewhere is borne out; None out of sight."""
        hidden, index = site.veil.hidden, pixels(search, site, trial)
        if not len(index) or 1.0 - hidden.take(index).mean() < SEEN:
            return None
        return self.borne(index, hidden, printed=not trial.content.height)

    def _stands_out(self, index: Index, trial: Trial) -> bool:
        """Whether a figure's colour differs from that of what it stands on."""
        if not len(index):
            return False
        bare = np.median(self.ground.reshape(-1, 3)[index], axis=0)
        behind = np.array(self.roof.mean) if trial.content.height else bare
        return bool(np.abs(np.array(self.workers[trial.content.top].mean) - behind).max() >= CONTRAST)

    def borne(self, index: Index, hidden: NDArray[np.bool_], printed: bool = False) -> float | None:
        """The mean log odds of steps around some pixels, in the feature that shows them best.

        What is printed has steps of its own: there the change since the empty board is what should step.
        """
        high, wide = self.features.shape[:2]
        labels: Labels = np.ones(high * wide, dtype=np.uint8)
        labels[index], labels[hidden] = CROWN, HIDDEN
        row, column = np.divmod(index, wide)
        rows = slice(max(0, int(row.min()) - APART), int(row.max()) + APART + 1)
        columns = slice(max(0, int(column.min()) - APART), int(column.max()) + APART + 1)
        sheet = labels.reshape(high, wide)[rows, columns]
        light, noise = self.features[rows, columns], self.waver[rows, columns]
        if printed:
            light = light - self.ground[rows, columns]
        turned = (one.transpose(1, 0, 2) for one in (light, noise))
        found = steps(sheet, light, noise), steps(sheet.T, *turned)
        means = [np.concatenate(pair).mean() for pair in zip(*found, strict=True) if any(map(len, pair))]
        return float(max(means)) if means else None


def pixels(search: Search, site: Site, trial: Trial) -> Index:
    """The sure pixels of a figure that may stand somewhere."""
    (crown,) = search.geometry.shapes.all_crowns([crown_key(site.cell, trial.spec)])
    return crown.index


def steps(sheet: Labels, light: Light, noise: Light) -> list[NDArray[np.float64]]:
    """Log odds of steps along rows, stretch by stretch, for each feature."""
    place, row, column = stretches(sheet)
    off = light[row, column + APART] - light[row, column]
    waver = noise[row, column + APART] + noise[row, column]
    return [odds(place, off[:, feature], waver[:, feature], float(APART)) for feature in range(3)]


def outlined(search: Search, silhouettes: Silhouettes, figures: Mapping[str, int]) -> None:
    """Take back figures that have no outline, until those that come in their place have one."""
    for _ in range(ROUNDS):
        cells = [cell for cell in range(CELLS) if search.fits[cell].content.top not in ("", DOME)]
        # taking one back changes what is read behind it: every figure is asked for as it then is
        if not sum(unfounded(search, silhouettes, cell, figures) for cell in cells):
            break


def crept(trial: Trial) -> bool:
    """Whether a figure on the ground fits best as far off as it may stand, so on something else."""
    return not trial.content.height and hypot(*trial.crown) >= EDGE


def unfounded(search: Search, silhouettes: Silhouettes, cell: int, figures: Mapping[str, int]) -> bool:
    """Take back a figure whose colour is not worth what its outline lacks; tells whether it did."""
    fit = search.fits[cell]
    side = fit.content.top
    if side in ("", DOME):
        return False
    rest = max((gain for content, gain in search.tables[cell].items() if content.top != side), default=0.0)
    more, borne = fit.gain - rest, silhouettes.share(search, cell)
    many = sum(other.content.top == side for other in search.fits) > figures.get(side, 0)
    least = -inf if borne is None else (WORTH if many else FEWER) * (USUAL - borne)
    if more > (max(least, CREPT) if crept(fit.trial) else least):
        return False
    # at another height it may be the one that is there
    search.bar(cell, fit.content)
    return True
