"""Eyes without a camera, for tests: a picture is a board written as numbers, and each eye has one fault."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from vision.reading import CELLS, DOME, Board, CameraState, Content, Picture, Reading, alternatives

TOPS: Final = ("", DOME, "A", "B", "C", "D")
HAND: Final = 255
CLEAR: Final = 120.0
"""How much worse a wrong content of a cell fits."""


def drawn(board: Board, hand: bool = False) -> Picture:
    """Write a board as a picture that the eyes of this module can read."""
    rows = [[content.height, TOPS.index(content.top), HAND if hand else 0] for content in board]
    return np.array(rows, dtype=np.uint8)


def board_in(picture: Picture) -> Board:
    """Read such a picture without any fault."""
    return tuple(Content(int(height), TOPS[int(top)]) for height, top, _ in picture)


class SureEye:
    """Sees everything as it is."""

    def __init__(self, sides: Sequence[str] = ("A", "B")) -> None:
        self.sides = tuple(sides)
        self.camera: CameraState = "ok"
        self.looks = 0

    def look(self, picture: Picture, clear: bool = False) -> Reading:
        """Read one picture."""
        self.looks += 1
        self.blink()
        contents = alternatives(self.sides)
        real = board_in(picture)
        rows = [[self.fit(cell, real[cell], content) for content in contents] for cell in range(CELLS)]
        best = tuple(contents[int(np.argmax(row))] for row in rows)
        scores = tuple(tuple(value - max(row) for value in row) for row in rows)
        visible = tuple(self.visible(cell) for cell in range(CELLS))
        busy = bool((picture[:, 2] == HAND).any()) and not clear
        return Reading(self.sides, contents, scores, visible, best, "busy" if busy else "stable", self.camera)

    def weigh(self, picture: Picture, boards: Sequence[Board]) -> tuple[float, ...]:
        """Weigh whole boards by the same look."""
        real = board_in(picture)
        return tuple(
            sum(self.fit(cell, real[cell], content) for cell, content in enumerate(board)) for board in boards
        )

    def blink(self) -> None:
        """Change whatever changes from look to look."""

    def visible(self, cell: int) -> float:
        """Say how much of a cell is in view."""
        return 1.0

    def fit(self, cell: int, real: Content, content: Content) -> float:
        """Say how well a content explains what stands in a cell."""
        off = abs(real.height - content.height) + 2 * (real.top != content.top)
        return -CLEAR * off


class MisreadingEye(SureEye):
    """Always reads some cells wrong, and is sure of it: by so many blocks too high or too low."""

    def __init__(self, off: Mapping[int, int], sides: Sequence[str] = ("A", "B")) -> None:
        super().__init__(sides)
        self.off = dict(off)

    def fit(self, cell: int, real: Content, content: Content) -> float:
        """Judge by the wrong height."""
        height = min(3, max(0, real.height + self.off.get(cell, 0)))
        return super().fit(cell, Content(height, real.top), content)


class ShadedEye(SureEye):
    """Cannot see some cells at all."""

    def __init__(self, hidden: Sequence[int], sides: Sequence[str] = ("A", "B")) -> None:
        super().__init__(sides)
        self.hidden = frozenset(hidden)

    def visible(self, cell: int) -> float:
        """Nothing of a hidden cell is in view."""
        return 0.0 if cell in self.hidden else 1.0

    def fit(self, cell: int, real: Content, content: Content) -> float:
        """Say nothing about a hidden cell, but a little for an empty one."""
        if cell in self.hidden:
            return -0.3 * content.height - 0.5 * bool(content.top)
        return super().fit(cell, real, content)


class FlickeringEye(MisreadingEye):
    """Reads some cells wrong on every other look."""

    def fit(self, cell: int, real: Content, content: Content) -> float:
        """Judge wrongly on odd looks."""
        if self.looks % 2:
            return super().fit(cell, real, content)
        return SureEye.fit(self, cell, real, content)


class NoisyEye(SureEye):
    """Wavers: its likelihoods are off by chance, and now and then it reads a cell one block wrong."""

    def __init__(
        self,
        chance: random.Random,
        slips: float = 0.02,
        waver: float = 4.0,
        sides: Sequence[str] = ("A", "B"),
    ) -> None:
        super().__init__(sides)
        self._chance, self._slips, self._waver = chance, slips, waver
        self._off: dict[int, int] = {}
        self._noise: dict[tuple[int, Content], float] = {}

    def blink(self) -> None:
        """Draw the errors of this look."""
        self._off = {
            cell: self._chance.choice((-1, 1))
            for cell in range(CELLS)
            if self._chance.random() < self._slips / CELLS
        }
        self._noise = {
            (cell, content): self._chance.gauss(0, self._waver)
            for cell in range(CELLS)
            for content in alternatives(self.sides)
        }

    def fit(self, cell: int, real: Content, content: Content) -> float:
        """Judge with the errors of this look."""
        height = min(3, max(0, real.height + self._off.get(cell, 0)))
        plain = super().fit(cell, Content(height, real.top), content)
        return plain + self._noise.get((cell, content), 0.0)
