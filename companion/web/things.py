"""What things at the table get from here: the LEDs as data, and a ticket for a seat's own device."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path
from pydantic import BaseModel

from companion.lights.simulated import lights_seen
from companion.web.house import TheDevice, TheHouse, TheTable, answers, problem
from companion.web.joining import SeatName

router = APIRouter(prefix="/api", tags=["things"])
Shape = Annotated[Literal["cells", "ring"], Path()]


class Led(BaseModel):
    """One LED: where it lies (0 to 1, from the left and from below), its colour, and what it says."""

    x: float
    y: float
    colour: str
    meaning: str


class Lights(BaseModel):
    """All LEDs of a shape."""

    shape: Literal["cells", "ring"]
    seq: int
    brightness: int
    leds: list[Led]


class Ticket(BaseModel):
    """What a seat's own device needs to follow it over MQTT."""

    host: str
    port: int
    user: str | None
    password: str | None
    secure: bool
    table: str
    seat: str
    key: str


@router.get("/tables/{table}/lights/{shape}", responses=answers(404, 422))
def lights(found: TheTable, shape: Shape) -> Lights:
    """Show what the LEDs show, from what everybody may know."""
    return Lights.model_validate(lights_seen(found.public(), shape))


@router.post("/tables/{table}/seats/{seat}/device", responses=answers(404, 409, 422))
def seat_device(found: TheTable, seat: SeatName, device: TheDevice, house: TheHouse) -> Ticket:
    """Give the seat's own phone a ticket for a device of its own; an earlier ticket is worthless then."""
    if seat not in found.seats:
        raise problem(404, "error.not_found")
    if not device.holds(found.game, seat):
        raise problem(403, "error.not_allowed")
    offered = house.deps.seat_tickets(found.id, seat)
    if offered is None:
        raise problem(409, "error.not_allowed")
    return Ticket.model_validate(offered)
