"""What may stand out of sight: a block in the middle of its space, once all before it has been read."""

from __future__ import annotations

from typing import Final

from vision.reader.fit import NOTHING
from vision.reader.places import refining, walked
from vision.reader.search import Search
from vision.reader.shapes import Stand
from vision.reading import Content

# a tower in the middle that falls so far short of nothing is not looked at
HOPELESS: Final = 20.0


def glimpsed(search: Search) -> None:
    """Look once more for bare towers in cells out of sight; what is before them may have changed since."""
    for cell in reversed(search.geometry.order):
        if search.fits[cell] is NOTHING:
            glimpse(search, cell)


def glimpse(search: Search, cell: int) -> None:
    """Put a tower where nothing was read, if what little shows of it speaks for one."""
    site, table = search.site(cell), search.tables[cell]
    if site.surely_bare():
        return
    starts = site.tried([(Content(high), Stand(0, 0, (0,) * high), (0, 0)) for high in (1, 2, 3)])
    near = [refining(start) for start in starts if start.gain > -HOPELESS]
    for trial in walked(site, near):
        table[trial.content] = max(trial.gain, table.get(trial.content, trial.gain))
        if trial.gain > search.fits[cell].gain:
            search.fits[cell] = site.filled(trial)
