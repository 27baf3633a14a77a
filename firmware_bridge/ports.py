"""Finds serial ports by the names that survive replugging: /dev/serial/by-id."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from serial.tools import list_ports

BY_ID: Final = Path("/dev/serial/by-id")


@dataclass(frozen=True)
class Port:
    """A serial port: the name to keep, and the device behind it now."""

    path: str
    device: str
    about: str = ""


class NoChoice(Exception):
    """No port, or several and nobody said which; `ports` is what there is."""

    def __init__(self, why: str, ports: tuple[Port, ...]) -> None:
        super().__init__(why)
        self.ports = ports


def find(folder: Path = BY_ID) -> tuple[Port, ...]:
    """List the ports there are now, in the order of their names."""
    if folder.is_dir():
        links = sorted(link for link in folder.iterdir() if link.is_symlink())
        return tuple(
            Port(str(link), str(link.resolve()), about(link.name)) for link in links if link.exists()
        )
    if folder != BY_ID:
        return ()
    # Not Linux, or nothing plugged in: only USB ports, as by-id would list.
    found = (port for port in list_ports.comports() if port.vid is not None)
    return tuple(Port(port.device, port.device, port.description) for port in sorted(found))


def about(name: str) -> str:
    """Make a by-id name readable: `usb-1a86_USB_Serial-if00-port0` becomes `1a86 USB Serial`."""
    return name.removeprefix("usb-").split("-if")[0].replace("_", " ").strip()


def choose(wanted: str | None, folder: Path = BY_ID) -> Port:
    """Give the wanted port (a path, or part of a by-id name), or the only one; NoChoice otherwise.

    Opening a port resets many devices and a stranger may be a printer at work, so several ports are never
    tried in turn: the owner says which.
    """
    there = find(folder)
    if wanted is None:
        return _only(there, "more than one serial port: say which with --port")
    if "/" in wanted or wanted.upper().startswith("COM"):
        match = tuple(port for port in there if wanted in (port.path, port.device))
        return match[0] if match else Port(wanted, wanted)
    return _only(tuple(p for p in there if wanted in p.path), f"more than one serial port matches '{wanted}'")


def _only(ports: tuple[Port, ...], several: str) -> Port:
    if len(ports) == 1:
        return ports[0]
    if ports:
        raise NoChoice(f"{several} ({', '.join(Path(port.path).name for port in ports)})", ports)
    raise NoChoice("no serial port is plugged in", ports)
