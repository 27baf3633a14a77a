"""Finds the board that explains a picture best: near to far first, then round after round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.solids import far_to_near
from vision.reader.evidence import FIRST_SHADING, STRAY, TEMPER
from vision.reader.fit import NOTHING, Fit, Ledger, Site, Veil, shaded
from vision.reader.hands import largest
from vision.reader.places import fitted, refined, spun
from vision.reader.shapes import BEARINGS, Shapes, Stand
from vision.reading import CELLS, DOME, Board, Content

CLOSE: Final = 9.0
ROUNDS: Final = 4
RIVALS: Final = 6
TOGETHER: Final = 50.0
NEAR: Final = 50.0
PAIRS: Final = 3
APART: Final = 0.15
DOUBTFUL: Final = 250.0
WIDE: Final = 0.2
WIDER: Final = 0.7
LEEWAY: Final = 120.0
UNSEEN: Final = -40.0
SEAM: Final = np.ones((3, 3), dtype=np.uint8)
SURPRISE: Final = np.float32(0.05)


Kept = tuple[Fit, dict[Content, float] | None, dict[Content, tuple[Stand, tuple[int, int]]] | None]


@dataclass
class Geometry:
    """What depends on the camera alone: painting order, overlaps, where farther towers can show."""

    shapes: Shapes
    order: tuple[int, ...] = ()
    nearer: dict[int, tuple[int, ...]] = field(default_factory=dict)
    farther: dict[int, tuple[int, ...]] = field(default_factory=dict)
    reach: dict[int, NDArray[np.bool_]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.order = far_to_near(self.shapes.camera)
        masks = {cell: self._hull(cell) for cell in self.order}
        for place, cell in enumerate(self.order):
            before, after = self.order[:place], self.order[place + 1 :]
            self.farther[cell] = tuple(c for c in before if (masks[c] & masks[cell]).any())
            self.nearer[cell] = tuple(c for c in after if (masks[c] & masks[cell]).any())
            reach = np.zeros(self.shapes.pixels, dtype=bool)
            for other in self.farther[cell]:
                reach |= masks[other]
            self.reach[cell] = reach

    def _hull(self, cell: int) -> NDArray[np.bool_]:
        mask = np.zeros(self.shapes.pixels, dtype=bool)
        for height in (1, 2, 3):
            for x, y in ((0, 0), (4, 0), (-4, 0), (0, 4), (0, -4)):
                mask[self.shapes.tower(cell, height, Stand(x, y, (0,) * height)).index] = True
        for height in (0, 3):
            for dome in (False, True):
                crown = self.shapes.crown(cell, height, dome)
                mask[crown.index] = True
                mask[crown.fringe] = True
        return mask


@dataclass
class Search:
    """The state of one picture's search."""

    ledger: Ledger
    geometry: Geometry
    sides: Sequence[str]
    fits: list[Fit] = field(default_factory=lambda: [NOTHING] * CELLS)
    tables: dict[int, dict[Content, float]] = field(default_factory=dict)
    barred: dict[int, set[str]] = field(default_factory=dict)
    memory: dict[int, dict[Content, tuple[Stand, tuple[int, int]]]] = field(default_factory=dict)

    def site(self, cell: int, hopeful: bool = False) -> Site:
        """A cell's surroundings as the other cells' fits have it."""
        evidence = self.ledger.evidence
        behind = evidence.ground.copy()
        if hopeful:
            reach = self.geometry.reach[cell]
            np.maximum(behind, evidence.anything - SURPRISE, out=behind, where=reach)
        for other in self.geometry.farther[cell]:
            fit = self.fits[other]
            if len(fit.index):
                behind[fit.index] = fit.score
        hidden = np.zeros(len(behind), dtype=bool)
        for other in self.geometry.nearer[cell]:
            hidden[self.fits[other].index] = True
        # the seam along a nearer pile belongs to neither: its pixels are mixed
        wide, high = evidence.size
        seam = cv2.dilate(hidden.view(np.uint8).reshape(high, wide), SEAM)
        return Site(self.ledger, cell, Veil(hidden, (1 - seam).ravel().astype(np.float32)), behind)

    def candidates(self, site: Site, stand: Stand, place: tuple[int, int] = (0, 0)) -> list[Fit]:
        """The contents worth a thought at a common stand: of the workers only the likeliest colour."""
        found = [NOTHING]
        sides = [side for side in self.sides if side not in self.barred.get(site.cell, ())]
        for height in range(4):
            base = fitted(stand, height)
            for top in ("", DOME, *site.likeliest(height, base, sides)):
                if height or top:
                    at = place if top not in ("", DOME) or not height else (0, 0)
                    found.append(site.fit(Content(height, top), base, at))
        return sorted(found, key=lambda fit: -fit.gain)

    def visit(self, cell: int, hopeful: bool = False) -> bool:
        """Choose a cell's best content; tells whether it changed enough to matter to others."""
        site, old = self.site(cell, hopeful), self.fits[cell]
        if old is NOTHING and site.surely_bare():
            self.tables[cell] = {NOTHING.content: 0.0}
            return False
        known = self._again(site) if cell in self.memory else self._afresh(site, hopeful)
        self.fits[cell] = max(known.values(), key=lambda fit: fit.gain)
        self.tables[cell] = {content: fit.gain for content, fit in known.items()}
        if not hopeful:
            self.memory[cell] = {content: (fit.stand, fit.crown) for content, fit in known.items()}
        return not close(self.fits[cell], old)

    def _again(self, site: Site) -> dict[Content, Fit]:
        """Score a cell's contents where they stood before, and let the best adjust."""
        barred = self.barred.get(site.cell, ())
        places = {c: at for c, at in self.memory[site.cell].items() if c.top not in barred}
        known = {content: site.fit(content, *at) for content, at in places.items()}
        known[NOTHING.content] = NOTHING
        self._rival(site, known)
        best = max(fit.gain for fit in known.values())
        for content, fit in list(known.items()):
            if fit.gain > best - CLOSE:
                known[content] = refined(site, fit, (1,))
        return known

    def _rival(self, site: Site, known: dict[Content, Fit]) -> None:
        """Give rivals a chance: a pile in its true place gains much over one in the middle."""
        lead = max(known.values(), key=lambda fit: fit.gain)
        ranked = sorted(known.values(), key=lambda fit: -fit.gain)
        bound, heights = lead.gain - WIDE * abs(lead.gain) - CLOSE, {lead.content.height}
        for fit in ranked[: 2 * RIVALS]:
            # the best of another height may be far from its place: its offset goes with its height
            leeway = max(WIDER * abs(lead.gain), LEEWAY)
            first = fit.content.height not in heights and fit.gain > lead.gain - leeway
            heights.add(fit.content.height)
            if fit.content != lead.content and (first or fit.gain > bound):
                known[fit.content] = refined(site, fit, (3,))

    def _afresh(self, site: Site, hopeful: bool) -> dict[Content, Fit]:
        """Find places for a cell's contents from nothing."""
        old = self.fits[site.cell]
        first = self.candidates(site, old.stand, old.crown)
        lead = refined(site, first[0], (3,))
        known = {fit.content: fit for fit in reversed(first)}
        known[lead.content] = lead
        again = self.candidates(site, lead.stand, lead.crown)
        if (old.stand.x, old.stand.y) != (0, 0):
            again += self.candidates(site, Stand())
        for fit in again:
            if fit.content not in known or fit.gain > known[fit.content].gain:
                known[fit.content] = fit
        self._rival(site, known)
        if not hopeful:
            self._finish(site, known)
        return known

    def _finish(self, site: Site, known: dict[Content, Fit]) -> None:
        """Turn and place the best few precisely."""
        lead = max(known.values(), key=lambda fit: fit.gain)
        for fit in list(known.values()):
            if fit.gain > lead.gain - NEAR:
                beside = site.fit(fit.content, fitted(lead.stand, fit.content.height), lead.crown)
                start = beside if beside.gain > fit.gain else fit
                known[fit.content] = refined(site, spun(site, start), (2, 1))

    def together(self) -> None:
        """Change near piles and those behind them at once, where the near ones alone are held fast."""
        for cell in reversed(self.geometry.order):
            farther = self.geometry.farther[cell]
            standing = [c for c in farther if self.fits[c] is not NOTHING]
            if not self.fits[cell].content.height:
                continue
            for content in self._rivals(cell):
                # what a pile taken away has hidden may stand in an empty cell behind it
                behind = standing if content != NOTHING.content else farther
                if behind and self._swapped(cell, content, behind):
                    break

    def _rivals(self, cell: int) -> list[Content]:
        """The contents that may turn out better once the piles behind have adjusted."""
        lead = self.fits[cell]
        rows = sorted(self.tables[cell].items(), key=lambda item: -item[1])
        bound = lead.gain - max(TOGETHER, APART * abs(lead.gain))
        found = [c for c, gain in rows if c != lead.content and gain > bound][:PAIRS]
        if lead.gain < DOUBTFUL and NOTHING.content not in found:
            found.append(NOTHING.content)
        return found

    def _swapped(self, cell: int, content: Content, behind: Sequence[int]) -> bool:
        """Try another content in a cell, let the piles behind adjust, keep it if all are better off."""
        site, (stand, crown) = self.site(cell), self.memory[cell].get(content, (Stand(), (0, 0)))
        return self.replaced(
            cell, refined(site, site.fit(content, fitted(stand, content.height), crown)), 0.0, behind
        )

    def replaced(self, cell: int, rival: Fit, more: float, behind: Sequence[int] | None = None) -> bool:
        """Put a rival in a cell, let the piles behind adjust, keep it if all (and `more`) are better off."""
        farther = self.geometry.farther[cell]
        group = (cell, *([c for c in farther if self.fits[c] is not NOTHING] if behind is None else behind))
        kept = self._kept(group)
        before = sum(self._alone(c) for c in group)
        self.fits[cell] = rival
        after = self._adjusted(group) + more
        if after > before + 1.0:
            changed = self._kept(group)
            self._restore(kept)
            # the old content deserves the same adjustment before it goes
            self.fits[cell] = refined(self.site(cell), self.fits[cell])
            if after > self._adjusted(group) + 1.0:
                self._restore(changed)
                gain = kept[cell][0].gain + 1.0
                self.tables[cell] = {**(kept[cell][1] or {}), rival.content: gain}
                self.fits[cell] = replace(self.fits[cell], gain=gain)
                return True
            return False
        self._restore(kept)
        return False

    def _adjusted(self, group: Sequence[int]) -> float:
        """Let the piles behind a group's first adjust; how well the group then explains the picture."""
        for other in reversed(group[1:]):
            self.visit(other)
        return sum(self._alone(c) for c in group)

    def _kept(self, cells: Iterable[int]) -> dict[int, Kept]:
        """What is known of some cells, to come back to."""
        return {c: (self.fits[c], self.tables.get(c), self.memory.get(c)) for c in cells}

    def _restore(self, kept: Mapping[int, Kept]) -> None:
        """Come back to what was known of some cells."""
        for c, (fit, table, memory) in kept.items():
            self.fits[c] = fit
            if table is not None:
                self.tables[c] = table
            if memory is not None:
                self.memory[c] = memory

    def bar(self, cell: int, side: str) -> None:
        """Read a cell again without a side's figures, then whatever that touches."""
        self.barred.setdefault(cell, set()).add(side)
        self.fits[cell] = NOTHING
        self.memory.pop(cell, None)
        self.visit(cell)
        for other in self.geometry.farther[cell]:
            if self.fits[other] is not NOTHING:
                self.visit(other)

    def _neighbours(self, cell: int) -> set[int]:
        return {*self.geometry.farther[cell], *self.geometry.nearer[cell]}

    def run(self) -> None:
        """Near to far with an open mind about what is behind, then rounds until nothing changes."""
        near_first = tuple(reversed(self.geometry.order))
        for cell in near_first:
            self.visit(cell, hopeful=True)
        self.ledger.prices = shaded(relit(self.fits))
        stale = set(range(CELLS))
        for number in range(ROUNDS):
            order: Iterable[int] = self.geometry.order if number % 2 == 0 else near_first
            again: set[int] = set()
            for cell in order:
                if cell in stale:
                    stale.discard(cell)
                    if self.visit(cell):
                        near = self._neighbours(cell)
                        stale |= near
                        again |= near
            stale &= again
            if not stale:
                break
        self.together()

    def shown(self, site: Site, fit: Fit) -> float:
        """The share of a top piece's sure pixels that count: in view and off the seams."""
        x, y = (fit.stand.x + fit.crown[0], fit.stand.y + fit.crown[1]) if fit.content.height else fit.crown
        crown = self.ledger.shapes.crown(site.cell, fit.content.height, fit.content.top == DOME, x, y)
        return float(site.veil.clear.take(crown.index).mean()) if len(crown.index) else 0.0

    def scores(self, cell: int, contents: Sequence[Content]) -> list[float]:
        """Log-likelihood of every alternative of a cell, given the rest of the board."""
        known = self.tables.get(cell, {})
        best = self.fits[cell].gain
        return [min(0.0, known.get(content, UNSEEN) - best) for content in contents]

    def stray(self, size: tuple[int, int], ignored: NDArray[np.bool_]) -> int:
        """Pixels of the largest patch that neither the ground nor any pile explains."""
        evidence = self.ledger.evidence
        bad = (evidence.ground < STRAY * TEMPER * 0.9) & ~ignored
        for fit in self.fits:
            if len(fit.index):
                bad[fit.index] = False
        wide, high = size
        mask = cv2.morphologyEx(
            bad.reshape(high, wide).astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)
        )
        return largest(np.asarray(mask))

    def covered(self, size: tuple[int, int]) -> NDArray[np.bool_]:
        """Where piles are read, with a margin."""
        wide, high = size
        mask = np.zeros(wide * high, dtype=np.uint8)
        for fit in self.fits:
            mask[fit.index] = 1
        grown = cv2.dilate(mask.reshape(high, wide), np.ones((9, 9), np.uint8))
        return np.asarray(grown.ravel() > 0)

    def joint(self, board: Board) -> float:
        """Log-likelihood of a whole board, against the bare island's."""
        kept = list(self.fits)
        try:
            for cell in reversed(self.geometry.order):
                if self.fits[cell].content != board[cell]:
                    site = self.site(cell)
                    height = board[cell].height
                    start = site.fit(board[cell], fitted(self.fits[cell].stand, height), (0, 0))
                    self.fits[cell] = refined(site, start)
            return sum(self._alone(cell) for cell in range(CELLS))
        finally:
            self.fits = kept

    def _alone(self, cell: int) -> float:
        """A pile's gain over bare ground where nearer piles leave it in view."""
        fit = self.fits[cell]
        if not fit.content.height and not fit.content.top:
            return 0.0
        site = self.site(cell)
        bare = Site(self.ledger, cell, site.veil, self.ledger.evidence.ground)
        return bare.fit(fit.content, fit.stand, fit.crown).gain


def close(one: Fit, two: Fit) -> bool:
    """Whether two fits put the same pieces in nearly the same places."""
    if one.content != two.content or abs(one.gain - two.gain) > 0.05 * abs(two.gain) + 2.0:
        return False
    moved = max(abs(one.stand.x - two.stand.x), abs(one.stand.y - two.stand.y))
    spun_by = max((abs(a - b) for a, b in zip(one.stand.turns, two.stand.turns, strict=True)), default=0)
    crown = max(abs(a - b) for a, b in zip(one.crown, two.crown, strict=True))
    return moved <= 1 and spun_by <= 2 and crown <= 2


def relit(fits: Sequence[Fit]) -> Floats:
    """Learn roof brightness and wall brightness by bearing from the fits so far."""
    shading = FIRST_SHADING.copy()
    rows = [fit.levels for fit in fits if len(fit.levels)]
    if not rows:
        return shading
    faces = np.vstack(rows)
    faces = faces[faces[:, 2] > 40]
    roofs, sides = faces[faces[:, 0] == 0], faces[faces[:, 0] > 0]
    if len(roofs) >= 2:
        shading[0] = 0.5 * shading[0] + 0.5 * float(np.median(roofs[:, 1]))
    if len(sides) >= 4:
        bearing = (sides[:, 0] - 1) * (2 * np.pi / BEARINGS)
        matrix = np.column_stack((np.ones(len(sides)), np.cos(bearing), np.sin(bearing)))
        weight = np.minimum(sides[:, 2], 300.0)
        hold = 0.002 * weight.sum() * np.diag([8.0, 20.0, 20.0])
        side = (matrix * weight[:, None]).T
        shading[2:5] = np.array([shading[2], 0.0, 0.0]) + np.linalg.solve(
            side @ matrix + hold, side @ (sides[:, 1] - shading[2])
        )
        shading[5] = 0.35
    return shading
