"""A patch of change: an arm reaches from the border to the island and has an outline, gloss has none."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.view import Light
from vision.reader.hands import (
    Backdrop,
    backdrop_of,
    changed,
    patches,
    sharp,
    small_level,
    stayed,
)


def sheet(*patches: tuple[slice, slice]) -> NDArray[np.uint8]:
    mask = np.zeros((60, 80), dtype=np.uint8)
    for patch in patches:
        mask[patch] = 1
    return mask


ISLAND = sheet((slice(20, 40), slice(30, 50))) > 0


def found(*places: tuple[slice, slice], least: int = 50) -> list[tuple[int, bool, bool]]:
    return [(p.size, p.border, p.island) for p in patches(sheet(*places), ISLAND, least)]


def test_nothing_changed() -> None:
    assert found() == []


def test_an_arm_reaches_from_the_border_to_the_island() -> None:
    assert found((slice(25, 35), slice(0, 28))) == [(280, True, True)]


def test_gloss_in_a_corner_stays_at_the_border() -> None:
    assert found((slice(50, 60), slice(70, 80))) == [(100, True, False)]


def test_a_thing_that_was_put_down_lies_clear_of_the_border() -> None:
    assert found((slice(5, 15), slice(5, 15))) == [(100, False, False)]


def test_every_patch_that_is_large_enough_is_told_of() -> None:
    places = (slice(0, 9), slice(0, 9)), (slice(42, 58), slice(30, 50)), (slice(20, 22), slice(60, 62))
    assert sorted(found(*places)) == [(81, True, False), (320, False, True)]


def lit(where: tuple[slice, slice], colour: float) -> Light:
    room = np.full((60, 80, 3), 0.4, dtype=np.float32)
    room[where] = colour
    return room


@pytest.mark.parametrize(("colour", "moved", "same"), [(0.8, 0, True), (0.8, 6, False), (0.2, 0, False)])
def test_a_thing_that_stays_looks_as_it_did_and_an_arm_does_not(
    colour: float, moved: int, same: bool
) -> None:
    before = lit((slice(25, 35), slice(0, 28)), 0.8)
    now = slice(25 + moved, 35 + moved), slice(0, 28)
    (patch,) = patches(sheet(now), ISLAND, 50)
    assert (stayed(patch, lit(now, colour), before) < 10) == same


def test_what_is_played_on_the_island_does_not_make_a_thing_look_other() -> None:
    thing = slice(2, 12), slice(2, 12)
    now = lit(thing, 0.8)
    now[25:30, 35:40] = 0.9
    (patch,) = patches(sheet(thing), ISLAND, 50)
    assert stayed(patch, now, lit(thing, 0.8)) == 0


WHITE = np.full(3, 0.8)


def room(patch: NDArray[np.float32]) -> tuple[Backdrop, Light]:
    """A wooden table with an island, empty, and the same with a patch that is so much brighter."""
    high, wide = 240, 320
    rng = np.random.default_rng(7)
    wood = 90 + 12 * np.sin(np.arange(high) / 3.0)[:, None, None] + rng.normal(0, 2, (high, wide, 3))
    island = np.zeros((high // 4, wide // 4), dtype=np.bool_)
    island[20:40, 30:50] = True
    brighter = np.clip(wood * patch[..., None], 0, 255).astype(np.uint8)
    backdrop = backdrop_of(np.clip(wood, 0, 255).astype(np.uint8), WHITE, island, (0.0, 0.0))
    return backdrop, small_level(brighter, WHITE)


def told(patch: NDArray[np.float32]) -> bool:
    backdrop, level = room(patch)
    (one,) = patches(changed(backdrop, level), ~backdrop.outside, 200)
    assert one.border
    return sharp(backdrop, level, one.where)


def test_an_arm_has_an_outline() -> None:
    arm = np.ones((240, 320), dtype=np.float32)
    arm[100:140, :110] = 1.9
    assert told(arm)


def test_a_lamps_gloss_fades_away() -> None:
    y, x = np.mgrid[0:240, 0:320]
    gloss = 1 + 1.1 * np.exp(-(((x - 20) / 70) ** 2 + ((y - 60) / 60) ** 2))
    assert not told(gloss.astype(np.float32))


def test_a_patch_that_shows_no_outline_is_taken_for_an_arm() -> None:
    backdrop, level = room(np.ones((240, 320), dtype=np.float32))
    assert sharp(backdrop, level, np.ones_like(backdrop.outside))
