"""A table with a camera before it, for every test of what the board's pictures lead to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.referee.fakes import SureEye
from companion.store import Store
from companion.table.live import Table
from companion.table.tables import Tables
from tests.companion.live.sitting import WORKERS, Sit, Sitting


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Sit]:
    with Store.open(tmp_path / "santorini.db") as store:
        tables = Tables(store)

        def begin(
            *powers: str | None,
            eye: SureEye | None = None,
            board: list[str] | None = None,
            domes: list[str] | None = None,
            workers: dict[str, str] | None = None,
            **more: Any,
        ) -> Sitting:
            players = [
                {"seat": seat, "power": power, "name": seat * 3}
                for seat, power in zip("ABC", powers or (None, None), strict=False)
            ]
            opening = {
                "position": {
                    "board": board or ["00000"] * 5,
                    "domes": domes or [],
                    "workers": workers or WORKERS,
                    "to_move": "A",
                }
            }
            return Sitting(tables.create({"players": players, "opening": opening, **more}), eye)

        yield begin


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    with Store.open(tmp_path / "santorini.db") as store:
        yield Tables(store)


@pytest.fixture
def table(tables: Tables) -> Table:
    players = [{"seat": seat, "power": None, "name": seat} for seat in "AB"]
    position = {"board": ["00000"] * 5, "domes": [], "workers": WORKERS, "to_move": "A"}
    return tables.create({"players": players, "opening": {"position": position}})
