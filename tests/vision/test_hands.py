"""A patch of change: an arm reaches from the border to the island, gloss at the table's edge does not."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.reader.hands import Patch, reaching


def sheet(*patches: tuple[slice, slice]) -> NDArray[np.uint8]:
    mask = np.zeros((60, 80), dtype=np.uint8)
    for patch in patches:
        mask[patch] = 1
    return mask


ISLAND = sheet((slice(20, 40), slice(30, 50))) > 0


def test_nothing_changed() -> None:
    assert reaching(sheet(), ISLAND) == Patch(0, False, False)


def test_an_arm_reaches_from_the_border_to_the_island() -> None:
    assert reaching(sheet((slice(25, 35), slice(0, 28))), ISLAND) == Patch(280, True, True)


def test_gloss_in_a_corner_stays_at_the_border() -> None:
    assert reaching(sheet((slice(50, 60), slice(70, 80))), ISLAND) == Patch(100, True, False)


def test_the_largest_patch_is_told_of() -> None:
    found = reaching(sheet((slice(0, 9), slice(0, 9)), (slice(42, 58), slice(30, 50))), ISLAND)
    assert found == Patch(320, False, True)
