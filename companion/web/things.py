"""What things at the table get from here: the LEDs as data, and a ticket for a seat's own device."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path
from pydantic import BaseModel

from companion.lights.simulated import lights_seen
from companion.web.house import Strict, TheDevice, TheHost, TheHouse, TheTable, answers, problem
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


class Devices(BaseModel):
    """Whether seats can and may have devices of their own."""

    possible: bool
    on: bool


class Wanted(Strict):
    """Whether they shall."""

    on: bool


@router.get("/tables/{table}/lights/{shape}", responses=answers(404, 422))
def lights(found: TheTable, shape: Shape) -> Lights:
    """Show what the LEDs show, from what everybody may know."""
    return Lights.model_validate(lights_seen(found.public(), shape))


@router.get("/tables/{table}/devices", responses=answers(404, 422))
def devices_of(found: TheTable, house: TheHouse) -> Devices:
    """Tell whether seats may have devices of their own."""
    devices = house.deps.devices
    on = devices.offers_seats(found.id) if devices is not None else None
    return Devices(possible=on is not None, on=bool(on))


@router.put("/tables/{table}/devices", responses=answers(404, 409, 422))
def offer_devices(found: TheTable, wanted: Wanted, _host: TheHost, house: TheHouse) -> Devices:
    """Let seats have devices of their own, or no longer."""
    devices = house.deps.devices
    if devices is None or devices.offers_seats(found.id) is None:
        raise problem(409, "error.not_allowed")
    devices.seal_seats(found.id, wanted.on)
    return Devices(possible=True, on=wanted.on)


@router.post("/tables/{table}/seats/{seat}/device", responses=answers(404, 409, 422))
def seat_device(found: TheTable, seat: SeatName, device: TheDevice, house: TheHouse) -> Ticket:
    """Give the seat's own phone a ticket for a device of its own; an earlier ticket is worthless then."""
    if seat not in found.seats:
        raise problem(404, "error.not_found")
    if not device.holds(found.game, seat):
        raise problem(403, "error.not_allowed")
    devices = house.deps.devices
    offered = devices.seat_ticket(found.id, seat) if devices is not None else None
    if offered is None:
        raise problem(409, "error.not_allowed")
    return Ticket.model_validate(offered)
