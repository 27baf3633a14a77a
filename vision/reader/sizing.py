"""How wide this table's blocks look: other pieces than were told of are noticed by the towers read so far.

A block that is a few percent narrower than believed costs heights, from steep cameras most of all. The width
that explains the towers in view best is followed where it is clearly not what was told (decision 0233).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from calibration.camera import Camera, Floats
from calibration.pieces import PieceProfile
from vision.reader.geometry import Geometry
from vision.reader.places import refined
from vision.reader.search import Search
from vision.reader.setting import Setting
from vision.reader.shapes import Shapes
from vision.reader.site import Site
from vision.reading import CELLS, Content

# widths that are compared, as shares of what the profile says
WIDTHS: Final = (0.945, 0.98, 1.015)
BOUNDS: Final = (0.9, 1.06)
# blocks as wide as was told look a little narrower, for their edges are rounded; so much may be chance
USUAL: Final = 0.98
SLACK: Final = 0.017
FEWEST: Final = 5
# a tower of the wrong width loses so many points times the square of what it is off; what is usual
# counts for so many towers
CURVE: Final = 14_000.0
HOLD: Final = 2.0
LEAST: Final = 0.9
EACH: Final = 2
# so many towers tell enough: the pieces stay the same from game to game
MOST: Final = 60
# so much better than any other height a tower must be to be measured
SURE: Final = 15.0
STEP: Final = 0.01


@dataclass
class Sizing:
    """What the towers read so far say of the blocks' width."""

    told: PieceProfile
    width: float = 1.0
    gains: Floats = field(default_factory=lambda: np.zeros(len(WIDTHS)))
    towers: int = 0
    seen: dict[int, Content] = field(default_factory=dict)
    tried: tuple[Camera, tuple[Shapes, ...]] | None = None

    @property
    def profile(self) -> PieceProfile:
        """The pieces as wide as they are believed to be now."""
        return widened(self.told, self.width)

    def take(self, search: Search, visible: Sequence[float]) -> bool:
        """Measure some towers as they now stand; tells whether blocks are believed wider or narrower."""
        fresh = [cell for cell in range(CELLS) if self._worth(search, cell, visible[cell])]
        for cell in fresh[: min(EACH, MOST - self.towers)]:
            self.seen[cell] = search.fits[cell].content
            self.gains += self._measured(search, cell)
            self.towers += 1
        width = self.likeliest()
        changed = abs(width - self.width) > STEP
        self.width = width if changed else self.width
        return changed

    def _worth(self, search: Search, cell: int, visible: float) -> bool:
        """Whether a tower is in view, its height sure, and not measured yet."""
        fit = search.fits[cell]
        if not fit.content.height or visible < LEAST or self.seen.get(cell) == fit.content:
            return False
        others = [gain for c, gain in search.tables[cell].items() if c.height != fit.content.height]
        return fit.gain > max(others, default=0.0) + SURE

    def _measured(self, search: Search, cell: int) -> Floats:
        """How well a tower of each width explains what is seen."""
        site, spec = search.site(cell), search.fits[cell].trial.spec
        gains = []
        for shapes in self._shapes(search.geometry.shapes.camera):
            other = Site(replace(search.ledger, shapes=shapes), cell, site.nearer, site.farther)
            gains.append(refined(other, other.fit(*spec), (1,)).gain)
        return np.array(gains)

    def _shapes(self, camera: Camera) -> tuple[Shapes, ...]:
        """The pieces in every width, for one camera."""
        if self.tried is None or self.tried[0] != camera:
            self.tried = (camera, tuple(Shapes(camera, widened(self.told, width)) for width in WIDTHS))
        return self.tried[1]

    def likeliest(self) -> float:
        """The width at the top of the curve through all gains and what is usual, or what was told."""
        off = np.array(WIDTHS) - USUAL
        total = self.gains - self.gains.max(initial=0.0) - HOLD * CURVE * off**2
        bend, slope, _ = np.polyfit(off, total, 2)
        top = -slope / (2 * bend) if bend < 0 else 0.0
        clear = self.towers >= FEWEST and abs(top) > SLACK
        return float(np.clip(USUAL + top, *BOUNDS)) if clear else 1.0


def widened(profile: PieceProfile, width: float) -> PieceProfile:
    """The same pieces with blocks so much wider."""
    blocks = [
        replace(
            block,
            base_width=block.base_width * width,
            body_width=block.body_width * width,
            top_width=block.top_width * width,
        )
        for block in profile.blocks
    ]
    one, two, three = blocks
    return replace(profile, blocks=(one, two, three))


def resized(setting: Setting, profile: PieceProfile) -> Setting:
    """The same setting with pieces of other sizes."""
    geometry = Geometry(Shapes(setting.base.view.camera, profile))
    return replace(setting, calibration=replace(setting.calibration, profile=profile), geometry=geometry)
