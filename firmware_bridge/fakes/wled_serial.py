"""A WLED controller on a serial line, as strict about its documentation as the one on the network."""

from __future__ import annotations

import json
import threading

from firmware_bridge.fakes.wled import FakeWled, Refused
from firmware_bridge.transport import PortGone


class SerialWled:
    """The controller and its line in one: a transport whose other end is WLED."""

    def __init__(self, wled: FakeWled, greeting: bytes = b"") -> None:
        self.wled, self.closed, self.unplugged = wled, False, False
        self._in, self._out = b"", greeting
        self._news = threading.Condition()

    def write(self, data: bytes) -> None:
        """Take bytes; every line has to be one JSON object."""
        with self._news:
            if self.unplugged:
                raise PortGone("fake", "unplugged")
            *lines, self._in = (self._in + data).split(b"\n")
            for line in lines:
                self._out += self._answer(line)
            self._news.notify_all()

    def _answer(self, line: bytes) -> bytes:
        try:
            state = json.loads(line)
            if not isinstance(state, dict):
                raise Refused(f"no object: {line[:20]!r}")
            if set(state) - {"v"}:
                self.wled.take(state)
        except (Refused, ValueError) as error:
            self.wled.refusals.append(str(error))
            return b'{"error":9}\n'
        if state.get("v") is not True:
            return b""  # only who asks for an answer gets one
        info = {**self.wled.brand, "leds": {"count": self.wled.count, "maxpwr": 850}}
        now = {"on": self.wled.on, "bri": self.wled.brightness}
        return json.dumps({"state": now, "info": info}).encode() + b"\r\n"

    def read(self, timeout: float) -> bytes:
        """Give what it has said; wait for at most this long."""
        with self._news:
            self._news.wait_for(lambda: self._out or self.unplugged, timeout)
            if self.unplugged:
                raise PortGone("fake", "unplugged")
            given, self._out = self._out[:7], self._out[7:]
            return given

    def wake(self) -> None:
        """Nobody waits here for long."""

    def close(self) -> None:
        """Hang up."""
        self.closed = True

    def unplug(self) -> None:
        """Pull the cable."""
        with self._news:
            self.unplugged = True
            self._news.notify_all()


class DeafWled(SerialWled):
    """Its answers go nowhere, as when the transmitting pin drives an LED."""

    def _answer(self, line: bytes) -> bytes:
        super()._answer(line)
        return b""


class BootingWled(SerialWled):
    """Starts anew when its port is opened: the first line is lost, and it prints what no one asked for."""

    _deaf = True

    def _answer(self, line: bytes) -> bytes:
        if self._deaf:
            self._deaf = False
            return b" ets Jan  8 2013,rst cause:2, boot mode:(3,6)\r\nAda\n"
        return super()._answer(line)
