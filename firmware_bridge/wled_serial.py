"""WLED over USB: the same JSON API on the serial line (see kno.wled.ge/interfaces/serial)."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, Final, Protocol

from firmware_bridge.ports import NoChoice
from firmware_bridge.transport import Transport, TransportError

SCHEME: Final = "wled-usb://"
ANY_PORT: Final = "auto"
PATIENCE: Final = 3.0
"""Seconds: many controllers start anew when their port is opened, and are deaf meanwhile."""
LONGEST_LINE: Final = 100_000


class Dialer(Protocol):
    """Opens the controller's port, wherever it is now."""

    def dial(self) -> Transport:
        """Open the port; NoChoice or TransportError when that cannot be."""


class NoAnswer(OSError):
    """The controller cannot be reached, or says nothing that is JSON."""


class SerialJson:
    """Stands in for the network: an exchange is one line of JSON each way."""

    def __init__(
        self, dialer: Dialer, patience: float = PATIENCE, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._dialer, self._patience, self._now = dialer, patience, now
        self._line: Transport | None = None

    def exchange(self, method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
        """Send a request; give the status and the answer's body. NoAnswer when nothing comes."""
        wanted: dict[str, Any] = json.loads(body) if body is not None else {}
        try:
            line = self._line = self._line or self._dialer.dial()
            # With "v" the controller answers with its state and what it is.
            line.write(json.dumps({**wanted, "v": True}, separators=(",", ":")).encode() + b"\n")
            answer = self._answer(line)
        except NoChoice as error:
            raise NoAnswer(str(error)) from error
        except TransportError as error:
            self.close()
            raise NoAnswer(str(error)) from error
        part = answer["info"] if path == "/json/info" else answer["state"]
        return 200, json.dumps(part).encode()

    def _answer(self, line: Transport) -> dict[str, Any]:
        """Wait for a line that is an answer; what a starting controller prints is passed over."""
        heard, end = b"", self._now() + self._patience
        while (left := end - self._now()) > 0:
            heard += line.read(left)
            *lines, heard = heard.split(b"\n")
            for one in lines:
                if (found := _answered(one)) is not None:
                    return found
            heard = heard[-LONGEST_LINE:]
        # The port stays open: opening it again could start the controller anew.
        raise NoAnswer("the device on this port does not answer as WLED does")

    def close(self) -> None:
        """Give the port back."""
        if self._line is not None:
            self._line.close()
        self._line = None


def _answered(line: bytes) -> dict[str, Any] | None:
    """Read an answer: an object with `state` and `info`; None for anything else."""
    try:
        found = json.loads(line)
    except ValueError:
        return None
    whole = isinstance(found, dict) and all(isinstance(found.get(k), dict) for k in ("state", "info"))
    return found if whole else None
