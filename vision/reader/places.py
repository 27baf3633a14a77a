"""How a pile finds its place: neighbouring offsets and turns, tried in shrinking steps."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Final

from vision.reader.fit import Spec, Trial, wrapped
from vision.reader.shapes import Stand
from vision.reader.site import Site
from vision.reading import DOME

# how far from the middle of its space a hand may put a tower, or a figure on the ground
FARTHEST_TOWER: Final = 5.5
FARTHEST: Final = 6.5
# a figure on a roof stands in its recess
FARTHEST_ON_ROOF: Final = 4.2
SPINS: Final = (9, 18, -9)
# a walk asks for trials, is given them, and ends in the one it likes best
Walk = Generator[list[Spec], list[Trial], Trial]


def fitted(stand: Stand, height: int) -> Stand:
    """A stand with as many turns as there are blocks: the lowest block's turn goes on upwards."""
    turns = stand.turns[:height]
    last = turns[-1] if turns else 0
    return Stand(stand.x, stand.y, turns + (last,) * (height - len(turns))) if height else Stand()


def around(x: int, y: int, step: int, farthest: float) -> list[tuple[int, int]]:
    """Places one step away that a hand's carelessness can reach."""
    near = ((x + step, y), (x - step, y), (x, y + step), (x, y - step))
    return [(u, v) for u, v in near if u * u + v * v <= farthest**2]


def moves(trial: Trial, step: int, apart: bool = False) -> list[Spec]:
    """Neighbouring stands and crown places one step away; `apart`: the lowest block may turn alone."""
    content, stand, crown = trial.spec
    found: list[Spec] = []
    if content.height:
        for x, y in around(stand.x, stand.y, step, FARTHEST_TOWER):
            found.append((content, Stand(x, y, stand.turns), crown))
        for turn in (step, -step):
            found.append((content, Stand(stand.x, stand.y, tuple(t + turn for t in stand.turns)), crown))
            if content.height > 1:
                last = (*stand.turns[:-1], stand.turns[-1] + turn)
                found.append((content, Stand(stand.x, stand.y, last), crown))
                if apart:
                    first = (stand.turns[0] + turn, *stand.turns[1:])
                    found.append((content, Stand(stand.x, stand.y, first), crown))
    if content.top and (content.top != DOME or not content.height):
        farthest = FARTHEST_ON_ROOF if content.height else FARTHEST
        found += [(content, stand, place) for place in around(*crown, step, farthest)]
    return found


def refining(trial: Trial, steps: Sequence[int] = (3, 1), apart: bool = False) -> Walk:
    """Let a pile find its place and turn by trying neighbours in shrinking steps."""
    if not trial.content.height and not trial.content.top:
        return trial
    for step in steps:
        for _ in range(3):
            start = trial
            for other in (yield moves(trial, step, apart)):
                if other.gain > trial.gain:
                    trial = other
            if trial is start:
                break
    return trial


def spinning(trial: Trial) -> Walk:
    """Try larger turns: of all blocks, of all but the lowest, of the last."""
    content, stand, crown = trial.spec
    best, turns = trial, stand.turns
    wanted: list[Spec] = []
    for first in range(len(turns)):
        for by in SPINS:
            spin = (*turns[:first], *(wrapped(turn + by) for turn in turns[first:]))
            wanted.append((content, Stand(stand.x, stand.y, spin), crown))
    for other in (yield wanted):
        best = other if other.gain > best.gain else best
    return best if best is trial else (yield from refining(best, (3,)))


def finishing(trial: Trial, lead: Trial) -> Walk:
    """Turn and place a pile precisely, from where it is or from where the likeliest one is."""
    content = trial.content
    (beside,) = yield [(content, fitted(lead.stand, content.height), lead.crown)]
    start = beside if beside.gain > trial.gain else trial
    return (yield from refining((yield from spinning(start)), (2, 1), apart=True))


def walked(site: Site, walks: Sequence[Walk]) -> list[Trial]:
    """Let several walks go side by side, so that all their trials are scored in one pass."""
    ends: dict[int, Trial] = {}
    asked: dict[int, list[Spec]] = {}

    def onward(place: int, given: list[Trial] | None) -> None:
        try:
            asked[place] = walks[place].send(given)  # type: ignore[arg-type]
        except StopIteration as end:
            ends[place] = end.value

    for place in range(len(walks)):
        onward(place, None)
    while asked:
        waiting, asked = asked, {}
        trials = iter(site.tried([spec for specs in waiting.values() for spec in specs]))
        for place, specs in waiting.items():
            onward(place, [next(trials) for _ in specs])
    return [ends[place] for place in range(len(walks))]


def refined(site: Site, trial: Trial, steps: Sequence[int] = (3, 1)) -> Trial:
    """Let one pile find its place."""
    return walked(site, [refining(trial, steps)])[0]


def spun(site: Site, trial: Trial) -> Trial:
    """Let one pile try larger turns."""
    return walked(site, [spinning(trial)])[0] if trial.content.height else trial
