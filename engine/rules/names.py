"""What the workers of a side are called."""

from __future__ import annotations

from engine.powers import power
from engine.state import Table


def workers_of(table: Table, seat: str) -> tuple[str, ...]:
    """Name the workers that a seat places."""
    names = [table.powers[s] for s in table.seats if table.sides[s] == seat]
    count = max((power(name).workers for name in names if name is not None), default=2)
    return tuple(f"{seat}{number}" for number in range(1, count + 1))
