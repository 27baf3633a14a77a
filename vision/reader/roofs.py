"""Where the height of a tower is in doubt, the lines of its roof are asked (decision 0237)."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from calibration.camera import Floats
from vision.reader.crisp import Crisp, Mask
from vision.reader.fit import Spec, Trial, stand_price
from vision.reader.places import finishing, fitted, refined, walked
from vision.reader.search import Search
from vision.reader.site import Site, crown_key
from vision.reading import Content

# what a unit of each is worth: of the far border, the near one, the recess, the floor, the worst of the floor
SAID: Final = np.array([50.0, 55.0, 75.0, -40.0, -30.0])
# what is usual where one of them is out of sight
USUAL: Final = np.array([2.2, 1.85, 1.55, 0.7, 1.6])
# a roof whose lines say so much is where it was read
CLEAR: Final = 220.0
# other heights may fall short by so much, and by so many times that before they have found their place
NEARLY: Final = 100.0
SHARE: Final = 0.2
UNPLACED: Final = 2.0
# a hand that is careless counts for more than colours make of it
CARELESS: Final = 9.0
# a taller tower has more faces whose light is free: what one block more has to explain beyond
TALLER: Final = (0.0, 0.0, 47.0, 57.0)
SURELY: Final = 38.0


def told_by_roofs(search: Search, crisp: Crisp) -> None:
    """Ask the lines of every roof that does not look like one where it was read; near to far."""
    for cell in reversed(search.geometry.order):
        if search.fits[cell].content.height:
            ask(search, crisp, cell)


def ask(search: Search, crisp: Crisp, cell: int) -> None:
    """Put another height in a cell where colours and the lines of roofs together clearly say so."""
    site, fit = search.site(cell), search.fits[cell]
    lines = lines_of(search, crisp, site, fit.trial.spec)
    if worth(lines) >= CLEAR:
        return
    lead, table = site.fit(*fit.trial.spec), search.tables[cell]
    slack = max(NEARLY, SHARE * abs(lead.gain))
    found: list[tuple[float, Trial]] = []
    for content in rivals(search, cell, lead.gain - UNPLACED * slack):
        rival = placed(search, site, content)
        more = said(lines_of(search, crisp, site, rival.spec), lines) + charged(rival) - charged(lead)
        if rival.gain > lead.gain - slack:
            found.append((more, rival))
        table[content] = min(rival.gain + more, fit.gain - 0.1)
    more, rival = max(found, key=lambda row: row[0] + row[1].gain, default=(0.0, lead))
    if rival.gain + more > lead.gain + SURELY and search.replaced(cell, site.filled(rival), more):
        search.lean(cell, rival.content.height, more, rival.gain + more)


def rivals(search: Search, cell: int, least: float) -> list[Content]:
    """The other heights of a tower, with the same on top, that have gained so much."""
    lead, known, table = search.fits[cell].content, search.memory.get(cell, {}), search.tables[cell]
    others = (Content(height, lead.top) for height in (1, 2, 3) if height != lead.height)
    return [content for content in others if content in known and table.get(content, least) > least]


def placed(search: Search, site: Site, content: Content) -> Trial:
    """Another height where it explains most."""
    stand, crown = search.memory[site.cell][content]
    start = site.fit(content, fitted(stand, content.height), crown)
    return refined(site, walked(site, [finishing(start, search.fits[site.cell].trial)])[0])


def lines_of(search: Search, crisp: Crisp, site: Site, spec: Spec) -> Floats:
    """How clear the lines of a tower's roof are; what stands on it and before it covers them."""
    wide, high = search.ledger.evidence.size
    covered = site.veil.hidden.astype(np.uint8)
    if spec[0].top:
        (crown,) = search.geometry.shapes.all_crowns([crown_key(site.cell, spec)])
        covered[crown.index] = 1
    near: Mask = np.asarray(cv2.dilate(covered.reshape(high, wide), np.ones((3, 3), np.uint8)) > 0)
    return crisp.lines(search.geometry.shapes.profile, site.cell, spec, near)


def worth(lines: Floats) -> float:
    """What lines are worth."""
    return float(SAID @ np.where(np.isnan(lines), USUAL, lines))


def said(lines: Floats, others: Floats) -> float:
    """How much more some lines are worth than others, by what is in view of both."""
    return float(np.nansum(SAID * (lines - others)))


def charged(trial: Trial) -> float:
    """What is to be added to a trial's gain for its height and for how carelessly it stands."""
    return -TALLER[trial.content.height] - CARELESS * stand_price(trial.stand)
