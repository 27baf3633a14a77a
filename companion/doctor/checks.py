"""The checks: each asks the machine one thing and answers with a finding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from companion.doctor.probe import Probe, RealProbe

__all__ = ["CHECKS", "Finding", "Probe", "RealProbe", "Wanted", "examine"]

PYTHON_NEEDED: Final = (3, 11)
SLOW_FRAME_MS: Final = 400.0


@dataclass(frozen=True)
class Wanted:
    """What the user means to run: the port and the data folder."""

    port: int
    data: Path


@dataclass(frozen=True)
class Finding:
    """One line of the doctor's report."""

    name: str
    state: Literal["good", "optional", "bad"]
    found: str
    advice: str = ""


def check_python(probe: Probe, wanted: Wanted) -> Finding:
    """Python is new enough."""
    version = probe.python()
    numbers = tuple(int(part) for part in version.split(".")[:2])
    if numbers >= PYTHON_NEEDED:
        return Finding("Python", "good", f"{version} on {probe.machine()}")
    return Finding("Python", "bad", version, "Install Python 3.11 or newer.")


def check_opencv(probe: Probe, wanted: Wanted) -> Finding:
    """OpenCV is the headless build, which runs without a screen."""
    if version := probe.package("opencv-python-headless"):
        return Finding("OpenCV", "good", version)
    return Finding("OpenCV", "bad", "not installed", "Run ./play --setup-only once more.")


def check_cameras(probe: Probe, wanted: Wanted) -> Finding:
    """A camera is plugged in."""
    devices = probe.cameras()
    if not devices:
        return Finding(
            "Camera",
            "optional",
            "none found",
            "Plug in a webcam, or use an old phone: docs/camera.md says how.",
        )
    described = (f"{d} ({', '.join(probe.camera_formats(d)) or 'formats unknown'})" for d in devices)
    return Finding("Camera", "good", "; ".join(described), "Start with: ./play --camera 0")


def check_serial(probe: Probe, wanted: Wanted) -> Finding:
    """A board with lights or buttons is plugged in."""
    ports = probe.serial_ports()
    if ports:
        return Finding("Serial", "good", "; ".join(ports))
    return Finding("Serial", "optional", "no serial port", "Only needed for lights and buttons.")


def check_broker(probe: Probe, wanted: Wanted) -> Finding:
    """A broker can be started for MQTT."""
    if where := probe.program("mosquitto"):
        return Finding("Broker", "good", where, "Start with: ./play --mqtt local")
    return Finding(
        "Broker", "optional", "mosquitto is not installed", "For MQTT: sudo apt-get install mosquitto"
    )


def check_port(probe: Probe, wanted: Wanted) -> Finding:
    """The port is free."""
    if probe.is_port_free(wanted.port):
        return Finding("Port", "good", f"{wanted.port} is free")
    advice = f"Something listens there already. Try: ./play --port {wanted.port + 1}"
    return Finding("Port", "bad", f"{wanted.port} is taken", advice)


def check_network(probe: Probe, wanted: Wanted) -> Finding:
    """Phones can reach this machine."""
    if found := probe.addresses():
        return Finding("Network", "good", ", ".join(found))
    return Finding("Network", "optional", "no address on a network", "Join the Wi-Fi that the phones use.")


def check_data(probe: Probe, wanted: Wanted) -> Finding:
    """Games can be kept."""
    if probe.is_folder_writable(wanted.data):
        return Finding("Data", "good", str(wanted.data))
    return Finding("Data", "bad", f"{wanted.data} cannot be written", "Choose another with --data DIR.")


def check_speed(probe: Probe, wanted: Wanted) -> Finding:
    """A picture is read fast enough to play."""
    taken = probe.frame_ms()
    if taken is None:
        return Finding("Speed", "optional", "not measured", "Run without --fast to measure.")
    if taken <= SLOW_FRAME_MS:
        return Finding("Speed", "good", f"{taken:.0f} ms to read a picture")
    return Finding("Speed", "optional", f"{taken:.0f} ms to read a picture", "Playable, but hints come late.")


CHECKS: Final[tuple[Callable[[Probe, Wanted], Finding], ...]] = (
    check_python,
    check_opencv,
    check_cameras,
    check_serial,
    check_broker,
    check_port,
    check_network,
    check_data,
    check_speed,
)


def examine(probe: Probe, wanted: Wanted) -> tuple[Finding, ...]:
    """Ask everything."""
    return tuple(check(probe, wanted) for check in CHECKS)
