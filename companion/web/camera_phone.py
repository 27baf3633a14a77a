"""A phone that is only the camera of a table: its code, who it is, taking it off. It is no seat."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel

from companion.store import PairingRefused, UnknownGame
from companion.store.seats import CAMERA
from companion.web.cameras import TheCameras
from companion.web.house import (
    TheHost,
    TheHouse,
    TheTable,
    answers,
    cookie_of,
    give_cookie,
    may_guess,
    problem,
)
from companion.web.joining import REFUSALS, Code, SeatCode, qr

router = APIRouter(prefix="/api", tags=["camera"])


class CameraPhone(BaseModel):
    """Whether a phone is only the camera of a table."""

    taken: bool


class Looks(BaseModel):
    """The table that this device is the camera of."""

    table: str


@router.get("/tables/{table}/camera/phone", responses=answers(404, 422))
def camera_phone(found: TheTable, _host: TheHost, _cameras: TheCameras, house: TheHouse) -> CameraPhone:
    """Tell the host whether a phone is only the camera here."""
    return CameraPhone(taken=house.deps.seating.has_camera(found.game))


@router.post("/tables/{table}/camera/phone", responses=answers(404, 409, 422))
def camera_code(found: TheTable, _host: TheHost, _cameras: TheCameras, house: TheHouse) -> SeatCode:
    """Make a code for a phone that is to be only the camera; the one before ends."""
    if house.deps.seating.has_camera(found.game):
        raise problem(409, "wizard.phone.taken")
    code, until = house.deps.seating.offer(found.game, CAMERA)
    # Pictures that follow each other need the secure address, where there is one.
    address = f"{house.deps.secure_address or house.deps.address}/camera#{code}"
    return SeatCode(address=address, svg=qr(address), until=until)


@router.delete("/tables/{table}/camera/phone", responses=answers(404, 422), status_code=204)
def take_off(found: TheTable, _host: TheHost, _cameras: TheCameras, house: TheHouse) -> None:
    """Take the phone off that is only the camera: its next picture is refused."""
    house.deps.seating.release(found.game, CAMERA)


@router.post("/camera/join", responses=answers(404, 409, 422, 429), dependencies=[Depends(may_guess)])
def become_camera(
    code: Code, request: Request, response: Response, _cameras: TheCameras, house: TheHouse
) -> Looks:
    """Swap a camera's code for the right to send pictures of one table, and for nothing else."""
    try:
        taken = house.deps.seating.pair(code.code, cookie_of(request), camera=True)
    except PairingRefused as refused:
        if refused.why == "taken":
            raise problem(409, "wizard.phone.taken") from refused
        raise problem(403, REFUSALS[refused.why]) from refused
    except UnknownGame as gone:
        raise problem(404, "error.not_found") from gone
    table = next((t for t in house.deps.tables.all() if t.game == taken.game), None)
    if table is None:
        raise problem(404, "error.not_found")
    give_cookie(request, response, taken.cookie)
    return Looks(table=table.id)
