"""What depends on the camera alone: painting order, and which piles can hide which."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from calibration.solids import far_to_near
from vision.reader.batch import prime
from vision.reader.shadows import Plan, plan_of
from vision.reader.shapes import Shapes, Stand


@dataclass
class Geometry:
    """What depends on the camera alone: painting order, overlaps, where farther towers can show."""

    shapes: Shapes
    order: tuple[int, ...] = ()
    nearer: dict[int, tuple[int, ...]] = field(default_factory=dict)
    farther: dict[int, tuple[int, ...]] = field(default_factory=dict)
    reach: dict[int, NDArray[np.bool_]] = field(default_factory=dict)

    @cached_property
    def ledged(self) -> Shapes:
        """The same pieces, the ledges of their feet apart from their roofs."""
        return Shapes(self.shapes.camera, self.shapes.profile, ledges=True)

    @cached_property
    def plan(self) -> Plan:
        """The island's plan as the camera sees it."""
        return plan_of(self.shapes.camera)

    def __post_init__(self) -> None:
        prime()
        self.order = far_to_near(self.shapes.camera)
        masks = {cell: self._hull(cell) for cell in self.order}
        for place, cell in enumerate(self.order):
            before, after = self.order[:place], self.order[place + 1 :]
            self.farther[cell] = tuple(c for c in before if (masks[c] & masks[cell]).any())
            self.nearer[cell] = tuple(c for c in after if (masks[c] & masks[cell]).any())
            reach = np.zeros(self.shapes.pixels, dtype=np.bool_)
            for other in self.farther[cell]:
                reach |= masks[other]
            self.reach[cell] = self.shapes.box(cell).cut(reach)

    def _hull(self, cell: int) -> NDArray[np.bool_]:
        mask = np.zeros(self.shapes.pixels, dtype=bool)
        places = ((0, 0), (4, 0), (-4, 0), (0, 4), (0, -4))
        towers = [(cell, high, Stand(x, y, (0,) * high)) for high in (1, 2, 3) for x, y in places]
        for tower in self.shapes.all_towers(towers):
            mask[tower.index] = True
        crowns = [(cell, high, dome, 0, 0) for high in (0, 3) for dome in (False, True)]
        for crown in self.shapes.all_crowns(crowns):
            mask[crown.index] = True
            mask[crown.fringe] = True
        return mask
