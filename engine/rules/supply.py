"""How many pieces of a shape are left in the box."""

from __future__ import annotations

from typing import Any, Final

from engine.state import State

PIECES: Final = (22, 18, 14, 18)
"""Blocks for level 1, 2 and 3, and domes."""


def used(state: State[Any]) -> tuple[int, int, int, int]:
    """Count the pieces on the board; a tower taken off leaves only its dome."""
    pos = state.pos
    off = pos.proxies
    return (
        (pos.up1 & ~off).bit_count(),
        (pos.up2 & ~off).bit_count(),
        (pos.up3 & ~off).bit_count(),
        pos.domes.bit_count(),
    )


def banked(state: State[Any]) -> dict[str, int]:
    """Count the pieces that lie on cards, by card."""
    found = {card: memory.get("bank", 0) for card, memory in state.memory.items()}
    return {card: int(bank) for card, bank in found.items() if isinstance(bank, int) and bank}


def left_of(state: State[Any], shape: int, card: str) -> int:
    """Count the pieces of a shape that the holder of a card could still take.

    A piece on a card may be exchanged for another shape at any time, so only the number of pieces on
    other cards counts: they use up what is left once nothing else is.
    """
    counts = [total - gone for total, gone in zip(PIECES, used(state), strict=True)]
    elsewhere = sum(bank for owner, bank in banked(state).items() if owner != card)
    return min(counts[shape], sum(counts) - elsewhere)


def empty(state: State[Any]) -> bool:
    """Whether no piece of any shape is left in the box."""
    return sum(PIECES) - sum(used(state)) - sum(banked(state).values()) <= 0


def left_in_box(state: State[Any]) -> tuple[int, ...]:
    """Count what is left of each shape; below zero something else stands for the missing pieces."""
    return tuple(total - gone for total, gone in zip(PIECES, used(state), strict=True))
