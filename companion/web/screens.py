"""Players without a phone: the host seats them at a table screen, for seats without a secret."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field

from companion.web.house import Strict, TheHost, TheHouse, TheTable, answers, problem
from companion.web.joining import SeatName, free_seat, hides, may_share

router = APIRouter(prefix="/api", tags=["joining"])
MOST = 24


class Screen(BaseModel):
    """A table screen that watches, by the sign that it shows."""

    sign: str


class Chosen(Strict):
    """The screen that the host means."""

    sign: Annotated[str, Field(pattern="^[A-Z0-9]{4}$")]


@router.get("/tables/{table}/screens", responses=answers(404, 422))
def screens(found: TheTable, _host: TheHost, house: TheHouse) -> list[Screen]:
    """List the table screens that show this table now."""
    return [Screen(sign=str(watcher.sign)) for watcher in house.hub.screens(found.id)[:MOST]]


@router.post("/tables/{table}/seats/{seat}/screen", responses=answers(404, 409, 422), status_code=204)
def seat_at_screen(found: TheTable, seat: SeatName, chosen: Chosen, _host: TheHost, house: TheHouse) -> None:
    """Let a table screen speak for a seat: the screen gets a code for it, as a phone would."""
    free_seat(found, seat, house)
    if hides(found, seat):
        raise problem(409, "join.screen.secret")
    watcher = next((w for w in house.hub.screens(found.id) if w.sign == chosen.sign), None)
    if watcher is None:
        raise problem(404, "join.screen.gone")
    if not may_share(found, seat, watcher.device()):
        raise problem(409, "join.no_phone.secret")
    code, _ = house.deps.seating.offer(found.game, seat)
    watcher.told({"invited": {"seat": seat, "code": code}})
