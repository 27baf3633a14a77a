"""WLED, a ready-made LED controller, over its JSON API (see kno.wled.ge/interfaces/json-api)."""

from __future__ import annotations

import contextlib
import http.client
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

from firmware_bridge.frames import Beep, Picture
from firmware_bridge.lamp import Desk, LinkName, LinkState

AT_ONCE: Final = 256  # more colours must be sent in several calls, one after the other
TIMEOUT: Final = 3.0
REFRESH: Final = 5.0  # after a power cut WLED starts with its own preset
LONGEST_PAUSE: Final = 10.0


class WledError(Exception):
    """The controller cannot be used; the text says what was found."""


class Http(Protocol):
    """One exchange with a web server; OSError or http.client.HTTPException when that fails."""

    def exchange(self, method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
        """Send a request; give the status and the answer's body."""

    def close(self) -> None:
        """Hang up."""


class PlainHttp:
    """HTTP by the standard library, one connection kept open."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url if "//" in url else f"//{url}")
        if parts.scheme not in ("", "http") or not parts.hostname:
            raise WledError(f"'{url}' is no address like http://wled.local")
        self._line = http.client.HTTPConnection(parts.hostname, parts.port or 80, timeout=TIMEOUT)

    def exchange(self, method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
        """Send a request; give the status and the answer's body."""
        headers = {"Content-Type": "application/json"} if body is not None else {}
        try:
            self._line.request(method, path, body, headers)
            answer = self._line.getresponse()
            return answer.status, answer.read(1_000_000)
        except (OSError, http.client.HTTPException):
            self._line.close()
            raise

    def close(self) -> None:
        """Hang up."""
        self._line.close()


@dataclass(frozen=True)
class Found:
    """What the controller says about itself."""

    name: str
    version: str
    leds: int


def calls(picture: Picture) -> Iterator[dict[str, Any]]:
    """The calls that show a picture, in order; WLED does not honour colours that travel with `on`."""
    yield {"on": True, "bri": max(1, picture.brightness), "tt": 0}
    colours = picture.colours if picture.brightness else ((0, 0, 0),) * len(picture.colours)
    digits = [bytes(colour).hex().upper() for colour in colours]
    for start in range(0, len(digits), AT_ONCE):
        yield {"seg": {"id": 0, "i": [start, *digits[start : start + AT_ONCE]]}, "tt": 0}


def setup_call(leds: int) -> dict[str, Any]:
    """One plain segment over all LEDs, so that numbers mean places on the strip."""
    plain = {"grp": 1, "spc": 0, "of": 0, "rev": False, "mi": False, "on": True, "bri": 255, "fx": 0}
    return {"on": True, "tt": 0, "seg": {"id": 0, "start": 0, "stop": leds, "col": ["000000"], **plain}}


class Wled:
    """The controller's API, one call at a time."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def find(self) -> Found:
        """Ask what this is; WledError when it is no WLED."""
        status, body = self._http.exchange("GET", "/json/info", None)
        info = _json(body) if status == 200 else None
        if not isinstance(info, dict) or "ver" not in info or not isinstance(info.get("leds"), dict):
            raise WledError(f"this is no WLED: /json/info answers {status} {body[:40]!r}")
        count = info["leds"].get("count")
        if not isinstance(count, int) or count < 1:
            raise WledError(f"WLED names no number of LEDs: {info['leds']!r}")
        return Found(str(info.get("name", "WLED")), str(info["ver"]), count)

    def call(self, state: dict[str, Any]) -> None:
        """Change the state; WledError when it is refused."""
        status, body = self._http.exchange("POST", "/json/state", json.dumps(state).encode())
        answer = _json(body)
        if status != 200 or not isinstance(answer, dict) or "error" in answer:
            raise WledError(f"WLED refused {str(state)[:60]}: {status} {body[:60]!r}")

    def show(self, picture: Picture) -> None:
        """Show a picture."""
        for state in calls(picture):
            self.call(state)

    def close(self) -> None:
        """Hang up."""
        self._http.close()


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None


class WledLamp:
    """A lamp behind WLED: the newest picture wins, the connection comes back. No buttons, no buzzer."""

    def __init__(self, http: Http, desk: Desk, refresh: float = REFRESH) -> None:
        self._wled, self._desk, self._refresh = Wled(http), desk, refresh
        self._change = threading.Condition()
        self._picture: Picture | None = None
        self._fresh = self._stopped = False
        self._thread: threading.Thread | None = None
        self._state = LinkState("searching")

    def show(self, picture: Picture) -> None:
        """Show this; it replaces what has not been shown yet."""
        with self._change:
            self._picture, self._fresh = picture, True
            self._change.notify_all()

    def beep(self, beep: Beep) -> None:
        """WLED has no buzzer."""

    def close(self) -> None:
        """Stop; the light goes off."""
        with self._change:
            self._stopped = True
            self._change.notify_all()
        if self._thread is not None:
            self._thread.join(4 * TIMEOUT)

    def start(self) -> None:
        """Work in a thread of its own."""
        self._thread = threading.Thread(target=self.run, name="wled", daemon=True)
        self._thread.start()

    def run(self) -> None:
        """Keep the controller showing until closed."""
        pause = 0.5
        while not self._stopped:
            try:
                self._serve()
            except (WledError, OSError, http.client.HTTPException) as error:
                self._say("waiting", str(error) or type(error).__name__)
                self._rest(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
        with contextlib.suppress(WledError, OSError, http.client.HTTPException):
            self._wled.call({"on": False, "tt": 0})
        self._wled.close()
        self._say("closed", "")

    def _serve(self) -> None:
        found = self._wled.find()
        self._wled.call(setup_call(found.leds))
        self._say("up", f"{found.name}, WLED {found.version}, {found.leds} LEDs")
        self._fresh = self._picture is not None
        while not self._stopped:
            picture = self._next()
            if picture is None:
                continue
            if len(picture.colours) > found.leds:
                raise WledError(f"WLED has {found.leds} LEDs, the picture {len(picture.colours)}")
            self._wled.show(picture)

    def _next(self) -> Picture | None:
        """Wait for a new picture, or for the time to show the old one again."""
        with self._change:
            self._change.wait_for(lambda: self._fresh or self._stopped, self._refresh)
            self._fresh = False
            return None if self._stopped else self._picture

    def _rest(self, seconds: float) -> None:
        with self._change:
            self._change.wait_for(lambda: self._stopped, seconds)

    def _say(self, name: LinkName, detail: str) -> None:
        state = LinkState(name, detail)
        if state != self._state:
            self._state = state
            self._desk.link_changed(state)
