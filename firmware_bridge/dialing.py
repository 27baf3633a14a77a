"""Opens the serial port that was asked for, by the name that survives replugging."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge import ports
from firmware_bridge.transport import SerialTransport, Transport


class PortDialer:
    """Opens the wanted port, by the name that survives replugging; stays with the one it has opened."""

    def __init__(self, wanted: str | None, folder: Path = ports.BY_ID) -> None:
        self._wanted, self._folder = wanted, folder
        self._kept: str | None = None

    def dial(self) -> Transport:
        """Open the port; NoChoice or TransportError when that cannot be."""
        there = {port.path for port in ports.find(self._folder)}
        path = self._kept if self._kept in there else ports.choose(self._wanted, self._folder).path
        transport = SerialTransport(path)
        self._kept = path
        return transport
