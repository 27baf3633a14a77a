"""When two piles are alike, and what a pile may be instead of what was read."""

from __future__ import annotations

from vision.reader.fit import Fit
from vision.reading import DOME, Content


def other_heights(content: Content) -> list[Content]:
    """What a pile may be that has been read too tall: fewer blocks, or no figure; a dome hides one more."""
    tops = dict.fromkeys((content.top, ""))
    found = [Content(height, top) for height in range(content.height) for top in tops]
    if content.top == DOME:
        return [*found, Content(content.height + 1, DOME)] if content.height < 3 else found
    return [*found, Content(content.height)] if content.top else found


def close(one: Fit, two: Fit) -> bool:
    """Whether two fits put the same pieces in nearly the same places."""
    if one.content != two.content or abs(one.gain - two.gain) > 0.05 * abs(two.gain) + 2.0:
        return False
    moved = max(abs(one.stand.x - two.stand.x), abs(one.stand.y - two.stand.y))
    spun_by = max((abs(a - b) for a, b in zip(one.stand.turns, two.stand.turns, strict=True)), default=0)
    crown = max(abs(a - b) for a, b in zip(one.crown, two.crown, strict=True))
    return moved <= 1 and spun_by <= 2 and crown <= 2
