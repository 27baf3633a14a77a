"""How a pile finds its place: neighbouring offsets and turns, tried in shrinking steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from vision.reader.fit import Fit, Site
from vision.reader.shapes import Stand
from vision.reading import DOME

FARTHEST: Final = 6.5
SPINS: Final = (9, 18, -9)
QUARTER: Final = 36


def fitted(stand: Stand, height: int) -> Stand:
    """A stand with as many turns as there are blocks: the lowest block's turn goes on upwards."""
    turns = stand.turns[:height]
    last = turns[-1] if turns else 0
    return Stand(stand.x, stand.y, turns + (last,) * (height - len(turns))) if height else Stand()


def around(x: int, y: int, step: int) -> list[tuple[int, int]]:
    """Places one step away that a hand's carelessness can reach."""
    near = ((x + step, y), (x - step, y), (x, y + step), (x, y - step))
    return [(u, v) for u, v in near if u * u + v * v <= FARTHEST**2]


def moves(fit: Fit, step: int) -> list[tuple[Stand, tuple[int, int]]]:
    """Neighbouring stands and crown places one step away."""
    stand, (u, v) = fit.stand, fit.crown
    found: list[tuple[Stand, tuple[int, int]]] = []
    if fit.content.height:
        for x, y in around(stand.x, stand.y, step):
            found.append((Stand(x, y, stand.turns), fit.crown))
        for turn in (step, -step):
            found.append((Stand(stand.x, stand.y, tuple(t + turn for t in stand.turns)), fit.crown))
            if fit.content.height > 1:
                last = (*stand.turns[:-1], stand.turns[-1] + turn)
                found.append((Stand(stand.x, stand.y, last), fit.crown))
    if fit.content.top and (fit.content.top != DOME or not fit.content.height):
        found += [(stand, place) for place in around(u, v, step)]
    return found


def refined(site: Site, fit: Fit, steps: Sequence[int] = (3, 1)) -> Fit:
    """Let a pile find its place and turn by trying neighbours in shrinking steps."""
    if not fit.content.height and not fit.content.top:
        return fit
    for step in steps:
        for _ in range(3):
            start = fit
            for stand, crown in moves(fit, step):
                trial = site.fit(fit.content, stand, crown)
                if trial.gain > fit.gain:
                    fit = trial
            if fit is start:
                break
    return fit


def spun(site: Site, fit: Fit) -> Fit:
    """Try larger turns: of all blocks, of all but the lowest, of the last."""
    best, turns = fit, fit.stand.turns
    for first in range(len(turns)):
        for by in SPINS:
            spin = (*turns[:first], *(wrapped(turn + by) for turn in turns[first:]))
            trial = site.fit(fit.content, Stand(fit.stand.x, fit.stand.y, spin), fit.crown)
            best = trial if trial.gain > best.gain else best
    return best if best is fit else refined(site, best, (3,))


def wrapped(turn: int) -> int:
    """A turn of a square, between -45 and 45 degrees in steps of 2.5."""
    return (turn + QUARTER // 2) % QUARTER - QUARTER // 2
