"""Puts the pieces of a board down as hands do: a little off, a little turned, sometimes on the rim."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import numpy as np

from calibration.pieces import PieceProfile
from calibration.solids import Pile
from vision.reading import Board, Content


@dataclass(frozen=True)
class Hands:
    """How carefully the pieces are put down: lengths in cells, angles in radians, chances."""

    off: float = 0.035
    turn: float = 0.06
    askew: float = 0.03
    on_rim: float = 0.06
    rim_lift: float = 0.045


CAREFUL = Hands(off=0.0, turn=0.0, askew=0.0, on_rim=0.0)


def _shift(random: np.random.Generator, sigma: float) -> tuple[float, float]:
    x, y = np.clip(random.normal(0, sigma, 2), -2.2 * sigma, 2.2 * sigma) if sigma else (0.0, 0.0)
    return float(x), float(y)


def _turn(random: np.random.Generator, hands: Hands, level: int) -> float:
    if level > 0 and random.random() < hands.askew:
        return float(random.uniform(0, pi / 2))
    quarters = int(random.integers(4)) if hands.turn else 0
    return float(random.normal(0, hands.turn)) + quarters * pi / 2


def pile_of(cell: int, content: Content, profile: PieceProfile, hands: Hands, seed: int) -> Pile:
    """One cell's pile; a piece stays exactly where it was while others come and go."""
    turns, shifts, lifts = [0.0, 0.0, 0.0], [], []
    base = _shift(np.random.default_rng((seed, cell, 0)), hands.off)
    for level in range(content.height):
        random = np.random.default_rng((seed, cell, 1, level))
        turns[level] = _turn(random, hands, level)
        # Blocks sit in the recess of the one below: they can slide by a third of what the lowest can.
        shifts.append(_shift(random, hands.off / 3) if level else (0.0, 0.0))
        rides = level > 0 and random.random() < hands.on_rim
        lifts.append(
            hands.rim_lift if rides and profile.blocks[level - 1].floor < profile.rim(level) else 0.0
        )
    random = np.random.default_rng((seed, cell, 2, content.height, *content.top.encode()))
    one, two, three = turns
    return Pile(
        cell,
        content.height,
        content.top,
        base,
        (one, two, three),
        tuple(shifts),
        tuple(lifts),
        _shift(random, 0.7 * hands.off),
        float(random.uniform(0, 2 * pi)),
        bool(random.random() < 0.5),
    )


def put_down(board: Board, profile: PieceProfile, hands: Hands, seed: int) -> tuple[Pile, ...]:
    """All piles of a board."""
    filled = ((cell, content) for cell, content in enumerate(board) if content.height or content.top)
    return tuple(pile_of(cell, content, profile, hands, seed) for cell, content in filled)
