"""A patch of change: an arm reaches from the border to the island and has an outline, gloss has none."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.view import Light
from vision.reader.hands import Backdrop, backdrop_of, changed, reaching, sharp, small_level


def sheet(*patches: tuple[slice, slice]) -> NDArray[np.uint8]:
    mask = np.zeros((60, 80), dtype=np.uint8)
    for patch in patches:
        mask[patch] = 1
    return mask


ISLAND = sheet((slice(20, 40), slice(30, 50))) > 0


def test_nothing_changed() -> None:
    assert reaching(sheet(), ISLAND)[:3] == (0, False, False)


def test_an_arm_reaches_from_the_border_to_the_island() -> None:
    assert reaching(sheet((slice(25, 35), slice(0, 28))), ISLAND)[:3] == (280, True, True)


def test_gloss_in_a_corner_stays_at_the_border() -> None:
    assert reaching(sheet((slice(50, 60), slice(70, 80))), ISLAND)[:3] == (100, True, False)


def test_the_largest_patch_is_told_of() -> None:
    found = reaching(sheet((slice(0, 9), slice(0, 9)), (slice(42, 58), slice(30, 50))), ISLAND)
    assert found[:3] == (320, False, True)


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
    found = reaching(changed(backdrop, level), ~backdrop.outside)
    assert found.size > 200 and found.border
    return sharp(backdrop, level, found.where)


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
