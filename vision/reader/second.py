"""Where the network and the search disagree: whom to believe, and what that makes of the scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from vision.reader.fit import NOTHING
from vision.reader.opinion import Rows
from vision.reader.places import fitted, refined
from vision.reader.search import UNSEEN, Search
from vision.reading import CELLS, DOME, TEMPERATURE, Content

# fitted to labelled pictures that the network had not been trained on (decision 0230)
FIRM: Final = 3.0
WORTH: Final = 0.1
ENOUGH: Final = 80.0
COUNTED: Final = 3.0
IN_VIEW: Final = 0.3


def doubtful(search: Search) -> list[int]:
    """The cells worth the network's time: all but those whose ground is plain to see."""
    return [cell for cell in search.geometry.order if len(search.tables.get(cell, {})) > 1]


def reconsider(
    search: Search, rows: Mapping[int, Rows], seen: Callable[[int], float], figures: Mapping[str, int]
) -> None:
    """Near to far: put what the network is surer of than the search is of its own; score both together."""
    for cell in reversed(search.geometry.order):
        if cell not in rows or seen(cell) < IN_VIEW:
            continue
        odds = together(search, cell, rows[cell], figures)
        better = max(odds, key=lambda content: odds[content])
        if odds[better] > 0.0:
            put(search, cell, better)
        gain = search.fits[cell].gain
        search.tables[cell] = {
            content: gain + TEMPERATURE * (value - odds[better]) for content, value in odds.items()
        }


def together(search: Search, cell: int, row: Rows, figures: Mapping[str, int]) -> dict[Content, float]:
    """The log odds of every content against the one that was read, by the search and the network."""
    lead, known = search.fits[cell], search.tables[cell]
    costs = count_costs(search, lead.content.top, figures)

    def odds(content: Content) -> float:
        behind = min(ENOUGH, max(0.0, lead.gain - known.get(content, UNSEEN)))
        moved = costs.get(content.top, 0.0) if content.top != lead.content.top else 0.0
        return row[content] - row[lead.content] - WORTH * behind - FIRM - moved

    return {content: 0.0 if content == lead.content else odds(content) for content in row}


def count_costs(search: Search, read: str, figures: Mapping[str, int]) -> dict[str, float]:
    """What it costs to put another top: more when fewer or more figures stand then than there are."""
    standing = Counter(fit.content.top for fit in search.fits)
    lost = COUNTED if read in figures and standing[read] <= figures[read] else 0.0
    tops = ("", DOME, *search.sides)
    return {top: lost + (COUNTED if standing[top] >= figures.get(top, CELLS) else 0.0) for top in tops}


def put(search: Search, cell: int, content: Content) -> None:
    """Put another content in a cell; what stands behind may find its place anew."""
    site, lead = search.site(cell), search.fits[cell]
    stand, _ = search.memory.get(cell, {}).get(content, (lead.stand, lead.crown))
    trial = refined(site, site.fit(content, fitted(stand, content.height), (0, 0)))
    search.fits[cell] = site.filled(trial)
    for other in search.geometry.farther[cell]:
        if search.fits[other] is not NOTHING:
            search.visit(other)
