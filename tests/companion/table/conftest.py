"""A store on disk and a table whose workers are placed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.store import Store
from companion.table.live import Table
from companion.table.tables import Tables
from tests.companion.table.playing import PLAIN, placed


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "santorini.db") as opened:
        yield opened


@pytest.fixture
def table(store: Store) -> Table:
    return placed(Tables(store).create(PLAIN))
