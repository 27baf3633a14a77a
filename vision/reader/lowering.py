"""Lowers towers on trial: a tower read too tall stands where it hides others that then stand wrongly, too."""

from __future__ import annotations

from typing import Final

from vision.reader.places import spun
from vision.reader.search import Search
from vision.reader.shapes import Stand
from vision.reading import Content

LOWEST: Final = 2
ROUNDS: Final = 2
# what it and the piles behind may lose at first
HOPELESS: Final = 60.0


def lowered(search: Search) -> None:
    """Try each tower with one block less, put down as a hand would before anything has adapted to it."""
    for cell in reversed(search.geometry.order):
        if search.fits[cell].content.height >= LOWEST:
            lower(search, cell)


def lower(search: Search, cell: int) -> bool:
    """Try one block less in the middle of the space: what stands behind adapts first, then all in turns."""
    behind = search.geometry.farther[cell]
    if not any(search.fits[c].content.height or search.fits[c].content.top for c in behind):
        return False
    fit, site = search.fits[cell], search.site(cell)
    content = Content(fit.content.height - 1, fit.content.top)
    start = site.fit(content, Stand(0, 0, (0,) * content.height), (0, 0))
    rival = site.filled(spun(site, start))
    if search.standing_so(cell, rival, behind) < search.standing_so(cell, fit, behind) - HOPELESS:
        return False
    return search.replaced(cell, rival, 0.0, behind, ROUNDS)
