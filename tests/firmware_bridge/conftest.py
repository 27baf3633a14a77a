"""Things that the tests of the bridge share."""

from __future__ import annotations

import ctypes
import json
from typing import Any

import pytest

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
