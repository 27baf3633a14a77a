"""The doctor names what is missing and what to do about it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli.doctor import report
from companion.doctor import examine
from companion.doctor.checks import Wanted
from companion.doctor.speed import frame_ms


class BareMachine:
    """A machine where nothing is there: old Python, no camera, no broker, port taken, read-only disk."""

    def python(self) -> str:
        return "3.10.1"

    def machine(self) -> str:
        return "linux riscv64"

    def package(self, name: str) -> str | None:
        return None

    def cameras(self) -> tuple[str, ...]:
        return ()

    def camera_formats(self, device: str) -> tuple[str, ...]:
        return ()

    def serial_ports(self) -> tuple[str, ...]:
        return ()

    def program(self, name: str) -> str | None:
        return None

    def is_port_free(self, port: int) -> bool:
        return False

    def addresses(self) -> tuple[str, ...]:
        return ()

    def frame_ms(self) -> float | None:
        return 900.0

    def is_folder_writable(self, folder: Path) -> bool:
        return False


class GoodMachine(BareMachine):
    """A machine with everything."""

    def python(self) -> str:
        return "3.13.2"

    def package(self, name: str) -> str | None:
        return "5.0.0"

    def cameras(self) -> tuple[str, ...]:
        return ("/dev/v4l/by-id/usb-cam-video-index0",)

    def camera_formats(self, device: str) -> tuple[str, ...]:
        return ("MJPG", "YUYV")

    def serial_ports(self) -> tuple[str, ...]:
        return ("/dev/serial/by-id/usb-nano",)

    def program(self, name: str) -> str | None:
        return f"/usr/sbin/{name}"

    def is_port_free(self, port: int) -> bool:
        return True

    def addresses(self) -> tuple[str, ...]:
        return ("192.0.2.7",)

    def frame_ms(self) -> float | None:
        return 80.0

    def is_folder_writable(self, folder: Path) -> bool:
        return True


WANTED = Wanted(8000, Path("somewhere"))


def test_whatever_is_missing_comes_with_advice() -> None:
    findings = examine(BareMachine(), WANTED)
    assert all(finding.state != "good" and finding.advice for finding in findings)
    assert {f.name for f in findings if f.state == "bad"} == {"Python", "OpenCV", "Port", "Data"}


def test_a_good_machine_is_called_good() -> None:
    text, code = report(GoodMachine(), WANTED, as_json=False)
    assert code == 0
    assert "MJPG" in text
    assert "BAD" not in text


def test_the_report_for_a_bug_is_json() -> None:
    text, code = report(BareMachine(), WANTED, as_json=True)
    assert code == 1
    assert {"name", "state", "found", "advice"} == set(json.loads(text)[0])


@pytest.mark.slow
def test_the_time_per_picture_is_measured() -> None:
    taken = frame_ms()
    assert taken is not None
    assert 1 < taken < 60_000
