"""One measured number with its limit, and how it is printed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A number; `least` and `most` are limits it must keep."""

    name: str
    value: float
    unit: str = ""
    least: float | None = None
    most: float | None = None
    digits: int = 1

    @property
    def kept(self) -> bool:
        """Whether the number is within its limits."""
        low = self.least is None or self.value >= self.least
        return low and (self.most is None or self.value <= self.most)

    def line(self) -> str:
        """Print it as a row."""
        shown = str(self.value) if isinstance(self.value, int) else f"{self.value:.{self.digits}f}"
        return f"  {self.name:52} {shown:>8} {self.unit:4}{self._limit()}".rstrip()

    def _limit(self) -> str:
        if self.least is None and self.most is None:
            return ""
        limit = f"at least {self.least:g}" if self.most is None else f"at most {self.most:g}"
        return f"{limit:14}{'kept' if self.kept else 'BROKEN'}"


def report(title: str, figures: Iterable[Figure]) -> bool:
    """Print the figures under a title; say whether all limits were kept."""
    print(title, flush=True)
    kept = True
    for figure in figures:
        print(figure.line(), flush=True)
        kept = kept and figure.kept
    return kept
