"""In whose name a connection speaks."""

from __future__ import annotations

from companion.table.commands import Actor
from companion.web.ports import Table
from companion.web.seating import Device


def speaker(device: Device, table: Table, seat: str | None) -> Actor | None:
    """Return in whose name a device may watch and speak, or nothing when the seat is not its own."""
    if seat is None:
        return Actor(None, "host" if device.host else "screen")
    if seat in table.seats and device.holds(table.game, seat):
        return Actor(seat, "seat")
    return None
