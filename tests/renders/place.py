"""How hands put pieces down: offsets, turns and heights in millimetres (pure Python)."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace

from tests.renders.play import SIDE, Position

PITCH, PLATEAU = 43.0, 97.0


@dataclass(frozen=True)
class Sizes:
    """True piece sizes of one set: width and height factors, figure and dome factors."""

    wide: float = 1.0
    tall: float = 1.0
    figure: float = 1.0
    dome: float = 1.0

    @property
    def rims(self) -> tuple[float, ...]:
        """Return the heights over the plateau on which the next piece rests."""
        return (0.0, *(h * self.tall for h in (26.0, 50.0, 65.0)))

    @property
    def stands(self) -> tuple[float, ...]:
        """Return the heights on which a worker stands."""
        return (0.0, *(h * self.tall for h in (23.5, 47.5, 63.0)))


@dataclass(frozen=True)
class Piece:
    """One piece on the board, as labels.json tells it."""

    kind: str
    x: float
    y: float
    z: float
    rot: float
    player: str | None = None
    worker: str | None = None

    def label(self) -> dict[str, object]:
        """Return the piece as labels.json holds it."""
        told: dict[str, object] = {"kind": self.kind, "x": round(self.x, 3), "y": round(self.y, 3)}
        told |= {"z": round(self.z, 3), "rot": round(self.rot, 3)}
        return told | ({"player": self.player, "worker": self.worker} if self.worker else {})


@dataclass(frozen=True)
class Table:
    """All pieces on the board: a stack per cell and the workers."""

    stacks: tuple[tuple[Piece, ...], ...] = ((),) * (SIDE * SIDE)
    workers: tuple[tuple[str, int, Piece], ...] = ()

    def pieces(self) -> list[Piece]:
        """Return every piece, towers first."""
        return [p for stack in self.stacks for p in stack] + [p for _, _, p in self.workers]


def clipped(rng: random.Random, sigma: float, limit: float) -> float:
    """Return a normal number within limits."""
    return max(-limit, min(limit, rng.gauss(0, sigma)))


def block_turn(rng: random.Random) -> float:
    """Return how a block is turned: nearly square to the grid, now and then not at all."""
    chance = rng.random()
    if chance < 0.04:
        return rng.uniform(0, 2 * math.pi)
    slant = math.pi / 4 if chance < 0.08 else 0.0
    return rng.randrange(4) * math.pi / 2 + slant + math.radians(clipped(rng, 4.5, 10))


def held_turn(below: Piece, rng: random.Random) -> float:
    """Return how a block is turned that has dropped into the recess of the one below."""
    return below.rot + rng.randrange(4) * math.pi / 2 + math.radians(clipped(rng, 1.5, 3.3))


def on_top(cell: int, stack: tuple[Piece, ...], sizes: Sizes, dome: bool, rng: random.Random) -> Piece:
    """Put the next block or the dome onto a stack."""
    level = len(stack)
    kind = "dome" if dome else f"L{level + 1}"
    if not stack:
        x, y = cell % SIDE - 2, cell // SIDE - 2
        at = (x * PITCH + clipped(rng, 1.9, 4), y * PITCH + clipped(rng, 1.9, 4))
        return Piece(kind, *at, PLATEAU, block_turn(rng))
    below = stack[-1]
    rides = not dome and rng.random() < 0.09
    slack, lift = (1.3, 2.2) if rides else (0.5, 0.0)
    z = below.z + sizes.rims[level] - sizes.rims[level - 1] + lift
    at = (below.x + clipped(rng, slack, 3), below.y + clipped(rng, slack, 3))
    if dome:
        return Piece(kind, *at, z, rng.uniform(0, 2 * math.pi))
    return Piece(kind, *at, z, block_turn(rng) if rides else held_turn(below, rng))


def worker_on(cell: int, name: str, stack: tuple[Piece, ...], sizes: Sizes, rng: random.Random) -> Piece:
    """Put a worker onto a cell."""
    spot = Piece("worker_m" if name[1] == "1" else "worker_f", 0, 0, PLATEAU, rng.uniform(0, 2 * math.pi))
    spot = replace(spot, player=name[0], worker=name)
    if not stack:
        x, y = cell % SIDE - 2, cell // SIDE - 2
        return replace(spot, x=x * PITCH + clipped(rng, 2, 4.5), y=y * PITCH + clipped(rng, 2, 4.5))
    top, level = stack[-1], len(stack)
    z = top.z + sizes.stands[level] - sizes.rims[level - 1]
    return replace(spot, x=top.x + clipped(rng, 0.9, 2), y=top.y + clipped(rng, 0.9, 2), z=z)


def restack(
    table: Table, cell: int, position: Position, sizes: Sizes, rng: random.Random
) -> tuple[Piece, ...]:
    """Return a cell's stack changed as little as the position asks."""
    blocks = [p for p in table.stacks[cell] if p.kind != "dome"]
    dome = [p for p in table.stacks[cell] if p.kind == "dome"]
    wanted = position.heights[cell]
    stack = tuple(blocks[:wanted])
    while len(stack) < wanted:
        stack = (*stack, on_top(cell, stack, sizes, False, rng))
    if cell not in position.domes:
        return stack
    kept = dome[0] if dome and len(blocks) == wanted else on_top(cell, stack, sizes, True, rng)
    return (*stack, kept)


def settle(table: Table, position: Position, sizes: Sizes, rng: random.Random) -> Table:
    """Return the table after hands made it show the position; untouched pieces stay."""
    stacks = tuple(restack(table, cell, position, sizes, rng) for cell in range(SIDE * SIDE))
    before = {name: (cell, piece) for name, cell, piece in table.workers}
    workers = []
    for name, cell in position.workers.items():
        old = before.get(name)
        stays = old is not None and old[0] == cell and table.stacks[cell] == stacks[cell]
        piece = old[1] if old and stays else worker_on(cell, name, stacks[cell], sizes, rng)
        workers.append((name, cell, piece))
    return Table(stacks, tuple(workers))
