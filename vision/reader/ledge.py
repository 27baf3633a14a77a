"""A second opinion on heights: the ledge around the lowest block's foot has a light of its own on each side.

Usually all that a block turns upwards has one light. From a steep camera a ledge in the shade of its
neighbours then passes for a wall, and one block for two. With a light of its own a ledge passes for anything
dark, so that is believed only where it makes another height clearly the better one (decision 0232).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from vision.reader.contest import close_heights
from vision.reader.fit import Ledger, Trial
from vision.reader.places import Walk, fitted, refining, walked
from vision.reader.search import Search
from vision.reader.shapes import Stand
from vision.reader.site import Site
from vision.reading import Content

CLEARLY: Final = 16.0
# a lone block alone has to share its roof's light with its ledge, so less has to be shown for it
LONE: Final = 8.0
# other heights worth a second opinion may fall short by so much
NEARLY: Final = 80.0


def reconsidered(search: Search) -> None:
    """Weigh the heights of towers once more with a light of its own for the foot's ledge; near to far."""
    geometry = search.geometry
    ledger = replace(search.ledger, shapes=geometry.ledged)
    for cell in reversed(geometry.order):
        rivals = close_heights(search, cell, NEARLY)
        if rivals:
            _reconsider(search, ledger, cell, rivals)


def _reconsider(search: Search, ledger: Ledger, cell: int, rivals: Sequence[Content]) -> None:
    """Put another height in a cell if it is clearly better where ledges have their own light."""
    plain, lead = search.site(cell), search.fits[cell]
    site = Site(ledger, cell, plain.nearer, plain.farther)
    contents = (lead.content, *rivals)
    walks = [(content, walk) for content in contents for walk in _walks(search, site, content)]
    found: dict[Content, Trial] = {}
    for (content, _), trial in zip(walks, walked(site, [walk for _, walk in walks]), strict=True):
        if content not in found or trial.gain > found[content].gain:
            found[content] = trial
    best = max(found.values(), key=lambda trial: trial.gain)
    better = best.gain - found[lead.content].gain
    if best.content == lead.content or better < (LONE if best.content.height == 1 else CLEARLY):
        return
    rival = plain.filled(plain.fit(*best.spec))
    more = better + lead.gain - rival.gain
    if search.replaced(cell, rival, more):
        search.lean(cell, best.content.height, more, lead.gain + better)


def _walks(search: Search, site: Site, content: Content) -> list[Walk]:
    """Ways to a content's place: from where it stood, from where the tower read stands, from the middle."""
    lead = search.fits[site.cell]
    stands = [
        (fitted(lead.stand, content.height), lead.crown),
        (Stand(0, 0, (lead.stand.turns[0],) * content.height), (0, 0)),
    ]
    known = search.memory.get(site.cell, {}).get(content)
    if known is not None:
        stands.append(known)
    return [refining(site.fit(content, stand, crown), (2, 1)) for stand, crown in dict.fromkeys(stands)]
