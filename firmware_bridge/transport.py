"""How bytes reach a board: a small Protocol and the real serial port (fakes: `firmware_bridge.fakes`)."""

from __future__ import annotations

import contextlib
import time
from typing import Final, Protocol

import serial

BAUD: Final = 115_200


class TransportError(Exception):
    """The port cannot be used; `port` says which, the text says why."""

    def __init__(self, port: str, why: str) -> None:
        super().__init__(f"{port}: {why}")
        self.port = port
        self.why = why


class PortMissing(TransportError):
    """There is no such port, or nobody may open it."""


class PortBusy(TransportError):
    """Another program holds the port."""


class PortGone(TransportError):
    """The port was open and has gone: unplugged."""


class Transport(Protocol):
    """An open line to a board."""

    def read(self, timeout: float) -> bytes:
        """Give what has arrived; wait for at most `timeout` seconds; PortGone when unplugged."""

    def write(self, data: bytes) -> None:
        """Send bytes; PortGone when unplugged."""

    def wake(self) -> None:
        """Let a `read` that waits in another thread return at once."""

    def close(self) -> None:
        """Give the line back."""


class Clock(Protocol):
    """Where the time comes from."""

    def now(self) -> float:
        """Seconds; only differences mean anything."""

    def sleep(self, seconds: float) -> None:
        """Let time pass."""


class WallClock:
    """Real time."""

    def now(self) -> float:
        """Give the monotonic clock."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Sleep."""
        time.sleep(max(0.0, seconds))


class SerialTransport:
    """A serial port at 115,200 baud, opened for us alone."""

    def __init__(self, port: str) -> None:
        self._port = port
        try:
            self._serial = serial.Serial(port, BAUD, exclusive=True, write_timeout=1.0)
        except serial.SerialException as error:
            raise _unopened(port, error) from error

    def read(self, timeout: float) -> bytes:
        """Give what has arrived; wait for at most `timeout` seconds; PortGone when unplugged."""
        try:
            self._serial.timeout = max(0.0, timeout)
            first = self._serial.read(1)
            return bytes(first + self._serial.read(self._serial.in_waiting)) if first else b""
        except (OSError, TypeError) as error:  # pyserial: TypeError when closed under a waiting read
            raise PortGone(self._port, f"unplugged ({error})") from error

    def write(self, data: bytes) -> None:
        """Send bytes; PortGone when unplugged."""
        try:
            self._serial.write(data)
        except OSError as error:
            raise PortGone(self._port, f"unplugged ({error})") from error

    def wake(self) -> None:
        """Let a `read` that waits in another thread return at once."""
        with contextlib.suppress(OSError, TypeError):  # closed in this moment: then nobody waits
            self._serial.cancel_read()

    def close(self) -> None:
        """Give the port back."""
        self._serial.close()


def _unopened(port: str, error: serial.SerialException) -> TransportError:
    """Sort pyserial's one exception by what the user can do about it."""
    text = str(error)
    if "exclusively lock" in text or "Resource busy" in text or error.errno == 16:
        return PortBusy(port, "another program uses this port")
    if error.errno == 13:
        return PortMissing(
            port, "no permission; join the group that owns it (often `dialout`) and log in anew"
        )
    if error.errno == 2:
        return PortMissing(port, "there is no such port")
    return PortMissing(port, text)
