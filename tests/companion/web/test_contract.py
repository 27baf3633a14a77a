"""The description of the API against the server: no failure of ours, no answer that is not described."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import booleans
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from companion.web.app import create_app
from companion.web.eyes import Eyes
from companion.web.house import Deps
from companion.web.server import WebServer, bind
from tests.companion.web.browsing import Home, started, stopped

pytestmark = pytest.mark.slow
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Home, str, str]]:
    folder: Path = tmp_path_factory.mktemp("contract")
    home = started(folder)
    home.server.stop()
    taken = bind("127.0.0.1", 0)
    home.address = f"http://127.0.0.1:{taken.getsockname()[1]}"
    eyes = Eyes(folder / "calibration")
    home.deps = replace(home.deps, cameras=eyes, tries=(100_000, 1.0))
    home.server = WebServer(create_app(home.deps), taken)
    home.server.start()
    table = home.open_table("apollo", "minotaur")
    code = home.deps.host_code.read()
    cookie = httpx.post(f"{home.address}/api/host", json={"code": code}).cookies["santorini"]
    yield home, cookie, table
    eyes.stop()
    stopped(home)


def operations() -> list[Any]:
    """All operations of the description; the server that answers is another one."""
    nowhere = cast("Any", None)
    description = create_app(Deps(nowhere, nowhere, nowhere, nowhere)).openapi()
    return [found.ok() for found in schemathesis.openapi.from_dict(description).get_all_operations()]


@pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.label)
def test_every_answer_is_described(operation: Any, house: tuple[Home, str, str]) -> None:
    home, cookie, table = house

    @settings(max_examples=12, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(), as_host=booleans(), known=booleans())
    def tried(case: Any, as_host: bool, known: bool) -> None:
        headers = {"Cookie": f"santorini={cookie}"} if as_host else {}
        if known and "table" in case.path_parameters:
            case.path_parameters["table"] = table
        case.call_and_validate(base_url=home.address, headers=headers, checks=CHECKS)

    tried()


def test_the_description_names_every_path(house: tuple[Home, str, str]) -> None:
    paths = httpx.get(f"{house[0].address}/openapi.json").json()["paths"]
    assert {"/api/me", "/api/join", "/api/host", "/api/tables", "/api/games"} <= set(paths)
    for path, methods in paths.items():
        for method, described in methods.items():
            assert described["description"], (path, method)
            assert "403" in described["responses"], (path, method)
