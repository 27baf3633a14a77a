"""Things that the tests of the bridge share."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge import build
from firmware_bridge.emulator import Emulator
from tests.firmware_bridge import native as native_build
from tests.firmware_bridge.vectors import PATH


@pytest.fixture(scope="session")
def native(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The firmware's portable half, built for this machine; without gcc this fails, it does not skip."""
    return native_build.build(tmp_path_factory.mktemp("native"))


@pytest.fixture(scope="session")
def vectors() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(PATH.read_text("utf-8"))
    return found


@dataclass(frozen=True)
class Built:
    """The firmware and the program that emulates it."""

    runner: Path
    elf: Path

    def run(self, *, real_time: bool = True) -> Emulator:
        return Emulator(self.runner, self.elf, real_time=real_time)


@pytest.fixture(scope="session")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Without avr-gcc, gcc and libsimavr-dev this fails, it does not skip."""
    return build.runner(tmp_path_factory.mktemp("runner"))


@pytest.fixture(scope="session")
def built(runner: Path, tmp_path_factory: pytest.TempPathFactory) -> Built:
    return Built(runner, build.firmware(tmp_path_factory.mktemp("firmware")).with_suffix(".elf"))


@pytest.fixture
def chip(built: Built) -> Iterator[Emulator]:
    with built.run() as emulator:
        yield emulator
