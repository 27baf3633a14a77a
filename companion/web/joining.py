"""Joining: the host's code, a seat's code, who sits where."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import segno
from fastapi import APIRouter, Depends, Path, Request, Response
from pydantic import BaseModel, Field

from companion.store import PairingRefused, UnknownGame
from companion.store.errors import PairingReason
from companion.web.house import (
    House,
    Strict,
    TheDevice,
    TheHost,
    TheHouse,
    TheTable,
    answers,
    cookie_of,
    give_cookie,
    may_guess,
    problem,
)
from companion.web.lineups import hidden_by
from companion.web.ports import Table
from companion.web.seating import Device

router = APIRouter(prefix="/api", tags=["joining"])
SeatName = Annotated[str, Path(pattern="^[A-D]$")]


REFUSALS: dict[PairingReason, str] = {
    "unknown": "join.code_wrong",
    "used": "join.code_used",
    "expired": "join.code_expired",
    "taken": "join.seat_taken",
}


class Code(Strict):
    """A code as it was scanned or typed."""

    code: Annotated[str, Field(min_length=1, max_length=80)]


class Place(BaseModel):
    """A seat at a table."""

    table: str
    seat: str


class Held(Place):
    """A seat of this device, and the language it has chosen."""

    language: str | None


class Spoken(Strict):
    """The language of a seat."""

    language: Literal["en", "fr", "it", "pl", "ru"]


class TableLine(BaseModel):
    """An open table in the list."""

    table: str
    game: str
    phase: str
    paused: bool
    players: list[dict[str, Any]]


class Me(BaseModel):
    """What this device is."""

    host: bool
    host_known: bool
    seats: list[Held]
    looks: list[str]
    """The tables whose camera this device is."""
    tables: list[TableLine]
    camera: bool
    keeps_pictures: bool
    secure_address: str | None
    address: str


class SeatCode(BaseModel):
    """A code for a seat, ready to be shown."""

    address: str
    svg: str
    until: float


class SeatLine(BaseModel):
    """A seat as the host sees it."""

    seat: str
    taken: bool
    mine: bool


def line_of(table: Table) -> TableLine:
    """Describe an open table as the public may know it."""
    view = table.public()
    players = [{"seat": p.seat, "name": p.name, "colour": p.colour, "power": p.power} for p in view.players]
    return TableLine(table=table.id, game=view.game, phase=view.phase, paused=view.paused, players=players)


def held_at(house: House, table: Table, device: Device) -> list[Held]:
    """List the seats of a device at a table."""
    own = device.seats(table.game)
    languages = house.deps.seating.languages(table.game) if own else {}
    return [Held(table=table.id, seat=seat, language=languages.get(seat)) for seat in own]


@router.get("/me", responses=answers())
def me(house: TheHouse, device: TheDevice) -> Me:
    """Tell a device what it is and which tables there are."""
    tables = list(house.deps.tables.all())
    seats = [held for table in tables for held in held_at(house, table, device)]
    return Me(
        host=device.host,
        host_known=house.deps.seating.has_host(),
        seats=seats,
        looks=[table.id for table in tables if table.game in device.looks],
        tables=[line_of(table) for table in tables],
        camera=house.deps.cameras is not None,
        keeps_pictures=house.deps.keeps_pictures,
        secure_address=house.deps.secure_address,
        address=house.deps.address,
    )


@router.post("/host", responses=answers(422, 429), status_code=204, dependencies=[Depends(may_guess)])
def become_host(code: Code, request: Request, house: TheHouse) -> Response:
    """Make the calling device the host; the one before is out and told."""
    if not house.deps.host_code.redeem(code.code):
        raise problem(403, "join.code_wrong")
    response = Response(status_code=204)
    give_cookie(request, response, house.deps.seating.make_host(cookie_of(request)))
    for table in house.deps.tables.all():
        house.hub.tell(table.id, {"told": {"key": "join.new_host", "facts": {}}})
    return response


@router.post("/join", responses=answers(404, 409, 422, 429), dependencies=[Depends(may_guess)])
def join(code: Code, request: Request, response: Response, house: TheHouse) -> Place:
    """Swap a seat's code for the seat."""
    before = house.deps.seating.device(cookie_of(request))
    try:
        taken = house.deps.seating.pair(code.code, cookie_of(request))
    except PairingRefused as refused:
        status = 409 if refused.why == "taken" else 403
        raise problem(status, REFUSALS[refused.why]) from refused
    except UnknownGame as gone:
        raise problem(404, "error.not_found") from gone
    table = next((t for t in house.deps.tables.all() if t.game == taken.game), None)
    if table is None:
        raise problem(404, "error.not_found")
    if not may_share(table, taken.seat, before):
        house.deps.seating.release(table.game, taken.seat)
        raise problem(409, "join.no_phone.secret")
    give_cookie(request, response, taken.cookie)
    tell_seat(house, table, taken.seat, "join.seated")
    return Place(table=table.id, seat=taken.seat)


def note_joined(house: House, table: Table) -> None:
    """Let the table show which seats have a phone."""
    table.surround(joined=house.deps.seating.taken(table.game))


def tell_seat(house: TheHouse, table: Table, seat: str, key: str) -> None:
    """Tell everybody at a table what happened to a seat."""
    note_joined(house, table)
    name = next((p.name for p in table.public().players if p.seat == seat), seat)
    told = {"key": key, "facts": {"player": name}}
    house.hub.tell(table.id, {"told": told, "seats": True})


@router.get("/tables/{table}/seats", responses=answers(404, 422))
def seats(found: TheTable, host: TheHost, house: TheHouse) -> list[SeatLine]:
    """Show the host which seats are taken."""
    taken = house.deps.seating.taken(found.game)
    return [SeatLine(seat=s, taken=s in taken, mine=host.holds(found.game, s)) for s in found.seats]


def hides(table: Table, seat: str) -> bool:
    """Tell whether the power of a seat keeps a secret."""
    power = next((p.power for p in table.public().players if p.seat == seat), None)
    return power is not None and hidden_by(power) is not None


def may_share(table: Table, seat: str, device: Device) -> bool:
    """Tell whether a device may hold a seat beside those it has: a secret has a phone of its own."""
    held = [each for each in device.seats(table.game) if each != seat]
    return not held or not any(hides(table, each) for each in (*held, seat))


def free_seat(found: Table, seat: str, house: TheHouse) -> None:
    """Refuse a seat that is not there or that somebody holds."""
    if seat not in found.seats:
        raise problem(404, "error.not_found")
    if seat in house.deps.seating.taken(found.game):
        raise problem(409, "join.seat_taken")


@router.post("/tables/{table}/seats/{seat}/code", responses=answers(404, 409, 422))
def seat_code(found: TheTable, seat: SeatName, _host: TheHost, house: TheHouse) -> SeatCode:
    """Make a code for a free seat."""
    free_seat(found, seat, house)
    code, until = house.deps.seating.offer(found.game, seat)
    address = f"{house.deps.address}/join#{code}"
    return SeatCode(address=address, svg=qr(address), until=until)


@router.post("/tables/{table}/seats/{seat}/take", responses=answers(404, 409, 422))
def take_seat(
    found: TheTable, seat: SeatName, host: TheHost, house: TheHouse, request: Request, response: Response
) -> Place:
    """Give a free seat to the host's own device (pass and play); a seat with a secret only as its first."""
    free_seat(found, seat, house)
    if not may_share(found, seat, host):
        raise problem(409, "join.no_phone.secret")
    code, _ = house.deps.seating.offer(found.game, seat)
    give_cookie(request, response, house.deps.seating.pair(code, cookie_of(request)).cookie)
    tell_seat(house, found, seat, "join.seated")
    return Place(table=found.id, seat=seat)


@router.put("/tables/{table}/seats/{seat}/language", responses=answers(404, 422), status_code=204)
def speak(found: TheTable, seat: SeatName, spoken: Spoken, device: TheDevice, house: TheHouse) -> None:
    """Keep the language of a seat; its own device says it, or the host."""
    if seat not in found.seats:
        raise problem(404, "error.not_found")
    if not (device.host or device.holds(found.game, seat)):
        raise problem(403, "error.not_allowed")
    try:
        house.deps.seating.speak(found.game, seat, spoken.language)
    except UnknownGame as gone:
        raise problem(404, "error.not_found") from gone


@router.delete("/tables/{table}/seats/{seat}", responses=answers(404, 422), status_code=204)
def give_up_seat(found: TheTable, seat: SeatName, device: TheDevice, house: TheHouse) -> None:
    """Free a seat: by its own device, or by the host when the phone is lost. Everybody is told."""
    if seat not in found.seats:
        raise problem(404, "error.not_found")
    if not (device.host or device.holds(found.game, seat)):
        raise problem(403, "settings.host_only")
    if house.deps.seating.release(found.game, seat):
        tell_seat(house, found, seat, "join.seat_freed")


def qr(text: str) -> str:
    """Draw a QR code as SVG that needs no style of its own."""
    return segno.make(text, error="m", micro=False).svg_inline(scale=1, border=4, omitsize=True)
