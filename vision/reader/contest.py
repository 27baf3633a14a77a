"""Where two heights explain a tower's colours nearly alike, its outlines decide."""

from __future__ import annotations

from typing import Final

from vision.reader.edges import Edges
from vision.reader.places import finishing, fitted, walked
from vision.reader.search import Search
from vision.reading import Content

NEARLY: Final = 60.0
SHARE: Final = 0.15
WORTH: Final = 80.0
MOST: Final = 2
LEAN: Final = 20.0


def contest(search: Search, edges: Edges) -> None:
    """Weigh outlines wherever another height of a bare tower comes close; near to far."""
    for cell in reversed(search.geometry.order):
        for content in _bare_rivals(search, cell):
            if won(search, edges, cell, content):
                break


def _bare_rivals(search: Search, cell: int) -> list[Content]:
    """The few heights of a bare tower whose outlines are worth a look."""
    if search.fits[cell].content.top:
        return []
    known = search.memory.get(cell, {})
    return [content for content in close_heights(search, cell, NEARLY) if content in known][:MOST]


def close_heights(search: Search, cell: int, nearly: float) -> list[Content]:
    """The other heights of a tower, with the same on top, that score nearly as well; the best first."""
    lead = search.fits[cell]
    if not lead.content.height:
        return []
    rows = sorted(search.tables[cell].items(), key=lambda item: -item[1])
    # of a pile seen well even a poor rival is worth another look
    bound = lead.gain - max(nearly, SHARE * lead.gain)
    return [
        content
        for content, gain in rows
        if content.height not in (0, lead.content.height) and content.top == lead.content.top and gain > bound
    ]


def won(search: Search, edges: Edges, cell: int, content: Content) -> bool:
    """Try another height; keep it if, outlines counted, it and the piles behind explain more."""
    site, shapes, lead = search.site(cell), search.geometry.shapes, search.fits[cell]
    stand, crown = search.memory[cell][content]
    start = site.fit(content, fitted(stand, content.height), crown)
    rival = site.filled(walked(site, [finishing(start, lead.trial)])[0])
    seen = edges.share(rival, cell, shapes, site.veil) - edges.share(lead, cell, shapes, site.veil)
    more = WORTH * seen
    table = search.tables[cell]
    # beside its own gain the piles behind have a say, but a smaller one: they may be wrong themselves
    if rival.gain + more > lead.gain and search.replaced(cell, rival, more + LEAN):
        return True
    table[content] = min(rival.gain + more, lead.gain - 0.1)
    return False
