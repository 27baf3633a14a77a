"""A WLED controller on the loopback, strict about its documentation; faulty ones are named for their fault.

Strict means: what the documentation does not list is refused, as are calls in parallel, more than 256 colours
in a call, and `on` together with individual colours (which WLED would not honour while it is off).
"""

from __future__ import annotations

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, ClassVar, Final, Self

STATE_KEYS: Final = {"on": bool, "bri": int, "transition": int, "tt": int, "seg": dict, "v": bool}
SEGMENT_KEYS: Final = {
    "id": int,
    "start": int,
    "stop": int,
    "grp": int,
    "spc": int,
    "of": int,
    "rev": bool,
    "mi": bool,
    "on": bool,
    "bri": int,
    "fx": int,
    "col": list,
    "i": list,
}
MAX_COLOURS: Final = 256


class Refused(Exception):
    """A call outside the documentation."""


def _check(given: dict[str, Any], known: dict[str, type]) -> None:
    for key, value in given.items():
        if key not in known:
            raise Refused(f"undocumented key {key!r}")
        if type(value) is not known[key]:
            raise Refused(f"{key} is a {type(value).__name__}")
        if key == "bri" and isinstance(value, int) and not 0 <= value <= 255:
            raise Refused(f"{key} out of range")


class FakeWled:
    """The controller: a context manager with a `url`; `leds` is what a person would see."""

    brand: ClassVar[dict[str, Any]] = {"ver": "0.15.0", "name": "Fake WLED", "brand": "WLED"}

    def __init__(self, count: int = 25) -> None:
        self.count = count
        self.on = False
        self.brightness = 128
        self.leds = ["FFA000"] * count  # its own effect, until somebody sets LEDs
        self.refusals: list[str] = []
        self.calls: list[dict[str, Any]] = []
        self._busy = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                outer._get(self)

            def do_POST(self) -> None:
                outer._post(self)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the base class's name
                """Stay quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    def power_cut(self) -> None:
        """Lose everything and start with the controller's own effect."""
        self.on, self.leds = True, ["FFA000"] * self.count

    def take(self, state: dict[str, Any]) -> None:
        """Change the state as documented, or refuse."""
        _check(state, STATE_KEYS)
        segment = state.get("seg", {})
        _check(segment, SEGMENT_KEYS)
        if "i" in segment and "on" in state:
            raise Refused("`on` and individual LEDs in one call")
        if "i" in segment and not self.on:
            raise Refused("individual LEDs while the light is off")
        self.calls.append(state)
        self.on = state.get("on", self.on)
        self.brightness = state.get("bri", self.brightness) or self.brightness
        if segment.get("stop", self.count) > self.count:
            raise Refused("segment longer than the strip")
        if not self.on or set(segment) - {"id", "i"}:
            self.leds = ["000000" if "col" in segment else "FFA000"] * self.count  # back to its effect
        if "i" in segment:
            self._individual(segment["i"])

    def _individual(self, items: list[Any]) -> None:
        if len([item for item in items if isinstance(item, str)]) > MAX_COLOURS:
            raise Refused(f"more than {MAX_COLOURS} colours in a call")
        place = 0
        for item in items:
            if type(item) is int:
                place = item
                continue
            if not isinstance(item, str) or not re.fullmatch("[0-9A-F]{6}", item):
                raise Refused(f"no colour: {item!r}")
            if place < self.count:
                self.leds[place] = item
            place += 1

    def _get(self, request: BaseHTTPRequestHandler) -> None:
        if request.path == "/json/info":
            self._answer(request, 200, {**self.brand, "leds": {"count": self.count, "maxpwr": 850}})
        elif request.path == "/json/state":
            self._answer(request, 200, {"on": self.on, "bri": self.brightness})
        else:
            self._answer(request, 404, {"error": 4})

    def _post(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers.get("Content-Length", 0)))
        if not self._busy.acquire(blocking=False):
            self.refusals.append("two calls at once")
            self._answer(request, 503, {"error": 3})
            return
        try:
            if request.path != "/json/state" or request.headers.get("Content-Type") != "application/json":
                raise Refused(f"{request.path} as {request.headers.get('Content-Type')}")
            self.take(json.loads(body))
            self._answer(request, 200, {"success": True})
        except (Refused, ValueError) as error:
            self.refusals.append(str(error))
            self._answer(request, 400, {"error": 9})
        finally:
            self._busy.release()

    def _answer(self, request: BaseHTTPRequestHandler, status: int, what: dict[str, Any]) -> None:
        body = json.dumps(what).encode()
        request.send_response(status)
        request.send_header("Content-Type", "application/json")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)


class RouterInstead(FakeWled):
    """A wrong device at the address: a router's login page."""

    def _get(self, request: BaseHTTPRequestHandler) -> None:
        body = b"<html>Router login</html>"
        request.send_response(200)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)


class OverloadedWled(FakeWled):
    """Refuses every fourth call for lack of memory."""

    def take(self, state: dict[str, Any]) -> None:
        """Refuse now and then."""
        self._taken = getattr(self, "_taken", 0) + 1
        if self._taken % 4 == 0:
            raise ValueError("out of memory")
        super().take(state)
