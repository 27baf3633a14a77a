"""A position: what stands where, kept as 25-bit masks; of the truth or of what somebody has seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from engine.board import CELLS, NOWHERE, cells_in


class Truth:
    """Marks what only the arbiter may hold."""


class Seen:
    """Marks what a seat (or everybody) may know."""


K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens on or beside the board; NOWHERE means on the card."""

    whirlpools: int = 0
    coins: int = 0
    talus: int = NOWHERE
    ram: int = NOWHERE
    wind: int = NOWHERE
    song: int = NOWHERE

    @property
    def lying(self) -> int:
        """The spaces that hold a token."""
        singles = (1 << self.talus if self.talus >= 0 else 0) | (1 << self.ram if self.ram >= 0 else 0)
        return self.whirlpools | self.coins | singles


NO_TOKENS = Tokens()


class Position(Generic[K]):
    """What stands where. Never changed: every change makes a new one.

    `up1`, `up2`, `up3` are the spaces with at least one, two, three blocks; `domes` those with a dome;
    `standing` those with a worker; `workers` says which worker stands where.
    """

    __slots__ = ("domes", "proxies", "standing", "tokens", "up1", "up2", "up3", "workers")

    def __init__(
        self,
        up1: int = 0,
        up2: int = 0,
        up3: int = 0,
        domes: int = 0,
        workers: Mapping[str, int] | None = None,
        tokens: Tokens = NO_TOKENS,
        standing: int | None = None,
        proxies: int = 0,
    ) -> None:
        self.up1, self.up2, self.up3, self.domes = up1, up2, up3, domes
        self.workers: Mapping[str, int] = workers or {}
        self.tokens = tokens
        self.proxies = proxies
        if standing is None:
            standing = 0
            for cell in self.workers.values():
                standing |= 1 << cell
        self.standing: int = standing

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        return f"Position({self.heights}, domes={cells_in(self.domes)}, {dict(self.workers)}, {self.tokens})"

    def key(self) -> tuple[object, ...]:
        """Give a hashable value that equal positions share."""
        workers = tuple(sorted(self.workers.items()))
        return (self.up1, self.up2, self.up3, self.domes, workers, self.tokens, self.proxies)

    @property
    def heights(self) -> tuple[int, ...]:
        """The number of blocks on each space."""
        return tuple(self.level(cell) for cell in CELLS)

    def level(self, cell: int) -> int:
        """Count the blocks on a space."""
        return (self.up1 >> cell & 1) + (self.up2 >> cell & 1) + (self.up3 >> cell & 1)

    def worker_at(self, cell: int) -> str | None:
        """Name the worker on a space, if any."""
        if not self.standing >> cell & 1:
            return None
        return next((worker for worker, place in self.workers.items() if place == cell), None)

    def at_least(self, level: int) -> int:
        """Give the spaces with at least so many blocks."""
        return (-1, self.up1, self.up2, self.up3, 0, 0)[level]

    def at_most(self, level: int) -> int:
        """Give the spaces with at most so many blocks."""
        return ~self.at_least(level + 1)

    @property
    def complete(self) -> int:
        """The spaces with three blocks and a dome."""
        return self.up3 & self.domes

    def with_workers(self, workers: Mapping[str, int], standing: int | None = None) -> Position[K]:
        """Give the position with other workers."""
        return Position(
            self.up1, self.up2, self.up3, self.domes, workers, self.tokens, standing, self.proxies
        )

    def with_tokens(self, tokens: Tokens) -> Position[K]:
        """Give the position with other tokens."""
        return Position(
            self.up1, self.up2, self.up3, self.domes, self.workers, tokens, self.standing, self.proxies
        )

    def with_proxy(self, cell: int) -> Position[K]:
        """Give the position with a complete tower that only a dome on the ground stands for."""
        proxies = self.proxies | 1 << cell
        return Position(
            self.up1, self.up2, self.up3, self.domes, self.workers, self.tokens, self.standing, proxies
        )

    def built(self, cell: int, dome: bool) -> Position[K]:
        """Give the position with one piece more."""
        bit = 1 << cell
        if dome:
            return self._stacked(self.up1, self.up2, self.up3, self.domes | bit)
        up2 = self.up2 | (self.up1 & bit)
        return self._stacked(self.up1 | bit, up2, self.up3 | (self.up2 & bit), self.domes)

    def unbuilt(self, cell: int, count: int = 1) -> Position[K]:
        """Give the position with the top blocks of a space taken away."""
        bit, left = ~(1 << cell), self.level(cell) - count
        up1 = self.up1 if left >= 1 else self.up1 & bit
        up2 = self.up2 if left >= 2 else self.up2 & bit
        return self._stacked(up1, up2, self.up3 if left >= 3 else self.up3 & bit, self.domes)

    def _stacked(self, up1: int, up2: int, up3: int, domes: int) -> Position[K]:
        """Give the position with other pieces."""
        return Position(up1, up2, up3, domes, self.workers, self.tokens, self.standing, self.proxies)
