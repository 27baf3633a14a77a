"""Shadows of towers as a second opinion on heights."""

from typing import Any

import numpy as np
import pytest

from calibration.noise import Noise
from calibration.pieces import shipped
from tests import pictures
from vision.reader import Reader, evidence, filling
from vision.reader import shadows as shadow_loops
from vision.reader.batch import prime
from vision.reader.evidence import STRAY, features_of, ground_of, ground_score
from vision.reader.fit import NOTHING, Spec, Trial
from vision.reader.places import fitted
from vision.reader.search import Search
from vision.reader.shadows import (
    FINE_PITCH,
    REACH,
    SIDE,
    OpenGround,
    open_ground,
    plan_of,
    shadows,
    solids_of,
)
from vision.reader.shapes import Stand
from vision.reader.sunlight import Shade, Sun, shaded
from vision.reading import DOME, Content

MIDDLE = 12


def tower(height: int, cell: int = MIDDLE, top: str = "") -> Spec:
    return Content(height, top), Stand(0, 0, (0,) * height), (0, 0)


def cast(spec: Spec, shift: tuple[float, float], cell: int = MIDDLE) -> np.ndarray:
    return shadows([solids_of(shipped(), cell, spec)], (*shift, 0.0))


def square(x: float, y: float) -> tuple[int, int]:
    return int((y + REACH) * FINE_PITCH), int((x + REACH) * FINE_PITCH)


def test_light_from_right_above_casts_no_shadow_beside_a_tower() -> None:
    profile = shipped()
    paper = cast(tower(2), (0.0, 0.0))
    half = profile.blocks[0].base_width / 2
    assert paper[square(0.0, 0.0)] and paper[square(half - 0.06, 0.0)]
    assert not paper[square(half + 0.08, 0.0)]
    assert paper.sum() == pytest.approx((2 * half * FINE_PITCH) ** 2, rel=0.1)


def test_a_shadow_is_as_long_as_its_tower_is_tall() -> None:
    profile = shipped()
    for height in (1, 2, 3):
        paper = cast(tower(height), (1.0, 0.0))
        row = paper[square(0.0, 0.0)[0]]
        end = np.flatnonzero(row)[-1] / FINE_PITCH - REACH
        assert end == pytest.approx(profile.rim(height) + profile.blocks[height - 1].top_width / 2, abs=0.08)


def test_domes_and_workers_cast_shadows_too() -> None:
    for top in (DOME, "A"):
        bare, crowned = (cast(tower(1, top=t), (0.0, -1.0)) for t in ("", top))
        assert (crowned >= bare).all() and crowned.sum() > bare.sum()


def test_what_falls_beside_the_island_is_left_out() -> None:
    assert cast(tower(3, cell=4), (2.5, -2.5), cell=4).shape == (SIDE, SIDE)


def lit(specs: dict[int, Spec], shift: tuple[float, float], depth: float, near: float = 0.0) -> OpenGround:
    """The ground as towers shade it, but for what they cover."""
    solids = [solids_of(shipped(), cell, spec) for cell, spec in specs.items()]
    random = np.random.default_rng(5)
    darker = depth * shadows(solids, (*shift, near)) + random.normal(0, 0.05, (SIDE, SIDE))
    return OpenGround(darker.astype(np.float32), (shadows(solids, (0.0, 0.0, 0.0)) == 0).astype(np.float32))


def test_priming_compiles_the_form_in_which_shadows_are_cast() -> None:
    prime()
    share = cast(tower(2), (0.5, 0.5)).astype(np.float32)
    shadow_loops.explained(share, share, share, -1.0)
    ground_score(np.zeros((2, 3, 3), dtype=np.float32), ground_of(np.ones((2, 3, 3), np.float32), Noise()))
    loops: list[Any] = [filling.fill_shadows, shadow_loops.explained, evidence.likeliest_shade]
    assert [len(loop.signatures) for loop in loops] == [1, 1, 1]


def test_the_ground_scores_as_its_best_shade_does() -> None:
    random = np.random.default_rng(2)
    level = random.uniform(0.05, 1.2, (9, 11, 3)).astype(np.float32)
    features = features_of(random.uniform(0.02, 1.5, (9, 11, 3)).astype(np.float32))
    ground = ground_of(level, Noise(), (0.1, -0.2))
    off = features[None] - ground.expected
    best = (ground.constant - (off * off * ground.precision).sum(axis=-1)).max(axis=0)
    found = ground_score(features, ground).reshape(9, 11)
    assert found == pytest.approx(np.maximum(best, STRAY), abs=1e-4)


TOWERS = {3: tower(1), 7: tower(2), 16: tower(1), 18: tower(3)}


@pytest.mark.parametrize("shift", [(0.8, -0.5), (-1.3, 0.2), (0.1, 0.6)])
def test_the_light_is_found_by_the_shadows(shift: tuple[float, float]) -> None:
    shade = Shade(lit(TOWERS, shift, -0.9))
    sun = shade.found([solids_of(shipped(), cell, spec) for cell, spec in TOWERS.items()])
    assert sun.shift == pytest.approx(shift, abs=0.05)
    assert sun.depth == pytest.approx(-0.9, abs=0.1) and shade.believed(sun)


def test_a_lamp_near_by_throws_taller_towers_shadows_further() -> None:
    shade = Shade(lit(TOWERS, (0.8, -0.5), -0.9, near=0.14))
    solids = [solids_of(shipped(), cell, spec) for cell, spec in TOWERS.items()]
    sun = shade.found(solids)
    assert sun.near == pytest.approx(0.14, abs=0.05) and sun.shift == pytest.approx((0.8, -0.5), abs=0.08)


def test_a_faint_shadow_or_none_is_not_believed() -> None:
    solids = [solids_of(shipped(), cell, spec) for cell, spec in TOWERS.items()]
    for depth in (0.0, -0.2):
        shade = Shade(lit(TOWERS, (0.8, -0.5), depth))
        assert not shade.believed(shade.found(solids))


def test_shade_that_no_tower_casts_is_not_believed() -> None:
    solids = [solids_of(shipped(), cell, spec) for cell, spec in TOWERS.items()]
    ground = lit(TOWERS, (0.8, -0.5), 0.0)
    ground.darker[:, : SIDE // 3] -= 1.0
    shade = Shade(ground)
    assert not shade.believed(shade.found(solids))


def test_a_light_is_followed_from_picture_to_picture() -> None:
    solids = [solids_of(shipped(), cell, spec) for cell, spec in TOWERS.items()]
    shade = Shade(lit(TOWERS, (0.8, -0.5), -0.9))
    sun = shade.followed(solids, Sun((0.7, -0.42)), (0.05, 0.02))
    assert sun.shift == pytest.approx((0.8, -0.5), abs=0.05)


def read(name: str, file: str) -> tuple[Reader, Search]:
    eye = Reader(pictures.calibration(name))
    eye.look(pictures.picture(name, file))
    assert eye.seen is not None
    return eye, eye.seen.search


def ground_in(eye: Reader) -> OpenGround:
    """The ground as the picture just read shows it."""
    look, setting = eye.seen, eye.setting
    assert look is not None
    darker = look.evidence.features[..., 0] - setting.ground.expected[0][..., 0]
    return open_ground(setting.geometry.plan, darker, look.fair & ~setting.around, look.search.fits)


@pytest.mark.pictures
def test_heights_that_are_right_stay() -> None:
    eye, search = read("game-05", "015.jpg")
    kept = [fit.content for fit in search.fits]
    sun = shaded(search, ground_in(eye), None)
    assert [fit.content for fit in search.fits] == kept
    assert sun is None or Shade(ground_in(eye)).believed(sun)


@pytest.mark.pictures
def test_a_tower_of_another_height_is_put_right_by_its_shadow() -> None:
    eye, search = read("game-34", "015.jpg")
    cell = 13
    lead, taller = search.fits[cell], Content(2)
    assert lead.content == Content(1)
    # what its colours would say if they were as much in favour of another height
    believed = Trial(taller, fitted(lead.stand, 2), lead.crown, lead.gain + 5.0)
    search.fits[cell] = search.site(cell).filled(believed)
    search.tables[cell] = {taller: lead.gain + 5.0, lead.content: lead.gain, Content(0): 0.0}
    search.memory[cell][lead.content] = (lead.stand, lead.crown)
    shaded(search, ground_in(eye), None)
    assert search.fits[cell].content == lead.content


@pytest.mark.pictures
def test_only_the_ground_in_view_is_looked_at() -> None:
    _, search = read("game-05", "015.jpg")
    plan = plan_of(search.geometry.shapes.camera)
    wide, high = search.geometry.shapes.camera.size
    everything = np.ones(wide * high, dtype=bool)
    level = np.zeros((high, wide), dtype=np.float32)
    whole = open_ground(plan, level, everything, [NOTHING] * 25)
    seen = open_ground(plan, level, everything, search.fits)
    assert whole.known.mean() > 0.95
    assert seen.known.sum() < whole.known.sum()
    for cell, fit in enumerate(search.fits):
        if fit.content.height:
            x, y = cell % 5 - 2.0, cell // 5 - 2.0
            assert not seen.known[square(x, y)]
