"""Finds the board that explains a picture best: near to far first, then round after round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reader.alike import close, other_heights
from vision.reader.evidence import STRAY, TEMPER
from vision.reader.fit import BARE, NOTHING, Fit, Ledger, Place, Spec, Trial
from vision.reader.geometry import Geometry
from vision.reader.places import finishing, fitted, refined, refining, spun, walked
from vision.reader.shading import relit
from vision.reader.shapes import Stand
from vision.reader.site import Site
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
# a pile so far from the middle of its space may be somebody else's
LIMIT: Final = 4.9
SLACK: Final = 200.0

Fits = tuple[Fit, ...]
Memory = dict[Content, tuple[Stand, Place]]
Kept = tuple[Fit, dict[Content, float] | None, Memory | None]


@dataclass
class Search:
    """The state of one picture's search."""

    ledger: Ledger
    geometry: Geometry
    sides: Sequence[str]
    fits: list[Fit] = field(default_factory=lambda: [NOTHING] * CELLS)
    tables: dict[int, dict[Content, float]] = field(default_factory=dict)
    barred: dict[int, set[Content]] = field(default_factory=dict)
    memory: dict[int, Memory] = field(default_factory=dict)
    alone: dict[tuple[int, Fit, Fits], float] = field(default_factory=dict)
    put: dict[tuple[int, Content, Fits, Fits, bool], Fit] = field(default_factory=dict)
    # what a second opinion has added to a cell's height
    leaning: dict[tuple[int, int], float] = field(default_factory=dict)

    def site(self, cell: int, hopeful: bool = False) -> Site:
        """A cell's surroundings as the other cells' fits have it."""
        nearer = tuple(self.fits[other] for other in self.geometry.nearer[cell])
        farther = tuple(self.fits[other] for other in self.geometry.farther[cell])
        return Site(self.ledger, cell, nearer, farther, self.geometry.reach[cell] if hopeful else None)

    def candidates(self, site: Site, stand: Stand, place: Place = (0, 0)) -> list[Trial]:
        """The contents worth a thought at a common stand: of the workers only the likeliest colour."""
        bases = [(height, fitted(stand, height)) for height in range(4)]
        specs: list[Spec] = [BARE.spec]
        for (height, base), likely in zip(bases, self._likeliest(site, bases), strict=True):
            for top in ("", DOME, *likely):
                if height or top:
                    at = place if top not in ("", DOME) or not height else (0, 0)
                    specs.append((Content(height, top), base, at))
        return sorted(site.tried(specs), key=lambda trial: -trial.gain)

    def _likeliest(self, site: Site, bases: Sequence[tuple[int, Stand]]) -> list[list[str]]:
        """For each tower the sides whose figures are worth a thought on it."""
        barred = self.barred.get(site.cell)
        if not barred:
            return site.likeliest(bases, self.sides)
        free = [[side for side in self.sides if Content(height, side) not in barred] for height, _ in bases]
        return [site.likeliest([base], sides)[0] for base, sides in zip(bases, free, strict=True)]

    def visit(self, cell: int, hopeful: bool = False) -> bool:
        """Choose a cell's best content; tells whether it changed enough to matter to others."""
        site, old = self.site(cell, hopeful), self.fits[cell]
        if old is NOTHING and site.surely_bare():
            self.tables[cell] = {NOTHING.content: 0.0}
            return False
        known = self._again(site) if cell in self.memory else self._afresh(site, hopeful)
        self.fits[cell] = site.filled(max(known.values(), key=lambda trial: trial.gain))
        self.tables[cell] = {content: trial.gain for content, trial in known.items()}
        if not hopeful:
            self.memory[cell] = {content: (trial.stand, trial.crown) for content, trial in known.items()}
        return not close(self.fits[cell], old)

    def _again(self, site: Site) -> dict[Content, Trial]:
        """Score a cell's contents where they stood before, and let the best adjust."""
        barred = self.barred.get(site.cell, ())
        specs = [(c, *at) for c, at in self.memory[site.cell].items() if c not in barred]
        known = {trial.content: trial for trial in site.tried(specs)}
        known[BARE.content] = BARE
        self._rival(site, known)
        best = max(trial.gain for trial in known.values())
        near = [trial for trial in known.values() if trial.gain > best - CLOSE]
        known.update(by_content(walked(site, [refining(trial, (1,)) for trial in near])))
        return known

    def _rival(self, site: Site, known: dict[Content, Trial]) -> None:
        """Give rivals a chance: a pile in its true place gains much over one in the middle."""
        lead = max(known.values(), key=lambda trial: trial.gain)
        ranked = sorted(known.values(), key=lambda trial: -trial.gain)
        bound, heights = lead.gain - WIDE * abs(lead.gain) - CLOSE, {lead.content.height}
        # the best of another height may be far from its place: its offset goes with its height
        leeway, chosen = max(WIDER * abs(lead.gain), LEEWAY), []
        for trial in ranked[: 2 * RIVALS]:
            first = trial.content.height not in heights and trial.gain > lead.gain - leeway
            heights.add(trial.content.height)
            if trial.content != lead.content and (first or trial.gain > bound):
                chosen.append(refining(trial, (3,)))
        known.update(by_content(walked(site, chosen)))

    def _afresh(self, site: Site, hopeful: bool) -> dict[Content, Trial]:
        """Find places for a cell's contents from nothing."""
        old = self.fits[site.cell]
        first = self.candidates(site, old.stand, old.crown)
        lead = refined(site, first[0], (3,))
        known = by_content(reversed(first))
        known[lead.content] = lead
        again = self.candidates(site, lead.stand, lead.crown)
        if (old.stand.x, old.stand.y) != (0, 0):
            again += self.candidates(site, Stand())
        for trial in again:
            if trial.content not in known or trial.gain > known[trial.content].gain:
                known[trial.content] = trial
        self._rival(site, known)
        if not hopeful:
            self._finish(site, known)
        return known

    def _finish(self, site: Site, known: dict[Content, Trial]) -> None:
        """Turn and place the best few precisely."""
        lead = max(known.values(), key=lambda trial: trial.gain)
        near = [trial for trial in known.values() if trial.gain > lead.gain - NEAR]
        known.update(by_content(walked(site, [finishing(trial, lead) for trial in near])))

    def together(self) -> None:
        """Change near piles and those behind them at once, where the near ones alone are held fast."""
        for cell in reversed(self.geometry.order):
            if self.fits[cell].content.height:
                self._reconciled(cell)

    def _reconciled(self, cell: int) -> None:
        """Change a pile and those behind it at once."""
        farther = self.geometry.farther[cell]
        standing = [c for c in farther if self.fits[c] is not NOTHING]
        if self._doubtful(cell) and self._reopened(cell):
            return
        if self._restacked(cell, standing, farther):
            return
        for content in self._rivals(cell):
            # what a pile taken away has hidden may stand in an empty cell behind it
            behind = standing if content != NOTHING.content else farther
            if behind and self._swapped(cell, content, behind):
                return

    def _restacked(self, cell: int, standing: Sequence[int], farther: Sequence[int]) -> bool:
        """Try other heights before other piles: a pile too tall lives on what it hides of them."""
        fit = self.fits[cell]
        before = self.standing_so(cell, fit, standing)
        for content in other_heights(fit.content):
            rival = self._put(cell, content, turned=bool(standing))
            after = self.standing_so(cell, rival, standing)
            # what a lower one no longer hides may explain much more once it has adjusted
            slack = SLACK if farther and content.height <= fit.content.height else 0.0
            if after > before - slack and self.replaced(cell, rival, 0.0, farther):
                return True
        return False

    def standing_so(self, cell: int, fit: Fit, behind: Sequence[int]) -> float:
        """How well a cell's pile, if it stood so, and those behind it as they stand explain the picture."""
        kept, self.fits[cell] = self.fits[cell], fit
        explained = sum(self._alone(c) for c in (cell, *behind))
        self.fits[cell] = kept
        return explained

    def _doubtful(self, cell: int) -> bool:
        """Whether a pile is as far off as it may be, or the piles behind would gain more without it."""
        stand, farther = self.fits[cell].stand, self.geometry.farther[cell]
        if stand.x**2 + stand.y**2 >= LIMIT**2:
            return True
        before = self.standing_so(cell, self.fits[cell], farther)
        return self.standing_so(cell, NOTHING, farther) > before

    def _reopened(self, cell: int) -> bool:
        """Take a pile away, read what is behind it, then the cell again; keep that if all are better off."""
        group = (cell, *self.geometry.farther[cell])
        kept, before = self._kept(group), sum(self._alone(c) for c in group)
        self.fits[cell] = NOTHING
        self._adjusted(group)
        self.memory.pop(cell, None)
        self.visit(cell)
        if self._adjusted(group) > before + 1.0 and self.fits[cell].content != kept[cell][0].content:
            return True
        self._restore(kept)
        return False

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
        rival = refined(site, site.fit(content, fitted(stand, content.height), crown))
        return self.replaced(cell, site.filled(rival), 0.0, behind)

    def replaced(
        self, cell: int, rival: Fit, more: float, behind: Sequence[int] | None = None, rounds: int = 0
    ) -> bool:
        """Put a rival in a cell, let the piles behind adjust, keep it if all (and `more`) are better off.

        `rounds`: how often the rival itself adjusts to the piles behind, and they to it.
        """
        farther = self.geometry.farther[cell]
        group = (cell, *([c for c in farther if self.fits[c] is not NOTHING] if behind is None else behind))
        kept = self._kept(group)
        before = sum(self._alone(c) for c in group)
        self.fits[cell] = rival
        after = self._adjusted(group) + more
        for _ in range(rounds if after > before - SLACK else 0):
            self._refine(cell)
            after = self._adjusted(group) + more
        if after > before + 1.0:
            changed = self._kept(group)
            self._restore(kept)
            # the old content deserves the same adjustment before it goes
            self._refine(cell)
            if after > self._adjusted(group) + 1.0:
                self._restore(changed)
                gain = kept[cell][0].gain + 1.0
                self.tables[cell] = {**(kept[cell][1] or {}), rival.content: gain}
                trial = self.fits[cell].trial._replace(gain=gain)
                self.fits[cell] = replace(self.fits[cell], trial=trial)
                return True
            return False
        self._restore(kept)
        return False

    def _refine(self, cell: int) -> None:
        """Let a cell's pile find its place once more."""
        site, fit = self.site(cell), self.fits[cell]
        better = refined(site, fit.trial)
        if better is not fit.trial:
            self.fits[cell] = site.filled(better)

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

    def bar(self, cell: int, *figures: Content) -> None:
        """Read a cell again without some figures, then whatever that touches."""
        self.barred.setdefault(cell, set()).update(figures)
        self.fits[cell] = NOTHING
        self.memory.pop(cell, None)
        self.visit(cell)
        for other in self.geometry.farther[cell]:
            if self.fits[other] is not NOTHING:
                self.visit(other)
        if self.fits[cell].content.height:
            self._reconciled(cell)

    def _neighbours(self, cell: int) -> set[int]:
        return {*self.geometry.farther[cell], *self.geometry.nearer[cell]}

    def run(self) -> None:
        """Near to far with an open mind about what is behind, then rounds until nothing changes."""
        near_first = tuple(reversed(self.geometry.order))
        for cell in near_first:
            self.visit(cell, hopeful=True)
        self.ledger.relight(relit(self.fits))
        self.alone.clear()
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

    def scores(self, cell: int, contents: Sequence[Content]) -> list[float]:
        """Log-likelihood of every alternative of a cell, given the rest of the board."""
        known = self.tables.get(cell, {})
        best = self.fits[cell].gain
        return [min(0.0, known.get(content, UNSEEN) - best) for content in contents]

    def covering(self) -> NDArray[np.bool_]:
        """Where the picture shows neither the ground as it is known nor a pile."""
        found = np.asarray(self.ledger.evidence.ground < STRAY * TEMPER * 0.9)
        for fit in self.fits:
            found[fit.index] = False
        return found

    def stray(self, size: tuple[int, int], covering: NDArray[np.bool_]) -> NDArray[np.uint8]:
        """Where something covers the ground, single pixels left out."""
        wide, high = size
        mask = cv2.morphologyEx(
            covering.reshape(high, wide).astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)
        )
        return np.asarray(mask)

    def covered(self, size: tuple[int, int]) -> NDArray[np.bool_]:
        """Where piles are read, with a margin."""
        wide, high = size
        mask = np.zeros(wide * high, dtype=np.uint8)
        for fit in self.fits:
            mask[fit.index] = 1
        return grown(mask.reshape(high, wide))

    def joint(self, board: Board) -> float:
        """Log-likelihood of a whole board, against the bare island's."""
        kept = list(self.fits)
        try:
            for cell in reversed(self.geometry.order):
                if self.fits[cell].content != board[cell]:
                    self.fits[cell] = self._put(cell, board[cell])
            return sum(self._alone(c) + self.leaning.get((c, board[c].height), 0.0) for c in range(CELLS))
        finally:
            self.fits = kept

    def lean(self, cell: int, height: int, more: float, gain: float) -> None:
        """Count more for a cell's height from now on; the pile read there gains so much in all."""
        self.leaning[cell, height] = more
        fit, table = self.fits[cell], self.tables[cell]
        raised = {c: min(gain, value + more) for c, value in table.items() if c.height == height}
        self.tables[cell] = {**table, **raised, fit.content: gain}
        self.fits[cell] = replace(fit, trial=fit.trial._replace(gain=gain))

    def _put(self, cell: int, content: Content, turned: bool = False) -> Fit:
        """A content as it would stand among the others; many boards have most of their cells in common."""
        site = self.site(cell)
        key = (cell, content, site.nearer, site.farther, turned)
        if key not in self.put:
            start = site.fit(content, fitted(self.fits[cell].stand, content.height), (0, 0))
            better = refined(site, start)
            self.put[key] = site.filled(refined(site, spun(site, better)) if turned else better)
        return self.put[key]

    def _alone(self, cell: int) -> float:
        """A pile's gain over bare ground where nearer piles leave it in view."""
        fit = self.fits[cell]
        if fit.content == BARE.content:
            return 0.0
        nearer = tuple(self.fits[other] for other in self.geometry.nearer[cell])
        key = (cell, fit, nearer)
        if key not in self.alone:
            bare = Site(self.ledger, cell, nearer, (), seams=True)
            self.alone[key] = bare.fit(*fit.trial.spec).gain
        return self.alone[key]


def grown(mask: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """A mask with a margin, flat."""
    return np.asarray(cv2.dilate(mask, np.ones((9, 9), np.uint8)).ravel() > 0)


def by_content(trials: Iterable[Trial]) -> dict[Content, Trial]:
    """Trials by what they put there."""
    return {trial.content: trial for trial in trials}
