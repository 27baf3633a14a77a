"""From positions of the rules to boards as the camera sees them, and how well a cell's content fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.board import CELLS
from engine.explain import board_of as pieces_of
from engine.position import Position
from engine.view import PublicView, View
from vision.reading import DOME, Board, Content, Reading

Costs = Sequence[Mapping[tuple[int, str], float]]
"""For each cell, what every content would cost; nothing is free but the best."""


def standing(view: View | PublicView) -> Board:
    """Say how the table should look to somebody who knows this view: workers that hide are not on it."""
    return tuple(Content(height, top) for height, top in pieces_of(view.state))


def board_of(position: Position[Any]) -> Board:
    """Say how a position looks; a tower taken off for its pieces is a lone dome on the ground."""
    at = {cell: worker[0] for worker, cell in position.workers.items()}
    return tuple(
        Content(
            0 if position.proxies >> cell & 1 else position.level(cell),
            DOME if position.domes >> cell & 1 else at.get(cell, ""),
        )
        for cell in CELLS
    )


def costs_of(reading: Reading) -> Costs:
    """Turn likelihoods into costs: how much worse each content of a cell is than the cell's best."""
    rows = []
    for row in reading.scores:
        best = max(row)
        rows.append({(c.height, c.top): best - score for c, score in zip(reading.contents, row)})
    return rows


def cost_of(board: Board, costs: Costs) -> float:
    """Add up what a board costs."""
    return sum(costs[cell].get((content.height, content.top), 0.0) for cell, content in enumerate(board))


def differing(one: Board, other: Board) -> tuple[int, ...]:
    """List the cells in which two boards differ."""
    return tuple(cell for cell in CELLS if one[cell] != other[cell])
