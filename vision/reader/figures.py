"""Counts figures: the box holds so many of each colour; a surplus one is a mistake, a missing one hides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from vision.reader.fit import Fit
from vision.reader.search import Search, fitted
from vision.reading import CELLS, Content

SURPLUS: Final = 30.0
MISSING: Final = 3.0
HIDDEN: Final = 0.2
FEW: Final = 2


def settle(search: Search, figures: Mapping[str, int]) -> None:
    """Take back the weakest surplus figures and look for missing ones where nothing can be seen."""
    for side, count in figures.items():
        have = [cell for cell in range(CELLS) if search.fits[cell].content.top == side]
        for cell in sorted(have, key=lambda cell: margin(search, cell, side))[: max(0, len(have) - count)]:
            if margin(search, cell, side) < SURPLUS:
                search.bar(cell, side)
                have.remove(cell)
        for _ in range(count - len(have)):
            hide(search, side)


def margin(search: Search, cell: int, side: str) -> float:
    """How much better a cell's figure explains the picture than anything else there."""
    others = [gain for content, gain in search.tables[cell].items() if content.top != side]
    return search.fits[cell].gain - max(others, default=0.0)


def hide(search: Search, side: str) -> None:
    """Put a missing figure where it would be out of sight, if there are few such places."""
    found: list[tuple[float, int, Fit]] = []
    for cell in range(CELLS):
        fit = search.fits[cell]
        if fit.content.top or search.in_view(cell, fit.content.height, fit.stand) > HIDDEN:
            continue
        stand = fitted(fit.stand, fit.content.height)
        trial = search.site(cell).fit(Content(fit.content.height, side), stand, (0, 0))
        if trial.gain > fit.gain - MISSING:
            found.append((trial.gain - fit.gain, cell, trial))
    found.sort(key=lambda item: -item[0])
    if found and (len(found) <= FEW or found[0][0] > found[1][0] + 1.0):
        _, cell, trial = found[0]
        search.tables[cell][trial.content] = trial.gain
        search.tables[cell].setdefault(search.fits[cell].content, search.fits[cell].gain)
        search.fits[cell] = trial
