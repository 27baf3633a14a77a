"""The web application: pages, the API behind them, and one WebSocket a phone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import structlog
from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from companion.web import camera_phone, cameras, gameroom, joining, pages, screens, things
from companion.web.house import Deps, House, cookie_name
from companion.web.phone import Phone, Room
from companion.web.security import Door

log = structlog.get_logger("web")


def create_app(deps: Deps) -> FastAPI:
    """Build the application around the parts it shows."""
    app = FastAPI(title="Santorini companion", version="1", docs_url=None, redoc_url=None, lifespan=living)
    app.state.house = House(deps)
    for part in (joining, screens, gameroom, cameras, camera_phone, things, pages):
        app.include_router(part.router)
    app.add_api_websocket_route("/ws", talk)
    app.add_exception_handler(HTTPException, refuse)
    app.add_exception_handler(RequestValidationError, malformed)
    app.add_exception_handler(Exception, failed)
    app.add_middleware(Door, names=deps.names)
    return app


@asynccontextmanager
async def living(app: FastAPI) -> AsyncIterator[None]:
    """Let the tables that were opened before know who sits there."""
    house: House = app.state.house
    for table in house.deps.tables.all():
        joining.note_joined(house, table)
    follower = asyncio.create_task(follow(house))
    yield
    follower.cancel()


async def follow(house: House) -> None:
    """Look now and then for a new game under a table's name: the practice table begins again by itself."""
    while True:
        await asyncio.sleep(0.5)
        house.hub.refresh(house.deps.tables)


async def talk(socket: WebSocket) -> None:
    """Talk to one phone."""
    house: House = socket.app.state.house
    deps = house.deps
    cookie = socket.cookies.get(cookie_name(socket.url.scheme))
    await Phone(socket, Room(deps.tables, house.hub, deps.seating.device, deps.clock), cookie).run()


async def refuse(_request: Request, error: Exception) -> JSONResponse:
    """Answer a refusal with its text."""
    assert isinstance(error, HTTPException)
    detail: Any = error.detail
    body = detail if isinstance(detail, dict) else {"key": _key(error), "facts": {}}
    return JSONResponse(body, error.status_code, headers=error.headers)


def _key(error: HTTPException) -> str:
    if str(error.detail).startswith("error."):
        return str(error.detail)
    return {404: "error.not_found", 405: "error.not_found"}.get(error.status_code, "error.bad_message")


async def malformed(_request: Request, _error: Exception) -> JSONResponse:
    """Answer a body or path that cannot be read; what was sent is not repeated."""
    return JSONResponse({"key": "error.bad_message", "facts": {}}, 422)


async def failed(request: Request, error: Exception) -> JSONResponse:
    """Answer a failure of ours; the log has the rest."""
    log.error("request failed", path=request.url.path, error=type(error).__name__, exc_info=error)
    return JSONResponse({"key": "error.unknown", "facts": {}}, 500)
