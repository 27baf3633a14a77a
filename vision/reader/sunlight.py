"""Where the light comes from, and what the shadows say about heights (decision 0236)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision.reader.contest import close_heights
from vision.reader.fit import Spec, Trial
from vision.reader.places import finishing, fitted, walked
from vision.reader.search import Search
from vision.reader.shadows import OpenGround, Solids, explained, shadows, solids_of
from vision.reading import CELLS, Content

# how far shadows reach a pitch of height, where lamps are looked for
WAYS: Final = 18
LENGTHS: Final = (0.3, 0.55, 0.9, 1.4, 2.1)
STEPS: Final = (0.12, 0.05, 0.02)
NEAR: Final = (0.05, 0.02)
CLOSE: Final = 0.04
TRIES: Final = 8
MORE: Final = 2
NEIGHBOURS: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))
# how wide their borders may be, in squares of the plan
SOFT: Final = (1, 3, 5, 9, 15)
USUAL: Final = 5
# how near the lamp is: what a pitch of height takes from its distance
NEARER: Final = 0.03
NEAREST: Final = 0.18
AS_SEEN: Final = 1.0
# shadows that are believed: so dark, so sharp, explaining so much of what there is, and all of it so well
DARK: Final = -0.35
SHARP: Final = 5
SHARE: Final = 0.25
FITTING: Final = -0.8
# rivals worth a look, how much a shadow must speak for them, and what that is worth
NEARLY: Final = 60.0
CLEARLY: Final = 45.0
WORTH: Final = 0.7
HOPELESS: Final = 100.0


@dataclass(frozen=True)
class Sun:
    """The light that casts the shadows: how far and where a pitch of height does, how near, soft and deep."""

    shift: tuple[float, float]
    near: float = 0.0
    soft: int = USUAL
    depth: float = AS_SEEN
    score: float = -np.inf
    piles: int = 0
    """How many piles cast a shadow when it was last looked for everywhere."""


@dataclass(frozen=True)
class Shade:
    """One picture's ground, and the light that explains it best."""

    ground: OpenGround

    def under(self, solids: list[Solids], sun: Sun, depth: float = AS_SEEN) -> Sun:
        """How well the shadows in a light explain the ground, as deep as they look or as is told."""
        hard = shadows(solids, (*sun.shift, sun.near)).astype(np.float32)
        lost = np.asarray(cv2.blur(hard, (sun.soft, sun.soft)), dtype=np.float32)
        score, depth = explained(self.ground.darker, self.ground.known, lost, depth)
        return replace(sun, depth=depth, score=score)

    def found(self, solids: list[Solids]) -> Sun:
        """The light that explains the ground best, looked for everywhere."""
        around = np.arange(WAYS) * (2 * np.pi / WAYS)
        wanted = [(s * float(np.cos(a)), s * float(np.sin(a))) for a in around for s in LENGTHS]
        best = max((self.under(solids, Sun(shift)) for shift in wanted), key=by_score)
        return self.followed(solids, best, STEPS)

    def followed(self, solids: list[Solids], sun: Sun, steps: Sequence[float]) -> Sun:
        """The light near another one that explains the ground best, as soft and as deep as it looks."""
        best = self.under(solids, sun)
        for step in steps:
            best = self.moved(solids, best, step, AS_SEEN)
            best = max([best, *(self.under(solids, replace(best, soft=soft)) for soft in SOFT)], key=by_score)
        return best

    def moved(self, solids: list[Solids], sun: Sun, step: float, depth: float) -> Sun:
        """A light from a little further aside, while that explains the ground better."""
        for _ in range(TRIES):
            x, y = sun.shift
            beside = [replace(sun, shift=(x + a * step, y + b * step)) for a, b in NEIGHBOURS]
            nears = (max(sun.near - NEARER, 0.0), min(sun.near + NEARER, NEAREST))
            beside += [replace(sun, near=near) for near in nears if near != sun.near]
            best = max([sun, *(self.under(solids, one, depth) for one in beside)], key=by_score)
            if best is sun:
                break
            sun = best
        return sun

    def believed(self, sun: Sun) -> bool:
        """Whether shadows are as a lamp would cast them."""
        unlit, squares = self.ground.unlit, float((self.ground.known > 0).sum())
        fits = sun.score - unlit >= SHARE * -unlit and sun.score >= FITTING * squares
        return fits and sun.depth <= DARK and sun.soft <= SHARP


def by_score(sun: Sun) -> float:
    """How well a light explains the ground."""
    return sun.score


def shaded(search: Search, ground: OpenGround, before: Sun | None) -> Sun | None:
    """Weigh heights that score nearly alike by the shadows of the towers, near to far; gives the light.

    `before`: the light of the picture before, to look for it there first.
    """
    if not any(rivals_of(search, cell) for cell in range(CELLS)):
        return before
    shade, piles = Shade(ground), [*solids(search).values()]
    # more shadows tell more
    if before is None or len(piles) > before.piles + MORE:
        sun = replace(shade.found(piles), piles=len(piles))
    else:
        sun = shade.followed(piles, before, NEAR)
    if shade.believed(sun):
        for cell in reversed(search.geometry.order):
            rival = clearest(search, shade, sun, cell)
            if rival is not None:
                outshone(search, shade, sun, cell, rival)
    return sun


def rivals_of(search: Search, cell: int) -> list[Content]:
    """A block more or less than is read, where the colours leave that open."""
    lead, table = search.fits[cell], search.tables.get(cell, {})
    near = close_heights(search, cell, NEARLY)
    return [
        content
        for content in near
        if abs(content.height - lead.content.height) == 1
        and table[content] > lead.gain - NEARLY
        and content in search.memory.get(cell, {})
    ]


def solids(search: Search) -> dict[int, Solids]:
    """All that stands on the board."""
    profile = search.geometry.shapes.profile
    return {
        cell: solids_of(profile, cell, fit.trial.spec)
        for cell, fit in enumerate(search.fits)
        if fit.content.height or fit.content.top
    }


def clearest(search: Search, shade: Shade, sun: Sun, cell: int) -> Trial | None:
    """Of a tower's other heights the one for which, its shadow counted, most speaks, if that is clear."""
    found: list[tuple[float, Trial]] = []
    for content in rivals_of(search, cell):
        stand, crown = search.memory[cell][content]
        trial = search.site(cell).fit(content, fitted(stand, content.height), crown)
        said = says(search, shade, sun, cell, trial.spec)
        if said > CLEARLY:
            found.append((trial.gain + WORTH * said, trial))
    return max(found, key=lambda row: row[0])[1] if found else None


def outshone(search: Search, shade: Shade, sun: Sun, cell: int, rival: Trial) -> None:
    """Put another height in a cell if, its shadow counted, it explains more."""
    site, lead = search.site(cell), search.fits[cell]
    fit = site.filled(walked(site, [finishing(rival, lead.trial)])[0])
    more = WORTH * says(search, shade, sun, cell, fit.trial.spec)
    if fit.gain + more > lead.gain and search.replaced(cell, fit, more):
        search.lean(cell, fit.content.height, more, fit.gain + more)


def says(search: Search, shade: Shade, sun: Sun, cell: int, spec: Spec) -> float:
    """How much better another pile in a cell explains the ground, each in the light that then fits best."""
    standing = solids(search)
    other = {**standing, cell: solids_of(search.geometry.shapes.profile, cell, spec)}
    both = [[*standing.values()], [*other.values()]]
    now, then = (shade.under(piles, sun, sun.depth) for piles in both)
    if then.score < now.score - HOPELESS:
        return then.score - now.score
    now, then = (
        shade.moved(piles, one, CLOSE, sun.depth) for piles, one in zip(both, (now, then), strict=True)
    )
    return then.score - now.score
