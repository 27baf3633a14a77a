"""The example in docs/: a seat's own state in a terminal."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.companion.bus.conftest import House
from tests.companion.bus.test_sealed import hide

EXAMPLE = Path(__file__).parents[3] / "docs" / "seat_in_terminal.py"


@pytest.mark.broker
def test_it_shows_the_seat_what_it_hides(house: House) -> None:
    table = hide(house.tables, "hidden")
    deadline = time.monotonic() + 30
    while (ticket := house.bus.seat_ticket("hidden", "A")) is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    house.seat("A", table).close()
    paper = ticket.to_json()
    assert set(paper) == {"host", "port", "user", "password", "secure", "table", "seat", "key"}
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), "--once"],
        input=json.dumps(paper),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Seat A: " in done.stdout
    assert "'A1': 'a1'" in done.stdout
