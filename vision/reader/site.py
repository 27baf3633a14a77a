"""One cell's surroundings: what nearer piles hide of it, what stands behind, how well piles fit there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from vision.reader.batch import UNPAINTED, Pile, levels_of, looks_of, scored
from vision.reader.compiled import Plot, laid
from vision.reader.covering import coloured, explained, hide, lay
from vision.reader.evidence import TEMPER, Flat
from vision.reader.fit import BARE, BY_BIN, NOTHING, Fit, Ledger, Place, Spec, Trial, Veil, price
from vision.reader.levels import LIT_LEVEL
from vision.reader.painted import NOTHING_AT, Shelf
from vision.reader.shapes import STEPPED, Box, CrownKey, Stand
from vision.reading import DOME, Content

CORE: Final = 0.13
ALIKE: Final = 0.25
SURELY: Final = -1.0
SURPRISE: Final = np.float32(0.05)
SEAM: Final = np.ones((3, 3), dtype=np.uint8)
Key = tuple[int, str, Stand, Place]
NO_PILE: Final[Key] = (0, "", Stand(), (0, 0))


@dataclass
class Site:
    """A cell with the fits of the others; nothing is cut out of the picture before it is asked for."""

    ledger: Ledger
    cell: int
    nearer: tuple[Fit, ...]
    farther: tuple[Fit, ...]
    # where piles that are not known yet may stand behind
    hopes: NDArray[np.bool_] | None = None
    # whether the mixed pixels along nearer piles count all the same
    seams: bool = False
    known: dict[Key, Trial] = field(default_factory=dict)

    @property
    def box(self) -> Box:
        """Where the cell's pile can show."""
        return self.ledger.shapes.box(self.cell)

    @cached_property
    def veil(self) -> Veil:
        """What nearer piles hide."""
        hidden = np.zeros(len(self.ledger.evidence.ground), dtype=bool)
        for fit in self.nearer:
            hide(hidden, fit.index)
        return Veil(hidden)

    @cached_property
    def hidden(self) -> NDArray[np.bool_]:
        """The box's pixels that nearer piles hide."""
        return self.box.cut(self.veil.hidden).flatten()

    @cached_property
    def clear(self) -> Flat:
        """The box's pixels that count (1 or 0): neither hidden nor on the seam along a nearer pile."""
        left, top, wide, high, stride = self.box
        sheet = self.veil.hidden.view(np.uint8).reshape(-1, stride)
        first_row, first_column = max(0, top - 1), max(0, left - 1)
        part = sheet[first_row : top + high + 1, first_column : left + wide + 1]
        # the seam belongs to neither: its pixels are mixed
        seam = np.asarray(cv2.dilate(part, SEAM))
        row, column = top - first_row, left - first_column
        off = seam[row : row + high, column : column + wide].astype(np.float32).ravel()
        return 1 - (np.maximum(0.5 * off, self.hidden) if self.seams else off)

    @cached_property
    def behind(self) -> Flat:
        """How well the ground and the piles behind explain the box's pixels."""
        evidence = self.ledger.evidence
        part = self.box.cut(evidence.ground).copy()
        if self.hopes is not None:
            np.maximum(part, self.box.cut(evidence.anything) - SURPRISE, out=part, where=self.hopes)
        flat = part.ravel()
        for fit in self.farther:
            lay(flat, self.box, fit.index, fit.score)
        return flat

    @cached_property
    def plot(self) -> Plot:
        """The cell's part of the picture."""
        sheets = self.ledger.sheets
        cut = laid(sheets, self.clear, self.behind, BY_BIN.shape[1], self.box)
        return Plot(self.clear, *cut, sheets.temper)

    def fit(self, content: Content, stand: Stand, place: Place) -> Trial:
        """Score one content standing so."""
        return self.tried([(content, stand, place)])[0]

    def tried(self, specs: Sequence[Spec]) -> list[Trial]:
        """Score several contents, each standing in its own way; what was tried before is remembered."""
        known = self.known
        keys = [(content.height, content.top, stand, place) for content, stand, place in specs]
        new = {key: spec for key, spec in zip(keys, specs, strict=True) if key not in known}
        if new:
            shelf, piles = self.piles(list(new.values()))
            gains = scored(self.plot, self.ledger.levels, shelf, piles)
            for (key, spec), gain in zip(new.items(), gains, strict=True):
                known[key] = Trial(*spec, gain - price(*key)) if key != NO_PILE else BARE
        return [known[key] for key in keys]

    def piles(self, specs: Sequence[Spec]) -> tuple[Shelf, list[Pile]]:
        """Where the pixels of several contents are."""
        shapes, paints = self.ledger.shapes, self.ledger.paints
        shapes.tidy()
        towers = [(self.cell, content.height, stand) for content, stand, _ in specs if content.height]
        crowns = [crown_key(self.cell, spec) for spec in specs if spec[0].top]
        rasters, tops = iter(shapes.all_towers(towers)), iter(shapes.all_crowns(crowns))
        return shapes.shelf, [
            (
                next(rasters).at if content.height else NOTHING_AT,
                next(tops).at if content.top else NOTHING_AT,
                paints.get(content.top, UNPAINTED),
            )
            for content, _, _ in specs
        ]

    def filled(self, trial: Trial) -> Fit:
        """A trial with the pixels it covers."""
        if trial.content == BARE.content:
            return NOTHING
        shapes, content, parts, levels = self.ledger.shapes, trial.content, [], np.empty((0, 3))
        hidden = self.hidden
        shelf, (pile,) = self.piles([trial.spec])
        if content.top:
            (crown,) = shapes.all_crowns([crown_key(self.cell, trial.spec)])
            parts.append((crown.index, self.ledger.sheets.paints[pile[2]].take(crown.index)))
            hidden = hidden.copy()
            hide(hidden, crown.own)
        if content.height:
            index, score, levels = self._tower(shelf, pile, hidden)
            parts.insert(0, (index, score))
        indices, scores = zip(*parts, strict=True)
        return Fit(trial, np.concatenate(indices), np.concatenate(scores), levels)

    def _tower(
        self, shelf: Shelf, pile: Pile, hidden: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int32], Flat, Floats]:
        """A tower's visible pixels, how well it explains them, and each face's level and size."""
        sheets, levels = self.ledger.sheets, self.ledger.levels
        rows = levels_of(self.plot, levels, shelf, pile)
        around = (hidden, self.behind, self.clear)
        index, score, sizes = explained(shelf.numbers, pile[0], rows, sheets, levels.by_bin, around, self.box)
        look = looks_of(shelf, pile[0])
        return index, score, np.column_stack((look, LIT_LEVEL[rows], sizes))[look != STEPPED]

    def likeliest(self, bases: Sequence[tuple[int, Stand]], sides: Sequence[str]) -> list[list[str]]:
        """For each tower the sides whose worker may be on it: the likeliest colour and those close to it."""
        if len(sides) < 2:
            return [list(sides) for _ in bases]
        shapes, paints = self.ledger.shapes, self.ledger.paints
        crowns = shapes.all_crowns([(self.cell, height, False, at.x, at.y) for height, at in bases])
        tops = np.array([crown.at for crown in crowns])
        sums, seen = coloured(shapes.shelf.numbers, tops, self.ledger.sheets, self.hidden, self.box)
        totals = sums[:, [paints[side] for side in sides]]
        bound = totals.max(axis=1) - ALIKE * TEMPER * seen
        near = (totals >= bound[:, None]).tolist()
        return [[side for side, likely in zip(sides, row, strict=True) if likely] for row in near]

    def surely_bare(self) -> bool:
        """Whether the middle of the cell is in view and looks like its ground."""
        middle = self.ledger.shapes.square(self.cell, CORE)
        seen = middle[~self.veil.hidden.take(middle)]
        if len(seen) < 0.5 * len(middle) or not len(seen):
            return False
        evidence = self.ledger.evidence
        return float((evidence.upper.take(seen) - evidence.ground.take(seen)).sum()) < SURELY

    def shown(self, spec: Spec) -> float:
        """The share of a top piece's sure pixels that count: in view and off the seams."""
        (crown,) = self.ledger.shapes.all_crowns([crown_key(self.cell, spec)])
        return float(self.clear.take(crown.own).mean()) if len(crown.own) else 0.0


def crown_key(cell: int, spec: Spec) -> CrownKey:
    """Where a content's top piece stands."""
    content, stand, (x, y) = spec
    if content.height:
        x, y = stand.x + x, stand.y + y
    return (cell, content.height, content.top == DOME, x, y)
