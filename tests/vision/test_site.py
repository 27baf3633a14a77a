"""The compiled scoring of piles against the same sums written down plainly."""

import subprocess
import sys
from dataclasses import replace
from itertools import product
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.camera import camera_from
from calibration.pieces import shipped
from vision.reader import compiled, covering, painted, quick
from vision.reader.batch import levels_of, looks_of, prime
from vision.reader.evidence import STRAY, TEMPER, Evidence
from vision.reader.fit import BARE, BY_BIN, NOTHING, Ledger, Spec, price
from vision.reader.geometry import Geometry
from vision.reader.levels import BINS
from vision.reader.painted import STEPS_PLANE, Shelf
from vision.reader.shapes import STEPPED, Box, Crown, Raster, Shapes, Stand
from vision.reader.site import Site, crown_key
from vision.reading import DOME, Content

SIZE = (300, 260)
CELL = 12
SPECS: list[Spec] = [
    (Content(height, top), Stand(*at, tuple(range(height))), place)
    for height, top, at, place in product(range(4), ("", DOME, "A", "B"), ((0, 0), (3, -2)), ((0, 0), (1, 2)))
    if height or top
]


def shapes() -> Shapes:
    """A camera at some 50 degrees over a board of the first profile."""
    turn = cv2.Rodrigues(np.array([np.radians(140.0), 0.0, 0.0]))[0]
    camera = camera_from(SIZE, (330.0, 330.0, 150.0, 150.0), (0.0,) * 5, turn, (0.0, 0.0, 8.0))
    return Shapes(camera, shipped("licensed-model"))


def evidence(seed: int) -> Evidence:
    """A picture of noise: every pixel says something else."""
    random, pixels = np.random.default_rng(seed), SIZE[0] * SIZE[1]

    def noise(count: int = 1) -> np.ndarray:
        return (TEMPER * random.uniform(STRAY, 3.0, count * pixels)).astype(np.float32)

    return Evidence(
        SIZE,
        noise(),
        noise(3),
        noise(),
        {"A": noise(), "B": noise()},
        random.integers(0, BINS, pixels).astype(np.uint8),
        noise(),
        noise(),
        noise(),
        np.zeros((*SIZE[::-1], 3), dtype=np.float32),
    )


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    return Ledger(evidence(1), shapes())


def surroundings(ledger: Ledger, near: bool) -> Site:
    """The middle cell, alone or between a tower in front of it and one behind."""
    if not near:
        return Site(ledger, CELL, (NOTHING,), (NOTHING,))
    fits = []
    for cell in (7, 17):
        alone = Site(ledger, cell, (), ())
        fits.append(alone.filled(alone.fit(Content(3, "A"), Stand(0, 0, (0, 0, 0)), (0, 0))))
    order = Geometry(ledger.shapes).order
    return Site(ledger, CELL, *((fit,) for fit in (fits if order.index(7) > order.index(17) else fits[::-1])))


def level(site: Site, look: int, bins: np.ndarray) -> tuple[float, np.ndarray]:
    """The best level of a face's pixels: what it adds, and what it says of each of them."""
    rows = BY_BIN[1 if look else 0][bins]
    total = rows.sum(axis=0, dtype=np.float64) + site.ledger.levels.prices[look]
    best = int(total.argmax())
    return (float(total[best]) if len(bins) else 0.0), rows[:, best]


def tower_gain(site: Site, raster: Raster, free: np.ndarray, under: np.ndarray) -> float:
    """What a tower gains where it is free; writes its scores over `under`."""
    evidence, box, gain = site.ledger.evidence, site.box, 0.0
    spot, face, plane = raster.spot, raster.face, raster.code // box.size
    at = box.flat(spot)
    pixels = len(evidence.ground)
    for number, look in enumerate(raster.look):
        mine = (face == number) & free[spot]
        if look == STEPPED:
            mine &= evidence.ivory_any[at] > site.behind[spot]
        plain = evidence.ivory[np.minimum(plane[mine], 2) * pixels + at[mine]]
        if look == STEPPED:
            plain = evidence.ivory_any[at[mine]] + np.float32(TEMPER)
        best, rows = level(site, int(look), evidence.bins[at[mine]])
        more = best + float((plain - site.behind[spot[mine]]).sum())
        gain += max(0.9 * more - 1.5, 0.0) if look == STEPPED else more
        under[spot[mine]] = plain + rows
    return gain


def plain_gain(site: Site, spec: Spec) -> float:
    """The gain of a pile, pixel by pixel."""
    content, stand, _ = spec
    evidence, shapes, clear = site.ledger.evidence, site.ledger.shapes, site.clear > 0
    free, under, gain = clear.copy(), site.behind.copy(), -price(content.height, content.top, *spec[1:])
    (crown,) = shapes.all_crowns([crown_key(CELL, spec)]) if content.top else (None,)
    if crown is not None:
        free[crown.own] = False
    if content.height:
        gain += tower_gain(site, shapes.tower(CELL, content.height, stand), free, under)
    if crown is None:
        return gain
    colour = evidence.dome if content.top == DOME else evidence.workers[content.top]
    paint = site.box.cut(colour).ravel()
    own, fringe, ring = (part[clear[part]] for part in crown.parts)
    sliver = 7.5 if content.top == DOME else 15.0
    gain += float((paint[own] - under[own]).sum()) - sliver * (1.0 - len(own) / len(crown.own)) ** 2
    either = np.logaddexp(paint[fringe], under[fringe]) - np.log(2.0) * TEMPER - under[fringe]
    gain += float(np.maximum(either, -0.3).sum())
    if len(ring) >= 20:
        over = np.maximum(paint[ring] - under[ring], 0.0)
        gain -= (0.5 if content.height else 1.0) * 0.8 * float(over.mean()) * len(own)
    return gain


@pytest.mark.parametrize("near", [False, True])
def test_piles_score_what_their_pixels_say(ledger: Ledger, near: bool) -> None:
    site = surroundings(ledger, near)
    assert (site.clear == 0).any() == near
    trials = site.tried(SPECS)
    found = [trial.gain for trial in trials]
    assert found == pytest.approx([plain_gain(site, spec) for spec in SPECS], abs=2e-3, rel=1e-5)


def test_one_by_one_and_all_at_once_are_the_same(ledger: Ledger) -> None:
    together = surroundings(ledger, True).tried(SPECS)
    single = [surroundings(ledger, True).fit(*spec) for spec in SPECS[::5]]
    assert [trial.gain for trial in single] == [trial.gain for trial in together[::5]]


def test_what_was_tried_is_not_scored_again(ledger: Ledger) -> None:
    site = surroundings(ledger, False)
    first = site.tried(SPECS[:4])
    again = site.tried([*SPECS[2:4], BARE.spec])
    assert again[0] is first[2]
    assert again[2] is BARE
    assert len(site.known) == 5


@pytest.mark.parametrize("spec", SPECS[::9])
def test_a_fit_covers_what_its_pile_shows(ledger: Ledger, spec: Spec) -> None:
    site = surroundings(ledger, True)
    fit = site.filled(site.fit(*spec))
    assert len(fit.index) == len(fit.score)
    assert len(np.unique(fit.index)) == len(fit.index)
    if not spec[0].top:
        assert not site.veil.hidden[fit.index].any()
    assert (STEPPED not in fit.levels[:, 0]) and (fit.levels[:, 2] >= 0).all()


def plain_cover(site: Site, spec: Spec, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A tower's pixels in view, what they score, the sizes of its faces: many pixels at a time."""
    content, stand, _ = spec
    evidence, shapes = site.ledger.evidence, site.ledger.shapes
    raster, hidden = shapes.tower(CELL, content.height, stand), site.hidden.copy()
    if content.top:
        (crown,) = shapes.all_crowns([crown_key(CELL, spec)])
        hidden[crown.own] = True
    seen = ~hidden[raster.spot]
    spot, plane, face = raster.spot[seen], raster.code[seen] // site.box.size, raster.face[seen]
    at, steps = site.box.flat(spot), plane == STEPS_PLANE
    plain = evidence.ivory[np.where(steps, 0, plane) * len(evidence.ground) + at]
    plain = np.where(steps, evidence.ivory_any[at], plain)
    kept = ~steps | (plain > site.behind[spot])
    plain[steps] += np.float32(TEMPER)
    score = plain + BY_BIN[(raster.look > 0).astype(int)[face], evidence.bins[at], rows[face]]
    return at[kept], score[kept], np.bincount(face, weights=site.clear[spot], minlength=len(raster.look))


@pytest.mark.parametrize("spec", [spec for spec in SPECS[::5] if spec[0].height])
def test_a_tower_covers_what_it_covers_when_all_pixels_are_taken_at_once(ledger: Ledger, spec: Spec) -> None:
    site = surroundings(ledger, True)
    fit = site.filled(site.fit(*spec))
    shelf, (pile,) = site.piles([spec])
    rows = levels_of(site.plot, ledger.levels, shelf, pile)
    index, score, sizes = plain_cover(site, spec, rows)
    assert (fit.index[: len(index)] == index).all() and (fit.score[: len(index)] == score).all()
    assert (fit.levels[:, 2] == sizes[looks_of(shelf, pile[0]) != STEPPED]).all()


def test_the_likeliest_figure_is_that_whose_colour_is_seen(ledger: Ledger) -> None:
    site = surroundings(ledger, True)
    bases = [(height, Stand(1, 0, (0,) * height)) for height in range(4)]
    found = site.likeliest(bases, ["A", "B"])
    for (height, at), sides in zip(bases, found, strict=True):
        spot = ledger.shapes.crown(CELL, height, False, at.x, at.y).own
        index = site.box.flat(spot[~site.hidden[spot]])
        sums = {side: float(ledger.evidence.workers[side][index].sum()) for side in "AB"}
        bound = max(sums.values()) - 0.25 * TEMPER * len(index)
        assert sides == [side for side in "AB" if sums[side] >= bound]


def test_what_lies_outside_a_box_is_left_out() -> None:
    box, part = Box(10, 5, 4, 3, 40), np.zeros(12, dtype=np.float32)
    inside, outside = [5 * 40 + 10, 7 * 40 + 13], [4 * 40 + 10, 8 * 40 + 10, 6 * 40 + 9, 6 * 40 + 14]
    covering.lay(part, box, np.array(inside + outside, dtype=np.int32), np.arange(1, 7, dtype=np.float32))
    assert part.tolist() == [1.0, *[0.0] * 10, 2.0]


def test_kept_shapes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.reader.shapes.KEPT", 20_000)
    few = shapes()
    held = few.tower(CELL, 1, Stand(0, 0, (0,)))
    code = held.code.copy()
    for x in range(60):
        few.tidy()
        few.tower(CELL, 1, Stand(x, 0, (0,)))
        few.crown(CELL, 0, True, x, 0)
        assert few.shelf.used < 20_000 + 10_000
    assert len(few.towers) < 40 and few.shelf is not held.shelf
    # what somebody still holds is as it was
    assert (held.code == code).all()
    assert (few.tower(CELL, 1, Stand(0, 0, (0,))).code == code).all()


def test_a_shelf_grows_and_what_is_on_it_stays() -> None:
    shelf, random = Shelf(4), np.random.default_rng(3)
    sheets = [random.integers(0, 4, (20, 30)).astype(np.uint8) for _ in range(5)]
    places = [shelf.put_top(sheet, (5000, 100, 2, 7)) for sheet in sheets]
    for sheet, at in zip(sheets, places, strict=True):
        for mark, part in enumerate(Crown(Box(0, 0, 100, 50, 300), shelf, at).parts, start=1):
            row, column = np.nonzero(sheet == mark)
            assert (part == (row + 2) * 100 + column + 7).all()


def test_where_nothing_can_be_kept_loops_are_compiled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    import numba

    asked = []

    def njit(**options: bool) -> object:
        asked.append(options)
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return lambda plain: plain

    monkeypatch.setattr(numba, "njit", njit)
    assert quick.quickened(len) is len
    assert [options.get("cache", False) for options in asked] == [True, False]


def test_priming_compiles_every_form_that_reading_needs(ledger: Ledger) -> None:
    prime()
    site = surroundings(replace(ledger), True)
    site.filled(site.tried(SPECS)[-1])
    site.likeliest([(0, Stand()), (1, Stand(0, 0, (0,)))], ["A", "B"])
    loops: list[Any] = [painted.put_tower, painted.put_top, compiled.laid, compiled.scored, compiled.faces_of]
    loops += [covering.hide, covering.lay, covering.coloured, covering.explained]
    assert [len(loop.signatures) for loop in loops] == [1] * 9


def test_loops_are_handed_to_the_compiler_once() -> None:
    prime()
    before = compiled.scored
    quick.prepare()
    assert compiled.scored is before


def test_the_compiler_is_not_loaded_before_a_picture_is_read() -> None:
    code = "import sys, vision.reader, companion.cli.main; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


COLD = """
import sys, time
from vision.reader.batch import prime, primed_aside
primed_aside().join()
from vision.reader import compiled, quick
assert all(loop.quick is not None for loop in quick.LOOPS)
assert compiled.scored.signatures
prime()
"""


def test_a_thread_of_its_own_primes_what_reading_needs() -> None:
    subprocess.run([sys.executable, "-c", COLD], check=True, timeout=120)


def test_where_boards_are_compared_as_a_whole_mixed_pixels_count_half(ledger: Ledger) -> None:
    site = surroundings(ledger, near=True)
    whole = Site(ledger, CELL, site.nearer, site.farther, seams=True)
    assert set(np.unique(site.clear)) == {0.0, 1.0}
    assert set(np.unique(whole.clear)) == {0.0, 0.5, 1.0}
    assert (whole.clear[site.hidden] == 0).all()
    assert ((whole.clear == 1) == (site.clear == 1)).all()
