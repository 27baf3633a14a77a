"""The door: who may call, how large a call may be, and what browsers are told to refuse."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY_LIMIT = 64 * 1024
PICTURE_LIMIT = 6 * 1024 * 1024
RECORD_LIMIT = 1024 * 1024
PLAIN_HOST = re.compile(r"[A-Za-z0-9.:\[\]-]{1,255}")
SAFE = ("GET", "HEAD", "OPTIONS")
# Older Safari does not count a WebSocket to the same host as 'self', so it is named.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self' ws://{host} wss://{host}; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=(), screen-wake-lock=(self)",
}


def host_allowed(host: str, names: frozenset[str]) -> bool:
    """Tell whether a Host header may be ours: numbers cannot be rebound, a name must be known."""
    if not PLAIN_HOST.fullmatch(host):
        return False
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name in names
    return True


def limit_of(path: str) -> int:
    """Return how large a body may be: only pictures and records are large."""
    if path == "/api/games":
        return RECORD_LIMIT
    return PICTURE_LIMIT if path.endswith("/frame") else BODY_LIMIT


def origin_allowed(origin: str | None, host: str) -> bool:
    """Tell whether a browser's Origin is the page we served; programs send none."""
    return origin is None or urlsplit(origin).netloc.lower() == host.lower()


class Door:
    """Refuses foreign hosts and origins and oversized bodies before anything else sees them."""

    def __init__(self, app: ASGIApp, names: frozenset[str]) -> None:
        self.app = app
        self.names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a call and pass it on."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        problem = self._problem(scope)
        if problem is not None:
            await self._refuse(scope, receive, send, *problem)
            return
        limit = limit_of(scope["path"])
        await self.app(scope, _limited(receive, limit), _with_headers(send, Headers(scope=scope)["host"]))

    def _problem(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not host_allowed(host, self.names):
            return 400, "error.host"
        if not headers.get("content-length", "0").isdigit():
            return 400, "error.bad_message"
        if int(headers.get("content-length", "0")) > limit_of(scope["path"]):
            return 413, "error.too_big"
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE
        if changes and not origin_allowed(headers.get("origin"), host):
            return 403, "error.not_allowed"
        if changes and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "error.not_allowed"
        return None

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, status: int, key: str) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4403, "reason": key})
            return
        await JSONResponse({"key": key, "facts": {}}, status, HEADERS)(scope, receive, send)


def _with_headers(send: Send, host: str) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.setdefault("Content-Security-Policy", POLICY.format(host=host))
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return guarded


def _limited(receive: Receive, limit: int) -> Receive:
    read = 0

    async def counted() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b"")) if message["type"] == "http.request" else 0
        if read > limit:
            raise HTTPException(413, "error.too_big")
        return message

    return counted
