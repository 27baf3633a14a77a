"""What the doctor may ask of the machine, and the real machine."""

from __future__ import annotations

import contextlib
import platform
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Protocol


class Probe(Protocol):
    """Questions to a machine; the tests bring machines with something missing."""

    def python(self) -> str:
        """The version of Python."""

    def machine(self) -> str:
        """System and processor, in a word each."""

    def package(self, name: str) -> str | None:
        """The installed version of a package."""

    def cameras(self) -> tuple[str, ...]:
        """Camera devices that the system shows, by a name that stays."""

    def camera_formats(self, device: str) -> tuple[str, ...]:
        """Picture formats of a camera, where v4l2-ctl is there to ask."""

    def serial_ports(self) -> tuple[str, ...]:
        """Serial ports by a name that stays."""

    def program(self, name: str) -> str | None:
        """Where a program is."""

    def is_port_free(self, port: int) -> bool:
        """Whether a server could listen there."""

    def addresses(self) -> tuple[str, ...]:
        """Addresses on the network."""

    def frame_ms(self) -> float | None:
        """Milliseconds to read one picture here."""

    def is_folder_writable(self, folder: Path) -> bool:
        """Whether games can be kept there."""


def lan_addresses() -> tuple[str, ...]:
    """The addresses by which others on the network reach this machine, the usual one first."""
    found: list[str] = []
    # Connecting a datagram socket sends nothing; it only makes the system choose a way out.
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        found.append(str(probe.getsockname()[0]))
    with contextlib.suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return tuple(dict.fromkeys(a for a in found if not a.startswith("127.")))


class RealProbe:
    """The machine this runs on."""

    def __init__(self, frame: Callable[[], float | None]) -> None:
        self._frame = frame

    def python(self) -> str:
        """The version of Python."""
        return platform.python_version()

    def machine(self) -> str:
        """System and processor, in a word each."""
        return f"{sys.platform} {platform.machine()}"

    def package(self, name: str) -> str | None:
        """The installed version of a package."""
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            return None

    def cameras(self) -> tuple[str, ...]:
        """Camera devices that the system shows, by a name that stays."""
        stable = sorted(str(p) for p in Path("/dev/v4l/by-id").glob("*index0"))
        return tuple(stable or sorted(str(p) for p in Path("/dev").glob("video*")))

    def camera_formats(self, device: str) -> tuple[str, ...]:
        """Picture formats of a camera, where v4l2-ctl is there to ask."""
        if not shutil.which("v4l2-ctl"):
            return ()
        asked = ["v4l2-ctl", "-d", device, "--list-formats"]
        said = subprocess.run(asked, capture_output=True, text=True, timeout=5, check=False).stdout
        return tuple(line.split("'")[1] for line in said.splitlines() if line.count("'") == 2)

    def serial_ports(self) -> tuple[str, ...]:
        """Serial ports by a name that stays."""
        return tuple(sorted(str(p) for p in Path("/dev/serial/by-id").glob("*")))

    def program(self, name: str) -> str | None:
        """Where a program is."""
        return shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")

    def is_port_free(self, port: int) -> bool:
        """Whether a server could listen there."""
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                return False
        return True

    def addresses(self) -> tuple[str, ...]:
        """Addresses on the network."""
        return lan_addresses()

    def frame_ms(self) -> float | None:
        """Milliseconds to read one picture here."""
        return self._frame()

    def is_folder_writable(self, folder: Path) -> bool:
        """Whether games can be kept there."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            trial = folder / f".trial-{time.monotonic_ns()}"
            trial.write_bytes(b"")
            trial.unlink()
        except OSError:
            return False
        return True
