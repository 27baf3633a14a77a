"""Counts figures: the box holds so many of each colour; a surplus one is a mistake, a missing one hides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import exp
from typing import Final

from vision.reader.compiled import SLIVER
from vision.reader.fit import Fit, Trial
from vision.reader.places import fitted, refined
from vision.reader.search import Search
from vision.reader.silhouette import Silhouettes, crept
from vision.reading import CELLS, Content

SURPLUS: Final = 30.0
# its price is in it: out of sight nothing may speak against a figure that may as well have left the board
MISSING: Final = 3.2
ON_ROOF: Final = 16.0
# by so much less likely a missing figure stands on something else than was read there
OTHERWISE: Final = 0.35
# where on its space a missing figure is looked for, each way
SPREAD: Final = (-4, -2, 0, 2, 4)
UNSEEN: Final = 0.15
# one that was taken back for want of an outline may still stand where nearly nothing of it shows
IN_VIEW: Final = 0.3
# a figure in odd light may be another side's if it loses no more of what it explains, which is much
NEARLY_ALIKE: Final = 0.35
SURELY: Final = 60.0
# by so much less of an outline a surplus figure is none
FAINTER: Final = 0.25
# what counts for the outline of one that hardly shows
FAIR: Final = 0.6
# an outline in view makes up for colours that hardly differ from what is around them
OUTLINED: Final = 0.4
OUTLINE: Final = 100.0
SPOTTED: Final = 20.0
COLOURLESS: Final = 40.0
HOPELESS: Final = 100.0


def settle(search: Search, figures: Mapping[str, int], silhouettes: Silhouettes) -> None:
    """Take back the weakest surplus figures; look for missing ones by their outline, then out of sight."""
    for side in figures:
        recolour(search, side, figures)
    for _ in range(len(figures) + 1):
        dropped = sum(drop(search, side, count, silhouettes) for side, count in figures.items())
        if not dropped:
            break
    for side, count in figures.items():
        for _ in range(count - len(standing(search, side))):
            if not spot(search, side, silhouettes):
                hide(search, side)


def standing(search: Search, side: str) -> list[int]:
    """The cells where a side's figures are read."""
    return [cell for cell in range(CELLS) if search.fits[cell].content.top == side]


def recolour(search: Search, side: str, figures: Mapping[str, int]) -> None:
    """Take a surplus figure for one of a side that lacks some, where it looks nearly as much like that."""
    lacking = {other for other, count in figures.items() if len(standing(search, other)) < count} - {side}
    have = standing(search, side)
    if not lacking or len(have) <= figures[side]:
        return
    costs = {cell: min(loss(search, cell, other) for other in lacking) for cell in have}
    cell = min(have, key=costs.__getitem__)
    if costs[cell] < NEARLY_ALIKE:
        search.bar(cell, *(Content(height, side) for height in range(4)))


def loss(search: Search, cell: int, other: str) -> float:
    """The share of what a figure explains that one of another side would not."""
    site, fit = search.site(cell), search.fits[cell]
    now, then, bare = (
        site.fit(Content(fit.content.height, top), fit.stand, fit.crown if top else (0, 0)).gain
        for top in (fit.content.top, other, "")
    )
    return (now - then) / (now - bare) if now > bare + SURELY else 1.0


def drop(search: Search, side: str, count: int, silhouettes: Silhouettes) -> bool:
    """Take back a side's weakest surplus figures; tells whether there were any."""
    have = standing(search, side)
    if len(have) <= count:
        return False
    worth = {cell: margin(search, cell, side) for cell in have}
    # a figure in full view must explain more than one that is half hidden
    share = {cell: search.site(cell).shown(search.fits[cell].trial.spec) + UNSEEN for cell in have}
    weakest = sorted(have, key=lambda cell: worth[cell] / share[cell])[: len(have) - count]
    weak = [cell for cell in weakest if worth[cell] < SURPLUS]
    if not weak:
        found = {cell: silhouettes.of(search, search.site(cell), search.fits[cell].trial) for cell in have}
        borne = {cell: outline for cell, outline in found.items() if outline is not None}
        weak = faint(borne, count)
    if not weak:
        # there are no more in the box, however well they are seen: what is there is no figure
        least = min(have, key=lambda cell: worth[cell] / share[cell] + OUTLINE * borne.get(cell, FAIR))
        search.bar(least, *(Content(height, other) for height in range(4) for other in search.sides))
    for cell in weak:
        search.bar(cell, *(Content(height, side) for height in range(4)))
    return True


def faint(borne: Mapping[int, float], count: int) -> list[int]:
    """Those of too many figures that have clearly less of an outline than as many as there should be."""
    first = sorted(borne, key=lambda cell: -borne[cell])
    return [cell for cell in first[count:] if borne[cell] < borne[first[count - 1]] - FAINTER]


def spot(search: Search, side: str, silhouettes: Silhouettes) -> bool:
    """Put a missing figure where its colour says little, but its outline is there; tells whether it did."""
    found: list[tuple[float, int, Fit]] = []
    for cell in range(CELLS):
        fit = search.fits[cell]
        if fit.content.top or Content(fit.content.height, side) in search.barred.get(cell, ()):
            continue
        site = search.site(cell)
        # what stands behind may have changed since the cell was read
        bare = site.fit(*fit.trial.spec).gain
        start = site.fit(Content(fit.content.height, side), fitted(fit.stand, fit.content.height), (0, 0))
        if start.gain < bare - HOPELESS:
            continue
        trial = refined(site, start)
        borne = silhouettes.of(search, site, trial)
        more = trial.gain - bare
        if borne is not None and borne > OUTLINED and more > -COLOURLESS and not crept(trial):
            found.append((more + OUTLINE * borne, cell, site.filled(trial)))
    found.sort(key=lambda item: -item[0])
    if not found or found[0][0] < SPOTTED or (len(found) > 1 and found[0][0] < found[1][0] + SPOTTED):
        return False
    place(search, *found[0][1:])
    return True


def margin(search: Search, cell: int, side: str) -> float:
    """How much better a cell's figure explains the picture than anything else there."""
    fit = search.fits[cell]
    others = [gain for content, gain in search.tables[cell].items() if content.top != side]
    site = search.site(cell)
    for other in search.sides:
        rival = Content(fit.content.height, other)
        if other != side and rival not in search.barred.get(cell, ()):
            trial = site.fit(rival, fit.stand, fit.crown)
            others.append(trial.gain)
            search.tables[cell][trial.content] = max(
                trial.gain, search.tables[cell].get(trial.content, trial.gain)
            )
    # what stands around may have changed since the cell was read
    now = site.fit(*fit.trial.spec).gain - site.fit(Content(fit.content.height), fit.stand, (0, 0)).gain
    return min(now, fit.gain - max(others, default=0.0))


def hide(search: Search, side: str) -> None:
    """Put a missing figure where it can best stand without being seen, wherever it stands there."""
    found: list[tuple[float, int, Trial]] = []
    for cell in range(CELLS):
        for rows in unseen_on(search, cell, side):
            # out of sight nothing speaks against it; in view the picture must nearly agree
            more, trial = max(rows, key=lambda row: row[0])
            known = trial.content.height == search.fits[cell].content.height
            if more > -(ON_ROOF if trial.content.height and known else MISSING):
                likely = sum(exp(more) for more, _ in rows)
                found.append((likely if known else OTHERWISE * likely, cell, trial))
    if found:
        _, cell, trial = max(found, key=lambda row: row[0])
        place(search, cell, search.site(cell).filled(trial))


def unseen_on(search: Search, cell: int, side: str) -> Iterator[list[tuple[float, Trial]]]:
    """A figure wherever a hand may put it down in a space, if it may be there: what speaks for each.

    Where next to nothing of the space shows, what it stands on may have been read wrong, too.
    """
    fit = search.fits[cell]
    if fit.content.top:
        return
    site, content = search.site(cell), Content(fit.content.height, side)
    stand = fitted(fit.stand, content.height)
    bare = site.fit(*fit.trial.spec).gain

    def spoken(trial: Trial) -> float:
        # what it is charged for being out of sight does not count
        return trial.gain - bare + SLIVER * (1.0 - site.shown(trial.spec)) ** 2

    middle = site.fit(content, stand, (0, 0))
    out_of_sight = site.shown(middle.spec) <= IN_VIEW
    if spoken(middle) >= -HOPELESS and (out_of_sight or content not in search.barred.get(cell, ())):
        trials = site.tried([(content, stand, (x, y)) for x in SPREAD for y in SPREAD])
        yield [(spoken(trial), trial) for trial in trials]
    if out_of_sight:
        for other in (Content(height, side) for height in range(4) if height != content.height):
            start = refined(site, site.fit(other, fitted(fit.stand, other.height), (0, 0)))
            trials = site.tried([(other, start.stand, (x, y)) for x in SPREAD for y in SPREAD])
            yield [(spoken(trial), trial) for trial in trials]


def place(search: Search, cell: int, figure: Fit) -> None:
    """Take a figure in a cell for true, whatever stood there before."""
    search.tables[cell][figure.content] = figure.gain
    search.tables[cell].setdefault(search.fits[cell].content, search.fits[cell].gain)
    search.fits[cell] = figure
