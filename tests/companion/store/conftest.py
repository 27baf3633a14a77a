"""Every test that takes `address` or `store` runs on SQLite and on PostgreSQL."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.store import Store
from companion.store.games import GameRow, create_game
from tests.companion.store import postgres


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    programs = postgres.binaries()
    if programs is None:
        if os.environ.get("CI") == "true":
            pytest.fail("PostgreSQL is missing: install the package postgresql")
        pytest.skip("PostgreSQL is not installed here")
    with postgres.server(programs) as url:
        yield url


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    return postgres.emptied(postgres_server)


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str | Path:
    if request.param == "sqlite":
        return tmp_path / "santorini.db"
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def store(address: str | Path) -> Iterator[Store]:
    with Store.open(address) as opened:
        opened.write(create_game(GameRow("g1", "table 1", 1000, "running", "An evening")))
        yield opened
