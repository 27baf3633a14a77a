"""What the server's pages share: the tables, the seats, who is calling."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypeVar

from fastapi import Depends, HTTPException, Request, Response
from pydantic import BaseModel, ConfigDict

from companion.web.codes import HostCode, Rate
from companion.web.hub import Hub
from companion.web.ports import Cameras, Games, SeatDevices, Table, Tables
from companion.web.seating import Device, Seating

T = TypeVar("T")
COOKIE = "santorini"
SECURE_COOKIE = "__Host-santorini"
YEAR = 365 * 24 * 3600
STATIC = Path(__file__).parent / "static"


@dataclass(frozen=True)
class Deps:
    """What the server is made from."""

    tables: Tables
    games: Games
    seating: Seating
    host_code: HostCode
    address: str = "http://127.0.0.1:8000"
    names: frozenset[str] = frozenset({"localhost"})
    cameras: Cameras | None = None
    clock: Callable[[], float] = time.time
    tries: tuple[int, float] = (10, 60.0)
    secure_address: str | None = None
    certificate: Path | None = None
    devices: SeatDevices | None = None
    """Devices of the seats' own over MQTT; None where there is no broker."""
    keeps_pictures: bool = False
    """Whether doubtful pictures are kept: the pages say so."""


@dataclass
class House:
    """One running server: its parts, and what it remembers of callers."""

    deps: Deps
    hub: Hub = field(default_factory=Hub)

    def __post_init__(self) -> None:
        self.guesses = Rate(self.deps.clock, *self.deps.tries)

    async def aside(self, work: Callable[..., T], *given: object) -> T:
        """Do a work that takes its time, without holding up anybody."""
        return await asyncio.to_thread(work, *given)


class Told(BaseModel):
    """A text without a language."""

    model_config = ConfigDict(frozen=True)

    key: str
    facts: dict[str, Any] = {}


class Strict(BaseModel):
    """A body: unknown fields and bent values are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def problem(status: int, key: str, facts: dict[str, Any] | None = None) -> HTTPException:
    """Return a refusal with its text."""
    return HTTPException(status, {"key": key, "facts": facts or {}})


def house_of(request: Request) -> House:
    """Return the house that serves a request."""
    house: House = request.app.state.house
    return house


def cookie_name(scheme: str) -> str:
    """Return the cookie's name: over plain http browsers drop the safe kind silently."""
    return SECURE_COOKIE if scheme in ("https", "wss") else COOKIE


def cookie_of(request: Request) -> str | None:
    """Return the caller's cookie."""
    return request.cookies.get(cookie_name(request.url.scheme))


def give_cookie(request: Request, response: Response, cookie: str) -> None:
    """Put the device's cookie on the answer."""
    response.set_cookie(
        cookie_name(request.url.scheme),
        cookie,
        max_age=YEAR,
        path="/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )


def device_of(request: Request) -> Device:
    """Return the calling device."""
    return house_of(request).deps.seating.device(cookie_of(request))


def must_be_host(request: Request) -> Device:
    """Refuse everybody but the host."""
    device = device_of(request)
    if not device.host:
        raise problem(403, "settings.host_only")
    return device


def may_guess(request: Request) -> None:
    """Refuse callers who have tried too many codes."""
    caller = request.client.host if request.client else ""
    if not house_of(request).guesses.allow(caller):
        raise problem(429, "join.too_many")


def table_of(request: Request, table: str) -> Table:
    """Return a table that is open."""
    found = house_of(request).deps.tables.get(table)
    if found is None:
        raise problem(404, "error.not_found")
    return found


TheHouse = Annotated[House, Depends(house_of)]
TheDevice = Annotated[Device, Depends(device_of)]
TheHost = Annotated[Device, Depends(must_be_host)]
TheTable = Annotated[Table, Depends(table_of)]
Answers = dict[int | str, dict[str, Any]]


def answers(*codes: int) -> Answers:
    """Describe the refusals of a path: those of its own and those of the door."""
    return {code: {"model": Told, "description": "refused"} for code in sorted({400, 403, 413, *codes})}
